//! The classical form of a task has its optimum: read again by Brigade, and by Fast Downward where
//! `BRIGADE_FAST_DOWNWARD` names a virtual environment of Python that has it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use brigade::search::{Objective, Outcome, SearchOptions, Unlimited, Value, solve};
use brigade::task::classical::{Classical, Inexpressible, Limits, export};
use brigade::task::{Metric, Task, TurnMode};

use crate::brute_force::graph;
use crate::compile::compile;
use crate::language::walked_texts;

/// Tasks with more states are left out.
const MOST_STATES: usize = 400;

/// How many random tasks are tried.
const SEEDS: u64 = 150;

/// The value of a best plan, `None` if there is no plan.
fn best(task: &Task) -> Option<Value> {
    match solve(task, &SearchOptions::default(), &Unlimited).outcome {
        Outcome::Solved(plan) => Some(plan.value),
        Outcome::Unsolvable => None,
        bounded @ Outcome::Bounded { .. } => panic!("{bounded:?}"),
    }
}

/// What a task optimises first.
fn optimum(task: &Task) -> Option<i64> {
    best(task).map(|value| match task.metric {
        Metric::Makespan => value.makespan.into(),
        Metric::Cost | Metric::NegatedCost => value.cost,
    })
}

/// The cost of a cheapest plan of the classical form, as Brigade reads it.
fn cost(classical: &Classical) -> Option<i64> {
    best(&compile(&classical.domain, &classical.problem)).map(|value| value.cost)
}

/// What Fast Downward needs to be asked.
struct FastDownward {
    python: PathBuf,
    search: PathBuf,
}

impl FastDownward {
    fn find() -> Option<Self> {
        let Some(environment) = std::env::var_os("BRIGADE_FAST_DOWNWARD").map(PathBuf::from) else {
            #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
            {
                eprintln!("BRIGADE_FAST_DOWNWARD is not set: Fast Downward is not asked");
            }
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

    /// The cost of a cheapest plan.
    fn optimum(&self, name: &str, classical: &Classical) -> Option<i64> {
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
            .current_dir(&folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&translated.stdout).into_owned();
        assert!(
            translated.status.success() || said.contains("unsolvable"),
            "{name}: {said}"
        );
        let result = self.search(&path("task.sas"));
        std::fs::remove_dir_all(&folder).unwrap();
        let cost = result.lines().find_map(|line| {
            let (_, rest) = line.split_once("Plan cost: ")?;
            rest.trim().parse().ok()
        });
        let is_unsolvable =
            result.contains("Completely explored state space") || result.contains("unsolvable");
        assert!(cost.is_some() || is_unsolvable, "{name}: {result}");
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
const SHIPPED: [&str; 1] = ["collab-overcooked/boiled_egg"];

#[test]
fn the_classical_form_of_a_random_task_has_its_optimum() {
    let fast_downward = FastDownward::find();
    let (mut simultaneous, mut delayed, mut derived, mut costs) = (0, 0, 0, 0);
    let (mut compared, mut unsolvable, mut asked) = (0, 0, 0);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
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
                    Inexpressible::NoGoal => task.goal.is_none(),
                    Inexpressible::Maximised => task.metric == Metric::NegatedCost,
                    Inexpressible::NegativeCost { .. } => task.metric == Metric::Cost,
                    Inexpressible::LiveList => task.live.is_some(),
                    Inexpressible::TooLarge { .. } => true,
                };
                assert!(expected, "seed {seed}: {reason}");
                let reason = format!("{reason:?}");
                let kind = reason.split([' ', '{']).next().unwrap_or_default();
                *refused.entry(kind.to_owned()).or_insert(0) += 1;
                continue;
            }
        };
        let expected = optimum(&task);
        let texts = format!(
            "{domain}\n{problem}\n{}\n{}",
            classical.domain, classical.problem
        );
        assert_eq!(cost(&classical), expected, "seed {seed}\n{texts}");
        if let Some(fast_downward) = &fast_downward {
            let found = fast_downward.optimum(&seed.to_string(), &classical);
            assert_eq!(found, expected, "seed {seed}\n{texts}");
            asked += 1;
        }
        compared += 1;
        unsolvable += u32::from(expected.is_none());
        simultaneous += u32::from(task.turns == TurnMode::Simultaneous && task.agents.len() > 1);
        delayed += u32::from(!task.timers.is_empty());
        derived += u32::from(!task.axioms.layers.is_empty());
        costs += u32::from(task.metric == Metric::Cost);
    }
    let figures = [
        compared,
        unsolvable,
        simultaneous,
        delayed,
        derived,
        costs,
        asked,
    ];
    assert!(
        compared > 25 && simultaneous > 0 && delayed > 10 && derived > 10 && costs > 5,
        "{figures:?} {refused:?}"
    );
    assert!(unsolvable < compared / 2, "{figures:?} {refused:?}");
}

#[test]
fn the_classical_form_of_a_shipped_problem_has_its_optimum() {
    let fast_downward = FastDownward::find();
    for name in SHIPPED {
        let (domain, problem) = texts_of(name);
        let task = compile(&domain, &problem);
        let classical = export(&task, &Limits::default()).unwrap();
        let expected = optimum(&task);
        assert!(expected.is_some(), "{name}");
        assert_eq!(cost(&classical), expected, "{name}");
        if let Some(fast_downward) = &fast_downward {
            let found = fast_downward.optimum(&name.replace('/', "-"), &classical);
            assert_eq!(found, expected, "{name}");
        }
    }
}
