//! Streams: `--init` of every command that takes a problem, `generate orders` and `generate deal`.

use std::process::Output;

use serde_json::Value;

use crate::cli::{Scratch, run};

const SUPPER: &str = "(define (domain diner)
  (:requirements :adl :multi-agent :timed-initial-literals :text)
  (:types cook guest)
  (:predicates (here ?g - guest) (fed ?g - guest))
  (:action feed
    :agent ?c - cook
    :parameters (?g - guest)
    :precondition (here ?g)
    :effect (fed ?g)
    :label \"feed({?g})\"))";

const EVENING: &str = "(define (problem evening)
  (:domain diner)
  (:objects ann - cook bea - guest)
  (:init (here bea))
  (:goal (forall (?g - guest) (fed ?g))))";

const RUSH: &str = "(define (stream rush)
  (:domain diner)
  (:objects carl - cook dora emil - guest)
  (:init (here dora) (at 3 (here emil))))";

const LATE: &str = "(define (stream late)
  (:domain diner)
  (:problem evening)
  (:objects fay - guest)
  (:init (at 6 (here fay))))";

struct Diner {
    scratch: Scratch,
    problem: String,
    streams: [String; 2],
}

impl Diner {
    fn new(name: &str) -> Self {
        let scratch = Scratch::new(name);
        scratch.file("domain.pddl", SUPPER);
        Self {
            problem: scratch.file("evening.pddl", EVENING),
            streams: [
                scratch.file("rush.pddl", RUSH),
                scratch.file("late.pddl", LATE),
            ],
            scratch,
        }
    }

    /// A command on the problem with both streams.
    fn run(&self, command: &str, further: &[&str]) -> Output {
        let [rush, late] = &self.streams;
        let args = [command, &self.problem, "--init", rush, "--init", late];
        run(&[&args[..], further].concat())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_plan_is_of_problem_and_streams_together() {
    let diner = Diner::new("streams-plan");
    let output = diner.run("plan", &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["problem"], "evening+rush+late");
    // The last guest comes after six ticks.
    assert_eq!(document["makespan"], 7);
}

#[test]
fn commands_that_take_a_problem_take_streams() {
    let diner = Diner::new("streams-commands");
    for (command, further) in [
        ("check", &[][..]),
        ("compile", &[]),
        ("rats", &[]),
        ("observe", &["--agent", "carl"]),
        ("run", &["--others", "greedy"]),
    ] {
        let output = diner.run(command, further);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command}: {}",
            text(&output.stderr)
        );
    }
}

/// A kitchen of orders without orders, as it comes.
#[test]
fn a_problem_in_which_nothing_is_at_stake_is_noticed_by_all_that_play_plan_or_check_it() {
    let level = "problems/cuisineworld/level-0.pddl";
    let scratch = Scratch::new("streams-forgotten");
    let output = run(&["generate", "orders", level]);
    let orders = scratch.file("orders.pddl", text(&output.stdout));
    for command in [&["check"][..], &["plan"], &["run", "--others", "random"]] {
        let args = [&command[..1], &[level], &command[1..]].concat();
        let forgotten = text(&run(&args).stderr);
        assert!(forgotten.contains("W0227"), "{args:?}: {forgotten}");
        assert!(forgotten.contains("nothing is at stake"), "{forgotten}");
        assert!(forgotten.contains("--init"), "{forgotten}");
        let given = text(&run(&[&args[..], &["--init", &orders]].concat()).stderr);
        assert!(!given.contains("W0227"), "{args:?}: {given}");
    }
}

#[test]
fn a_game_without_its_deal_is_noticed() {
    let output = run(&["run", "problems/hanabi/full-3.pddl", "--others", "random"]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("W0227"), "{stderr}");
}

#[test]
fn orders_that_come_too_fast_or_never_are_a_fault_of_the_argument() {
    for alpha in ["0", "-1", "nan", "1e300"] {
        let output = run(&[
            "generate",
            "orders",
            "problems/cuisineworld/level-0.pddl",
            "--alpha",
            alpha,
        ]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("error: `--alpha "), "{stderr}");
        assert!(stderr.contains("help: "), "{stderr}");
    }
}

#[test]
fn a_log_is_of_problem_and_streams_and_of_no_other() {
    let diner = Diner::new("streams-log");
    let log = diner.scratch.path("log.jsonl");
    let output = diner.run("run", &["--others", "greedy", "--log", &log]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let first = std::fs::read_to_string(&log).unwrap();
    let header: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(header["problem"], "evening+rush+late");
    let same = diner.run("replay", &[&log]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    let without = run(&[
        "run",
        &diner.problem,
        "--others",
        "greedy",
        "--resume",
        &log,
    ]);
    assert_ne!(without.status.code(), Some(0), "another task");
}

#[test]
fn what_the_problem_has_already_is_reported_with_both_places() {
    let diner = Diner::new("streams-repeated");
    let again = diner.scratch.file(
        "again.pddl",
        "(define (stream again) (:domain diner)\n  (:objects bea - guest))",
    );
    let output = run(&["check", &diner.problem, "--init", &again]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    for part in ["E0150", "`bea`", "again.pddl:2:13", "evening.pddl:3:24"] {
        assert!(stderr.contains(part), "{part}\n{stderr}");
    }
}

#[test]
fn a_stream_is_no_problem_and_a_problem_no_stream() {
    let diner = Diner::new("streams-kinds");
    let as_problem = run(&["plan", &diner.streams[0]]);
    assert!(text(&as_problem.stderr).contains("after `--init`"));
    let as_stream = run(&["plan", &diner.problem, "--init", &diner.problem]);
    assert!(text(&as_stream.stderr).contains("a stream is needed here"));
}

#[test]
fn orders_are_drawn_for_a_kitchen_and_laid_over_it() {
    let scratch = Scratch::new("streams-orders");
    let kitchen = "problems/cuisineworld/level-12.pddl";
    let drawn = run(&["generate", "orders", kitchen, "--seed", "3", "--cooks", "2"]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn.stderr));
    let orders = scratch.file("orders.pddl", &drawn.stdout);
    let formatted = run(&["fmt", "--check", &orders]);
    assert_eq!(
        formatted.status.code(),
        Some(0),
        "{}",
        text(&formatted.stderr)
    );
    // There is no fryer: some order can never be served.
    let checked = run(&["check", kitchen, "--init", &orders]);
    assert_eq!(checked.status.code(), Some(0));
    let stderr = text(&checked.stderr);
    assert!(
        stderr.contains("the event `serve` can never fire for"),
        "{stderr}"
    );
}

#[test]
fn a_deal_gives_each_card_another_face_and_is_the_same_for_a_seed() {
    let scratch = Scratch::new("streams-deal");
    let game = "problems/hanabi/tiny-2.pddl";
    let deal = |seed: &str| {
        let args = ["generate", "deal", game, "--function", "face"];
        let output = run(&[&args[..], &["--seed", seed]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let first = deal("1");
    assert_eq!(first, deal("1"));
    assert_ne!(first, deal("2"));
    for card in 1..=10 {
        assert_eq!(first.matches(&format!("(face card{card})")).count(), 1);
    }
    for colour in ["red", "yellow"] {
        for face in ["one-a", "one-b", "two-a", "two-b", "three"] {
            assert_eq!(first.matches(&format!(" {colour}-{face})")).count(), 1);
        }
    }
    let deal = scratch.file("deal.pddl", &first);
    let formatted = run(&["fmt", "--check", &deal]);
    assert_eq!(formatted.status.code(), Some(0));
    let checked = run(&["check", game, "--init", &deal]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(checked.stderr.is_empty(), "{}", text(&checked.stderr));
    let args = [
        "generate",
        "deal",
        game,
        "--function",
        "FACE",
        "--seed",
        "1",
    ];
    let output = run(&[&args[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["problem"], "tiny-2");
    assert_eq!(document["seed"], 1);
    assert_eq!(document["text"], first);
}

#[test]
fn what_cannot_be_dealt_is_refused_with_what_can() {
    let scratch = Scratch::new("streams-no-deal");
    let dealt = |problem: &str, function: &str| {
        let output = run(&["generate", "deal", problem, "--function", function]);
        assert_ne!(output.status.code(), Some(0));
        text(&output.stderr)
    };
    let game = "problems/hanabi/tiny-2.pddl";
    let unknown = dealt(game, "suit");
    for part in ["no function `suit`", "`face`", "`below`"] {
        assert!(unknown.contains(part), "{unknown}");
    }
    let known = dealt(game, "colour");
    assert!(
        known.contains("`colour` has values in the problem already"),
        "{known}"
    );
    let short = std::fs::read_to_string(game).unwrap();
    let short = short
        .replace(" red-three ", " ")
        .replace("(= (colour red-three) red)", "");
    let short = short.replace("(= (rank red-three) three)", "");
    let short = dealt(&scratch.file("tiny-2.pddl", short), "face");
    assert!(
        short.contains("10 objects are to get a value of `face` each, and there are only 9"),
        "{short}"
    );
}
