//! A kitchen of Collab-Overcooked in play, driven by the published names of macros.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::ground;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::effect::Record;
use brigade::task::facts::facts;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask, StateBuf};

pub(crate) const AGENTS: [&str; 2] = ["chef", "assistant"];

/// Compiles a problem of the Collab-Overcooked domain, given as text.
pub(crate) fn compile(problem: &str, semantics: &str) -> Arc<PackedTask> {
    static COMPILED: Mutex<BTreeMap<(String, String), Arc<PackedTask>>> =
        Mutex::new(BTreeMap::new());
    let key = (problem.to_owned(), semantics.to_owned());
    if let Some(task) = COMPILED.lock().unwrap().get(&key) {
        return Arc::clone(task);
    }
    let domain = domain_text();
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain.clone()),
        problem: sources.add("problem", problem),
    };
    let parsed_domain = parse_domain(files.domain, &domain, &mut diagnostics);
    let parsed_problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options::default().with_semantics(semantics);
    let model = resolve(
        &parsed_domain,
        &parsed_problem,
        &options,
        files,
        &mut diagnostics,
    );
    assert_eq!(render_all(&diagnostics, &sources, Colour::Plain), "");
    let task = Arc::new(ground(&model.unwrap(), &brigade::ground::Options::default()).unwrap());
    COMPILED.lock().unwrap().insert(key, Arc::clone(&task));
    task
}

pub(crate) fn domain_text() -> String {
    fs::read_to_string(root().join("domains/collab-overcooked.pddl")).unwrap()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of one of the published tasks.
pub(crate) fn problem_text(name: &str) -> String {
    let path = root().join(format!("problems/collab-overcooked/{name}.pddl"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A problem with an order and further facts.
pub(crate) fn problem(order: &str, facts: &str) -> String {
    format!(
        "(define (problem test) (:domain collab-overcooked)
           (:init (= (order) {order}) {facts})
           (:goal (served)))"
    )
}

/// The published recordings, where the environment names their folder.
pub(crate) fn upstream() -> Option<PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM");
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("BRIGADE_UPSTREAM is not set: the published recordings are not read");
        }
    }
    folder.map(|folder| Path::new(&folder).join("collab-overcooked"))
}

/// The ground operator of a macro: `pickup(egg, counter)` of the chef is
/// `pickup-from-counter chef egg`.
fn operator_name(agent: usize, call: &str) -> String {
    let agent = AGENTS[agent];
    let (name, arguments) = call
        .strip_suffix(')')
        .and_then(|call| call.split_once('('))
        .unwrap_or((call, ""));
    let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
    match (name, &arguments[..]) {
        ("pickup", [thing, "counter"]) => format!("pickup-from-counter {agent} {thing}"),
        ("pickup", [thing, place]) if place.ends_with("_dispenser") => {
            format!("fetch {agent} {thing} {place}")
        }
        ("pickup", [thing, utensil]) => format!("pickup-from-utensil {agent} {thing} {utensil}"),
        ("put_obj_in_utensil", [utensil]) => format!("put-into-utensil {agent} {utensil}"),
        ("fill_dish_with_food", [utensil]) => format!("fill {agent} {utensil}"),
        ("cook" | "bake" | "cut" | "stir", [utensil]) => format!("operate {agent} {utensil}"),
        ("place_obj_on_counter", _) => format!("place {agent}"),
        ("deliver_soup", _) => format!("deliver {agent}"),
        ("wait", _) => "wait".to_owned(),
        _ => panic!("no macro: {call}"),
    }
}

/// A label, when it was recorded, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// Ticks passed before the step.
    pub(crate) tick: usize,
    pub(crate) agent: usize,
    /// Without spaces.
    pub(crate) label: String,
}

impl Logged {
    /// The published timestamp: the number of ticks after the step, but before it for a delivery.
    pub(crate) fn stamp(&self) -> usize {
        self.tick + usize::from(self.label != "deliver_soup()")
    }
}

/// A kitchen and what has happened in it.
pub(crate) struct Kitchen {
    pub(crate) task: Arc<PackedTask>,
    pub(crate) state: StateBuf,
    pub(crate) tick: usize,
    pub(crate) log: Vec<Logged>,
    /// For each agent what it did at each tick: `N`, `S`, `E`, `W` a move or a turn, `I` an
    /// interaction, `.` nothing.
    pub(crate) primitives: [String; 2],
    pub(crate) status: Status,
}

impl Kitchen {
    /// One of the published tasks.
    pub(crate) fn of(name: &str, semantics: &str) -> Self {
        Self::new(compile(&problem_text(name), semantics))
    }

    /// An order, and further facts: what is stocked, and where things stand already.
    pub(crate) fn set_up(order: &str, facts: &str, semantics: &str) -> Self {
        Self::new(compile(&problem(order, facts), semantics))
    }

    pub(crate) fn new(task: Arc<PackedTask>) -> Self {
        Self {
            state: task.initial.clone(),
            task,
            tick: 0,
            log: Vec::new(),
            primitives: [String::new(), String::new()],
            status: Status::Running,
        }
    }

    /// Returns true if a fact holds, written as in PDDL.
    pub(crate) fn is(&self, fact: &str) -> bool {
        facts(&self.task, &self.state).iter().any(|f| f == fact)
    }

    pub(crate) fn holds(&self, holder: &str, thing: &str) -> bool {
        self.is(&format!("(= (holds {holder}) {thing})"))
    }

    /// The value of an object fluent, `undefined` too where it can have no other.
    pub(crate) fn value(&self, fluent: &str) -> &str {
        let variable = self.task.variables.iter().find(|v| v.name == fluent);
        variable.map_or("undefined", |v| &v.values[v.get(&self.state) as usize].name)
    }

    pub(crate) fn is_busy(&self, agent: usize) -> bool {
        self.value(&format!("(activity {})", AGENTS[agent])) != "idle"
    }

    fn operator(&self, agent: usize, name: &str) -> Option<OperatorId> {
        let operators = &self.task.agents[agent].operators;
        let named = |id: &&OperatorId| self.task.operator(**id).name == name;
        operators.iter().find(named).copied()
    }

    /// The operator of a macro, if it may be started now.
    pub(crate) fn startable(&self, agent: usize, call: &str) -> Option<OperatorId> {
        self.operator(agent, &operator_name(agent, call))
            .filter(|&operator| self.task.is_applicable(&self.state, operator))
    }

    /// One timestep. Each agent starts the given macro; `None` stands for going on with the
    /// running one, or for waiting.
    pub(crate) fn step(&mut self, calls: [Option<&str>; 2]) {
        assert_eq!(self.status, Status::Running, "at tick {}", self.tick);
        let joint: Vec<OperatorId> = (0..2)
            .map(|agent| match calls[agent] {
                Some(call) => self.startable(agent, call).unwrap_or_else(|| {
                    let (who, tick) = (AGENTS[agent], self.tick);
                    let facts = facts(&self.task, &self.state);
                    panic!("{who} cannot start {call} at tick {tick}: {facts:?}")
                }),
                None if self.is_busy(agent) => self.operator(agent, "continue").unwrap(),
                None => self.task.agents[agent].wait.unwrap(),
            })
            .collect();
        let before: Vec<_> = (0..2).map(|agent| self.pose(agent)).collect();
        let mut record = Record::default();
        let works = [0, 1].map(|agent| Some(joint[agent]) != self.task.agents[agent].wait);
        self.status = self
            .task
            .step(&mut self.state, &joint, &mut record)
            .unwrap();
        for entry in record.log {
            self.log.push(Logged {
                tick: self.tick,
                agent: usize::from(entry.agent),
                label: self.task.label(entry.label).replace(' ', ""),
            });
        }
        for agent in 0..2 {
            let pose = self.pose(agent);
            let primitive = match (pose != before[agent], works[agent]) {
                (true, _) => pose.1.chars().next().unwrap().to_ascii_uppercase(),
                (false, true) => 'I',
                (false, false) => '.',
            };
            self.primitives[agent].push(primitive);
        }
        self.tick += 1;
    }

    /// Returns the position of an agent and the way it faces.
    fn pose(&self, agent: usize) -> (String, String) {
        let value = |fluent| {
            self.value(&format!("({fluent} {})", AGENTS[agent]))
                .to_owned()
        };
        (value("at"), value("facing"))
    }

    /// Lets each agent do its macros, each as soon as it may be started, until both have finished
    /// or the order is served. `wait` waits one tick.
    pub(crate) fn play(&mut self, chef: &[&str], assistant: &[&str]) {
        let mut queues = [chef, assistant];
        let mut idle = 0;
        while self.status == Status::Running
            && (0..2).any(|agent| !queues[agent].is_empty() || self.is_busy(agent))
        {
            let calls = [0, 1].map(|agent| {
                let (&call, rest) = queues[agent].split_first()?;
                let ready = !self.is_busy(agent) && self.startable(agent, call).is_some();
                ready.then(|| {
                    queues[agent] = rest;
                    call
                })
            });
            let stuck = calls == [None, None] && (0..2).all(|agent| !self.is_busy(agent));
            idle = if stuck { idle + 1 } else { 0 };
            assert!(
                idle < 10,
                "nobody can go on at tick {}: {queues:?}",
                self.tick
            );
            self.step(calls);
        }
    }

    /// Waits for both, or lets them go on.
    pub(crate) fn wait(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.step([None, None]);
        }
    }

    /// Returns the number of ticks from now until the work of a utensil is done, if nothing is started.
    pub(crate) fn ready_in(&self, utensil: &str) -> usize {
        let stage = |kitchen: &Self| kitchen.value(&format!("(stage-of {utensil})")).to_owned();
        assert_eq!(stage(self), "cooking");
        let mut later = Self {
            state: self.state.clone(),
            ..Self::new(Arc::clone(&self.task))
        };
        while stage(&later) == "cooking" {
            later.wait(1);
        }
        later.tick
    }

    /// Like [`play`](Self::play) for the chef alone.
    pub(crate) fn chef(&mut self, calls: &[&str]) {
        self.play(calls, &[]);
    }

    /// Like [`play`](Self::play) for the assistant alone.
    pub(crate) fn assistant(&mut self, calls: &[&str]) {
        self.play(&[], calls);
    }

    /// One agent's labels with their published timestamps: `7 pickup(egg,counter)`.
    pub(crate) fn stamped(&self, agent: usize) -> Vec<String> {
        let own = self.log.iter().filter(|logged| logged.agent == agent);
        own.map(|logged| format!("{} {}", logged.stamp(), logged.label))
            .collect()
    }
}
