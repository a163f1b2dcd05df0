//! `--format json` of every command, against the schemas in `docs/schema`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::schema::{conforms, schema};
use super::{Bistro, commands, run, shown};

/// Commands whose output is for a shell or a reader of manuals.
const WITHOUT: [&str; 2] = ["completions", "man"];

/// Command lines by the schema of what they write. `@` stands for the folder of a new domain, `%` for the
/// log of an episode.
const CASES: &[(&str, &str)] = &[
    ("check", "check @ --facts"),
    // Before there are further problems in the folder, whose facts take long to find.
    ("snapshot", "snapshot --check @/soup.pddl"),
    ("snapshot", "snapshot --check @"),
    ("check", "check @/broken.pddl"),
    ("compile", "compile @/soup.pddl"),
    ("compile", "compile bundled:order-rush/lunch"),
    ("plan", "plan @/soup.pddl"),
    ("plan", "plan @/soup.pddl --all --explain --slack 1.1"),
    ("plan", "plan @/soup.pddl --time-limit 0"),
    ("plan", "plan tests/data/cli/no-egg.pddl"),
    ("rats", "rats @/soup.pddl --dag"),
    ("rats", "rats @/soup.pddl --orbits"),
    ("replay", "replay @/soup.pddl %"),
    ("replay", "replay @/soup.pddl % --observe"),
    ("run", "run @/soup.pddl"),
    (
        "run",
        "run @/soup.pddl --observe --others random --max-ticks 5",
    ),
    ("run", "run @/soup.pddl --time-limit 0"),
    ("observe", "observe @/soup.pddl --agent chef"),
    (
        "observe",
        "observe @/soup.pddl --agent chef --actions legal",
    ),
    (
        "observe",
        "observe @/soup.pddl --agent chef --actions forms",
    ),
    (
        "observe",
        "observe @/soup.pddl --agent chef --actions macros",
    ),
    ("score", "score % --problem @/soup.pddl --regret --process"),
    (
        "score",
        "score % --problem @/soup.pddl --process --memory-limit 1",
    ),
    (
        "score",
        "score % --problem @/soup.pddl --process --time-limit 0",
    ),
    (
        "score",
        "score --references tests/data/score/references tests/data/score/episodes.jsonl",
    ),
    (
        "bench",
        "bench evals/smoke.toml --cassette replay --log-dir @/logs",
    ),
    (
        "bench",
        "bench evals/ci.toml --cassette replay --metric-states 10000 --log-dir @/more-logs",
    ),
    (
        "bench-plan",
        "bench evals/ci.toml --cassette replay --log-dir @/plans --dry-run",
    ),
    (
        "view",
        "view % --problem @/soup.pddl --no-open --output @/page.html",
    ),
    ("view", "view @/soup.pddl --no-open --output @/plan.html"),
    ("report", "report @/logs --output @/report"),
    ("report", "report @/more-logs --output @/more"),
    ("agents", "agents"),
    ("agents", "agents react"),
    ("domains", "domains"),
    ("domains", "domains --copy lunch --folder @/copies"),
    (
        "import",
        "import robotouille tests/data/import/tea-domain.json tests/data/import/tea-for-one.json",
    ),
    (
        "import-overcooked",
        "import overcooked tests/data/import/kitchens.json",
    ),
    (
        "import-overcooked",
        "import overcooked tests/data/import/kitchen.layout --out @/kitchens",
    ),
    ("export", "export --to pddl @/soup.pddl"),
    (
        "export",
        "export --to classical @/soup.pddl --out-domain @/c.pddl",
    ),
    ("export", "export --to pddl @/domain.pddl"),
    ("fmt", "fmt --check @/soup.pddl @/broken.pddl no-such-file"),
    ("new", "new supper --folder @"),
    ("diff", "diff @/soup.pddl @/other.pddl"),
    ("diff", "diff @/domain.pddl @/other-domain.pddl"),
    (
        "generate",
        "generate robotouille synchronous/0_cheese_sandwich",
    ),
    (
        "generate",
        "generate robotouille synchronous/0_cheese_sandwich --time-limit 0",
    ),
    ("generate", "generate cookmas --level 3 --seed 7"),
    (
        "generate",
        "generate orders problems/cuisineworld/level-3.pddl --alpha 1.5",
    ),
    ("demo", "demo @/soup.pddl"),
    ("demo", "demo tests/data/cli/no-egg.pddl"),
    ("explain", "explain E0102"),
    ("explain", "explain"),
    ("failure", "plan @/broken.pddl"),
    ("failure", "rats no-such-file"),
    ("failure", "doctor --base-url nowhere --model m"),
    ("failure", "domains --copy no-such-problem"),
    ("failure", "agents no-such-design"),
    ("failure", "explain E9999"),
    ("failure", "new ../x"),
    ("failure", "demo no-such-file"),
    ("failure", "export --to pddl no-such-file"),
    ("failure", "generate robotouille no-such-task"),
    ("failure", "import robotouille no-such-file no-such-file"),
    ("failure", "compile no-such-file"),
];

fn bistro() -> (Bistro, String) {
    let bistro = Bistro::new("json-forms");
    let log = bistro.scratch.path("log.jsonl");
    let soup = bistro.path("soup.pddl");
    let args = [
        "run",
        &soup,
        "--others",
        "random",
        "--seed",
        "3",
        "--max-ticks",
        "9",
        "--log",
        &log,
    ];
    run(&args);
    let broken = "(define (problem p) (:domain bistro) (:goal (served ghost)))";
    fs::write(bistro.path("broken.pddl"), broken).unwrap();
    let other = bistro
        .read("soup.pddl")
        .replace("(problem ", "(problem other-");
    fs::write(bistro.path("other.pddl"), other).unwrap();
    let domain = bistro
        .read("domain.pddl")
        .replace("(after 3 (assign", "(after 4 (assign");
    fs::write(bistro.path("other-domain.pddl"), domain).unwrap();
    (bistro, log)
}

#[test]
fn what_a_command_writes_as_json_fits_its_schema() {
    let (bistro, log) = bistro();
    let mut wrong = Vec::new();
    for (name, line) in CASES {
        let line = line.replace('@', &bistro.folder).replace('%', &log);
        let mut args: Vec<&str> = line.split(' ').collect();
        args.extend(["--format", "json"]);
        let output = run(&args);
        let rules = schema(&format!("{name}.schema.json"));
        let document: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        let fits = document
            .as_ref()
            .is_some_and(|document| document["schema"] == 1 && conforms(document, &rules, &rules));
        if !fits {
            wrong.push(format!("{name}: {}", shown(&args, &output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_but_those_for_shells_and_manuals_has_a_json_form_with_a_schema() {
    let with_cases: BTreeSet<&str> = CASES.iter().map(|(name, _)| *name).collect();
    for command in commands() {
        let has_json = !WITHOUT.contains(&&*command);
        let args = match &*command {
            "import" | "generate" => vec![&*command, "robotouille", "--help"],
            command => vec![command, "--help"],
        };
        let help = String::from_utf8(run(&args).stdout).unwrap();
        assert_eq!(help.contains("--format <"), has_json, "{command}");
        if has_json {
            schema(&format!("{command}.schema.json"));
            // An endpoint is needed for the other form of `doctor`: tests/commands/llm/doctor.rs has one. `serve` does not
            // end by itself: serve.rs ends it.
            let is_tried =
                with_cases.contains(&*command) || ["doctor", "serve"].contains(&&*command);
            assert!(is_tried, "{command}");
        }
    }
}
