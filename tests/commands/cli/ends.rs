//! Episodes and plans that end without a goal: at an `:end`, or at the horizon.

use std::fs;

use serde_json::Value as Json;

use super::plan::plan;
use super::{Scratch, run};

/// Cards are drawn from a deck, at what they are worth.
const DECK: &str = "(define (domain deck)
    (:requirements :typing :negative-preconditions :action-costs :horizon)
    (:types card)
    (:predicates (drawn ?c - card) (spoilt))
    (:functions (total-cost) (worth ?c - card) - number)
    (:action draw :parameters (?c - card) :precondition (not (drawn ?c))
      :effect (and (drawn ?c) (increase (total-cost) (worth ?c)))))";

fn problem(scratch: &Scratch, sections: &str) -> String {
    scratch.file("domain.pddl", DECK);
    scratch.file(
        "problem.pddl",
        format!(
            "(define (problem hand) (:domain deck) (:objects ace king - card)
              (:init (= (total-cost) 0) (= (worth ace) 1) (= (worth king) 2)) {sections})"
        ),
    )
}

fn json(args: &[&str]) -> (Json, i32) {
    let output = run(args);
    let error = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout);
    let json = json.unwrap_or_else(|_| panic!("{args:?}: {error}"));
    (json, output.status.code().unwrap())
}

#[test]
fn where_there_is_no_goal_plans_lead_to_the_end_that_comes_first() {
    let one = "(:end (exists (?c - card) (drawn ?c)))";
    let all = "(:end (forall (?c - card) (drawn ?c)))";
    let least = "(:metric minimize (total-cost))";
    let most = "(:metric maximize (total-cost))";
    for (sections, cost, makespan, plans) in [
        (format!("{one} {least}"), 1, 1, "1"),
        (format!("{all} {least}"), 3, 2, "2"),
        (format!("{one} {most} (:horizon 5)"), 2, 1, "1"),
        (format!("{all} {most} (:horizon 1)"), 2, 1, "1"),
        (format!("{all} {least} (:horizon 1)"), 1, 1, "1"),
    ] {
        let scratch = Scratch::new("ends-plan");
        let (json, code) = plan(&problem(&scratch, &sections), &["--all"]);
        assert_eq!(code, 0, "{sections}: {json}");
        let found = (&json["cost"], &json["makespan"], &json["plans"]);
        assert_eq!(
            found,
            (&cost.into(), &makespan.into(), &plans.into()),
            "{sections}"
        );
    }
}

#[test]
fn an_end_is_tested_after_losing_states_and_the_goal_and_leads_nowhere() {
    let ace = "(:end (drawn ace))";
    for (sections, makespan) in [
        ("(:goal (drawn king))", Some(1)),
        // Only with the last step it may end.
        ("(:goal (and (drawn king) (drawn ace)))", Some(2)),
        // Where it ends the goal does not hold yet.
        ("(:goal (spoilt))", None),
        (
            "(:fail (drawn ace)) (:goal (and (drawn king) (drawn ace)))",
            None,
        ),
        ("(:fail (drawn ace))", None),
    ] {
        let scratch = Scratch::new("ends-order");
        let problem = problem(&scratch, &format!("{sections} {ace}"));
        for options in [&["--all"][..], &[]] {
            let (json, _) = plan(&problem, options);
            let expected = makespan.map_or(Json::Null, Json::from);
            assert_eq!(json["makespan"], expected, "{sections} {options:?}");
        }
    }
}

#[test]
fn an_end_at_the_start_has_the_empty_plan_or_none() {
    for (goal, makespan) in [("", Json::from(0)), ("(:goal (drawn ace))", Json::Null)] {
        let scratch = Scratch::new("ends-at-start");
        let problem = problem(&scratch, &format!("{goal} (:end (not (drawn ace)))"));
        let (json, _) = plan(&problem, &["--all"]);
        assert_eq!(json["makespan"], makespan, "{goal}");
    }
}

#[test]
fn an_episode_that_ends_without_a_goal_is_neither_a_success_nor_none() {
    let all = "(:end (forall (?c - card) (drawn ?c)))";
    for (sections, reason) in [(all, "end"), ("(:horizon 1)", "horizon")] {
        let scratch = Scratch::new("ends-episode");
        let problem = &problem(&scratch, sections);
        let log = &scratch.path("log.jsonl");
        let args = ["run", problem, "--log", log, "--format", "json"];
        let (played, code) = json(&[&args[..], &["--others", "random"]].concat());
        assert_eq!(code, 0, "{played}");
        assert_eq!(played["reason"], reason);
        assert_eq!(
            (&played["goal"], &played["success"]),
            (&false.into(), &Json::Null)
        );
        let text = fs::read_to_string(log).unwrap();
        let last = text.lines().last().unwrap();
        assert!(last.contains(&format!("\"reason\":\"{reason}\"")), "{last}");

        let args = ["score", log, "--problem", problem, "--regret"];
        let (scored, code) = json(&[&args[..], &["--format", "json"]].concat());
        assert_eq!(code, 0, "{scored}");
        assert_eq!(scored["episodes"][0]["success"], Json::Null, "{scored}");
        assert_eq!(scored["tasks"][0]["sr"], Json::Null);
        let table = String::from_utf8(run(&args).stdout).unwrap();
        assert!(table.contains('–') && !table.contains("yes"), "{table}");
    }
}

#[test]
fn an_episode_that_ends_before_its_goal_has_failed() {
    let scratch = Scratch::new("ends-before");
    let sections = "(:goal (spoilt)) (:end (forall (?c - card) (drawn ?c)))";
    let problem = &problem(&scratch, sections);
    let args = ["run", problem, "--others", "random", "--format", "json"];
    let (played, code) = json(&args);
    assert_eq!(code, 1, "{played}");
    assert_eq!(
        (&played["reason"], &played["success"]),
        (&"end".into(), &false.into())
    );
}

#[test]
fn a_log_is_resumed_and_scored_only_with_the_end_that_it_came_to() {
    let scratch = Scratch::new("ends-log");
    let problem = &problem(&scratch, "(:end (forall (?c - card) (drawn ?c)))");
    let log = &scratch.path("log.jsonl");
    run(&["run", problem, "--log", log, "--others", "random"]);
    let text = fs::read_to_string(log).unwrap();
    let untrue = scratch.file(
        "untrue.jsonl",
        text.replace("\"end\",\"ticks\"", "\"horizon\",\"ticks\""),
    );
    let output = run(&["score", &untrue, "--problem", problem]);
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("reason"), "{stderr}");
}
