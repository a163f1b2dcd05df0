use super::{NotSolved, compile};
use crate::search::{HeuristicChoice, SearchOptions, StopReason, Unlimited};
use crate::task::plannable::NotPlannable;

const TEA: &str = "(define (domain tea)
  (:requirements :typing :multi-agent :delayed-effects)
  (:types cook)
  (:predicates (lit) (hot) (poured) (never))
  (:action light :agent ?c - cook :effect (and (lit) (after 2 (hot))))
  (:action pour :agent ?c - cook :precondition (hot) :effect (poured)))";

fn problem(goal: &str) -> String {
    format!("(define (problem p) (:domain tea) (:objects ann bob - cook) (:goal ({goal})))")
}

#[test]
fn an_optimal_plan_is_proven() {
    let compiled = compile(TEA, &problem("poured")).unwrap();
    assert_eq!(compiled.plan().unwrap().value.makespan, 3);
    assert!(!compiled.report().diagnostics.has_errors());
}

#[test]
fn an_error_shows_all_that_is_wrong() {
    let rejected = compile(TEA, &problem("pourd")).unwrap_err();
    assert_eq!(rejected.0.diagnostics.error_count(), 1);
    let text = rejected.to_string();
    assert!(text.contains("problem.pddl:1:"), "{text}");
    assert!(text.contains("did you mean `poured`?"), "{text}");
}

#[test]
fn a_goal_out_of_reach_has_no_plan() {
    let compiled = compile(TEA, &problem("never")).unwrap();
    assert!(matches!(compiled.plan(), Err(NotSolved::Unsolvable)));
    assert!(matches!(compiled.references(), Err(NotSolved::Unsolvable)));
}

#[test]
fn a_limit_leaves_a_bound() {
    let compiled = compile(TEA, &problem("poured")).unwrap();
    let options = SearchOptions::default()
        .with_max_states(1)
        .with_heuristic(HeuristicChoice::Blind);
    let found = compiled.plan_with(&options, &Unlimited);
    let is_bounded = matches!(
        found,
        Err(NotSolved::Bounded {
            reason: StopReason::States,
            ..
        })
    );
    assert!(is_bounded, "{found:?}");
}

#[test]
fn an_agent_that_acts_by_chance_is_not_planned() {
    let domain = "(define (domain dice)
      (:requirements :typing :multi-agent :nature)
      (:types die) (:role die nature)
      (:predicates (six))
      (:action roll :agent ?d - die :effect (six)))";
    let problem = "(define (problem p) (:domain dice) (:objects d - die) (:goal (six)))";
    let compiled = compile(domain, problem).unwrap();
    let Err(NotSolved::NotPlannable(NotPlannable::Chance { agent })) = compiled.plan() else {
        panic!("it is planned");
    };
    assert_eq!(agent, "d");
}

#[test]
fn agents_in_any_order_are_not_planned() {
    let domain = TEA.replace("(:types", "(:turns sequential :order any) (:types");
    let compiled = compile(&domain, &problem("poured")).unwrap();
    assert!(matches!(
        compiled.plan(),
        Err(NotSolved::NotPlannable(NotPlannable::AnyOrder))
    ));
}
