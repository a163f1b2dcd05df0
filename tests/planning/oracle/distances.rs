//! Costs-to-go, by table and by search, against exhaustion.

use brigade::search::{
    Distances, Objective, SearchOptions, Start, StopReason, Unlimited, Value, solve_from,
};
use brigade::task::effect::Record;
use brigade::task::{Metric, PackedTask, TurnMode};

use crate::oracle::brute_force::{Graph, graph};
use crate::oracle::random;

/// Compares what is found by search and by table, for each state.
fn assert_exact(seed: u64, task: &PackedTask, graph: &Graph, all: &mut [Distances; 2]) {
    let keys = |value: Value| Objective::Declared.keys(task, value);
    for (state, expected) in graph.states.iter().zip(&graph.to_go) {
        let start = Start { state, agent: 0 };
        let searched = solve_from(task, start, &SearchOptions::default(), &Unlimited);
        for distances in &mut *all {
            let found = distances
                .cost_to_go(start, &Unlimited)
                .expect("nothing stops it");
            assert_eq!(
                found.map(keys),
                expected.map(|to_go| in_order(task, to_go)),
                "seed {seed}"
            );
            let plan = distances.plan(start, &Unlimited).expect("nothing stops it");
            assert_eq!(
                plan.as_ref().map(|plan| plan.value),
                searched.outcome.plan().map(|plan| plan.value),
                "seed {seed}"
            );
            assert_eq!(
                plan.map(|plan| keys(plan.value)),
                found.map(keys),
                "seed {seed}"
            );
        }
    }
}

/// The oracle's keys with the cost first even where there is none.
fn in_order(task: &PackedTask, keys: [i64; 3]) -> [i64; 3] {
    if task.metric == Metric::Makespan {
        [0, keys[0], keys[1]]
    } else {
        keys
    }
}

#[test]
fn every_cost_to_go_is_exact_with_and_without_a_table() {
    let mut compared = 0;
    for seed in 7000..7500 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, Objective::Declared, 200) else {
            continue;
        };
        let mut all = [(); 2].map(|()| Distances::new(&task, SearchOptions::default()));
        all[1].tabulate(u64::MAX, &Unlimited).unwrap();
        assert_exact(seed, &task, &graph, &mut all);
        compared += graph.states.len();
    }
    assert!(compared >= 2000, "only {compared} states were compared");
}

#[test]
fn costs_to_go_are_consistent_in_the_middle_of_a_step() {
    let mut compared = 0;
    for seed in 8000..8400 {
        let task = random::task(seed);
        if task.turns != TurnMode::Sequential || task.agents.len() < 2 {
            continue;
        }
        let mut by_search = Distances::new(&task, SearchOptions::default());
        let mut by_table = Distances::new(&task, SearchOptions::default());
        by_table.tabulate(u64::MAX, &Unlimited).unwrap();
        for operator in task.applicable(&task.initial, 0) {
            let mut state = task.initial.clone();
            task.act(&mut state, operator, &mut Record::default());
            let start = Start {
                state: &state,
                agent: 1,
            };
            let searched = by_search.cost_to_go(start, &Unlimited).unwrap();
            assert_eq!(by_table.cost_to_go(start, &Unlimited).unwrap(), searched);
            compared += usize::from(searched.is_some());
        }
    }
    assert!(compared >= 50, "only {compared} were compared");
}

#[test]
fn a_table_that_grows_too_large_leaves_answers_to_search() {
    let task = (0..1000)
        .map(random::task)
        .find(|task| {
            task.metric == Metric::Makespan && graph(task, Objective::Declared, 50).is_none()
        })
        .unwrap();
    let mut distances = Distances::new(&task, SearchOptions::default());
    assert_eq!(distances.tabulate(20, &Unlimited), Err(StopReason::States));
    let start = Start::initial(&task);
    let searched = solve_from(&task, start, &SearchOptions::default(), &Unlimited);
    assert_eq!(
        distances.plan(start, &Unlimited).unwrap().as_ref(),
        searched.outcome.plan()
    );
}
