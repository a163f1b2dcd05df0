//! The classical form of a task has its optimum: read again by Brigade, and by Fast Downward where
//! `BRIGADE_FAST_DOWNWARD` names a virtual environment of Python that has it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use brigade::classical::{Classical, Inexpressible, Limits, export};
use brigade::search::{
    HeuristicChoice, Objective, Outcome, Plan, SearchOptions, Unlimited, Value, solve,
};
use brigade::task::cond::Cond;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{Metric, PackedTask, TurnMode};

use crate::common::share::is_thorough;
use crate::oracle::brute_force::graph;
use crate::oracle::compile::compile;
use crate::oracle::language::walked_texts;

/// Tasks with more states are left out.
const MOST_STATES: usize = 400;

/// Longer domains are not solved again: it would take too long.
const LONGEST: usize = 60_000;

/// The number of random tasks that are tried.
const SEEDS: u64 = 150;

/// The most of them that Fast Downward is asked about, unless all are asked for.
const ASKED: u32 = 40;

/// The best plan, `None` if there is none.
fn best(task: &PackedTask, options: &SearchOptions) -> Option<Plan> {
    match solve(task, options, &Unlimited).outcome {
        Outcome::Solved(plan) => Some(plan),
        Outcome::Unsolvable => None,
        bounded @ Outcome::Bounded { .. } => panic!("{bounded:?}"),
    }
}

/// Returns the cost of a plan of the classical form, for one of the task that is worth so much.
fn cost_of(task: &PackedTask, classical: &Classical, value: Value) -> i64 {
    classical.added
        + match task.metric {
            Metric::Makespan => value.makespan.into(),
            Metric::Cost => value.cost,
            Metric::NegatedCost => -value.cost,
        }
}

/// Returns the cost of a cheapest plan of the classical form, as Brigade reads it. The plan, in joint actions of the
/// task, reaches its end at that cost.
fn cost(task: &PackedTask, classical: &Classical, options: &SearchOptions) -> Option<i64> {
    let read = compile(&classical.domain, &classical.problem);
    let plan = best(&read, options)?;
    let steps = plan.steps.iter();
    let steps = steps.map(|step| format!("({})\n", read.operator(step.operator).name));
    assert_eq!(
        cost_of_replay(task, classical, &steps.collect::<String>()),
        plan.value.cost
    );
    Some(plan.value.cost)
}

/// Returns the cost of a plan of the classical form, as the task plays it: to its end.
fn cost_of_replay(task: &PackedTask, classical: &Classical, plan: &str) -> i64 {
    let mut state = task.initial.clone();
    let mut value = Value::default();
    let mut status = task.status(&state);
    for (_, joint) in classical.joint_actions(plan).unwrap() {
        assert_eq!(status, Status::Running, "{plan}");
        let mut record = Record::default();
        status = task.step(&mut state, &joint, &mut record).unwrap();
        value.makespan += 1;
        value.cost += record.cost;
    }
    let end = if task.goal.is_some() {
        Status::Goal
    } else {
        Status::Ended
    };
    assert_eq!(status, end, "{plan}");
    cost_of(task, classical, value)
}

#[expect(
    clippy::print_stderr,
    reason = "a test says what it has compared, and what it has not"
)]
fn announced(what: &str) {
    eprintln!("{what}");
}

/// The programs that a run of Fast Downward needs.
struct FastDownward {
    python: PathBuf,
    search: PathBuf,
}

impl FastDownward {
    fn find() -> Option<Self> {
        let Some(environment) = std::env::var_os("BRIGADE_FAST_DOWNWARD").map(PathBuf::from) else {
            announced("BRIGADE_FAST_DOWNWARD is not set: Fast Downward is not asked");
            return None;
        };
        let lib = std::fs::read_dir(environment.join("lib")).unwrap();
        let packages = lib.map(|entry| entry.unwrap().path().join("site-packages"));
        let search = packages
            .map(|folder| folder.join("up_fast_downward/downward/builds/release/bin/downward"))
            .find(|path| path.exists())
            .unwrap();
        Some(Self {
            python: environment.join("bin/python"),
            search,
        })
    }

    /// The cost of a cheapest plan. In joint actions of the task, it reaches its end at that cost.
    fn optimum(&self, name: &str, task: &PackedTask, classical: &Classical) -> Option<i64> {
        let folder =
            std::env::temp_dir().join(format!("brigade-classical-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |file: &str| folder.join(file);
        std::fs::write(path("domain.pddl"), &classical.domain).unwrap();
        std::fs::write(path("problem.pddl"), &classical.problem).unwrap();
        let translated = Command::new(&self.python)
            .args([
                "-m",
                "fast_downward.translate",
                "domain.pddl",
                "problem.pddl",
            ])
            .args(["--sas-file", "task.sas"])
            .args(["--invariant-generation-max-time", "2"])
            .current_dir(&folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&translated.stdout).into_owned();
        assert!(
            translated.status.success() || said.contains("unsolvable"),
            "{name}: {said}"
        );
        let result = self.search(&path("task.sas"));
        let plan = std::fs::read_to_string(path("sas_plan")).ok();
        std::fs::remove_dir_all(&folder).unwrap();
        let cost = result.lines().find_map(|line| {
            let (_, rest) = line.split_once("Plan cost: ")?;
            rest.trim().parse().ok()
        });
        let is_unsolvable =
            result.contains("Completely explored state space") || result.contains("unsolvable");
        assert!(cost.is_some() || is_unsolvable, "{name}: {result}");
        let replayed = plan.map(|plan| cost_of_replay(task, classical, &plan));
        assert_eq!(replayed, cost, "{name}");
        cost
    }

    fn search(&self, task: &Path) -> String {
        let mut child = Command::new(&self.search)
            .args(["--search", "astar(blind())"])
            .current_dir(task.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let text = std::fs::read(task).unwrap_or_default();
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            // A search that refuses its input closes the pipe.
            let _ = input.write_all(&text);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn texts_of(name: &str) -> (String, String) {
    let read = |path: String| std::fs::read_to_string(path).unwrap();
    let (folder, _) = name.split_once('/').unwrap();
    let domain = read(format!("domains/{folder}.pddl"));
    (domain, read(format!("problems/{name}.pddl")))
}

/// Shipped problems that are small enough.
const SHIPPED: [&str; 6] = [
    "collab-overcooked/boiled_egg",
    "robotouille/synchronous-0_cheese_sandwich",
    "robotouille/synchronous-3_burger",
    "robotouille/synchronous-4_cheeseburger",
    "robotouille/asynchronous-0_cheese_chicken_sandwich",
    "robotouille/asynchronous-5_potato_soup",
];

/// Those that Brigade solves again from what it has written.
const SEARCHED: [&str; 3] = [
    "collab-overcooked/boiled_egg",
    "robotouille/synchronous-0_cheese_sandwich",
    "robotouille/synchronous-3_burger",
];

#[test]
fn the_classical_form_of_a_random_task_has_its_optimum() {
    let fast_downward = FastDownward::find();
    let (mut simultaneous, mut delayed, mut derived, mut costs) = (0, 0, 0, 0);
    let (mut gains, mut lists, mut endless) = (0, 0, 0);
    let (mut compared, mut long, mut unsolvable, mut asked) = (0, 0, 0, 0);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    // The spaces are small: what guides a search would take longer to prepare.
    let blind = SearchOptions::default().with_heuristic(HeuristicChoice::Blind);
    for seed in 0..SEEDS {
        let (domain, problem) = walked_texts(seed);
        let task = compile(&domain, &problem);
        let small = graph(&task, Objective::Declared, MOST_STATES);
        if small.is_none() {
            continue;
        }
        let classical = match export(&task, &Limits::default()) {
            Ok(classical) => classical,
            Err(reason) => {
                let expected = match reason {
                    Inexpressible::NoGoal => {
                        task.goal.is_none() && task.horizon.is_none() && task.end == Cond::False
                    }
                    Inexpressible::Unbounded { is_gain, .. } => {
                        task.horizon.is_none() && is_gain == (task.metric == Metric::NegatedCost)
                    }
                    Inexpressible::GainInList => task.live.is_some(),
                    Inexpressible::TooLarge { .. } => true,
                };
                assert!(expected, "seed {seed}: {reason}");
                let reason = format!("{reason:?}");
                let kind = reason.split([' ', '{']).next().unwrap_or_default();
                *refused.entry(kind.to_owned()).or_insert(0) += 1;
                continue;
            }
        };
        if classical.domain.len() > LONGEST {
            long += 1;
            continue;
        }
        let expected = best(&task, &SearchOptions::default());
        let expected = expected.map(|plan| cost_of(&task, &classical, plan.value));
        let texts = format!(
            "{domain}\n{problem}\n{}\n{}",
            classical.domain, classical.problem
        );
        assert_eq!(
            cost(&task, &classical, &blind),
            expected,
            "seed {seed}\n{texts}"
        );
        if let Some(fast_downward) = fast_downward
            .as_ref()
            .filter(|_| asked < ASKED || is_thorough())
        {
            let found = fast_downward.optimum(&seed.to_string(), &task, &classical);
            assert_eq!(found, expected, "seed {seed}\n{texts}");
            asked += 1;
        }
        compared += 1;
        unsolvable += u32::from(expected.is_none());
        simultaneous += u32::from(task.turns == TurnMode::Simultaneous && task.agents.len() > 1);
        delayed += u32::from(!task.timers.is_empty());
        derived += u32::from(!task.axioms.layers.is_empty());
        costs += u32::from(task.metric == Metric::Cost);
        gains += u32::from(classical.added != 0);
        lists += u32::from(task.live.is_some());
        endless += u32::from(task.goal.is_none());
    }
    let figures = format!(
        "{compared} compared, {long} too long, {asked} asked, {unsolvable} unsolvable, {simultaneous} simultaneous, \
         {delayed} delayed, {lists} lists, {derived} derived, {costs} costs, {gains} gains, \
         {endless} without goal, {refused:?}"
    );
    announced(&figures);
    assert!(
        compared > 40 && simultaneous > 0 && delayed > 10 && derived > 10 && costs > 5,
        "{figures}"
    );
    assert!(gains > 1 && lists > 5 && endless > 5, "{figures}");
    assert!(refused.values().sum::<u32>() < compared / 3, "{figures}");
    assert!(unsolvable < compared / 2, "{figures}");
}

#[test]
fn the_classical_form_of_a_shipped_problem_has_its_optimum() {
    let fast_downward = FastDownward::find();
    let options = SearchOptions::default();
    for name in SHIPPED {
        let (domain, problem) = texts_of(name);
        let task = compile(&domain, &problem);
        let classical = export(&task, &Limits::default()).unwrap();
        let plan = best(&task, &options).expect(name);
        let expected = Some(cost_of(&task, &classical, plan.value));
        if SEARCHED.contains(&name) {
            assert_eq!(cost(&task, &classical, &options), expected, "{name}");
        }
        if let Some(fast_downward) = &fast_downward {
            let found = fast_downward.optimum(&name.replace('/', "-"), &task, &classical);
            assert_eq!(found, expected, "{name}");
        }
    }
}
