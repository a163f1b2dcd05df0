//! Applicable operators found fast against those found one by one.

use brigade::search::Objective;
use brigade::task::OperatorId;
use brigade::task::successors::SuccessorGenerator;

use crate::brute_force::graph;
use crate::random;

/// Tasks with more states are left out.
const MOST_STATES: usize = 1500;

#[test]
fn a_generator_finds_the_operators_that_are_applicable() {
    let (mut states, mut found_some) = (0, 0);
    for seed in 0..500 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, Objective::Makespan, MOST_STATES) else {
            continue;
        };
        for agent in 0..task.agents.len() {
            let mut generator = SuccessorGenerator::new(&task, agent);
            for state in &graph.states {
                let mut found: Vec<OperatorId> = Vec::new();
                generator.applicable(&task, state, &mut found);
                found.sort_unstable();
                let expected: Vec<OperatorId> = task.applicable(state, agent).collect();
                assert_eq!(found, expected, "seed {seed}, agent {agent}, {state:?}");
                states += 1;
                found_some += u32::from(!found.is_empty());
            }
        }
    }
    assert!(
        states > 10_000 && found_some > 5_000,
        "{states}, {found_some}"
    );
}
