//! Plans that `planner` follows without a proof of them.

use serde_json::Value as Json;

use super::{Scratch, conforms, run, schema};

/// A game that can be ended at once or be gone on with for points, as long as one likes.
const GAME: &str = "(define (domain game)
    (:requirements :adl :multi-agent :numeric-fluents)
    (:types player)
    (:predicates (over))
    (:functions (score) - number)
    (:action score-one :agent ?p - player :effect (increase (score) 1))
    (:action finish :agent ?p - player :effect (over))
    (:end (over)))";

const OPEN: &str = "(define (problem open) (:domain game)
    (:objects ann - player) (:init) (:metric maximize (score)))";

const REASON: &str = "no horizon bounds how often it may be taken";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn problem(scratch: &Scratch, horizon: &str) -> String {
    scratch.file("domain.pddl", GAME);
    let problem = OPEN.replace("(:metric", &format!("{horizon} (:metric"));
    scratch.file("open.pddl", problem)
}

#[test]
fn a_run_says_once_that_its_planner_follows_plans_without_a_proof_and_so_does_its_log() {
    let scratch = Scratch::new("unproven");
    let open = &problem(&scratch, "");
    let log = &scratch.path("log.jsonl");
    let output = run(&["run", open, "--log", log, "--format", "json"]);
    let told = text(&output.stderr);
    assert_eq!(
        told.matches("`planner` follows the best plans that were found")
            .count(),
        1,
        "{told}"
    );
    assert!(told.contains(REASON), "{told}");
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    let rules = schema("run");
    assert!(conforms(&json, &rules, &rules), "{json}");
    assert!(
        json["unproven"].as_str().unwrap().contains(REASON),
        "{json}"
    );
    let logged = std::fs::read_to_string(log).unwrap();
    let end: Json = serde_json::from_str(logged.lines().last().unwrap()).unwrap();
    let rules = schema("event-log");
    assert!(conforms(&end, &rules, &rules), "{end}");
    assert!(end["unproven"].as_str().unwrap().contains(REASON), "{end}");
    let bounded = &problem(&scratch, "(:horizon 5)");
    let output = run(&["run", bounded, "--format", "json"]);
    assert!(!text(&output.stderr).contains("follows the best plans"));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&json["unproven"], &json["total_cost"]),
        (&Json::Null, &Json::from(5))
    );
}

#[test]
fn an_evaluation_says_in_how_many_episodes_plans_were_not_proven() {
    let scratch = Scratch::new("unproven-bench");
    problem(&scratch, "");
    let file = scratch.file(
        "bench.toml",
        "max-ticks = 3\nepochs = 2\n[[problems]]\npath = \"open.pddl\"\n\
         [[setups]]\nname = \"planned\"\nagents = \"planner\"\n",
    );
    let out = scratch.path("out");
    let output = run(&["bench", &file, "--log-dir", &out]);
    let told = text(&output.stderr);
    assert!(told.contains("in 2 episodes `planner` follows"), "{told}");
    let index = std::fs::read_to_string(format!("{out}/index.jsonl")).unwrap();
    for line in index.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        assert!(
            line["unproven"].as_str().unwrap().contains(REASON),
            "{line}"
        );
    }
}
