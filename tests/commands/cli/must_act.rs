//! Agents that must act, in episodes and plans.

use serde_json::Value as Json;

use super::plan::plan;
use super::{Scratch, run, run_with_input};

/// The cook must boil eggs, each of which keeps her busy; the guest may wait.
const KITCHEN: &str = "(define (domain kitchen)
    (:requirements :typing :multi-agent :durative-actions :negative-preconditions :text)
    (:types cook guest egg)
    (:turns TURNS)
    (:wait none - cook)
    (:predicates (boiled ?e - egg :text \"{?e} is boiled\") (fed))
    (:durative-action boil :agent ?c - cook :parameters (?e - egg)
      :duration (= ?duration 2)
      :condition (at start (not (boiled ?e)))
      :effect (at end (boiled ?e)))
    (:action eat :agent ?g - guest :parameters (?e - egg)
      :precondition (boiled ?e) :effect (fed)))";

const TURNS: [&str; 3] = ["sequential", "simultaneous", "alternate"];

fn problem(scratch: &Scratch, turns: &str, eggs: &str) -> String {
    scratch.file("domain.pddl", KITCHEN.replace("TURNS", turns));
    scratch.file(
        "problem.pddl",
        format!(
            "(define (problem breakfast) (:domain kitchen)
              (:objects ann - cook bob - guest {eggs} - egg) (:goal (fed)))"
        ),
    )
}

fn episode(problem: &str, cook: &str, more: &[&str]) -> (Json, String) {
    let guest = ["--others", "scripted:/dev/null", "--format", "json"];
    let cook = format!("ann={cook}");
    let output = run(&[&["run", problem, "--agent", &cook][..], &guest, more].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let json = serde_json::from_slice(&output.stdout);
    (json.unwrap_or_else(|_| panic!("{stderr}")), stderr)
}

#[test]
fn an_agent_that_must_act_and_has_nothing_to_do_ends_the_episode() {
    for turns in TURNS {
        let scratch = Scratch::new(&format!("must-act-{turns}"));
        let problem = &problem(&scratch, turns, "egg");
        let (json, _) = episode(problem, "random", &[]);
        assert_eq!(json["reason"], "stuck", "{turns}");
        assert_eq!(json["detail"], "ann has no legal operator", "{turns}");
        // While the egg boils she goes on: that is no wait.
        assert_eq!(json["ticks"], 2, "{turns}");
    }
}

#[test]
fn no_command_lets_an_agent_wait_that_must_act() {
    let scratch = Scratch::new("must-act-refused");
    let problem = &problem(&scratch, "sequential", "egg");
    for (command, rule) in [
        ("wait\nwait", "ask"),
        ("wait(2)", "wait"),
        ("dance", "wait"),
    ] {
        let script = format!("scripted:{}", scratch.file("script.txt", command));
        let more = ["--on-invalid", rule, "--retries", "1"];
        let (json, _) = episode(problem, &script, &more);
        assert_eq!(json["reason"], "no-command", "{command}");
        let detail = "ann: gave no valid command, and cannot wait";
        assert_eq!(json["detail"], detail, "{command}");
        assert_eq!(json["ticks"], 0, "{command}");
    }
    let output = run_with_input(&["replay", problem, "-"], "[null, null]\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("ann: has no command, and cannot wait"),
        "{text}"
    );
}

#[test]
fn a_joint_action_is_not_dropped_in_which_somebody_must_act() {
    let scratch = Scratch::new("must-act-dropped");
    let problem = &problem(&scratch, "sequential", "egg");
    let script = scratch.file("script.txt", "dance");
    let cook = scratch.file("cook.txt", "(boil ann egg)");
    let output = run(&[
        "run",
        problem,
        "--agent",
        &format!("ann=scripted:{cook}"),
        "--agent",
        &format!("bob=scripted:{script}"),
        "--on-invalid",
        "drop-joint",
        "--format",
        "json",
    ]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["reason"], "no-command");
    let detail = "ann: cannot wait, so the joint action cannot be dropped";
    assert_eq!(json["detail"], detail);
}

#[test]
fn a_plan_leads_past_no_timestep_in_which_an_agent_must_act_and_cannot() {
    // When the egg is done, Ann needs another to boil while the guest eats.
    for turns in TURNS {
        let scratch = Scratch::new(&format!("must-act-plan-{turns}"));
        let (json, code) = plan(&problem(&scratch, turns, "egg"), &["--all"]);
        assert_eq!(
            (code, &json["solvable"]),
            (1, &false.into()),
            "{turns}: {json}"
        );
        let (json, code) = plan(&problem(&scratch, turns, "egg other"), &["--all"]);
        assert_eq!(
            (code, &json["solvable"]),
            (0, &true.into()),
            "{turns}: {json}"
        );
    }
}

#[test]
fn an_agent_that_must_act_is_shown_no_way_to_wait() {
    let scratch = Scratch::new("must-act-forms");
    let problem = &problem(&scratch, "sequential", "egg");
    let output = run(&["observe", problem, "--agent", "ann"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("boil"), "{text}");
    assert!(!text.contains("wait"), "{text}");
    let output = run(&["observe", problem, "--agent", "bob"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("wait"), "{text}");
}
