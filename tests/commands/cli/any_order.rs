//! `(:turns sequential :order any)`: commands are carried out in the order in which they are given.

use std::fs;

use crate::cli::{Scratch, run, shown};

const DOMAIN: &str = r#"(define (domain relay)
  (:requirements :adl :multi-agent :text)
  (:types runner)
  (:predicates (has ?r - runner) (ran ?r - runner))
  (:turns sequential :order any)
  (:action pass
    :agent ?r - runner
    :parameters (?to - runner)
    :precondition (and (else "{?r} has no baton" (has ?r)) (not (= ?r ?to)))
    :effect (and (not (has ?r)) (has ?to) (ran ?r))
    :label "pass({?to})"))"#;

const PROBLEM: &str = "(define (problem final)
  (:domain relay)
  (:objects ann bob cat - runner)
  (:init (has cat))
  (:goal (and (ran ann) (ran bob) (ran cat))))";

/// The folder of the domain and the problem, and the problem's path.
fn relay(name: &str) -> (Scratch, String) {
    let scratch = Scratch::new(&format!("any-order-{name}"));
    scratch.file("domain.pddl", DOMAIN);
    let problem = scratch.file("final.pddl", PROBLEM);
    (scratch, problem)
}

/// The actions of the three, in the order in which they act.
const TRACE: &str = r#"{"cat": "pass(bob)", "bob": "pass(ann)", "ann": "pass(cat)"}"#;

#[test]
fn a_trace_is_played_in_the_order_of_its_commands() {
    let (scratch, problem) = relay("trace");
    let trace = scratch.file("trace.jsonl", TRACE);
    let output = run(&["replay", &problem, &trace]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let text = String::from_utf8(output.stdout).unwrap();
    let orders = [
        "cat: (pass cat bob)",
        "bob: (pass bob ann)",
        "ann: (pass ann cat)",
    ];
    let places = orders.map(|line| text.find(line).unwrap());
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains("the goal is reached"), "{text}");

    // In declared order ann has no baton yet.
    let declared = DOMAIN.replace(" :order any", "");
    scratch.file("domain.pddl", declared);
    let output = run(&["replay", &problem, &trace]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&[], &output));
    let output = run(&["plan", &problem]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
}

/// Lets the others act first as long as it may, then passes the baton on.
#[cfg(unix)]
const RUNNER: &str = r#"while read -r line; do
  case $line in
    *'"decide"'*'"attempt":0'*'"pass('*) echo '{"command":"pass('$1')"}' ;;
    *'"decide"'*'"attempt":0'*) echo '{"later":true}' ;;
    *'"decide"'*) echo '{"command":"wait"}' ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn agents_that_let_others_act_first_act_in_that_order_and_their_log_keeps_it() {
    let (scratch, problem) = relay("run");
    let program = scratch.file("runner", RUNNER);
    let policies = [("ann", "cat"), ("bob", "ann"), ("cat", "bob")];
    let policies = policies.map(|(name, to)| format!("{name}=exec:sh {program} {to}"));
    let log = scratch.path("log.jsonl");
    let play = |more: &[&str]| {
        let agents = policies.iter().flat_map(|policy| ["--agent", policy]);
        let mut args = vec!["run", &*problem, "--log", &log];
        args.extend(agents);
        args.extend(more);
        run(&args)
    };
    let output = play(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let whole = fs::read_to_string(&log).unwrap();
    let step = whole
        .lines()
        .find(|line| line.contains("\"step\""))
        .unwrap();
    let places = ["pass cat bob", "pass bob ann", "pass ann cat"].map(|it| step.find(it).unwrap());
    assert!(places.is_sorted(), "{step}");
    assert!(whole.contains(r#""ticks":1,"#), "{whole}");
    assert!(!whole.contains(r#""event":"error""#), "{whole}");

    // The log is a trace, and true.
    let output = run(&["replay", &problem, &log]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let end = whole.rfind("{\"event\":\"end\"").unwrap();
    fs::write(&log, &whole[..end]).unwrap();
    let output = play(&["--resume"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    assert_eq!(fs::read_to_string(&log).unwrap(), whole);
}

#[cfg(unix)]
#[test]
fn where_all_let_the_others_act_first_one_is_asked_again() {
    let (scratch, problem) = relay("all-later");
    let program = scratch.file("runner", RUNNER.replace("*'\"pass('*)", "*'\"none'*)"));
    let log = scratch.path("log.jsonl");
    let policy = format!("exec:sh {program} ann");
    let output = run(&[
        "run",
        &problem,
        "--others",
        &policy,
        "--max-ticks",
        "2",
        "--log",
        &log,
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&[], &output));
    let log = fs::read_to_string(&log).unwrap();
    assert!(
        log.contains("no others are left who would act first"),
        "{log}"
    );
    assert!(log.contains(r#""reason":"tick-limit""#), "{log}");
}

#[test]
fn what_is_optimal_in_any_order_is_not_said() {
    let (scratch, problem) = relay("refused");
    let trace = scratch.file("trace.jsonl", TRACE);
    let log = scratch.path("log.jsonl");
    let random = run(&["run", &problem, "--others", "random", "--log", &log]);
    assert!(random.status.code() < Some(2), "{}", shown(&[], &random));
    for args in [
        &["plan", &*problem][..],
        &["rats", &problem],
        &["run", &problem],
        &[
            "run",
            &problem,
            "--others",
            "random",
            "--agent",
            "ann=planner",
        ],
        &["score", &log, "--problem", &problem],
        &["export", &problem, "--to", "classical"],
    ] {
        let output = run(args);
        let text = shown(args, &output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(":order any"), "{text}");
    }
    for args in [
        &["check", &*problem][..],
        &["compile", &problem],
        &["replay", &problem, &trace],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    }
}
