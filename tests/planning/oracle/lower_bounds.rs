//! Lower bounds against the exact cost-to-go.

use brigade::search::{HeuristicChoice, LowerBounds, Objective, SearchOptions, Unlimited, solve};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::layout::VariableKind;
use brigade::task::step::Status;
use brigade::task::{Metric, PackedTask, State, TurnMode};

use crate::oracle::brute_force::{Graph, Keys, graph, keys, plus};
use crate::oracle::builder::Builder;
use crate::oracle::compile::compile;
use crate::oracle::random;

/// The number of random tasks that are tried.
const SEEDS: u64 = 2000;
/// Tasks with more states are left out.
const MOST_STATES: usize = 1500;

#[test]
fn no_plan_from_any_state_is_better_than_the_bounds_of_abstractions() {
    let objectives = [Objective::Declared, Objective::Makespan, Objective::Labels];
    let (informed, exact) = compare(HeuristicChoice::Abstractions, &objectives);
    assert!(
        informed > 10_000 && exact > 5_000,
        "{informed} bounds, {exact} of them exact"
    );
}

#[test]
fn no_plan_from_any_state_is_better_than_the_bounds_of_landmark_cuts() {
    let objectives = [Objective::Declared, Objective::Makespan, Objective::Cost];
    let (informed, exact) = compare(HeuristicChoice::LandmarkCut, &objectives);
    assert!(
        informed > 10_000 && exact > 1_000,
        "{informed} bounds, {exact} of them exact"
    );
}

#[test]
fn no_plan_from_any_state_is_better_than_the_bounds_of_potentials() {
    let objectives = [Objective::Declared, Objective::Makespan, Objective::Cost];
    let (informed, exact) = compare(HeuristicChoice::Potentials, &objectives);
    assert!(
        informed > 10_000 && exact > 1_000,
        "{informed} bounds, {exact} of them exact"
    );
}

/// The parts of an effect that happen in sequence help each other, and are paid for once.
#[test]
fn no_plan_is_better_than_the_bounds_where_operators_do_several_things_in_sequence() {
    for choice in [
        HeuristicChoice::Abstractions,
        HeuristicChoice::LandmarkCut,
        HeuristicChoice::Potentials,
    ] {
        let (informed, exact) = compare_on(random::in_sequence, choice, &[Objective::Declared]);
        assert!(
            informed > 4_000 && exact > 2_500,
            "{choice:?}: {informed} bounds, {exact} of them exact"
        );
    }
}

/// Costs too great for the arithmetic of the relaxation are rounded down; the least part is kept.
#[test]
fn bounds_on_great_costs_are_hardly_rounded() {
    const COST: i64 = 3_000_000_000_001;
    let digits = 6;
    let mut built = Builder::new(&vec![4; digits], 1, TurnMode::Sequential);
    for digit in 0..digits {
        for value in 0..3 {
            let raise = built.set(digit, value + 1);
            let pay = Effect::Cost(Expr::Constant(COST + i64::from(value)));
            let effect = Effect::Seq([raise, pay].into());
            let needed = [(digit, value)];
            built.operator(0, "raise", &needed, Cond::True, effect);
        }
    }
    let facts: Vec<_> = (0..digits).map(|digit| (digit, 3)).collect();
    built.task.goal = Some(built.all(&facts));
    built.task.metric = Metric::Cost;
    let exact = 6 * (3 * COST + 3);
    let task = &built.packed();
    let choice = HeuristicChoice::LandmarkCut;
    let bounds = LowerBounds::new(task, &task.initial, Objective::Declared, choice, &Unlimited);
    let bound = bounds.unwrap().of(&task.initial).unwrap().cost;
    assert!(
        bound <= exact && bound > exact - exact / 1_000_000,
        "{bound}"
    );
}

/// Compares the bounds of all states of random tasks with exhaustion; returns the number of informative bounds, and the
/// number of exact ones.
fn compare(choice: HeuristicChoice, objectives: &[Objective]) -> (u32, u32) {
    compare_on(random::task, choice, objectives)
}

/// The same on the tasks of these seeds.
fn compare_on(
    task: fn(u64) -> PackedTask,
    choice: HeuristicChoice,
    objectives: &[Objective],
) -> (u32, u32) {
    let (mut informed, mut exact) = (0_u32, 0_u32);
    for seed in 0..SEEDS {
        let task = task(seed);
        let objective = objectives[seed as usize % objectives.len()];
        let context = format!("seed {seed}");
        let Some(found) = compare_task(&context, &task, objective, choice, MOST_STATES) else {
            continue;
        };
        informed += found.informed;
        exact += found.exact;
    }
    (informed, exact)
}

/// The comparison of the bounds of a task with exhaustion.
pub(crate) struct Compared {
    /// The number of informative bounds.
    pub(crate) informed: u32,
    /// The number of exact bounds.
    pub(crate) exact: u32,
    /// True if a plan leads on from the start.
    pub(crate) has_plan: bool,
}

/// Compares the bounds of all states of a task with exhaustion; `None` if the heuristic gives no bounds for it, or it
/// has more states than that.
pub(crate) fn compare_task(
    context: &str,
    task: &PackedTask,
    objective: Objective,
    choice: HeuristicChoice,
    most_states: usize,
) -> Option<Compared> {
    let graph = graph(task, objective, most_states)?;
    let mut bounds = LowerBounds::new(task, &task.initial, objective, choice, &Unlimited)?;
    let context = format!("{context}, {choice:?}, {objective:?}");
    let (informed, exact) = assert_bounds(&context, task, objective, &graph, choice, &mut bounds);
    Some(Compared {
        informed,
        exact,
        has_plan: graph.to_go[0].is_some(),
    })
}

/// The value of a state without a plan, worse than everything.
const WORST: Keys = [i64::MAX; 3];

/// Compares the bounds of all states with exhaustion, and if they are said to be consistent, those before each step
/// with those after it. Returns the number of informative bounds, and the number of exact ones.
pub(crate) fn assert_bounds(
    context: &str,
    task: &PackedTask,
    objective: Objective,
    graph: &Graph,
    choice: HeuristicChoice,
    bounds: &mut LowerBounds,
) -> (u32, u32) {
    let mut bound_of = |state: &State| {
        bounds.of(state).map_or(WORST, |bound| {
            let (ticks, labels) = (i64::from(bound.makespan), i64::from(bound.labels));
            keys(task, objective, bound.cost, ticks, labels)
        })
    };
    let found: Vec<Keys> = (graph.states.iter().zip(&graph.is_final))
        .map(|(state, &is_final)| if is_final { [0; 3] } else { bound_of(state) })
        .collect();
    let (mut informed, mut exact) = (0, 0);
    for node in (0..graph.states.len()).filter(|&node| !graph.is_final[node]) {
        let (bound, to_go) = (found[node], graph.to_go[node].unwrap_or(WORST));
        assert!(
            bound <= to_go,
            "{context}, state {node}: {bound:?} > {to_go:?}"
        );
        informed += u32::from(bound > [0; 3]);
        exact += u32::from(bound == to_go);
    }
    if choice == HeuristicChoice::Potentials {
        let goes_on = |node: usize| {
            graph.is_final[node] || task.status(&graph.states[node]) == Status::Running
        };
        for (node, edges) in graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| goes_on(edge.target)) {
                let after = found[edge.target];
                let through = if after == WORST {
                    WORST
                } else {
                    plus(edge.weight, after)
                };
                assert!(
                    found[node] <= through,
                    "{context}, from state {node} to {}: {:?} > {:?} + {after:?}",
                    edge.target,
                    found[node],
                    edge.weight,
                );
            }
        }
    }
    (informed, exact)
}

/// A presses a button, then B opens the door, then A rings: that takes three ticks. Setting the alarm
/// also rings, after five, but in fewer links, so a relaxed plan never presses the button.
#[test]
fn what_no_relaxed_plan_changes_may_let_another_help() {
    let (button, door, ringing, alarm) = (0, 1, 2, 3);
    let mut built = Builder::new(&[2, 2, 2, 6], 2, TurnMode::Simultaneous);
    built.task.variables[button].kind = VariableKind::Facts;
    for (agent, variable, value, needed) in [
        (0, button, 1, None),
        (0, alarm, 5, None),
        (0, ringing, 1, Some((door, 1))),
        (1, door, 1, Some((button, 1))),
    ] {
        let effect = built.set(variable, value);
        let needed: Vec<_> = needed.into_iter().collect();
        built.operator(agent, "set", &needed, Cond::True, effect);
    }
    let ring = built.set(ringing, 1);
    built.timer(alarm, ring);
    built.task.goal = Some(built.all(&[(ringing, 1)]));
    let task = built.done();
    let choice = HeuristicChoice::Abstractions;
    let objective = Objective::Makespan;
    let mut bounds = LowerBounds::new(&task, &task.initial, objective, choice, &Unlimited)
        .expect("a goal without costs");
    let bound = bounds.of(&task.initial).expect("a plan");
    assert!((1..=3).contains(&bound.makespan), "{bound:?}");
}

/// Requirements can be read off a negated disjunction as well: `(not (exists (?p) (not ...)))`.
#[test]
fn landmark_cuts_see_what_the_negation_of_a_disjunction_requires() {
    let domain = "(define (domain assembly)
 (:requirements :adl)
 (:types part)
 (:predicates (built ?p - part) (done))
 (:action build :parameters (?p - part) :effect (built ?p))
 (:action finish :effect (when (not (exists (?p - part) (not (built ?p)))) (done))))";
    let problem =
        "(define (problem p) (:domain assembly) (:objects a b c d - part) (:init) (:goal (done)))";
    let options = SearchOptions::default().with_heuristic(HeuristicChoice::LandmarkCut);
    let result = solve(&compile(domain, problem), &options, &Unlimited);
    let estimate = result.attempts[0].estimate;
    assert_eq!(estimate.map(|value| value.makespan), Some(5));
}

/// A may doze. B, who acts after A, rings, which an event of the same tick hears: no further tick is
/// needed.
#[test]
fn what_another_supplies_last_in_a_step_is_used_by_its_tick() {
    let domain = "(define (domain bell)
        (:requirements :adl :multi-agent :events)
        (:types cook)
        (:constants a b - cook)
        (:predicates (rung) (heard) (asleep))
        (:action doze :agent ?c - cook :precondition (= ?c a) :effect (asleep))
        (:action ring :agent ?c - cook :precondition (= ?c b) :effect (rung))
        (:event hear :precondition (rung) :effect (heard)))";
    let problem = "(define (problem bell-1) (:domain bell) (:goal (and (rung) (heard))))";
    let task = compile(domain, problem);
    let options = SearchOptions::default().with_heuristic(HeuristicChoice::Abstractions);
    let result = solve(&task, &options, &Unlimited);
    let value = result.outcome.plan().expect("a plan").value;
    assert_eq!((value.makespan, value.labels), (1, 1));
}
