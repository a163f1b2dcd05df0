//! Tasks at the edge of what there is to plan, and limits: each has a clear answer and exit code.

use serde_json::Value as Json;

use super::plan::{flips, plan};
use super::{Scratch, run};

/// A lamp or two that can be switched on.
const LAMPS: &str = "(define (domain lamps) (:requirements :strips :horizon)
    (:predicates (lit ?x) (broken ?x))
    (:action press :parameters (?x) :effect (lit ?x)))";

/// A domain in which walking is free and may go round in circles, and two ways to the goal cost the same.
const ROADS: &str = "(define (domain roads) (:requirements :strips :typing :action-costs)
    (:types place)
    (:predicates (at ?p - place) (road ?p ?q - place) (toll ?p ?q - place))
    (:functions (total-cost) - number)
    (:action walk :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q))
      :effect (and (not (at ?p)) (at ?q)))
    (:action pay :parameters (?p ?q - place) :precondition (and (at ?p) (toll ?p ?q))
      :effect (and (not (at ?p)) (at ?q) (increase (total-cost) 2))))";

/// Writes a domain, and a problem with these sections.
fn problem(scratch: &Scratch, domain: &str, sections: &str) -> String {
    scratch.file("domain.pddl", domain);
    let name = domain.split(['(', ')']).nth(2).unwrap();
    let name = name.trim_start_matches("domain ");
    let text = format!("(define (problem p) (:domain {name}) {sections})");
    scratch.file("problem.pddl", text)
}

fn assert_is_bounded(json: &Json, code: i32, stopped: &str) {
    assert_eq!(code, 3, "{json}");
    assert_eq!(json["stopped"], stopped);
    assert_eq!(json["solvable"], Json::Null);
    assert_eq!(json["optimal"], false);
    assert_eq!(json["plan"], Json::Null);
    assert!(json["lower_bound"].as_u64() > Some(1), "{json}");
    assert_eq!(json["upper_bound"], Json::Null);
}

#[test]
fn a_task_of_a_thousand_million_states_stops_at_its_limit_with_a_bound() {
    let scratch = Scratch::new("many-states");
    // 2³⁰ states can be reached; none is a goal, which no relaxation sees.
    let problem = &flips(&scratch, 31);
    let (json, code) = plan(problem, &["--memory-limit", "16M"]);
    assert_is_bounded(&json, code, "the memory limit was reached");
    let (json, code) = plan(problem, &["--time-limit", "1", "--memory-limit", "1G"]);
    assert_is_bounded(&json, code, "the time limit was reached");
    let (json, code) = plan(problem, &["--memory-limit", "16M", "--explain", "--all"]);
    assert_is_bounded(&json, code, "the memory limit was reached");
    assert_eq!(json["plans"], Json::Null);
    let attempts = json["attempts"].as_array().unwrap();
    let (last, earlier) = attempts.split_last().unwrap();
    assert_eq!(last["end"], "stopped");
    assert_eq!(last["stopped"], json["stopped"]);
    let proven = |attempt: &Json| attempt["proven"].as_u64();
    let best = earlier.iter().chain([last]).filter_map(proven).max();
    assert_eq!(best, json["lower_bound"].as_u64());
}

#[test]
fn a_goal_that_holds_at_the_start_has_the_empty_plan() {
    let scratch = Scratch::new("at-start");
    for goal in ["(lit a)", "(and)"] {
        let sections = format!("(:objects a) (:init (lit a)) (:goal {goal})");
        let problem = &problem(&scratch, LAMPS, &sections);
        let (json, code) = plan(problem, &["--all", "--explain"]);
        assert_eq!(code, 0, "{json}");
        assert_eq!(json["optimal"], true);
        assert_eq!(json["makespan"], 0);
        assert_eq!(json["plan"], serde_json::json!([]));
        assert_eq!(json["plans"], "1");
        assert_eq!(json["attempts"], serde_json::json!([]));
        let text = String::from_utf8(run(&["plan", problem, "--explain"]).stdout).unwrap();
        assert!(text.starts_with("the plan is empty: "), "{text}");
        assert!(text.contains("nothing was searched: "), "{text}");
    }
}

#[test]
fn a_problem_without_goal_needs_another_end() {
    let scratch = Scratch::new("no-goal");
    let endless = &problem(&scratch, LAMPS, "(:objects a)");
    let (json, code) = plan(endless, &[]);
    assert_eq!(code, 5);
    assert_eq!(json["diagnostics"][0]["code"], "E0141");
    let horizon = "(:requirements :horizon) (:objects a b) (:horizon 3)";
    let (json, code) = plan(&problem(&scratch, LAMPS, horizon), &["--all"]);
    assert_eq!(code, 0);
    assert_eq!(json["makespan"], 3);
    // One of two lamps is pressed in each of three ticks.
    assert_eq!(json["plans"], "8");
    let end = "(:requirements :horizon) (:objects a b) (:end (and (lit a) (lit b)))";
    let (json, code) = plan(&problem(&scratch, LAMPS, end), &["--all"]);
    assert_eq!(
        (code, &json["makespan"], &json["plans"]),
        (0, &2.into(), &"2".into())
    );
}

#[test]
fn a_goal_out_of_reach_is_proven_to_be() {
    let scratch = Scratch::new("out-of-reach");
    let parity = Scratch::new("parity");
    let sections = "(:objects a) (:goal (broken a))";
    for problem in [
        // No action has such an effect.
        &problem(&scratch, LAMPS, sections),
        // All states are visited.
        &flips(&parity, 9),
    ] {
        let (json, code) = plan(problem, &["--all"]);
        assert_eq!(code, 1, "{json}");
        assert_eq!(json["solvable"], false);
        for field in ["plan", "makespan", "plans", "lower_bound", "stopped"] {
            assert_eq!(json[field], Json::Null, "{field}");
        }
    }
}

#[test]
fn a_domain_without_actions_has_the_empty_plan_or_none() {
    let scratch = Scratch::new("no-actions");
    let domain = "(define (domain still) (:predicates (lit ?x)))";
    let missing = &problem(&scratch, domain, "(:objects a) (:goal (lit a))");
    let (json, code) = plan(missing, &["--all"]);
    assert_eq!((code, &json["solvable"]), (1, &Json::Bool(false)));
    let sections = "(:objects a) (:init (lit a)) (:goal (lit a))";
    let given = &problem(&scratch, domain, sections);
    let (json, code) = plan(given, &["--all"]);
    assert_eq!((code, &json["plans"]), (0, &Json::from("1")));
}

/// Of plans with the least cost those with the least makespan count, so that a free cycle is on
/// none of them, and they are finitely many.
#[test]
fn free_cycles_leave_finitely_many_optimal_plans() {
    let scratch = Scratch::new("free-cycles");
    let sections = "(:objects a b c d - place)
        (:init (at a) (road a b) (road b a) (road a c) (road c a) (road b c) (road c b)
          (toll b d) (toll c d) (= (total-cost) 0))
        (:goal (at d)) (:metric minimize (total-cost))";
    let (json, code) = plan(&problem(&scratch, ROADS, sections), &["--all"]);
    assert_eq!(code, 0);
    assert_eq!((&json["cost"], &json["makespan"]), (&2.into(), &2.into()));
    assert_eq!(json["plans"], "2");
}
