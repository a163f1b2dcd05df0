//! Agents of nature: who decides for them, what an episode logs, and what refuses to plan with chance.

use serde_json::Value as Json;

use super::plan::plan;
use super::schema::{conforms, schema};
use super::{Scratch, run};

/// A guest and a ghost, declared first, on a ring of rooms.
const HOUSE: &str = "(define (domain house)
    (:requirements :adl :multi-agent :object-fluents :bounded-numbers :nature :text :horizon)
    (:types person room - object guest ghost - person)
    (:predicates (door ?a ?b - room))
    (:functions (at ?p - person :text \"{?p} is in {(at ?p)}\") - room (mood ?g - ghost) - (int 0 9))
    (:turns TURNS)
    (:role ghost nature)
    (:action run :agent ?g - guest :parameters (?to - room)
      :precondition (door (at ?g) ?to) :effect (assign (at ?g) ?to) :label \"run({?to})\")
    (:action drift :agent ?g - ghost :parameters (?to - room)
      :precondition (door (at ?g) ?to) :weight (+ 1 (mood ?g))
      :effect (and (assign (at ?g) ?to) (increase (mood ?g) 1)) :label \"drift({?to})\")
    (:action stay :agent ?g - ghost :effect (assign (mood ?g) 0) WEIGHT))";

const NIGHT: &str = "(define (problem night) (:domain house)
    (:objects boo - ghost ann - guest a b c d - room)
    (:init (= (at boo) c) (= (at ann) a) (door a b) (door b a) (door b c) (door c b) (door c d)
           (door d c) (door d a) (door a d))
    (:goal (and (= (at ann) c) (= (at boo) a))))";

const TURNS: [&str; 3] = ["sequential", "simultaneous", "alternate"];

fn problem(scratch: &Scratch, turns: &str, weight: &str) -> String {
    let domain = HOUSE.replace("TURNS", turns).replace("WEIGHT", weight);
    scratch.file("domain.pddl", domain);
    scratch.file("night.pddl", NIGHT)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The steps of a log.
fn steps(log: &str) -> Vec<Json> {
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .filter(|line: &Json| line["event"] == "step")
        .collect()
}

#[test]
fn what_nature_draws_is_logged_and_an_episode_is_resumed_as_if_never_stopped() {
    for turns in TURNS {
        let scratch = Scratch::new(&format!("nature-{turns}"));
        let problem = &problem(&scratch, turns, ":weight 2");
        let play = |log: &str, ticks: &str, more: &[&str]| {
            let log = scratch.0.join(log).to_string_lossy().into_owned();
            let common = ["run", problem, "--others", "random", "--seed", "5"];
            let own = ["--log", &log, "--max-ticks", ticks];
            let output = run(&[&common[..], &own, more].concat());
            assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
            std::fs::read_to_string(log).unwrap()
        };
        let whole = play("whole.jsonl", "12", &[]);
        let header: Json = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
        assert_eq!(header["agents"][0]["name"], "ann", "nature comes last");
        assert_eq!(header["agents"][1]["policy"], "nature");
        let choices: Vec<Json> = steps(&whole)
            .iter()
            .flat_map(|step| step["choices"].as_array().unwrap().clone())
            .filter(|choice| choice["agent"] == "boo")
            .collect();
        assert!(choices.len() >= 3, "{whole}");
        assert!(
            choices.iter().all(|choice| choice["command"].is_null()),
            "{whole}"
        );
        assert!(
            !whole.contains("drift("),
            "what nature does has no label: {whole}"
        );
        play("parts.jsonl", "4", &[]);
        let parts = play("parts.jsonl", "12", &["--resume"]);
        assert_eq!(steps(&parts), steps(&whole), "{turns}");
        let log = scratch.0.join("whole.jsonl").to_string_lossy().into_owned();
        let replayed = run(&["replay", problem, &log]);
        assert!(text(&replayed.stdout).contains("boo: (drift"), "{turns}");
    }
}

#[test]
fn other_seeds_draw_otherwise() {
    let scratch = Scratch::new("nature-seeds");
    let problem = &problem(&scratch, "alternate", ":weight 2");
    let play = |seed: &str| {
        let script = [
            "--others",
            "scripted:/dev/null",
            "--max-ticks",
            "20",
            "--log",
            "-",
        ];
        let output = run(&[&["run", problem, "--seed", seed][..], &script].concat());
        let choices = steps(&text(&output.stdout));
        let drawn = choices
            .iter()
            .map(|step| step["choices"][0]["action"].to_string());
        drawn.collect::<Vec<_>>()
    };
    assert_eq!(play("1"), play("1"));
    assert_ne!(play("1"), play("2"));
}

#[test]
fn nobody_gives_nature_a_policy() {
    let scratch = Scratch::new("nature-policy");
    let problem = &problem(&scratch, "simultaneous", "");
    let output = run(&[
        "run",
        problem,
        "--agent",
        "boo=random",
        "--others",
        "random",
    ]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(text(&output.stderr), @r"
    error: `boo` is part of the environment: chance decides what it does
      help: leave out its policy; `--seed` chooses the draws
    ");
}

#[test]
fn an_episode_ends_where_all_weights_are_zero() {
    let scratch = Scratch::new("nature-zero");
    problem(&scratch, "simultaneous", ":weight 0");
    // It is nowhere, so it can only stay.
    let problem = &scratch.file("night.pddl", NIGHT.replace("(= (at boo) c)", ""));
    let output = run(&["run", problem, "--others", "random", "--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["reason"], "no-draw");
    assert_eq!(
        json["detail"],
        "tick 0: boo: all of its actions that apply have the weight 0"
    );
}

#[test]
fn what_plans_refuses_chance_by_name() {
    let scratch = Scratch::new("nature-refused");
    let problem = &problem(&scratch, "sequential", "");
    let log = &scratch.0.join("log.jsonl").to_string_lossy().into_owned();
    run(&[
        "run",
        problem,
        "--others",
        "greedy",
        "--max-ticks",
        "3",
        "--log",
        log,
    ]);
    let commands: [&[&str]; 7] = [
        &["plan", problem],
        &["rats", problem],
        &["score", log, "--problem", problem],
        &["score", log, "--problem", problem, "--regret"],
        &["demo", problem],
        &["export", problem, "--to", "classical"],
        &["run", problem],
    ];
    for command in commands {
        let output = run(command);
        let report = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {report}");
        assert!(
            report.contains("chance decides what `boo` does, and chance is not solved for"),
            "{command:?}: {report}"
        );
    }
    let facts = run(&["check", "--facts", problem]);
    assert_eq!(facts.status.code(), Some(0));
    assert!(text(&facts.stderr).contains("no plans are searched: chance decides"));
    assert!(!text(&facts.stdout).contains("optimum"));
}

#[test]
fn with_natures_help_a_plan_is_a_bound_and_never_optimal() {
    let scratch = Scratch::new("nature-helps");
    let problem = &problem(&scratch, "sequential", "");
    let (json, code) = plan(problem, &["--nature", "helps"]);
    assert_eq!(code, 0);
    assert_eq!(json["nature"], "helps");
    assert_eq!(json["optimal"], false);
    assert_eq!(json["lower_bound"], 2);
    assert_eq!(json["upper_bound"], Json::Null);
    let output = run(&["plan", problem, "--nature", "helps", "--all"]);
    let report = text(&output.stdout);
    assert!(!report.contains("optimal"), "{report}");
    assert!(
        report.contains("a bound, with nature's help: makespan 2, 2 labelled actions"),
        "{report}"
    );
    let output = run(&["rats", problem, "--nature", "helps", "--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["nature"], "helps");
    assert!(
        !text(&output.stdout).contains("boo"),
        "no reference is of nature"
    );
}

#[test]
fn a_bench_file_plays_chance_and_measures_no_regret_of_it() {
    let scratch = Scratch::new("nature-bench");
    problem(&scratch, "simultaneous", "");
    let bench = |agents: &str, limit: &str| {
        let file = scratch.file(
            "bench.toml",
            format!(
                "seeds = [1, 2]\nepochs = 2\n{limit}\n[[problems]]\npath = \"night.pddl\"\n\
                 [[setups]]\nname = \"s\"\nagents = \"{agents}\"\n"
            ),
        );
        let out = scratch.0.join(agents).to_string_lossy().into_owned();
        run(&["bench", &file, "--log-dir", &out])
    };
    let output = bench("random", "max-ticks = 10");
    let report = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert!(
        report.contains("night: no process metrics: chance decides"),
        "{report}"
    );
    for refused in [
        bench("planner", "max-ticks = 10"),
        bench("greedy", "budget = 2.0"),
    ] {
        let report = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{report}");
        assert!(report.contains("chance is not solved for"), "{report}");
    }
}

#[test]
fn what_is_written_of_nature_fits_the_schemas() {
    let scratch = Scratch::new("nature-schemas");
    let problem = &problem(&scratch, "simultaneous", ":weight (mood ?g)");
    let fits = |name: &str, json: &Json| {
        let rules = schema(&format!("{name}.schema.json"));
        assert!(conforms(json, &rules, &rules), "{name}: {json}");
    };
    let json = |args: &[&str]| -> Json {
        let output = run(&[args, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
    };
    fits("plan", &json(&["plan", problem, "--nature", "helps"]));
    fits("rats", &json(&["rats", problem, "--nature", "helps"]));
    let play = ["run", problem, "--others", "greedy", "--max-ticks", "9"];
    fits("run", &json(&play));
    let task = run(&["compile", problem, "--emit", "json"]).stdout;
    let task: Json = serde_json::from_slice(&task).unwrap();
    fits("task", &task);
    assert_eq!(task["agents"][1]["role"], "nature");
    let log = run(&[&play[..], &["--log", "-"]].concat());
    for line in text(&log.stdout).lines() {
        fits("event-log", &serde_json::from_str(line).unwrap());
    }
}

#[test]
fn compile_marks_agents_of_nature() {
    let scratch = Scratch::new("nature-compiled");
    let problem = &problem(&scratch, "simultaneous", "");
    let shown = text(&run(&["compile", problem]).stdout);
    let agents: Vec<&str> = shown
        .lines()
        .filter(|it| it.starts_with("agent "))
        .collect();
    let expected = [
        "agent       ann: 4 actions",
        "agent       boo (nature): 5 actions",
    ];
    assert_eq!(agents, expected);
    let document = run(&["compile", problem, "--format", "json"]).stdout;
    let document: Json = serde_json::from_slice(&document).unwrap();
    let rules = schema("compile.schema.json");
    assert!(conforms(&document, &rules, &rules), "{document}");
    let roles: Vec<&Json> = (0..2).map(|at| &document["agents"][at]["role"]).collect();
    assert_eq!(roles, [&Json::Null, &Json::from("nature")]);
}
