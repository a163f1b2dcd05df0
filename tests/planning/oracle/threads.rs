//! A search on several threads gives the answer, the statistics and the graph of one on one thread.
//!
//! Buckets of any size are shared here, so that small tasks, with all that the language has, are too.

use std::num::NonZeroUsize;
use std::sync::Arc;

use brigade::search::{
    Control, Estimate, EstimateKeys, Heuristic, HeuristicChoice, HeuristicContext,
    HeuristicFactory, Objective, Outcome, PruningChoice, SearchOptions, SearchResult, StopReason,
    SymmetryChoice, Unlimited, Value, solve,
};
use brigade::task::cond::Cond;
use brigade::task::effect::Effect;
use brigade::task::{PackedTask, State, TurnMode};

use crate::oracle::builder::{Builder, gripper};
use crate::oracle::compile::compile;
use crate::oracle::language::walked_texts;
use crate::oracle::limits::{StopAt, counters, tolls};
use crate::oracle::random::Random;
use crate::oracle::{random, twins};

const HEURISTICS: [HeuristicChoice; 5] = [
    HeuristicChoice::Blind,
    HeuristicChoice::Abstractions,
    HeuristicChoice::LandmarkCut,
    HeuristicChoice::Potentials,
    HeuristicChoice::Auto,
];

fn on(threads: usize, options: &SearchOptions) -> SearchOptions {
    options
        .clone()
        .with_threads(NonZeroUsize::new(threads).expect("it is some number"))
}

/// The same search on one, two and three threads; the first answer.
pub(crate) fn same(about: &str, task: &PackedTask, options: &SearchOptions) -> SearchResult {
    let one = solve(task, &on(1, options), &Unlimited);
    for threads in [2, 3] {
        let about = format!("{about}, {options:?}, on {threads} threads");
        let other = solve(task, &on(threads, options), &Unlimited);
        assert_eq!(other.outcome, one.outcome, "{about}");
        assert_eq!(other.statistics, one.statistics, "{about}");
        assert_eq!(other.attempts, one.attempts, "{about}");
        assert_eq!(other.dag_stopped, one.dag_stopped, "{about}");
        assert_eq!(other.uncollected, one.uncollected, "{about}");
        assert!(other.dag == one.dag, "{about}: another graph");
    }
    one
}

/// Every heuristic, then limits on states and on memory that end the search somewhere.
fn always_the_same(about: &str, seed: u64, task: &PackedTask) {
    let mut random = Random(seed);
    let objectives = [
        Objective::Declared,
        Objective::Makespan,
        Objective::Labels,
        Objective::Cost,
    ];
    for heuristic in HEURISTICS {
        let options = SearchOptions::default()
            .with_objective(objectives[random.below(objectives.len())])
            .with_all_plans(!random.once_in(3))
            .with_heuristic(heuristic)
            .with_symmetry(if random.once_in(2) {
                SymmetryChoice::Always
            } else {
                SymmetryChoice::Auto
            })
            .with_sharing_from(1);
        let whole = same(about, task, &options);
        let states = whole.statistics.states as usize;
        let max_states = Some(1 + random.below(states.max(1)) as u64);
        same(about, task, &options.clone().with_max_states(max_states));
        let memory_limit = Some(1 + random.below(whole.statistics.peak_bytes.max(1)));
        same(
            about,
            task,
            &options.clone().with_memory_limit(memory_limit),
        );
    }
}

#[test]
fn random_tasks_of_all_that_the_language_has_are_searched_alike() {
    for seed in 0..12 {
        let (domain, problem) = walked_texts(seed);
        always_the_same(&format!("text {seed}"), seed, &compile(&domain, &problem));
    }
}

#[test]
fn random_tasks_and_tasks_with_interchangeable_objects_are_searched_alike() {
    for seed in 0..6 {
        always_the_same(&format!("task {seed}"), seed, &random::task(seed));
        always_the_same(&format!("twins {seed}"), seed, &twins::task(seed));
    }
}

/// Tasks whose buckets are shared as they would be outside of tests, in rounds of several parts.
#[test]
fn large_tasks_are_searched_alike() {
    let options = SearchOptions::default().with_heuristic(HeuristicChoice::Blind);
    for (about, task) in [("counters", counters(8, 3).done()), ("gripper", gripper(9))] {
        for all in [false, true] {
            let whole = same(about, &task, &options.clone().with_all_plans(all));
            assert!(matches!(whole.outcome, Outcome::Solved(_)), "{about}");
            let states = whole.statistics.states;
            assert!(states > 20_000, "{about}: {states}");
            for max_states in [states / 2, states - 1] {
                let max_states = Some(max_states);
                let stopped = same(about, &task, &options.clone().with_max_states(max_states));
                assert_eq!(Some(stopped.statistics.states), max_states, "{about}");
            }
            let memory_limit = Some(whole.statistics.peak_bytes / 2);
            let stopped = same(
                about,
                &task,
                &options.clone().with_memory_limit(memory_limit),
            );
            assert!(matches!(
                stopped.outcome,
                Outcome::Bounded {
                    reason: StopReason::Memory,
                    ..
                }
            ));
        }
    }
}

#[test]
fn a_large_task_is_searched_alike_with_every_heuristic() {
    let task = gripper(7);
    for heuristic in HEURISTICS {
        for symmetry in [SymmetryChoice::Never, SymmetryChoice::Always] {
            let options = SearchOptions::default()
                .with_heuristic(heuristic)
                .with_symmetry(symmetry)
                .with_all_plans(true)
                .with_sharing_from(64);
            same("gripper", &task, &options);
        }
    }
}

/// Agents that choose at once have many successors; those of one node fill several batches.
#[test]
fn joint_choices_are_searched_alike() {
    let mut built = Builder::new(&[6, 6, 6, 2], 3, TurnMode::Simultaneous);
    for agent in 0..3 {
        for place in 0..6 {
            for next in 0..6 {
                let go = built.set(agent, next);
                built.operator(agent, "go", &[(agent, place)], Cond::True, go);
            }
        }
    }
    built.task.goal = Some(built.all(&[(3, 1)]));
    always_the_same("joint choices", 1, &built.packed());
}

/// Variables that can be set to any of many values; each also notes which was set last. Another one may be
/// raised whenever.
fn choices() -> PackedTask {
    const SIZE: u32 = 8;
    let mut built = Builder::new(&[SIZE, SIZE, SIZE, SIZE, 4, 3], 1, TurnMode::Sequential);
    for variable in 0..4 {
        for next in 0..SIZE {
            let both = [built.set(variable, next), built.set(4, variable as u32)];
            let both = Effect::Block {
                effects: both.into(),
                snapshot: false,
            };
            built.operator(0, "set", &[], Cond::True, both);
        }
    }
    for value in 0..2 {
        let raise = built.set(5, value + 1);
        built.operator(0, "raise", &[(5, value)], Cond::True, raise);
    }
    let facts = (0..4).map(|variable| (variable, SIZE - 1));
    let facts: Vec<_> = facts.chain([(5, 2)]).collect();
    built.task.goal = Some(built.all(&facts));
    built.done()
}

/// The number of times that the last variable of [`choices`] is still to be raised: a weak estimate, so
/// that much is left to expand.
#[derive(Debug)]
struct Raises;

#[derive(Clone)]
struct RaisesLeft<'t> {
    task: &'t PackedTask,
    keys: EstimateKeys,
}

impl HeuristicFactory for Raises {
    fn name(&self) -> &'static str {
        "raises"
    }

    fn build<'t>(&self, context: &HeuristicContext<'t, '_>) -> Option<Box<dyn Heuristic + 't>> {
        let keys = context.keys();
        let task = context.task;
        Some(Box::new(RaisesLeft { task, keys }))
    }
}

impl Heuristic for RaisesLeft<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        self.keys.estimate(Value {
            makespan: 2 - self.task.variables[5].get(state),
            ..Value::default()
        })
    }

    fn bytes(&self) -> usize {
        0
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}

/// So many nodes are expanded that many are at once, on all threads; their successors are more than a
/// batch holds elsewhere.
#[test]
fn nodes_with_many_successors_are_expanded_alike() {
    let task = choices();
    let options = SearchOptions::default()
        .with_custom_heuristic(Arc::new(Raises))
        .with_symmetry(SymmetryChoice::Never)
        .with_sharing_from(64);
    let all = options.clone().with_all_plans(true);
    let pruning = options.clone().with_pruning(PruningChoice::Always);
    for options in [all, pruning] {
        let whole = same("choices", &task, &options);
        assert!(whole.statistics.expanded > 10_000);
        let is_pruned = whole.attempts.iter().any(|it| it.pruned > Some(0));
        assert_eq!(is_pruned, !options.all_plans());
        let states = whole.statistics.states;
        for limit in [states - 1, states * 3 / 4] {
            let max_states = Some(limit);
            let stopped = same(
                "choices",
                &task,
                &options.clone().with_max_states(max_states),
            );
            assert_eq!(stopped.statistics.states, limit);
        }
        // How often it is asked depends on the threads, so it may have ended by then.
        for left in [100, 200, 300, 600] {
            let control = StopAt::new(left);
            match solve(&task, &on(3, &options), &control).outcome {
                Outcome::Bounded { lower, reason, .. } => {
                    assert_eq!(reason, StopReason::Interrupted);
                    assert_eq!(lower, control.reported());
                }
                ended => assert_eq!(ended, whole.outcome),
            }
        }
    }
}

#[test]
fn a_total_that_can_grow_for_ever_is_refused_by_all_threads() {
    use brigade::task::Metric;
    let options = SearchOptions::default().with_sharing_from(1);
    let answer = same("tolls", &tolls(Metric::NegatedCost), &options);
    assert!(matches!(
        answer.outcome,
        Outcome::Bounded {
            reason: StopReason::Unbounded,
            ..
        }
    ));
}

/// Whenever it is stopped, with what is proven by then.
#[test]
fn a_search_on_several_threads_is_stopped_in_the_middle() {
    let task = counters(9, 3).done();
    for heuristic in [HeuristicChoice::Blind, HeuristicChoice::LandmarkCut] {
        for left in [2, 5, 9, 14, 20] {
            let control = StopAt::new(left);
            let options = SearchOptions::default()
                .with_heuristic(heuristic)
                .with_sharing_from(1);
            let result = solve(&task, &on(3, &options), &control);
            let Outcome::Bounded { lower, reason, .. } = result.outcome else {
                panic!("{heuristic:?}, {left}: {:?}", result.outcome);
            };
            assert_eq!(reason, StopReason::Interrupted);
            assert_eq!(lower, control.reported());
        }
    }
}

/// Where the time is over before anything starts, nothing does.
#[test]
fn more_threads_than_nodes_do_no_harm() {
    struct Over;
    impl Control for Over {
        fn stop(&self) -> Option<StopReason> {
            Some(StopReason::Time)
        }
    }
    let task = counters(6, 3).done();
    let options = SearchOptions::default().with_sharing_from(1);
    let one = solve(&task, &options, &Unlimited);
    let many = solve(&task, &on(40, &options), &Unlimited);
    assert_eq!(many.outcome, one.outcome);
    assert_eq!(many.statistics, one.statistics);
    let stopped = solve(&counters(9, 3).done(), &on(40, &options), &Over);
    assert!(matches!(
        stopped.outcome,
        Outcome::Bounded {
            reason: StopReason::Time,
            ..
        }
    ));
}
