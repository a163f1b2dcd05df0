//! `observe`: what one agent sees.

use crate::cli::{ONE_EGG, Scratch, check, run, shown};

const LUNCH: &str = "problems/order-rush/lunch.pddl";

#[test]
fn an_agent_sees_its_facts_its_actions_and_the_goal() {
    check("observe", &["observe", LUNCH, "--agent", "Server"]);
    check(
        "observe-json",
        &["observe", LUNCH, "--agent", "porter", "--format", "json"],
    );
}

#[test]
fn what_is_seen_follows_a_trace_and_the_log_of_a_run() {
    let scratch = Scratch::new("observe-as");
    let trace = scratch.file(
        "trace.jsonl",
        "{\"porter\": \"fetch(lettuce)\"}\n{\"porter\": \"chop(lettuce)\"}\n{\"porter\": \"put(salad, side)\"}\n",
    );
    let args = ["observe", LUNCH, "--agent", "server", "--after", &trace];
    let output = check("observe-after", &args);
    assert_eq!(output.status.code(), Some(0));
    let log = scratch.path("log.jsonl");
    let play = [
        "run",
        LUNCH,
        "--clairvoyant",
        "--max-ticks",
        "3",
        "--log",
        &log,
    ];
    run(&play);
    let args = ["observe", LUNCH, "--agent", "chef", "--log", &log];
    let args = [&args[..], &["--actions", "forms", "--format", "json"]].concat();
    let output = run(&args);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", shown(&args, &output)));
    assert_eq!(document["tick"], 3);
    assert_eq!(document["forms"][0]["command"], "take(<food>, <place>)");
    assert!(document["actions"].is_null());
}

#[test]
fn a_trace_that_is_not_possible_ends_with_where_and_why() {
    let scratch = Scratch::new("observe-impossible");
    let trace = scratch.file("trace.jsonl", "{\"chef\": \"fetch(lettuce)\"}\n");
    let args = ["observe", LUNCH, "--agent", "server", "--after", &trace];
    let output = check("observe-impossible", &args);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn who_looks_must_be_an_agent() {
    for (name, args) in [
        ("observe-nobody", &["observe", LUNCH][..]),
        ("observe-stranger", &["observe", LUNCH, "--agent", "chief"]),
    ] {
        assert_eq!(check(name, args).status.code(), Some(2));
    }
}

#[test]
fn a_domain_without_words_is_said_to_have_none() {
    let args = ["observe", ONE_EGG, "--agent", "chef", "--actions", "none"];
    check("observe-no-words", &args);
}

#[test]
fn plans_are_said_to_be_of_those_who_know_all_where_something_is_hidden() {
    let note = "not every agent observes all that changes";
    let said = |problem: &str| {
        let output = run(&["plan", problem]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap().contains(note)
    };
    assert!(said(LUNCH));
    let recipes_never_change = "problems/collab-overcooked/boiled_egg.pddl";
    assert!(!said(recipes_never_change));
}
