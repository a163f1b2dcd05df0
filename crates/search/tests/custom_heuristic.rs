//! A heuristic that is added outside the crate, and used by its name.

use std::num::NonZeroUsize;
use std::sync::Arc;

use brigade_compile::ground::{Options as Grounding, ground};
use brigade_compile::sema::{Files, Options, resolve};
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_search::{
    Answer, AttemptEnd, DeepeningChoice, Estimate, EstimateKeys, Guide, Heuristic, HeuristicChoice,
    HeuristicContext, HeuristicFactory, HeuristicRegistry, LowerBounds, Max, Method, Objective,
    Outcome, SearchOptions, SearchResult, SymmetryChoice, Unlimited, Value, solve, validate,
};
use brigade_syntax::{parse_domain, parse_problem};
use brigade_task::cond::Cond;
use brigade_task::{PackedTask, State};

/// The number of goal facts that a state lacks, where each tick makes at most one of them true.
#[derive(Debug)]
struct GoalCount;

struct MissingFacts<'t> {
    task: &'t PackedTask,
    facts: Vec<Cond>,
    keys: EstimateKeys,
}

impl HeuristicFactory for GoalCount {
    fn name(&self) -> &'static str {
        "goal-count"
    }

    fn build<'t>(&self, context: &HeuristicContext<'t, '_>) -> Option<Box<dyn Heuristic + 't>> {
        let facts = match context.task.goal.clone()? {
            Cond::Facts(facts) => facts.into_iter().map(Cond::Fact).collect(),
            Cond::And(parts) => parts.into_vec(),
            whole => vec![whole],
        };
        (context.task.agents.len() == 1).then(|| {
            let heuristic = MissingFacts {
                task: context.task,
                facts,
                keys: context.keys(),
            };
            Box::new(heuristic) as Box<dyn Heuristic + 't>
        })
    }

    fn needs_reachable_states(&self) -> bool {
        false
    }
}

impl Heuristic for MissingFacts<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        let variables = &self.task.variables;
        let missing = self.facts.iter().filter(|it| !it.holds(variables, state));
        self.keys.estimate(Value {
            makespan: missing.count() as u32,
            ..Value::default()
        })
    }

    fn bytes(&self) -> usize {
        self.facts.len() * size_of::<Cond>()
    }
}

/// A heuristic that applies to no task.
#[derive(Debug)]
struct Nowhere;

impl HeuristicFactory for Nowhere {
    fn name(&self) -> &'static str {
        "nowhere"
    }

    fn build<'t>(&self, _: &HeuristicContext<'t, '_>) -> Option<Box<dyn Heuristic + 't>> {
        None
    }
}

/// Lamps that an agent lights, or puts out again, one in each tick.
fn lamps(count: usize) -> PackedTask {
    let domain = "(define (domain lamps) (:requirements :strips :typing :negative-preconditions)
        (:types lamp)
        (:predicates (lit ?l - lamp))
        (:action light :parameters (?l - lamp) :precondition (not (lit ?l)) :effect (lit ?l))
        (:action put-out :parameters (?l - lamp) :precondition (lit ?l) :effect (not (lit ?l))))";
    let each = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let names = each(&|it| format!(" l{it}"));
    let goal = each(&|it| format!(" (lit l{it})"));
    let problem = format!(
        "(define (problem all) (:domain lamps) (:objects{names} - lamp) (:init) (:goal (and{goal})))"
    );
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", &problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, &problem, &mut diagnostics);
    let options = Options::default().with_semantics("clean");
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    ground(&model, &Grounding::default()).expect("the task is small")
}

/// Options by the heuristic, chosen by its name.
fn by_goal_count() -> SearchOptions {
    let registry = HeuristicRegistry::default().with(Arc::new(GoalCount));
    let choice = registry.find("goal-count").expect("it was added");
    let options = SearchOptions::default().with_registry(registry);
    options.with_heuristic(choice)
}

fn makespan(result: &SearchResult) -> u32 {
    match &result.outcome {
        Outcome::Solved(plan) => plan.value.makespan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_heuristic_of_the_callers_own_finds_the_optimum_in_fewer_states() {
    let task = lamps(7);
    let options = by_goal_count().with_objective(Objective::Makespan);
    let blind = options.clone().with_heuristic(HeuristicChoice::Blind);
    let (blind, informed) = (
        solve(&task, &blind, &Unlimited),
        solve(&task, &options, &Unlimited),
    );
    assert_eq!((makespan(&blind), makespan(&informed)), (7, 7));
    let plan = informed.outcome.plan().unwrap();
    assert_eq!(validate(&task, &plan.steps), Ok(plan.value));
    assert_eq!(informed.attempts[0].guide, Guide::named("goal-count"));
    assert_eq!(informed.attempts[0].guide.to_string(), "goal-count");
    assert_eq!(informed.attempts[0].estimate.unwrap().makespan, 7);
    let expanded = |result: &SearchResult| result.statistics.expanded;
    assert!(expanded(&informed) < expanded(&blind));
}

#[test]
fn its_answer_does_not_depend_on_symmetries_threads_or_deepening() {
    let task = lamps(5);
    let all = SearchOptions::default().with_all_plans(true);
    let blind = solve(
        &task,
        &all.with_heuristic(HeuristicChoice::Blind),
        &Unlimited,
    );
    let count = |result: &SearchResult| result.dag.as_ref().unwrap().count();
    let by_count = by_goal_count().with_all_plans(true);
    for symmetry in [SymmetryChoice::Never, SymmetryChoice::Always] {
        let options = by_count.clone().with_symmetry(symmetry);
        let two = NonZeroUsize::new(2).unwrap();
        for options in [options.clone(), options.with_threads(two)] {
            let result = solve(&task, &options, &Unlimited);
            assert_eq!(makespan(&result), 5, "{symmetry:?}");
            assert_eq!(count(&result), count(&blind), "{symmetry:?}");
        }
    }
    let options = by_goal_count().with_deepening(DeepeningChoice::Always);
    let result = solve(&task, &options, &Unlimited);
    assert_eq!(makespan(&result), 5);
    let deepened = result.attempts.last().unwrap();
    assert_eq!(
        (deepened.method, deepened.guide),
        (Method::Deepening, Guide::named("goal-count"))
    );
}

#[test]
fn it_bounds_states_without_a_search() {
    let task = lamps(4);
    let bounds = LowerBounds::by(
        &GoalCount,
        &task,
        &task.initial,
        Objective::Makespan,
        &Unlimited,
    );
    let bound = bounds.unwrap().of(&task.initial).unwrap();
    assert_eq!(bound.makespan, 4);
}

#[test]
fn the_greater_of_two_heuristics_is_one() {
    let task = lamps(4);
    let keys = EstimateKeys::new(&task, Objective::Declared);
    let whole = task.goal.clone().unwrap();
    let parts = match whole.clone() {
        Cond::Facts(facts) => facts.into_iter().map(Cond::Fact).collect(),
        other => panic!("{other:?}"),
    };
    let heuristic = |facts| MissingFacts {
        task: &task,
        facts,
        keys,
    };
    let mut both = Max(heuristic(vec![whole]), heuristic(parts));
    let estimate = both.estimate(&task.initial);
    let ticks = |makespan| {
        keys.estimate(Value {
            makespan,
            ..Value::default()
        })
    };
    assert_eq!(estimate, ticks(4));
    assert!(estimate > ticks(1) && estimate < Estimate::DEAD);
    assert_eq!(both.ask(&task.initial, ticks(1)), Answer::Exactly(estimate));
}

#[test]
fn where_a_heuristic_does_not_apply_the_search_is_blind() {
    let task = lamps(3);
    let options = SearchOptions::default().with_custom_heuristic(Arc::new(Nowhere));
    let result = solve(&task, &options, &Unlimited);
    assert_eq!(makespan(&result), 3);
    let attempts = result.attempts.iter();
    let tried: Vec<_> = attempts.map(|it| (it.guide, it.end)).collect();
    assert_eq!(
        tried,
        [
            (Guide::named("nowhere"), AttemptEnd::Inapplicable),
            (Guide::BLIND, AttemptEnd::Answered)
        ]
    );
}

#[test]
fn an_unknown_name_is_refused_with_those_that_there_are() {
    let registry = HeuristicRegistry::default().with(Arc::new(GoalCount));
    assert_eq!(registry.find("lm-cut"), Ok(HeuristicChoice::LandmarkCut));
    let error = registry.find("goalcount").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no heuristic is called \"goalcount\"; there are auto, blind, abstractions, \
         decision-diagrams, lm-cut, potentials, patterns, goal-count"
    );
}
