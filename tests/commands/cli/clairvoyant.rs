//! Policies that know what their agents do not observe.

use serde_json::Value as Json;

use super::{Scratch, run};

/// Ann hides a coin from Bob, who looks for it in one of two boxes.
const HIDING: &str = "(define (domain hiding)
    (:requirements :adl :multi-agent :object-fluents :text :partial-observability)
    (:types player box)
    (:predicates (seeks ?p - player) (found)
      (in ?b - box :text \"the coin is in {?b}\" :observable-by (?v - player) (not (seeks ?v))))
    (:action hide :agent ?p - player :parameters (?b - box)
      :precondition (and (not (seeks ?p)) (not (exists (?o - box) (in ?o))))
      :observable-by (?v - player) (not (seeks ?v))
      :effect (in ?b) :text \"hide the coin in {?b}\")
    (:action take :agent ?p - player :parameters (?b - box)
      :precondition (and (seeks ?p) (else \"{?b} is empty\" (in ?b)))
      :effect (and (found) (not (in ?b))) :text \"take the coin from {?b}\"))";

const COIN: &str = "(define (problem coin) (:domain hiding)
    (:objects ann bob - player left right - box) (:init (seeks bob)) (:goal (found)))";

fn problem(scratch: &Scratch) -> String {
    scratch.file("domain.pddl", HIDING);
    scratch.file("coin.pddl", COIN)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn planner_and_greedy_are_refused_where_facts_are_hidden_and_marked_where_they_are_let() {
    let scratch = Scratch::new("clairvoyant");
    let problem = &problem(&scratch);
    for policy in ["planner", "greedy"] {
        let others = ["run", problem, "--agent", "ann=random", "--others", policy];
        let output = run(&others);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            text(&output.stderr),
            format!(
                "error: the policy `{policy}` knows facts that its agent does not observe\n  help: \
                 `--clairvoyant` lets it play, marked as clairvoyant\n"
            )
        );
        let allowed = ["--clairvoyant", "--max-ticks", "9", "--log", "-"];
        let output = run(&[&others[..], &allowed].concat());
        let log = text(&output.stdout);
        let header: Json = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        assert_eq!(header["agents"][1]["clairvoyant"], true, "{log}");
        assert_eq!(header["agents"][0]["clairvoyant"], Json::Null, "{log}");
    }
    let blind = run(&["run", problem, "--others", "random", "--max-ticks", "2"]);
    assert!(blind.status.code() < Some(2), "{}", text(&blind.stderr));
}

#[test]
fn tables_mark_set_ups_that_know_more_than_their_agents() {
    let scratch = Scratch::new("clairvoyant-bench");
    problem(&scratch);
    let bench = |key: &str| {
        let file = scratch.file(
            "bench.toml",
            format!(
                "max-ticks = 5\n{key}\n[[problems]]\npath = \"coin.pddl\"\n\
                 [[setups]]\nname = \"seers\"\nagents = \"planner\"\n\
                 [[setups]]\nname = \"blind\"\nagents = \"random\"\n"
            ),
        );
        let out = scratch.0.join("out").to_string_lossy().into_owned();
        run(&["bench", &file, "--log-dir", &out])
    };
    let refused = bench("");
    assert_eq!(refused.status.code(), Some(2));
    let stderr = text(&refused.stderr);
    assert!(
        stderr.contains("set-up `seers` on `coin`: the policy `planner` knows facts"),
        "{stderr}"
    );
    assert!(
        stderr.contains("`clairvoyant = true` lets it play"),
        "{stderr}"
    );
    let table = bench("clairvoyant = true");
    let shown = text(&table.stdout);
    assert_eq!(table.status.code(), Some(0), "{}", text(&table.stderr));
    assert!(shown.contains("seers (clairvoyant)"), "{shown}");
    assert!(
        shown.contains("blind") && !shown.contains("blind (clairvoyant)"),
        "{shown}"
    );
}

#[test]
fn the_demonstration_marks_policies_that_know_more_than_their_agents() {
    let scratch = Scratch::new("clairvoyant-demo");
    let problem = &problem(&scratch);
    let output = run(&["demo", problem]);
    let shown = text(&output.stdout);
    assert!(shown.contains("planner (clairvoyant)"), "{shown}");
    assert!(shown.contains("greedy (clairvoyant)"), "{shown}");
    assert!(!shown.contains("random (clairvoyant)"), "{shown}");
    assert!(shown.contains("\n   clairvoyant: "), "{shown}");
    let json = run(&["demo", problem, "--format", "json"]);
    let json: Json = serde_json::from_slice(&json.stdout).unwrap();
    let greedy = &json["play"]["teams"][1];
    assert_eq!(
        greedy["clairvoyant"],
        serde_json::json!(["planner", "greedy"])
    );
    let open = text(&run(&["demo"]).stdout);
    assert!(!open.contains("clairvoyant"), "{open}");
}

/// A stream is called by the seed that it was drawn from: who knows that can draw it again.
#[test]
fn a_program_is_not_sent_the_name_of_a_stream() {
    let scratch = Scratch::new("clairvoyant-exec");
    let problem = &problem(&scratch);
    let deal = "(define (stream deal-6) (:domain hiding) (:init (in left)))";
    let deal = scratch.file("deal.pddl", deal);
    let program = scratch.file("bob", "read -r line; echo \"$line\" > \"$0.seen\"\n");
    let agent = format!("bob=exec:sh {program}");
    let log = scratch.path("log.jsonl");
    run(&[
        "run",
        problem,
        "--init",
        &deal,
        "--agent",
        &agent,
        "--others",
        "random",
        "--max-ticks",
        "2",
        "--log",
        &log,
    ]);
    let seen = std::fs::read_to_string(format!("{program}.seen")).unwrap();
    let start: Json = serde_json::from_str(&seen).unwrap();
    assert_eq!(start["problem"], "coin", "{seen}");
    assert!(!seen.contains("deal-6"), "{seen}");
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("\"problem\":\"coin+deal-6\""), "{logged}");
}

#[test]
fn an_agent_is_shown_nothing_of_what_is_hidden_from_it() {
    let scratch = Scratch::new("hidden-legality");
    let problem = &problem(&scratch);
    let output = run(&["observe", problem, "--agent", "bob"]);
    let seen = text(&output.stdout);
    // There is no coin yet, as far as he does not know.
    assert!(seen.contains("take the coin from left"), "{seen}");
    let ann = scratch.file("ann.txt", "hide the coin in left\n");
    let bob = scratch.file("bob.txt", "wait\ntake the coin from right\n");
    let output = run(&[
        "run",
        problem,
        "--agent",
        &format!("ann=scripted:{ann}"),
        "--agent",
        &format!("bob=scripted:{bob}"),
        "--on-invalid",
        "wait",
        "--max-ticks",
        "2",
        "--log",
        "-",
    ]);
    let log = text(&output.stdout);
    let refused = log.lines().find(|line| line.contains("\"error\"")).unwrap();
    let refused: Json = serde_json::from_str(refused).unwrap();
    assert_eq!(refused["reasons"], Json::Null, "{refused}");
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("its precondition does not hold."),
        "{message}"
    );
    assert!(
        message.contains("take bob left") || message.contains("take left"),
        "{message}"
    );
    let check = run(&["check", problem]);
    assert!(text(&check.stderr).contains("W0226") || text(&check.stdout).contains("W0226"));
}
