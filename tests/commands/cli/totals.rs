//! Totals are counted and reported, whether or not a metric names them.

use serde_json::{Value, json};

use super::{Scratch, run, shown};

/// A cook who serves and spoils; who spoils is done.
const KITCHEN: &str = "(define (domain counting)
  (:requirements :adl :multi-agent :action-costs) (:types cook)
  (:predicates (fed) (done))
  (:functions (completed) (failed) (Served ?c - cook) - number)
  (:action serve :agent ?c - cook
    :effect (and (fed) (increase (completed) 1) (increase (Served ?c) 1.5)))
  (:action spoil :agent ?c - cook :effect (and (done) (increase (failed) 1))))";

fn problem(name: &str, goal: &str, metric: &str) -> String {
    format!(
        "(define (problem {name}) (:domain counting) (:objects ann bob - cook)
          (:init (= (failed) 2)) (:goal {goal}) {metric})"
    )
}

fn kitchen(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("domain.pddl", KITCHEN);
    scratch.file("quick.pddl", problem("quick", "(done)", ""));
    scratch.file("fed.pddl", problem("fed", "(and (fed) (done))", ""));
    scratch
}

fn json_of(args: &[&str]) -> Value {
    let output = run(args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(args, &output)))
}

const TRACE: &str = "{\"ann\": \"(serve)\", \"bob\": \"(serve)\"}\n{\"ann\": \"(spoil)\"}\n";

#[test]
fn a_replay_reports_totals_by_step_and_in_all() {
    let scratch = kitchen("totals-replay");
    let trace = &scratch.file("trace.jsonl", TRACE);
    let quick = &scratch.path("quick.pddl");
    let document = json_of(&["replay", quick, trace, "--format", "json"]);
    assert_eq!(
        document["totals"],
        json!({"completed": 2, "failed": 3, "Served ann": 1.5, "Served bob": 1.5})
    );
    assert_eq!(
        document["steps"][0]["totals"],
        json!({"completed": 2, "Served ann": 1.5, "Served bob": 1.5})
    );
    assert_eq!(document["steps"][1]["totals"], json!({"failed": 1}));
    let text = run(&["replay", quick, trace]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.ends_with("completed: 2\nfailed: 3\nServed ann: 1.5\nServed bob: 1.5\n"),
        "{text}"
    );
}

#[test]
fn a_run_reports_totals_and_its_log_is_held_to_them() {
    let scratch = kitchen("totals-run");
    let (fed, log) = (&scratch.path("fed.pddl"), &scratch.path("log.jsonl"));
    let args = [
        "run",
        fed,
        "--agent",
        "ann=planner",
        "--agent",
        "bob=planner",
        "--log",
        log,
        "--format",
        "json",
    ];
    let document = json_of(&args);
    let served = document["totals"]["completed"].as_u64().unwrap();
    assert!(served > 0, "{document}");
    assert_eq!(document["totals"]["failed"], 3, "{document}");
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.contains("\"totals\":{"), "{text}");
    let scored = run(&["score", "--problem", fed, log]);
    assert_eq!(scored.status.code(), Some(0), "{}", shown(&[], &scored));
    let without = text.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("totals");
        format!("{event}\n")
    });
    for (edited, expected) in [
        (text.replace("\"failed\":3", "\"failed\":2"), "totals"),
        (without.collect(), "tick 0"),
    ] {
        assert_ne!(edited, text);
        std::fs::write(log, edited).unwrap();
        let refused = run(&["score", "--problem", fed, log]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_ne!(refused.status.code(), Some(0), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

/// A total that no metric names changes no plan.
#[test]
fn a_total_that_a_metric_names_is_the_cost_and_a_total() {
    let scratch = kitchen("totals-metric");
    let metric = "(:metric minimize (* 2 (failed)))";
    let problem = &scratch.file("cost.pddl", problem("cost", "(done)", metric));
    let trace = &scratch.file("trace.jsonl", TRACE);
    let document = json_of(&["replay", problem, trace, "--format", "json"]);
    assert_eq!(document["steps"][1]["cost"], 2);
    assert_eq!(document["totals"]["failed"], 3);
    let plan = json_of(&["plan", problem, "--format", "json"]);
    assert_eq!((&plan["cost"], &plan["makespan"]), (&json!(6), &json!(1)));
    assert_eq!(plan["totals"]["failed"], 3);
}

#[test]
fn a_number_that_is_set_to_a_value_is_no_total() {
    let scratch = Scratch::new("totals-set");
    let set = KITCHEN.replace(
        "(increase (failed) 1)",
        "(increase (failed) 1) (assign (completed) 0)",
    );
    scratch.file("domain.pddl", set);
    let quick = &scratch.file("quick.pddl", problem("quick", "(done)", ""));
    let trace = &scratch.file("trace.jsonl", TRACE);
    let document = json_of(&["replay", quick, trace, "--format", "json"]);
    assert_eq!(
        document["totals"],
        json!({"failed": 3, "Served ann": 1.5, "Served bob": 1.5})
    );
}

fn bench(scratch: &Scratch, name: &str, groups: [&str; 2], of: &str) -> std::process::Output {
    let [first, second] = groups.map(|group| match group {
        "" => String::new(),
        group => format!("group = \"{group}\"\n"),
    });
    let file = scratch.file(
        "bench.toml",
        format!(
            "max-ticks = 9\n[[columns]]\nname = \"CoS\"\nof = \"{of}\"\n
             [[problems]]\npath = \"quick.pddl\"\n{first}
             [[problems]]\npath = \"fed.pddl\"\n{second}
             [[setups]]\nname = \"p\"\nagents = \"planner\"\n"
        ),
    );
    run(&[
        "bench",
        &file,
        "--log-dir",
        &scratch.path(name),
        "--format",
        "json",
    ])
}

/// One of the problems ends with `completed` 0 and `failed` 3, the other with more of both.
#[test]
fn a_column_is_the_mean_of_ratios_of_sums_over_groups() {
    let scratch = kitchen("totals-bench");
    let ratio = "completed / (completed + failed)";
    let column = |output: &std::process::Output| {
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", shown(&[], output)));
        document["rows"][0]["columns"]["CoS"].as_f64().unwrap()
    };
    let alone = column(&bench(&scratch, "alone", ["", ""], ratio));
    let together = column(&bench(&scratch, "together", ["g", "g"], ratio));
    let index = std::fs::read_to_string(scratch.path("alone/index.jsonl")).unwrap();
    let totals: Vec<[f64; 2]> = index
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            ["completed", "failed"].map(|name| line["totals"][name].as_f64().unwrap())
        })
        .collect();
    let share = |[completed, failed]: [f64; 2]| completed / (completed + failed);
    let [quick, fed] = totals[..] else {
        panic!("{index}");
    };
    assert!(share(fed) > share(quick), "{index}");
    assert!((alone - f64::midpoint(share(quick), share(fed))).abs() < 1e-12);
    let sums = [quick[0] + fed[0], quick[1] + fed[1]];
    assert!((together - share(sums)).abs() < 1e-12);
}

/// A report has what the summary has.
#[test]
fn a_report_has_the_columns_with_their_intervals() {
    let scratch = kitchen("totals-report");
    let output = bench(
        &scratch,
        "out",
        ["", ""],
        "completed / (completed + failed)",
    );
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &summary["rows"][0];
    let [low, high] = [0, 1].map(|end| row["column_intervals"]["CoS"][end].as_f64().unwrap());
    let value = row["columns"]["CoS"].as_f64().unwrap();
    assert!(low < value && value < high, "{row}");
    let pages = scratch.path("pages");
    let report = [
        "report",
        &scratch.path("out"),
        "--output",
        &pages,
        "--format",
        "json",
    ];
    let figures = json_of(&report);
    assert_eq!(figures["metrics"]["columns.CoS"], "CoS");
    let reported = &figures["tables"][0]["rows"][0]["values"]["columns.CoS"];
    assert_eq!(reported["value"], row["columns"]["CoS"]);
    assert_eq!(reported["low"], row["column_intervals"]["CoS"][0]);
    assert_eq!(reported["high"], row["column_intervals"]["CoS"][1]);
    let csv = std::fs::read_to_string(scratch.path("pages/tables.csv")).unwrap();
    assert!(csv.contains(",columns.CoS,"), "{csv}");
}

#[test]
fn a_column_may_name_what_every_episode_counts() {
    let scratch = kitchen("totals-counts");
    let of = |name: &str, of: &str| {
        let output = bench(&scratch, name, ["g", "g"], of);
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", shown(&[], &output)));
        document["rows"][0]["columns"]["CoS"].clone()
    };
    assert_eq!(of("episodes", "episodes"), json!(2.0));
    assert_eq!(of("calls", "calls + refused"), json!(0.0));
    let index = std::fs::read_to_string(scratch.path("calls/index.jsonl")).unwrap();
    let ticks = index.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["ticks"].as_f64().unwrap()
    });
    let mean = ticks.sum::<f64>() / 2.0;
    assert_eq!(of("ticks", "ticks / episodes"), json!(mean));
}

#[test]
fn a_column_that_cannot_be_computed_is_refused_with_what_there_is() {
    let scratch = kitchen("totals-columns");
    for (of, expected) in [
        ("complete", "did you mean `completed`?"),
        ("tick", "did you mean `ticks`?"),
        ("completed / (failed", "a `)` is missing"),
        ("", "it ends where a total or a number is expected"),
    ] {
        let output = bench(&scratch, "refused", ["", ""], of);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{of}: {said}");
    }
}
