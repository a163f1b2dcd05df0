//! Planners with limits for each decision: `planner:time=T,window=W,states=N`.

use std::fs;

use serde_json::Value;

use crate::cli::{Scratch, run, shown};

/// A kitchen in which orders come and lapse; the two cooks make and serve toast.
const DOMAIN: &str = r#"(define (domain bar)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :events
                 :timed-initial-literals :horizon :nature :text)
  (:types cook cat order)
  (:predicates (waiting ?o - order) (holds ?c - cook) (asleep ?k - cat))
  (:functions (served) - number)
  (:turns simultaneous)
  (:role cat nature)
  (:action toast
    :agent ?c - cook
    :precondition (not (holds ?c))
    :effect (holds ?c) :label "toast()")
  (:action serve
    :agent ?c - cook
    :parameters (?o - order)
    :precondition (and (holds ?c) (waiting ?o))
    :effect (and (not (holds ?c)) (when (waiting ?o) (and (not (waiting ?o)) (increase (served) 1))))
    :label "serve({?o})")
  (:action steal
    :agent ?k - cat
    :parameters (?c - cook)
    :precondition (holds ?c) :weight 1
    :effect (not (holds ?c)))
  (:action sleep :agent ?k - cat :weight 9 :effect (asleep ?k)))"#;

/// Orders that come at these ticks, and who else is there.
fn evening(name: &str, comes: [u32; 2], more: &str) -> (Scratch, String) {
    let scratch = Scratch::new(&format!("online-{name}"));
    scratch.file("domain.pddl", DOMAIN);
    let problem = format!(
        "(define (problem evening) (:domain bar)
           (:objects ann bob - cook one two three - order {more})
           (:init (waiting one) (= (served) 0)
                  (at {} :unannounced (waiting two)) (at {} :unannounced (waiting three)))
           (:horizon 12) (:metric maximize (served)))",
        comes[0], comes[1]
    );
    let problem = scratch.file("evening.pddl", problem);
    (scratch, problem)
}

/// The choices of each tick, and the last line of the log of an episode.
fn played(scratch: &Scratch, problem: &str, policy: &str) -> (Vec<String>, Value) {
    let log = scratch.0.join("log.jsonl").to_string_lossy().into_owned();
    let args = ["run", problem, "--others", policy, "--log", &log, "--force"];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    let text = fs::read_to_string(&log).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let steps = lines.iter().filter(|line| line["event"] == "step");
    let choices = steps.map(|line| line["choices"].to_string());
    (choices.collect(), lines[lines.len() - 1].clone())
}

#[test]
fn what_comes_unannounced_is_served_and_not_foreseen() {
    let (scratch, problem) = evening("early", [4, 6], "");
    let (early, end) = played(&scratch, &problem, "planner:states=500,window=6");
    assert_eq!(end["totals"]["served"], 3, "{end}");
    let (scratch, problem) = evening("late", [8, 9], "");
    let (late, end) = played(&scratch, &problem, "planner:states=500,window=6");
    assert_eq!(end["totals"]["served"], 3, "{end}");
    assert_eq!(early[..4], late[..4]);
    assert_ne!(early[4], late[4]);
}

#[test]
fn agents_of_nature_are_expected_to_do_what_is_likeliest() {
    let (scratch, problem) = evening("cat", [4, 6], "tom - cat");
    let (first, end) = played(&scratch, &problem, "planner:states=500,window=6");
    assert_eq!(end["reason"], "horizon", "{end}");
    let (again, _) = played(&scratch, &problem, "planner:states=500,window=6");
    assert_eq!(first, again);
}

#[test]
fn a_limit_on_decisions_ends_no_episode() {
    let problem = "problems/overcooked-ai/counter_circuit_o_1order-deliver-1.pddl";
    let args = [
        "run",
        problem,
        "--others",
        "planner:time=0.05",
        "--max-ticks",
        "5",
        "--format",
        "json",
    ];
    let output = run(&args);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["ticks"], 5, "{}", shown(&args, &output));
}

#[test]
fn wrong_settings_are_explained() {
    for (policy, reason) in [
        ("planner:", "`planner` has no setting ``"),
        ("planner:speed=3", "`planner` has no setting `speed`"),
        (
            "planner:time=0",
            "`time` of `planner` is a number of seconds above 0",
        ),
        (
            "planner:window=soon",
            "`window` of `planner` is a whole number from 1 to 4294967295, not `soon`",
        ),
        (
            "planner:window=4294967296",
            "`window` of `planner` is a whole number from 1 to 4294967295, not `4294967296`",
        ),
        (
            "planner:states=0",
            "`states` of `planner` is a whole number from 1 to 18446744073709551615, not `0`",
        ),
        (
            "planner:time=1,time=2",
            "`time` of `planner` is given twice",
        ),
    ] {
        let args = [
            "run",
            "problems/collab-overcooked/boiled_egg.pddl",
            "--others",
            policy,
        ];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(reason), "{said}");
    }
}

/// Runs an evaluation with this policy; its output.
fn evaluated(scratch: &Scratch, policy: &str) -> std::process::Output {
    let text = format!(
        "seeds = [1]\n[[problems]]\npath = \"evening.pddl\"\n[[setups]]\nname = \"cooks\"\nagents = \"{policy}\"\n"
    );
    let bench = scratch.file("bench.toml", text);
    let logs = scratch.0.join("logs").to_string_lossy().into_owned();
    run(&["bench", &bench, "--log-dir", &logs])
}

#[test]
fn an_evaluation_takes_the_same_policy() {
    let (scratch, _) = evening("bench", [4, 6], "");
    let output = evaluated(&scratch, "planner:states=500,window=6");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let output = evaluated(&scratch, "planner:speed=3");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("set-up `cooks`: `planner` has no setting `speed`"),
        "{said}"
    );
}

/// Orders of CuisineWorld that lapse before a dish could be made from nothing: what is to come has to be begun before.
#[test]
fn orders_that_are_known_to_come_are_prepared_for() {
    let scratch = Scratch::new("online-known");
    let log = scratch.path("log.jsonl");
    let drawn = fs::read_to_string("evals/cuisineworld/level-0-alpha-1-episode-0.pddl").unwrap();
    let announced = drawn.replace(":unannounced ", "");
    assert_ne!(announced, drawn);
    let orders = scratch.file("orders.pddl", announced);
    let args = [
        "run",
        "problems/cuisineworld/level-0.pddl",
        "--init",
        &orders,
        "--init",
        "evals/cuisineworld/cooks-2.pddl",
        "--others",
        "planner:window=30,states=60000",
        "--log",
        &log,
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    let text = fs::read_to_string(&log).unwrap();
    let end: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(end["totals"]["completed"].as_i64() > Some(0), "{end}");
}
