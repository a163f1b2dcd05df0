//! A kitchen of Overcooked-AI in play, with the rewards of its players.

use std::fs;
use std::path::PathBuf;

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::import::overcooked::{File, Imported, Options, import};
use brigade::sema::model::Model;
use brigade::sema::{self, Files, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::effect::Record;
use brigade::task::facts::facts;
use brigade::task::{OperatorId, PackedTask, StateBuf};

use crate::conformance::kitchen::root;

/// The published actions by their numbers.
const ACTIONS: [&str; 6] = [
    "move north",
    "move south",
    "move east",
    "move west",
    "wait",
    "interact",
];

/// Counters of the domain that the published state does not have.
const OWN: [&str; 2] = ["(= (delivered) ", "(= (dishes-wanted) "];

/// The published files of a system, where the environment names their folder.
pub(super) fn upstream(system: &str) -> Option<PathBuf> {
    let folder = crate::conformance::kitchen::upstream()?;
    Some(folder.with_file_name(system))
}

/// The text of one of the bundled problems.
pub(super) fn problem(name: &str) -> String {
    let path = root().join(format!("problems/overcooked-ai/{name}.pddl"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Imports the text of a layout file, about which there may be warnings.
pub(super) fn imported(text: &str, name: &str, options: &Options) -> Vec<Imported> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add(name, text);
    let imported = import(File { source, text, name }, options, &mut diagnostics);
    let said = render_all(&diagnostics, &sources, Colour::Plain);
    assert!(!diagnostics.has_errors(), "{said}");
    imported
}

/// A compiled problem in play.
pub(super) struct Kitchen {
    pub(super) task: PackedTask,
    pub(super) state: StateBuf,
}

/// The rewards of a step, by player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rewards {
    pub(super) sparse: Vec<i64>,
    pub(super) shaped: Vec<i64>,
}

/// The model of a problem.
pub(super) fn model(problem: &str, semantics: &str) -> Model {
    let domain = fs::read_to_string(root().join("domains/overcooked-ai.pddl")).unwrap();
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain.as_str()),
        problem: sources.add("problem", problem),
    };
    let domain = parse_domain(files.domain, &domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = sema::Options::default().with_semantics(semantics);
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    assert_eq!(render_all(&diagnostics, &sources, Colour::Plain), "");
    model.unwrap()
}

impl Kitchen {
    /// Compiles a problem, without its end.
    pub(super) fn new(problem: &str, semantics: &str) -> Self {
        let problem = problem.replace("(:horizon 400)", "(:horizon 10000)");
        let options = ground::Options::default().with_irrelevant_kept(true);
        let task = ground(&model(&problem, semantics), &options).unwrap();
        let state = task.initial.clone();
        Self { task, state }
    }

    /// The same from its start.
    pub(super) fn restart(&mut self) {
        self.state = self.task.initial.clone();
    }

    fn operator(&self, agent: usize, action: &str) -> OperatorId {
        let agent = &self.task.agents[agent];
        let (verb, rest) = action.split_once(' ').unwrap_or((action, ""));
        let name = format!("{verb} {} {rest}", agent.name);
        let mut own = agent.operators.iter().chain(&agent.wait);
        let found = own.find(|&&id| {
            let operator = self.task.operator(id);
            operator.name == name.trim_end() || (action == "wait" && agent.wait == Some(id))
        });
        *found.unwrap_or_else(|| panic!("{} cannot {action}", agent.name))
    }

    /// A step in which each player does what is numbered so.
    pub(super) fn step(&mut self, actions: &[usize]) -> Rewards {
        let names: Vec<&str> = actions.iter().map(|&action| ACTIONS[action]).collect();
        self.play(&names)
    }

    /// A step in which each player does what is named so.
    pub(super) fn play(&mut self, actions: &[&str]) -> Rewards {
        assert_eq!(actions.len(), self.task.agents.len());
        let joint: Vec<OperatorId> = (0..actions.len())
            .map(|agent| self.operator(agent, actions[agent]))
            .collect();
        let mut record = Record::default();
        self.task
            .step(&mut self.state, &joint, &mut record)
            .unwrap();
        let added = self.task.added(&record);
        let of_each = |total: &str| {
            let players = self.task.agents.iter();
            let sums = players.map(|player| added.get(&format!("{total} {}", player.name)));
            sums.map(|sum| sum.copied().unwrap_or_default()).collect()
        };
        let rewards = Rewards {
            sparse: of_each("sparse"),
            shaped: of_each("shaped"),
        };
        // The metric is the sum of what the players earn.
        assert_eq!(record.cost.abs(), rewards.sparse.iter().sum::<i64>());
        rewards
    }

    /// The facts of the published state, in order.
    pub(super) fn facts(&self) -> Vec<String> {
        let mut facts = facts(&self.task, &self.state);
        facts.retain(|fact| !OWN.iter().any(|own| fact.starts_with(own)));
        facts.sort();
        facts
    }

    /// Returns true if a fact holds.
    pub(super) fn holds(&self, fact: &str) -> bool {
        facts(&self.task, &self.state)
            .iter()
            .any(|known| known == fact)
    }

    /// The positions of the pots.
    pub(super) fn pots(&self) -> Vec<String> {
        let variables = self.task.variables.iter();
        let pots = variables.filter_map(|it| it.name.strip_prefix("(in pot-")?.strip_suffix(')'));
        pots.map(str::to_owned).collect()
    }
}
