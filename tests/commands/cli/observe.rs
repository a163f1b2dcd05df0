//! States in words: `run --observe` beside `replay --observe`.

use crate::cli::{ONE_EGG, Scratch, check, run, shown, snapshot};

const TEA: [&str; 3] = [
    "tests/data/import/tea-for-one.json",
    "--domain",
    "tests/data/import/tea-domain.json",
];

/// A domain in which two act at once.
const LANTERNS: &str = "(define (domain lanterns)
  (:requirements :adl :multi-agent :text :bounded-numbers)
  (:types keeper)
  (:constants ann bob - keeper)
  (:predicates (lit ?k - keeper :text \"{?k} has light\"))
  (:functions (oil :text \"there is oil for {(oil)}\") - (int 0 2))
  (:turns simultaneous)
  (:action light
    :agent ?k - keeper
    :parameters ()
    :precondition (> (oil) 0)
    :effect (and (lit ?k) (decrease (oil) 1))
    :text \"light the lantern\"))";

const DUSK: &str = "(define (problem dusk)
  (:domain lanterns)
  (:init (= (oil) 2))
  (:goal (forall (?k - keeper) (lit ?k)) :text \"Let there be light\"))";

/// All but the last line, which sums up.
fn states(output: &std::process::Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (_, states) = lines.split_last().unwrap();
    states.join("\n")
}

#[test]
fn a_run_shows_the_states_that_a_replay_of_its_log_shows() {
    let scratch = Scratch::new("observe");
    let log = &scratch.path("log.jsonl");
    let play = |format: &str| {
        let options = ["--log", log, "--force", "--observe", "--format", format];
        run(&[&["run"][..], &TEA, &options].concat())
    };
    let replay = |format: &str| {
        let options = [log, "--observe", "--format", format];
        run(&[&["replay"][..], &TEA, &options].concat())
    };
    let (played, replayed) = (play("text"), replay("text"));
    assert_eq!(played.status.code(), Some(0), "{}", shown(&[], &played));
    assert!(states(&played).contains("\n    Valid Actions:\n"));
    assert_eq!(states(&played), states(&replayed));
    let [played, replayed] = [play("json"), replay("json")].map(|output| {
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        document
    });
    for key in ["observed", "steps"] {
        assert!(!played[key].is_null());
        assert_eq!(played[key], replayed[key], "{key}");
    }
}

#[test]
fn a_run_shows_what_was_refused_and_what_each_can_do() {
    let scratch = Scratch::new("lanterns");
    let domain = scratch.file("lanterns.pddl", LANTERNS);
    let problem = scratch.file("dusk.pddl", DUSK);
    let script = scratch.file("bob.txt", "dance\nlight the lantern\n");
    let (bob, log) = (format!("bob=scripted:{script}"), scratch.path("log.jsonl"));
    let args = ["run", &problem, "--domain", &domain, "--agent", &bob];
    let args = [&args[..], &["--observe", "--on-invalid", "wait"]].concat();
    check(
        "run-observe",
        &[&args[..], &["--max-ticks", "1", "--log", &log]].concat(),
    );
    let resumed = run(&[&args[..], &["--log", &log, "--resume"]].concat());
    snapshot("run-observe-resumed", &shown(&[], &resumed));
}

#[test]
fn states_are_not_shown_without_words_or_beside_the_log() {
    let output = check("run-observe-no-words", &["run", ONE_EGG, "--observe"]);
    assert_eq!(output.status.code(), Some(2));
    let args = [&["run"][..], &TEA, &["--observe", "--log", "-"]].concat();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(2));
    let text = shown(&args, &output);
    assert!(text.contains("cannot both go to standard output"), "{text}");
}

#[test]
fn macro_actions_are_not_shown_where_facts_are_hidden_or_unannounced() {
    for (problem, agent) in [
        ("bundled:order-rush/lunch", "porter"),
        ("bundled:cookmas/level-3-rush", "ann"),
    ] {
        let args = ["observe", problem, "--agent", agent, "--actions", "macros"];
        let output = run(&args);
        let text = shown(&args, &output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("may depend on facts"), "{text}");
    }
}
