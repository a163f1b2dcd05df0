//! A task as agents know it has the optima, and as many optimal plans, as that of the problem without the facts that
//! come unannounced.

use brigade::search::{Outcome, SearchOptions, StopReason, Unlimited, Value, solve};
use brigade::task::Task;

use crate::oracle::compile::compile;
use crate::oracle::random_domains::texts;

/// Searches that store more states are left out.
const MOST_STATES: u64 = 5_000;

/// The value of the optimal plans and their number, if there are any.
///
/// # Errors
///
/// It is too much work.
fn answer(task: &Task) -> Result<Option<(Value, String)>, StopReason> {
    let options = SearchOptions {
        all: true,
        max_states: Some(MOST_STATES),
        ..SearchOptions::default()
    };
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
