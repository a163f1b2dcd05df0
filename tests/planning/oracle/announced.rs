//! A task as agents know it has the optima, and as many optimal plans, as that of the problem without the facts that
//! come unannounced; and what comes so accounts for what no choice loses.

use brigade::episode::{Log, joint_action};
use brigade::score::episode_regret::{RegretError, Surprise, episode_regret};
use brigade::score::process::CostToGo;
use brigade::search::{
    Outcome, SearchOptions, Start, StopReason, Unlimited, Value, solve, solve_from,
};
use brigade::task::effect::Record;
use brigade::task::{Metric, PackedTask, State};

use crate::oracle::compile::compile;
use crate::oracle::process::{objective, random_log};
use crate::oracle::random_domains::texts;

/// Searches that store more states are left out.
const MOST_STATES: u64 = 5_000;

/// The same where each state of an episode is searched from.
const FEW_STATES: u64 = 500;

/// The value of the optimal plans and their number, if there are any.
///
/// # Errors
///
/// It is too much work.
fn answer(task: &PackedTask) -> Result<Option<(Value, String)>, StopReason> {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_max_states(MOST_STATES);
    let result = solve(task, &options, &Unlimited);
    match result.outcome {
        Outcome::Bounded { reason, .. } => Err(reason),
        Outcome::Unsolvable => Ok(None),
        Outcome::Solved(plan) => {
            let count = result.dag.unwrap().count();
            Ok(Some((plan.value, count.to_string())))
        }
    }
}

/// The problem with its timed facts unannounced, and without them; `None` if there are none.
fn variants(problem: &str) -> Option<(String, String)> {
    let (mut marked, mut without) = (String::new(), String::new());
    let mut rest = problem;
    let mut found = false;
    while let Some(at) = rest.find("(at ") {
        let (before, timed) = rest.split_at(at);
        marked.push_str(before);
        without.push_str(before);
        let mut depth = 0;
        let end = timed.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let (fact, after) = timed.split_at(end.unwrap() + 1);
        let tick = fact[4..].split(' ').next().unwrap();
        if tick.parse::<u32>().is_ok() {
            found = true;
            let from = format!("(at {tick} ");
            marked.push_str(&fact.replacen(&from, &format!("{from}:unannounced "), 1));
        } else {
            marked.push_str(fact);
            without.push_str(fact);
        }
        rest = after;
    }
    marked.push_str(rest);
    without.push_str(rest);
    found.then_some((marked, without))
}

#[test]
fn random_tasks_are_known_as_if_what_comes_unannounced_never_came() {
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..200 {
        let (domain, problem) = texts(seed);
        let Some((marked, without)) = variants(&problem) else {
            continue;
        };
        let task = compile(&domain, &marked);
        let Some(known) = task.as_announced() else {
            continue;
        };
        let Ok(expected) = answer(&compile(&domain, &without)) else {
            continue;
        };
        let found = answer(&known);
        assert_eq!(
            found.as_ref(),
            Ok(&expected),
            "seed {seed}\n{domain}{marked}"
        );
        compared += 1;
        differ += u32::from(answer(&task).is_ok_and(|all| all != expected));
    }
    assert!(compared > 20, "{compared} were compared");
    assert!(
        differ > 0,
        "what came made a difference to none of {compared}"
    );
}

/// In what the task minimises.
fn measured(task: &PackedTask, value: Value) -> i64 {
    match task.metric {
        Metric::Makespan => value.makespan.into(),
        Metric::Cost => value.cost,
        Metric::NegatedCost => -value.cost,
    }
}

/// Returns the cost of an episode, and the unannounced changes in it, by searches from the states on either side of
/// them.
///
/// # Errors
///
/// It is too much work.
fn played(
    task: &PackedTask,
    known: &PackedTask,
    log: &Log,
) -> Result<(i64, Vec<Surprise>), StopReason> {
    let options = SearchOptions::default()
        .with_objective(objective(known))
        .with_max_states(FEW_STATES);
    let to_go = |state: &State| {
        let start = Start { state, agent: 0 };
        match solve_from(known, start, &options, &Unlimited).outcome {
            Outcome::Solved(plan) => Ok(Some(measured(task, plan.value))),
            Outcome::Unsolvable => Ok(None),
            Outcome::Bounded { reason, .. } => Err(reason),
        }
    };
    let step_cost = |record: &Record| {
        measured(
            task,
            Value {
                cost: record.cost,
                makespan: 1,
                labels: 0,
            },
        )
    };
    let (mut cost, mut surprises) = (0, Vec::new());
    let mut state = task.initial.clone();
    for step in log.steps() {
        let joint = joint_action(task, &state, step).unwrap();
        let (mut foreseen, mut real) = (Record::default(), Record::default());
        let mut expected = state.clone();
        known.step(&mut expected, &joint, &mut foreseen).unwrap();
        task.step(&mut state, &joint, &mut real).unwrap();
        cost += step_cost(&real);
        if expected != state {
            let (before, after) = (to_go(&expected)?, to_go(&state)?);
            let more = step_cost(&real) - step_cost(&foreseen);
            surprises.push(Surprise {
                tick: step.tick + 1,
                before,
                after,
                cost: more,
                change: before
                    .zip(after)
                    .map(|(before, after)| i128::from(more + after - before)),
            });
        }
    }
    Ok((cost, surprises))
}

#[test]
fn the_optimum_regrets_and_what_came_unannounced_add_up_to_the_cost_of_an_episode() {
    let (mut summed, mut surprised) = (0, 0);
    for seed in 0..200 {
        let (domain, problem) = texts(seed);
        let Some((marked, _)) = variants(&problem) else {
            continue;
        };
        let task = compile(&domain, &marked);
        if task.has_nature() || task.any_order {
            continue;
        }
        let Some(known) = task.as_announced() else {
            continue;
        };
        let options = SearchOptions::default().with_max_states(FEW_STATES);
        let mut costs = CostToGo::informed(&known, &task, options);
        for episode in 0..12 {
            let log = random_log(&task, 12 * seed + episode);
            let Ok((cost, surprises)) = played(&task, &known, &log) else {
                break;
            };
            let found = match episode_regret(&mut costs, &log, "", &Unlimited) {
                Ok(found) => found,
                Err(RegretError::Stopped(_)) => break,
                Err(error) => panic!("seed {seed}: {error}"),
            };
            assert_eq!(found.surprises, surprises, "seed {seed}");
            surprised += surprises.len();
            let regret = found.regret;
            assert_eq!(
                regret.cost,
                i128::from(cost + costs.initial()),
                "seed {seed}"
            );
            let changes: Option<i128> = surprises.iter().map(|it| it.change).sum();
            let known_sum = (|| {
                let spent = i128::from(regret.optimum?) + i128::from(regret.total?) + changes?;
                Some(spent - i128::from(regret.remaining?))
            })();
            if let Some(sum) = known_sum {
                assert_eq!(sum, regret.cost, "seed {seed}\n{domain}{marked}");
                summed += 1;
            }
        }
    }
    assert!(summed > 300, "{summed} episodes add up");
    assert!(surprised > 200, "{surprised} surprises were compared");
}
