//! Limits, cancellation, and extreme tasks.

use std::cell::Cell;

use brigade::search::dag::PlanDag;
use brigade::search::{
    Control, HeuristicChoice, LowerBounds, Objective, Outcome, Progress, PruningChoice,
    SearchOptions, StopReason, Unlimited, Value, solve, validate,
};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::{Metric, PackedTask, TurnMode, VarId};
use num_bigint::BigUint;

use crate::oracle::builder::Builder;
use crate::oracle::random;

/// `digits` counters modulo 4, each raised by an operator of its own; the goal is all at `goal`.
pub(crate) fn counters(digits: usize, goal: u32) -> Builder {
    let mut built = Builder::new(&vec![4; digits], 1, TurnMode::Sequential);
    for digit in 0..digits {
        let raise = (0..4).map(|value| built.set(digit, (value + 1) % 4));
        let raise = Effect::Switch(VarId(digit as u32), raise.collect());
        built.operator(0, "raise", &[], Cond::True, raise);
    }
    let facts: Vec<_> = (0..digits).map(|digit| (digit, goal)).collect();
    built.task.goal = Some(built.all(&facts));
    built
}

fn all() -> SearchOptions {
    SearchOptions::default().with_all_plans(true)
}

#[test]
fn orders_of_independent_actions_are_counted_by_a_multinomial() {
    let result = solve(&counters(6, 2).done(), &all(), &Unlimited);
    assert_eq!(result.outcome.plan().unwrap().value.makespan, 12);
    // 12! / 2!^6
    assert_eq!(result.dag.unwrap().count(), BigUint::from(7_484_400_u32));
}

#[test]
fn a_goal_true_at_the_start_has_the_empty_plan() {
    let result = solve(&counters(2, 0).done(), &all(), &Unlimited);
    let Outcome::Solved(plan) = &result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(plan.value, Value::default());
    assert!(plan.steps.is_empty());
    let dag = result.dag.unwrap();
    assert_eq!(dag.count(), BigUint::from(1_u32));
    assert_eq!((dag.nodes.len(), dag.edges.len()), (1, 0));
}

#[test]
fn an_unreachable_goal_is_proven_unsolvable() {
    let mut built = counters(3, 1);
    built.task.fail = built.all(&[(0, 1)]);
    let result = solve(&built.packed(), &all(), &Unlimited);
    assert_eq!(result.outcome, Outcome::Unsolvable);
    assert_eq!(result.dag, None::<PlanDag>);
}

#[test]
fn tasks_without_operators_or_agents_are_unsolvable_not_errors() {
    for agents in 0..=2 {
        for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
            let mut built = Builder::new(&[2], agents, turns);
            built.task.goal = Some(built.all(&[(0, 1)]));
            let result = solve(&built.packed(), &all(), &Unlimited);
            assert_eq!(result.outcome, Outcome::Unsolvable);
        }
    }
}

#[test]
fn the_plan_of_a_search_that_was_stopped_is_a_plan() {
    let mut met = 0;
    for seed in 0..300 {
        let task = random::task(seed);
        for heuristic in [HeuristicChoice::Blind, HeuristicChoice::Abstractions] {
            for objective in [Objective::Declared, Objective::Cost, Objective::Labels] {
                for most in [5, 20, 60, 150] {
                    let options = SearchOptions::default()
                        .with_heuristic(heuristic)
                        .with_objective(objective)
                        .with_max_states(most);
                    let result = solve(&task, &options, &Unlimited);
                    let Outcome::Bounded {
                        upper: Some(plan), ..
                    } = result.outcome
                    else {
                        continue;
                    };
                    let context = format!("seed {seed}, {heuristic:?}, {objective:?}, {most}");
                    assert_eq!(validate(&task, &plan.steps), Ok(plan.value), "{context}");
                    met += 1;
                }
            }
        }
    }
    assert!(met > 50, "{met} searches were stopped with a plan");
}

/// Each of two agents may start any of many delayed effects. An abstraction that does not know which
/// have been started must not follow each combination of those that end.
#[test]
fn lower_bounds_are_given_up_where_too_much_may_end_at_once() {
    let things = 20;
    let sizes: Vec<u32> = [vec![2; things], vec![4; things]].concat();
    let mut built = Builder::new(&sizes, 2, TurnMode::Simultaneous);
    for agent in 0..2 {
        for thing in 0..things {
            let start = built.set(things + thing, 3);
            built.operator(agent, "start", &[(things + thing, 0)], Cond::True, start);
        }
        built.wait(agent);
    }
    for thing in 0..things {
        let done = built.set(thing, 1);
        built.timer(things + thing, done);
    }
    let facts: Vec<_> = (0..things).map(|thing| (thing, 1)).collect();
    built.task.goal = Some(built.all(&facts));
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::Abstractions)
        .with_max_states(1000)
        .with_memory_limit(100_000_000);
    let result = solve(&built.packed(), &options, &Unlimited);
    assert!(matches!(result.outcome, Outcome::Bounded { .. }));
}

/// A variable with a million values that nothing reads makes the relaxation large, not the search.
#[test]
fn a_heuristic_that_does_not_fit_leaves_blind_search() {
    let mut built = Builder::new(
        &[vec![4; 8], vec![1_000_000]].concat(),
        1,
        TurnMode::Sequential,
    );
    for digit in 0..8 {
        let raise = (0..4).map(|value| built.set(digit, (value + 1) % 4));
        let raise = Effect::Switch(VarId(digit as u32), raise.collect());
        built.operator(0, "raise", &[], Cond::True, raise);
    }
    let facts: Vec<_> = (0..8).map(|digit| (digit, 3)).collect();
    built.task.goal = Some(built.all(&facts));
    let options = SearchOptions::default().with_memory_limit(8_000_000);
    let result = solve(&built.packed(), &options, &Unlimited);
    let plan = result.outcome.plan().expect("blind search fits");
    assert!(matches!(result.outcome, Outcome::Solved(_)));
    assert_eq!(plan.value.makespan, 24);
}

/// Forty thousand operators make lower bounds slow to prepare.
#[test]
fn lower_bounds_are_left_out_when_time_is_over_while_they_are_prepared() {
    let places = 200;
    let mut built = Builder::new(&[places, 2], 1, TurnMode::Sequential);
    for from in 0..places {
        for to in 0..places {
            let go = built.set(0, to);
            built.operator(0, "go", &[(0, from), (1, 0)], Cond::True, go);
        }
    }
    built.task.goal = Some(built.all(&[(0, places - 1), (1, 1)]));
    let task = &built.packed();
    let choice = HeuristicChoice::LandmarkCut;
    let prepare = |control: &dyn Control| {
        LowerBounds::new(task, &task.initial, Objective::Declared, choice, control).is_some()
    };
    let count = Count::default();
    assert!(prepare(&count));
    let asked = count.0.get();
    assert!(asked > 1000, "asked {asked} times");
    let control = StopAt {
        left: Cell::new(asked / 2),
        lower: Cell::new(None),
    };
    assert!(!prepare(&control));
    let control = StopAt {
        left: Cell::new(asked / 2),
        lower: Cell::new(None),
    };
    let options = SearchOptions::default().with_heuristic(choice);
    let result = solve(task, &options, &control);
    let Outcome::Bounded { reason, .. } = result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(reason, StopReason::Interrupted);
}

#[test]
fn a_memory_limit_is_kept_and_ends_in_a_bound() {
    let built = counters(12, 3);
    let limit = 2_000_000;
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::Blind)
        .with_memory_limit(limit);
    let result = solve(&built.packed(), &options, &Unlimited);
    let Outcome::Bounded {
        lower,
        upper,
        reason,
    } = result.outcome
    else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(reason, StopReason::Memory);
    assert_eq!(upper, None);
    let lower = lower.unwrap().makespan;
    assert!(lower > 3 && lower <= 36, "{lower}");
    assert!(result.statistics.peak_bytes <= limit);
    assert!(result.statistics.states > 10_000);
}

#[test]
fn a_limit_on_states_is_exact() {
    let options = SearchOptions::default().with_max_states(1000);
    let result = solve(&counters(8, 3).done(), &options, &Unlimited);
    assert!(matches!(
        result.outcome,
        Outcome::Bounded {
            reason: StopReason::States,
            ..
        }
    ));
    assert_eq!(result.statistics.states, 1000);
}

/// Stops at the n-th question, and keeps the last bound it received.
pub(crate) struct StopAt {
    left: Cell<u32>,
    lower: Cell<Option<Value>>,
}

impl StopAt {
    pub(crate) fn new(left: u32) -> Self {
        Self {
            left: Cell::new(left),
            lower: Cell::new(None),
        }
    }

    /// Returns the last bound it received.
    pub(crate) fn reported(&self) -> Option<Value> {
        self.lower.get()
    }
}

impl Control for StopAt {
    fn stop(&self) -> Option<StopReason> {
        self.left.set(self.left.get().saturating_sub(1));
        (self.left.get() == 0).then_some(StopReason::Interrupted)
    }

    fn progress(&self, progress: &Progress) {
        self.lower.set(progress.lower);
    }
}

#[test]
fn an_interrupted_search_gives_the_bound_it_has_proven() {
    let control = StopAt {
        left: Cell::new(20),
        lower: Cell::new(None),
    };
    let result = solve(&counters(10, 3).done(), &all(), &control);
    let Outcome::Bounded { lower, reason, .. } = result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(reason, StopReason::Interrupted);
    assert_eq!(lower, control.lower.get());
    assert!(lower.unwrap().makespan > 1);
}

/// Counts how often it is asked.
#[derive(Default)]
struct Count(Cell<u32>);

impl Control for Count {
    fn stop(&self) -> Option<StopReason> {
        self.0.set(self.0.get() + 1);
        None
    }
}

/// Nodes are counted, as the time of one differs by orders of magnitude.
#[test]
fn a_control_is_asked_for_every_few_nodes_whatever_they_take() {
    let task = counters(7, 2).done();
    for heuristic in [HeuristicChoice::Blind, HeuristicChoice::LandmarkCut] {
        for pruning in [PruningChoice::Never, PruningChoice::Always] {
            for threads in [1, 2] {
                let options = SearchOptions::default()
                    .with_heuristic(heuristic)
                    .with_pruning(pruning)
                    .with_threads(threads.try_into().unwrap())
                    .with_sharing_from(64);
                let count = Count::default();
                let result = solve(&task, &options, &count);
                let (expanded, asked) = (result.statistics.expanded, u64::from(count.0.get()));
                let is_long = expanded > 1000 || pruning == PruningChoice::Always;
                assert!(
                    is_long && asked >= expanded / 32,
                    "{options:?}: {asked} for {expanded} nodes"
                );
            }
        }
    }
}

#[test]
fn a_plan_stays_proven_when_the_collection_of_all_is_interrupted() {
    let task = counters(7, 2).done();
    let count = Count::default();
    solve(&task, &SearchOptions::default(), &count);
    let control = StopAt {
        left: Cell::new(count.0.get() + 2),
        lower: Cell::new(None),
    };
    let result = solve(&task, &all(), &control);
    assert_eq!(result.outcome.plan().unwrap().value.makespan, 14);
    assert!(matches!(result.outcome, Outcome::Solved(_)));
    assert_eq!(result.dag, None);
    assert_eq!(result.dag_stopped, Some(StopReason::Interrupted));
}

#[test]
fn a_search_that_is_stopped_gives_the_best_plan_it_has_met() {
    let options = SearchOptions::default().with_max_states(3);
    let result = solve(&tolls(Metric::Cost), &options, &Unlimited);
    let Outcome::Bounded { lower, upper, .. } = result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(upper.unwrap().value.cost, 5);
    assert_eq!(lower.unwrap().cost, 0);
}

#[test]
fn what_a_heuristic_says_of_the_start_is_proven_before_anything_is_expanded() {
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::Potentials)
        .with_max_states(1);
    let result = solve(&counters(6, 2).done(), &options, &Unlimited);
    let Outcome::Bounded { lower, .. } = result.outcome else {
        panic!("{:?}", result.outcome);
    };
    assert_eq!(lower.unwrap().makespan, 12);
}

#[test]
fn variables_of_many_values_are_searched() {
    let size = 400;
    let mut built = Builder::new(&[size, 2], 1, TurnMode::Sequential);
    for value in 0..size - 1 {
        let next = built.set(0, value + 1);
        built.operator(0, "next", &[(0, value), (1, 0)], Cond::True, next);
        let leap = built.set(0, size - 1);
        built.operator(0, "leap", &[(0, value), (1, 1)], Cond::True, leap);
    }
    built.task.goal = Some(built.all(&[(0, size - 1)]));
    let result = solve(&built.packed(), &all(), &Unlimited);
    let makespan = result.outcome.plan().unwrap().value.makespan;
    assert_eq!(makespan, size - 1);
    assert_eq!(result.dag.unwrap().count(), BigUint::from(1_u32));
}

/// A toggle that costs nothing and a step to the goal that costs 5, or two that cost 2 each.
pub(crate) fn tolls(metric: Metric) -> PackedTask {
    let mut built = Builder::new(&[2, 3], 1, TurnMode::Sequential);
    for value in 0..2 {
        let toggle = built.set(0, 1 - value);
        built.operator(0, "toggle", &[(0, value)], Cond::True, toggle);
    }
    for (name, from, to, cost) in [("direct", 0, 2, 5), ("first", 0, 1, 2), ("second", 1, 2, 2)] {
        let go = built.set(1, to);
        let pay = Effect::Cost(Expr::Constant(cost));
        let effect = Effect::Seq([go, pay].into());
        built.operator(0, name, &[(1, from)], Cond::True, effect);
    }
    built.task.goal = Some(built.all(&[(1, 2)]));
    built.task.metric = metric;
    built.done()
}

#[test]
fn free_cycles_are_on_no_optimal_plan() {
    let result = solve(&tolls(Metric::Cost), &all(), &Unlimited);
    let value = result.outcome.plan().unwrap().value;
    assert_eq!((value.cost, value.makespan), (4, 2));
    assert_eq!(result.dag.unwrap().count(), BigUint::from(1_u32));
}

#[test]
fn an_objective_overrides_the_metric() {
    let options = SearchOptions::default().with_objective(Objective::Makespan);
    let result = solve(&tolls(Metric::Cost), &options, &Unlimited);
    let value = result.outcome.plan().unwrap().value;
    assert_eq!((value.cost, value.makespan), (5, 1));
}

#[test]
fn a_total_that_can_grow_for_ever_is_refused() {
    let result = solve(&tolls(Metric::NegatedCost), &all(), &Unlimited);
    assert!(matches!(
        result.outcome,
        Outcome::Bounded {
            lower: None,
            reason: StopReason::Unbounded,
            ..
        }
    ));
}

#[test]
fn a_total_is_maximised_up_to_the_horizon() {
    let mut built = Builder::new(&[2, 8], 1, TurnMode::Sequential);
    built.horizon(1, 7);
    let (up, down) = (built.set(0, 1), built.set(0, 0));
    let earn =
        |effect: Effect, gain| Effect::Seq([effect, Effect::Cost(Expr::Constant(gain))].into());
    built.operator(0, "invest", &[(0, 0)], Cond::True, earn(up, -1));
    built.operator(0, "sell", &[(0, 1)], Cond::True, earn(down, 3));
    built.wait(0);
    built.task.metric = Metric::NegatedCost;
    let result = solve(&built.packed(), &all(), &Unlimited);
    let value = result.outcome.plan().unwrap().value;
    // Three rounds of two steps; one step of seven is a wait, before, between or after them.
    assert_eq!((value.cost, value.makespan), (6, 7));
    assert_eq!(result.dag.unwrap().count(), BigUint::from(7_u32));
}
