//! Plans that `planner` follows without a proof of them.

use serde_json::Value as Json;

use super::{Scratch, conforms, run, schema};

/// A game whose score counts at its end, which nothing bounds.
const GAME: &str = "problems/hanabi/small-2.pddl";

/// A game with a goal.
const PROVEN: &str = "problems/hanabi/tiny-2.pddl";

const REASON: &str = "no horizon bounds how often it may be taken";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn deal(scratch: &Scratch, game: &str) -> String {
    let output = run(&[
        "generate",
        "deal",
        game,
        "--function",
        "face",
        "--seed",
        "6",
    ]);
    scratch.file("deal.pddl", text(&output.stdout))
}

#[test]
fn a_run_says_once_that_its_planner_follows_plans_without_a_proof_and_so_does_its_log() {
    let scratch = Scratch::new("unproven");
    let log = &scratch.path("log.jsonl");
    let play = |game: &str, further: &[&str]| {
        let deal = deal(&scratch, game);
        let args = [
            "run",
            game,
            "--init",
            &deal,
            "--clairvoyant",
            "--format",
            "json",
        ];
        run(&[&args[..], further].concat())
    };
    let output = play(GAME, &["--log", log]);
    let stderr = text(&output.stderr);
    let note = "`planner` follows the best plans that were found";
    assert_eq!(stderr.matches(note).count(), 1, "{stderr}");
    assert!(stderr.contains(REASON), "{stderr}");
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    let rules = schema("run.schema.json");
    assert!(conforms(&json, &rules, &rules), "{json}");
    assert!(
        json["unproven"].as_str().unwrap().contains(REASON),
        "{json}"
    );
    let logged = std::fs::read_to_string(log).unwrap();
    let end: Json = serde_json::from_str(logged.lines().last().unwrap()).unwrap();
    let rules = schema("event-log.schema.json");
    assert!(conforms(&end, &rules, &rules), "{end}");
    assert!(end["unproven"].as_str().unwrap().contains(REASON), "{end}");
    let output = play(PROVEN, &[]);
    assert!(!text(&output.stderr).contains(note));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&json["unproven"], &json["ticks"]),
        (&Json::Null, &Json::from(7))
    );
}

#[test]
fn an_evaluation_says_in_how_many_episodes_plans_were_not_proven() {
    let scratch = Scratch::new("unproven-bench");
    deal(&scratch, GAME);
    let game = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GAME);
    let file = scratch.file(
        "bench.toml",
        format!(
            "max-ticks = 3\nepochs = 2\nclairvoyant = true\n[[problems]]\npath = {game:?}\ninit = [\"deal.pddl\"]\n\
             [[setups]]\nname = \"planned\"\nagents = \"planner\"\n"
        ),
    );
    let out = scratch.path("out");
    let output = run(&["bench", &file, "--log-dir", &out]);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("in 2 episodes `planner` follows"),
        "{stderr}"
    );
    let index = std::fs::read_to_string(format!("{out}/index.jsonl")).unwrap();
    for line in index.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        assert!(
            line["unproven"].as_str().unwrap().contains(REASON),
            "{line}"
        );
    }
}
