//! Plans of other planners and validators, through `brigade replay`.

use serde_json::Value;

use super::{ONE_EGG, Scratch, run, shown};

const DOMAIN: &str = "(define (domain s) (:requirements :typing) (:types a) (:constants k - a)
  (:predicates (p ?c - a) (q ?c - a))
  (:action put :parameters (?c - a) :effect (p ?c))
  (:action set-up :parameters () :effect (q k)))";
const PROBLEM: &str = "(define (problem p) (:domain s) (:objects j - a) (:goal (and (q k) (p j))))";

fn json(args: &[&str]) -> (i32, Value) {
    let args = [args, &["--format", "json"]].concat();
    let output = run(&args);
    let document = serde_json::from_slice(&output.stdout);
    let document = document.unwrap_or_else(|_| panic!("{}", shown(&args, &output)));
    (output.status.code().unwrap(), document)
}

#[test]
fn the_plan_forms_of_other_planners_and_validators_replay() {
    let scratch = Scratch::new("plan-forms");
    let domain = scratch.file("domain.pddl", DOMAIN);
    let problem = scratch.file("p.pddl", PROBLEM);
    for (name, plan) in [
        (
            "fast-downward",
            "(put j)\n(set-up )\n; cost = 2 (unit cost)\n",
        ),
        ("competition", "0: (PUT J)  [0.001]\n1: (SET-UP)  [0.001]\n"),
        (
            "wrapper",
            "0: (PUT J) [1]\n1: (SET-UP) [1]\nplan (cost: 49.9)  [0.001]\n",
        ),
        ("val", "0.000: (put j)\n0.001: (set-up)\n"),
        (
            "durations",
            "2.002: (set-up) [1.000]\n0.000: (put j) [2.000]\n",
        ),
        ("at-once", "0: (put j)\n0: (set-up)\n"),
        (
            "ff",
            "ff: found legal plan as follows\n\nstep    0: PUT J\n        1: SET-UP\n\ntime spent: 0.00\n",
        ),
        (
            "comments",
            "; a plan\n\n(put j) ; first\n;(fin j)\n( set-up )\n",
        ),
    ] {
        let plan = scratch.file(name, plan);
        let (code, document) = json(&["replay", &domain, &problem, &plan]);
        assert_eq!(code, 0, "{name}: {document}");
        assert_eq!(document["goal"], true, "{name}");
        assert_eq!(document["makespan"], 2, "{name}");
    }
}

#[test]
fn what_brigade_writes_as_a_plan_file_replays() {
    let scratch = Scratch::new("own-plan");
    let domain = scratch.file("domain.pddl", DOMAIN);
    let problem = scratch.file("p.pddl", PROBLEM);
    let plan = scratch.path("plan");
    let output = run(&["plan", &problem, &domain, "--plan-file", &plan]);
    assert_eq!(output.status.code(), Some(0));
    let (code, document) = json(&["replay", &problem, &domain, &plan]);
    assert_eq!((code, &document["goal"]), (0, &true.into()));
}

#[test]
fn a_line_that_is_left_out_of_a_plan_is_noted() {
    let scratch = Scratch::new("left-out");
    let domain = scratch.file("domain.pddl", DOMAIN);
    let problem = scratch.file("p.pddl", PROBLEM);
    let plan = scratch.file("plan", "(put j)\nplan (cost: 49.9)  [0.001]\n");
    let output = run(&["replay", &domain, &problem, &plan]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("line 2 is no action, and is left out"),
        "{stderr}"
    );
    let plan = scratch.file("plan", "(put j)\nset-up\n(put j)\n");
    let output = run(&["replay", &domain, &problem, &plan]);
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("line 2: `set-up` is no action"), "{stderr}");
}

#[test]
fn in_a_plan_of_several_agents_a_whole_time_is_a_tick() {
    let scratch = Scratch::new("agents-plan");
    let plan = scratch.file(
        "plan",
        "0.000: (fetch helper egg) [1.000]\n1.000: (place helper egg)\n2.000: (take chef egg)\n\
         4.000: (serve chef egg)\n",
    );
    let (code, document) = json(&["replay", ONE_EGG, &plan]);
    assert_eq!(code, 0, "{document}");
    assert_eq!(
        (&document["goal"], &document["makespan"]),
        (&true.into(), &5.into())
    );
    let plan = scratch.file("plan", "(fetch nobody egg)\n");
    assert_eq!(run(&["replay", ONE_EGG, &plan]).status.code(), Some(5));
}
