//! Operators are left out whose order does not matter (strong stubborn sets): against exhaustion, from
//! every state.

use brigade::search::{
    HeuristicChoice, Objective, Outcome, PruningChoice, SearchOptions, SearchResult, Start,
    SymmetryChoice, Unlimited, Value, allows_pruning, solve, solve_from, verify,
};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::{Metric, PackedTask, TurnMode};

use crate::oracle::brute_force::{Graph, Keys, graph, keys};
use crate::oracle::builder::Builder;
use crate::oracle::compile::compile;
use crate::oracle::limits::counters;
use crate::oracle::loose;

pub(crate) const OBJECTIVES: [Objective; 4] = [
    Objective::Declared,
    Objective::Makespan,
    Objective::Labels,
    Objective::Cost,
];
const HEURISTICS: [HeuristicChoice; 4] = [
    HeuristicChoice::Blind,
    HeuristicChoice::LandmarkCut,
    HeuristicChoice::Potentials,
    HeuristicChoice::Abstractions,
];

pub(crate) fn found(task: &PackedTask, objective: Objective, value: Value) -> Keys {
    let (ticks, labels) = (value.makespan.into(), value.labels.into());
    keys(task, objective, value.cost, ticks, labels)
}

/// The answer is that of exhaustion, and the plan is one.
pub(crate) fn assert_answer(
    about: &str,
    task: &PackedTask,
    objective: Objective,
    graph: &Graph,
    result: &SearchResult,
) {
    match &result.outcome {
        Outcome::Solved(plan) => {
            assert_eq!(verify(task, plan), Ok(()), "{about}");
            let value = found(task, objective, plan.value);
            assert_eq!(Some(value), graph.optimum(), "{about}");
        }
        Outcome::Unsolvable => assert_eq!(graph.optimum(), None, "{about}"),
        Outcome::Bounded { .. } => panic!("{about}: {:?}", result.outcome),
    }
}

#[test]
fn an_optimal_plan_is_left_from_every_state_where_operators_are_left_out() {
    let (mut starts, mut pruned) = (0, 0);
    for seed in 0..400 {
        let task = loose::task(seed);
        let objective = OBJECTIVES[seed as usize % OBJECTIVES.len()];
        let Some(graph) = graph(&task, objective, 1500) else {
            continue;
        };
        let options = SearchOptions::default()
            .with_objective(objective)
            .with_heuristic(HEURISTICS[(seed / 4) as usize % HEURISTICS.len()])
            .with_symmetry([SymmetryChoice::Never, SymmetryChoice::Always][seed as usize % 2])
            .with_pruning(PruningChoice::Always);
        assert!(allows_pruning(&task, &options));
        let step = (graph.states.len() / 60).max(1);
        for index in (0..graph.states.len()).step_by(step) {
            let start = Start {
                state: &graph.states[index],
                agent: 0,
            };
            let result = solve_from(&task, start, &options, &Unlimited);
            let value = result.outcome.plan().map(|plan| plan.value);
            let value = value.map(|value| found(&task, objective, value));
            assert_eq!(value, graph.to_go[index], "seed {seed}, state {index}");
            let left_out = result.attempts.iter().filter_map(|attempt| attempt.pruned);
            starts += 1;
            pruned += u64::from(left_out.sum::<u64>() > 0);
        }
        let result = solve(&task, &options, &Unlimited);
        assert_answer(&format!("seed {seed}"), &task, objective, &graph, &result);
    }
    assert!(starts > 5_000, "{starts} starts");
    assert!(pruned * 4 > starts, "{pruned} of {starts}");
}

/// Dishes are washed anywhere and put away at the cupboard; any two may change places.
#[test]
fn an_optimal_plan_is_left_of_states_that_stand_for_their_orbits() {
    let domain = "(define (domain dishes) (:requirements :adl)
 (:predicates (dirty ?d) (wet ?d) (away ?d) (at-cupboard) (towel-is-dry))
 (:action walk :parameters ()
  :effect (and (when (at-cupboard) (not (at-cupboard))) (when (not (at-cupboard)) (at-cupboard))))
 (:action wash :parameters (?d) :precondition (dirty ?d) :effect (and (not (dirty ?d)) (wet ?d)))
 (:action put :parameters (?d) :precondition (and (wet ?d) (at-cupboard))
  :effect (and (not (wet ?d)) (away ?d)))
 (:action air :parameters () :effect (towel-is-dry)))";
    let problem = "(define (problem four) (:domain dishes) (:objects a b c d)
 (:init (dirty a) (dirty b) (wet c) (dirty d))
 (:goal (and (away a) (away b) (away c) (away d) (towel-is-dry) (not (at-cupboard)))))";
    let task = compile(domain, problem);
    let graph = graph(&task, Objective::Declared, 1500).unwrap();
    assert!(graph.states.len() > 100, "{}", graph.states.len());
    let mut pruned = 0;
    for (state, to_go) in graph.states.iter().zip(&graph.to_go) {
        for heuristic in HEURISTICS {
            let options = SearchOptions::default()
                .with_heuristic(heuristic)
                .with_symmetry(SymmetryChoice::Always)
                .with_pruning(PruningChoice::Always);
            let start = Start { state, agent: 0 };
            let result = solve_from(&task, start, &options, &Unlimited);
            let value = result.outcome.plan().map(|plan| plan.value);
            let value = value.map(|value| found(&task, Objective::Declared, value));
            assert_eq!(value, *to_go, "{heuristic:?}, {state:?}");
            let last = result.attempts.last();
            pruned +=
                u64::from(last.is_some_and(|it| it.pruned > Some(0) && it.interchangeable > 0));
        }
    }
    assert!(pruned > 50, "{pruned} searches on canonical states pruned");
}

#[test]
fn nothing_is_left_out_where_that_is_not_sound_or_all_plans_are_asked_for() {
    let options = SearchOptions::default()
        .with_pruning(PruningChoice::Always)
        .with_heuristic(HeuristicChoice::Blind);
    let all = options.clone().with_all_plans(true);
    let is_pruned = |task: &PackedTask, options: &SearchOptions| {
        let result = solve(task, options, &Unlimited);
        result
            .attempts
            .iter()
            .any(|attempt| attempt.pruned > Some(0))
    };
    let free = counters(4, 2).done();
    assert!(is_pruned(&free, &options));
    assert!(allows_pruning(&free, &options));
    assert!(!is_pruned(&free, &all));
    assert!(!allows_pruning(&free, &all));
    let with = |change: &dyn Fn(&mut Builder)| {
        let mut built = counters(4, 2);
        change(&mut built);
        built.done()
    };
    let event = with(&|built| {
        let set = built.set(0, 1);
        let when = Cond::Fact(built.fact(1, 1));
        built.event(Effect::When(when, set.into()));
    });
    let timer = with(&|built| {
        let set = built.set(1, 0);
        built.timer(0, set);
    });
    let improving = with(&|built| {
        built.task.metric = Metric::NegatedCost;
        let pay = Effect::Cost(Expr::Constant(1));
        built.task.operators[0].effect = pay;
    });
    let horizon = with(&|built| built.task.horizon = Some(20));
    let ending = with(&|built| built.task.end = Cond::Fact(built.fact(3, 1)));
    let several = {
        let mut built = Builder::new(&[2, 2], 2, TurnMode::Sequential);
        for agent in 0..2 {
            let set = built.set(agent, 1);
            built.operator(agent, "set", &[], Cond::True, set);
        }
        built.task.goal = Some(built.all(&[(0, 1), (1, 1)]));
        built.done()
    };
    for (task, obstacle) in [
        (event, "an event"),
        (timer, "a delayed effect"),
        (improving, "a step that improves the metric"),
        (horizon, "a horizon"),
        (ending, "an end besides the goal"),
        (several, "several agents"),
    ] {
        assert!(!allows_pruning(&task, &options), "{obstacle}");
        assert!(!is_pruned(&task, &options), "{obstacle}");
    }
}

/// Each digit is raised by itself, in any order: one order is enough.
#[test]
fn independent_actions_are_tried_in_one_order() {
    let search = |pruning| {
        let options = SearchOptions::default()
            .with_heuristic(HeuristicChoice::Blind)
            .with_symmetry(SymmetryChoice::Never)
            .with_pruning(pruning);
        solve(&counters(6, 2).done(), &options, &Unlimited)
    };
    let (all, few) = (search(PruningChoice::Never), search(PruningChoice::Always));
    assert_eq!(few.outcome.plan().unwrap().value.makespan, 12);
    assert_eq!(all.outcome.plan().unwrap().value.makespan, 12);
    assert!(all.statistics.expanded > 500, "{:?}", all.statistics);
    // One digit after another, each up to its end.
    assert!(few.statistics.expanded < 30, "{:?}", few.statistics);
}
