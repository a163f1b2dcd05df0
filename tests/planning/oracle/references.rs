//! References of random tasks: those derived from the DAG are the projections of all optimal plans
//! that exhaustion finds.

use std::collections::BTreeSet;

use brigade::rats::{Limits, References};
use brigade::search::{Objective, Outcome, SearchOptions, StopReason, Unlimited, solve};
use brigade::task::PackedTask;
use num_bigint::BigUint;

use crate::oracle::brute_force::graph;
use crate::oracle::random;

const MOST_STATES: usize = 1500;
const MOST_PLANS: u128 = 2000;
const TASKS: usize = 600;

/// The labels of each agent of a plan, in order.
type Reference = Vec<Vec<String>>;

/// The references of all optimal plans, one plan at a time; `None` where the task has no plan, or
/// too many to list.
fn enumerated(task: &PackedTask) -> Option<(BTreeSet<Reference>, u128)> {
    let graph = graph(task, Objective::Declared, MOST_STATES)?;
    graph.optimum()?;
    let plans = graph.count();
    if plans > MOST_PLANS {
        return None;
    }
    let references = graph
        .plans()
        .iter()
        .map(|plan| {
            let mut reference = vec![Vec::new(); task.agents.len()];
            for (agent, label) in graph.labels(plan) {
                reference[agent as usize].push(task.label(label).to_owned());
            }
            reference
        })
        .collect();
    Some((references, plans))
}

#[test]
fn references_are_the_distinct_projections_of_all_optimal_plans() {
    let mut compared = 0;
    let (mut with_several_references, mut with_fewer_than_plans) = (0, 0);
    for seed in 0.. {
        if compared == TASKS {
            break;
        }
        let task = random::task(seed);
        let Some((expected, plans)) = enumerated(&task) else {
            continue;
        };
        let options = SearchOptions::default().with_all_plans(true);
        let result = solve(&task, &options, &Unlimited);
        if let Outcome::Bounded { reason, .. } = result.outcome {
            assert_eq!(reason, StopReason::Unbounded, "seed {seed}");
            continue;
        }
        let dag = result.dag.unwrap();
        let names: Vec<String> = task.agents.iter().map(|agent| agent.name.clone()).collect();
        let references = References::derive(&dag, &names, &task.labels, &Limits::default());
        let derived: BTreeSet<Reference> = references
            .iter()
            .map(|reference| references.texts(&reference))
            .collect();
        assert_eq!(derived, expected, "seed {seed}");
        assert_eq!(references.plans, BigUint::from(plans), "seed {seed}");
        let total = BigUint::from(expected.len());
        assert_eq!(references.total.exact(), Some(&total), "seed {seed}");
        compared += 1;
        with_several_references += usize::from(expected.len() > 1);
        with_fewer_than_plans += usize::from(plans > expected.len() as u128);
    }
    assert!(with_several_references > 20, "{with_several_references}");
    assert!(with_fewer_than_plans > 20, "{with_fewer_than_plans}");
}
