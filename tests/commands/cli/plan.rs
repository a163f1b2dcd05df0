//! `brigade plan`: answers, limits and the report of the search.

use serde_json::Value as Json;

use super::{NO_EGG, ONE_EGG, Scratch, run};

/// The JSON document that `plan` writes, and its exit code.
pub(super) fn plan(problem: &str, options: &[&str]) -> (Json, i32) {
    let args = [&["plan", problem, "--format", "json"], options].concat();
    let output = run(&args);
    let error = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout);
    let json = json.unwrap_or_else(|_| panic!("{args:?}: {error}"));
    (json, output.status.code().unwrap())
}

/// Switches in a row; each move flips two neighbours, so that the number of those that are on stays
/// even. The goal is an odd number of them: half of all states are reachable, and none is a goal.
pub(super) fn flips(scratch: &Scratch, switches: usize) -> String {
    flips_to(scratch, switches, 1)
}

/// The same with the first so many switches on as the goal.
fn flips_to(scratch: &Scratch, switches: usize, on: usize) -> String {
    scratch.file(
        "flips-domain.pddl",
        "(define (domain flips) (:requirements :adl)
          (:predicates (on ?x) (next ?x ?y))
          (:action flip :parameters (?x ?y) :precondition (next ?x ?y)
            :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x))
                         (when (on ?y) (not (on ?y))) (when (not (on ?y)) (on ?y)))))",
    );
    let names: Vec<String> = (0..switches).map(|index| format!("s{index}")).collect();
    let row = names.windows(2);
    let row: Vec<String> = row
        .map(|two| format!("(next {} {})", two[0], two[1]))
        .collect();
    let goal = names.iter().enumerate().map(|(index, name)| {
        if index < on {
            format!("(on {name})")
        } else {
            format!("(not (on {name}))")
        }
    });
    let goal: Vec<String> = goal.collect();
    scratch.file(
        "flips.pddl",
        format!(
            "(define (problem flips) (:domain flips) (:objects {}) (:init {})
              (:goal (and {})))",
            names.join(" "),
            row.join(" "),
            goal.join(" ")
        ),
    )
}

/// Large enough for several threads: 65 536 states, and lower bounds for some thousand.
#[test]
fn all_that_is_printed_but_times_is_the_same_for_any_number_of_threads() {
    let scratch = Scratch::new("jobs");
    let problem = flips(&scratch, 17);
    let text = |options: &[&str], jobs: &str| {
        let output = run(&[options, &[&problem, "--jobs", jobs]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let is_time = |line: &&str| {
            !["\"parse\"", "\"ground\"", "\"search\""]
                .iter()
                .any(|name| line.trim_start().starts_with(name))
        };
        let lines = text.lines().filter(is_time);
        let lines = lines.map(|line| line.split("; parse ").next().unwrap_or(line).to_owned());
        (lines.collect::<Vec<_>>(), output.status.code())
    };
    for options in [
        &["plan", "--heuristic", "blind"][..],
        &[
            "plan",
            "--heuristic",
            "blind",
            "--memory-limit",
            "1M",
            "--format",
            "json",
        ],
        &["plan", "--explain"],
        &["plan", "--explain", "--format", "json"],
        &["rats", "--heuristic", "lm-cut"],
    ] {
        let one = text(options, "1");
        assert!(!one.0.is_empty(), "{options:?}");
        for jobs in ["2", "5"] {
            assert_eq!(text(options, jobs), one, "{options:?}, {jobs} threads");
        }
    }
}

#[test]
fn a_search_needs_a_thread() {
    let output = run(&["plan", ONE_EGG, "--jobs", "0"]);
    assert_eq!(output.status.code(), Some(2));
    let help = String::from_utf8(run(&["plan", "--help"]).stdout).unwrap();
    assert!(help.contains("--jobs <THREADS>"), "{help}");
    assert!(help.contains("as many as there are cores"), "{help}");
}

#[test]
fn an_answer_is_explained_by_what_was_tried() {
    let (json, _) = plan(ONE_EGG, &[]);
    assert_eq!(json["attempts"], Json::Null);
    let (json, code) = plan(ONE_EGG, &["--explain"]);
    assert_eq!(code, 0);
    let attempts = json["attempts"].as_array().unwrap();
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0]["heuristic"], "blind");
    assert_eq!(attempts[0]["end"], "answered");
    assert_eq!(attempts[0]["proven"], json["makespan"]);
    assert_eq!(attempts[0]["estimate"], Json::Null);
    for field in ["states", "expanded", "generated", "evaluated"] {
        assert_eq!(attempts[0][field], json[field], "{field}");
    }
    let (json, _) = plan(ONE_EGG, &["--explain", "--heuristic", "abstractions"]);
    let attempt = &json["attempts"][0];
    assert_eq!(attempt["heuristic"], "abstractions");
    let estimate = attempt["estimate"].as_u64().unwrap();
    assert!(0 < estimate && estimate <= json["makespan"].as_u64().unwrap());
}

#[test]
fn the_work_is_that_of_all_attempts_and_the_states_are_those_of_the_last() {
    let scratch = Scratch::new("work");
    let (json, _) = plan(&flips(&scratch, 17), &["--explain"]);
    let attempts = json["attempts"].as_array().unwrap();
    let of = |attempt: &Json, field: &str| attempt[field].as_u64().unwrap();
    for field in ["expanded", "generated", "evaluated"] {
        let all: u64 = attempts.iter().map(|attempt| of(attempt, field)).sum();
        assert_eq!(of(&json, field), all, "{field}");
    }
    let stored: Vec<u64> = attempts.iter().map(|it| of(it, "states")).collect();
    assert_eq!(Some(&of(&json, "states")), stored.last());
    assert!(of(&json, "states") < stored.iter().sum(), "{stored:?}");
}

#[test]
fn text_says_why_each_attempt_ended() {
    let text = |args: &[&str]| String::from_utf8(run(args).stdout).unwrap();
    let proven = text(&["plan", ONE_EGG, "--explain"]);
    assert!(proven.contains("1 attempt; "), "{proven}");
    assert!(proven.ends_with("the optimum is proven\n"), "{proven}");
    let unsolvable = text(&["plan", NO_EGG, "--explain"]);
    let end = "all is explored, and there is no plan\n";
    assert!(unsolvable.ends_with(end), "{unsolvable}");
}

#[test]
fn a_portfolio_goes_on_with_what_its_attempts_have_proven() {
    let scratch = Scratch::new("portfolio");
    let problem = &flips(&scratch, 17);
    let (json, code) = plan(problem, &["--explain"]);
    assert_eq!(code, 1, "{json}");
    let attempts = json["attempts"].as_array().unwrap();
    assert!(attempts.len() > 1);
    assert_eq!(attempts[0]["heuristic"], "blind");
    assert_eq!(attempts[0]["end"], "given-up");
    assert_eq!(attempts[0]["states"], attempts[0]["most_states"]);
    assert!(attempts[0]["proven"].as_u64() > Some(1));
    let last = attempts.last().unwrap();
    assert_eq!(last["end"], "answered");
    assert_eq!(last["proven"], Json::Null);
    let sum = |field: &str| -> u64 { attempts.iter().map(|it| it[field].as_u64().unwrap()).sum() };
    assert_eq!(sum("expanded"), json["expanded"].as_u64().unwrap());
    assert_eq!(sum("generated"), json["generated"].as_u64().unwrap());
}

#[test]
fn a_plan_of_plain_pddl_is_written_for_other_tools_and_replayed() {
    const LAMPS: &str = "tests/data/cli/two-lamps.pddl";
    let scratch = Scratch::new("plan-file");
    let file = &scratch.path("sas_plan");
    let output = run(&["plan", LAMPS, "--plan-file", file]);
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        text,
        "(press hall)\n(press stairs)\n; cost = 2 (unit cost)\n"
    );
    let replay = |file: &str| run(&["replay", LAMPS, file, "--format", "json"]);
    let json: Json = serde_json::from_slice(&replay(file).stdout).unwrap();
    assert_eq!(
        (&json["goal"], &json["makespan"]),
        (&true.into(), &2.into())
    );
    // What it is not, the replay says.
    let wrong = &scratch.file("wrong", "; by hand\n(press hall)\n(press hall)\n");
    let output = replay(wrong);
    assert_eq!(output.status.code(), Some(1));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["error"]["line"], 3);
    let garbled = &scratch.file("garbled", "(press hall)\npress stairs\n");
    assert_eq!(replay(garbled).status.code(), Some(5));
    let of_agents = run(&["replay", ONE_EGG, file]);
    assert_eq!(of_agents.status.code(), Some(5));
}

#[test]
fn a_plan_file_holds_the_cost_in_the_units_of_the_problem() {
    let scratch = Scratch::new("plan-cost");
    scratch.file(
        "domain.pddl",
        "(define (domain d) (:requirements :action-costs) (:predicates (done))
          (:functions (total-cost) - number (price) - number)
          (:action Do-It :parameters () :effect (and (done) (increase (total-cost) (price)))))",
    );
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain d) (:init (= (price) 7.5) (= (total-cost) 0)) (:goal (done))
          (:metric minimize (total-cost)))",
    );
    let file = &scratch.path("sas_plan");
    let (json, _) = plan(problem, &["--plan-file", file]);
    assert_eq!(json["cost"], 7.5);
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text, "(do-it)\n; cost = 7.5 (general cost)\n");
}

#[test]
fn what_a_cost_begins_with_and_constants_of_the_metric_are_part_of_the_cost() {
    let scratch = Scratch::new("initial-cost");
    scratch.file(
        "domain.pddl",
        "(define (domain d) (:requirements :action-costs :typing) (:types t)
          (:predicates (done)) (:functions (total-cost) (fee ?x - t) - number)
          (:action cheap :parameters () :effect (and (done) (increase (total-cost) 6)))
          (:action dear :parameters () :effect (and (done) (increase (total-cost) 7))))",
    );
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain d) (:objects gate - t)
          (:init (= (total-cost) 10) (= (fee gate) 2.5)) (:goal (done))
          (:metric minimize (+ (* 2 (total-cost)) (* 4 (fee gate)) 1.5 (- 1))))",
    );
    let (json, _) = plan(problem, &[]);
    assert_eq!(json["cost"], 42.5);
    assert_eq!(json["lower_bound"], 42.5);
    // The factor is one of the whole cost: 44.5 is within 1.1 of 42.5, 14 is not of 12.
    let (json, _) = plan(problem, &["--all", "--slack", "1.1"]);
    assert_eq!(json["plans"], "2");
    assert_eq!(json["within"]["cost"], 46.5);
    let played = run(&["run", problem, "--format", "json"]);
    let played: Json = serde_json::from_slice(&played.stdout).unwrap();
    assert_eq!(played["total_cost"], 42.5);
}

#[test]
fn a_plan_that_needs_more_than_a_sequence_of_actions_has_no_plan_file() {
    let scratch = Scratch::new("no-plan-file");
    let file = &scratch.path("sas_plan");
    let refused = |problem: &str| {
        let output = run(&["plan", problem, "--plan-file", file]);
        assert_eq!(output.status.code(), Some(2), "{problem}");
        assert!(!std::path::Path::new(file).exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let error = refused(ONE_EGG);
    assert!(error.contains("it uses `:multi-agent`"), "{error}");
    scratch.file(
        "domain.pddl",
        "(define (domain d) (:requirements :timed-initial-literals) (:predicates (open) (in))
          (:action enter :parameters () :precondition (open) :effect (in)))",
    );
    let timed = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain d) (:init (at 3 (open))) (:goal (in)))",
    );
    let error = refused(timed);
    assert!(error.contains("depends on time"), "{error}");
    let before = std::fs::read(timed).unwrap();
    let output = run(&["plan", timed, "--plan-file", timed]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(timed).unwrap(), before);
    let output = run(&["plan", "tests/data/cli/two-lamps.pddl", "--plan-file", "-"]);
    assert_eq!(output.status.code(), Some(2));
    // Without a plan there is nothing to write.
    let parity = Scratch::new("plan-file-parity");
    let (_, code) = plan(&flips(&parity, 5), &["--plan-file", file]);
    assert_eq!(code, 1);
    assert!(!std::path::Path::new(file).exists());
}

#[test]
fn plans_within_a_factor_are_collected_and_bounded() {
    const LAMPS: &str = "tests/data/cli/two-lamps.pddl";
    let (json, code) = plan(ONE_EGG, &["--all"]);
    assert_eq!((code, &json["within"]), (0, &Json::Null));
    let (same, code) = plan(ONE_EGG, &["--all", "--slack", "1.0"]);
    assert_eq!(code, 0);
    assert_eq!(same["plans"], json["plans"]);
    let within = serde_json::json!({"slack": "1", "cost": null, "makespan": 4, "actions": 4});
    assert_eq!(same["within"], within);
    // Two lamps, in two orders; pressing takes a label, of which there may be no more.
    let (json, _) = plan(LAMPS, &["--all", "--slack", "2"]);
    assert_eq!(
        (&json["plans"], &json["makespan"]),
        (&"2".into(), &2.into())
    );
    let text = String::from_utf8(run(&["plan", LAMPS, "--all", "--slack", "2"]).stdout).unwrap();
    let sentence =
        "2 plans within a factor of 2 of the optimum, without idle steps, in a graph of ";
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn references_are_derived_from_plans_within_a_factor() {
    let scratch = Scratch::new("slack-rats");
    // One jump, or two steps of which the second has no label.
    scratch.file(
        "domain.pddl",
        "(define (domain ways) (:requirements :strips :text) (:predicates (near) (there))
          (:action walk :parameters () :effect (near) :label \"walk()\")
          (:action stride :parameters () :precondition (near) :effect (there) :label none)
          (:action jump :parameters () :effect (there) :label \"jump()\"))",
    );
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain ways) (:goal (there)))",
    );
    let rats = |slack: &str| -> Json {
        let output = run(&["rats", problem, "--slack", slack, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(rats("1.5")["references_total"], "1");
    let wide = rats("2");
    assert_eq!((&wide["slack"], &wide["plans"]), (&"2".into(), &"2".into()));
    assert_eq!(
        wide["references"][1]["agent_0"],
        serde_json::json!(["walk()"])
    );
    let text = String::from_utf8(run(&["rats", problem, "--slack", "2"]).stdout).unwrap();
    assert!(
        text.contains("plans within a factor of 2 of the optimum: 2 ("),
        "{text}"
    );
}

#[test]
fn a_slack_that_means_nothing_is_refused() {
    for slack in ["0.9", "-1", "many", "1e3", "1.12345678"] {
        let output = run(&["plan", ONE_EGG, "--all", "--slack", slack]);
        assert_eq!(output.status.code(), Some(2), "{slack}");
    }
    let references = "tests/data/cli/one-egg.pddl";
    let output = run(&["rats", ONE_EGG, "--slack", "2", "--compare", references]);
    assert_eq!(output.status.code(), Some(2));
    let scratch = Scratch::new("slack-maximise");
    scratch.file(
        "domain.pddl",
        "(define (domain d) (:requirements :numeric-fluents) (:predicates (on)) (:functions (gain))
          (:action press :parameters () :effect (and (on) (increase (gain) 1))))",
    );
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain d) (:init (= (gain) 0)) (:goal (on))
          (:metric maximize (gain)))",
    );
    let output = run(&["plan", problem, "--all", "--slack", "1.1"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("minimised"), "{error}");
}

#[test]
fn a_limit_on_plans_within_a_factor_leaves_the_optimum() {
    let scratch = Scratch::new("slack-limit");
    // One step; within forty there are many ways round.
    let problem = &flips_to(&scratch, 12, 2);
    let within = ["--all", "--slack", "40", "--objective", "makespan"];
    let options = [&within[..], &["--memory-limit", "1M"]].concat();
    let (json, code) = plan(problem, &options);
    assert_eq!(code, 3, "{json}");
    assert_eq!(json["optimal"], true);
    assert_eq!(json["plans"], Json::Null);
    assert_eq!(json["stopped"], "the memory limit was reached");
}

/// Lamps that are lit one by one, in any order.
fn lamps(scratch: &Scratch, count: usize) -> String {
    scratch.file(
        "lamps-domain.pddl",
        "(define (domain lamps) (:predicates (lit ?x))
          (:action press :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))",
    );
    let names: Vec<String> = (0..count).map(|lamp| format!("l{lamp}")).collect();
    let goal: String = names.iter().map(|name| format!("(lit {name})")).collect();
    scratch.file(
        "lamps.pddl",
        format!(
            "(define (problem lamps) (:domain lamps) (:objects {}) (:init) (:goal (and {goal})))",
            names.join(" ")
        ),
    )
}

#[test]
fn one_order_is_tried_of_what_may_come_in_any_order() {
    let scratch = Scratch::new("pruning");
    // More states than the first attempt stores, which prunes nothing.
    let problem = &lamps(&scratch, 16);
    let pruned = |more: &[&str]| {
        let options = ["--symmetry", "off", "--anytime", "off", "--explain"];
        let (json, code) = plan(problem, &[&options, more].concat());
        assert_eq!(code, 0, "{json}");
        assert_eq!(json["makespan"], 16);
        let attempts = json["attempts"].as_array().unwrap();
        assert_eq!(attempts[0]["end"], "given-up");
        let last = attempts.last().unwrap();
        assert_eq!(last["end"], "answered");
        last["pruned"].as_u64().unwrap()
    };
    // Of sixteen lamps, then of fifteen, and so on, one is pressed.
    assert_eq!(pruned(&[]), 15 * 16 / 2);
    assert_eq!(pruned(&["--pruning", "none"]), 0);
    assert_eq!(pruned(&["--all"]), 0);
}

#[test]
fn where_memory_ends_a_search_of_little_memory_goes_on() {
    let scratch = Scratch::new("deepening");
    let problem = &flips_to(&scratch, 16, 16);
    let (expected, _) = plan(problem, &["--heuristic", "blind"]);
    assert_eq!(expected["optimal"], true);
    let limit = [
        "--memory-limit",
        "300K",
        "--heuristic",
        "abstractions",
        "--explain",
    ];
    let (stopped, code) = plan(problem, &[&limit[..], &["--deepening", "off"]].concat());
    assert_eq!(code, 3, "{stopped}");
    assert_eq!(stopped["stopped"], "the memory limit was reached");
    for more in [&["--time-limit", "300"][..], &["--deepening", "on"]] {
        let (json, code) = plan(problem, &[&limit[..], more].concat());
        assert_eq!(code, 0, "{json}");
        assert_eq!(json["optimal"], true);
        assert_eq!(json["makespan"], expected["makespan"]);
        let last = json["attempts"].as_array().unwrap().last().unwrap();
        assert_eq!(last["search"], "deepening");
        assert_eq!(last["end"], "answered");
    }
    let (all, _) = plan(problem, &["--deepening", "on", "--all", "--explain"]);
    assert_eq!(all["optimal"], true);
    assert_eq!(all["attempts"][0]["end"], "inapplicable");
}

#[test]
fn a_quiet_plan_is_the_same_text_in_every_run() {
    let text = |args: &[&str]| {
        let output = run(&[&["plan", ONE_EGG][..], args].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let quiet = text(&["--quiet"]);
    assert!(quiet.contains("optimal, proven"), "{quiet}");
    assert!(text(&[]).starts_with(&quiet));
    assert!(!quiet.contains("search"), "{quiet}");
}

#[test]
fn progress_is_reported_as_json_and_no_bound_gets_worse() {
    let args = [
        "plan",
        "problems/minecraft-kitchen/orders.pddl",
        "--memory-limit",
        "20M",
        "--progress",
        "json",
        "--format",
        "json",
    ];
    let output = run(&args);
    let text = String::from_utf8(output.stderr).unwrap();
    let events: Vec<Json> = (text.lines())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    // Waiting is the first plan.
    assert!(events.len() > 1, "{text}");
    assert!(events.iter().all(|it| it["event"] == "progress"), "{text}");
    let amounts =
        |name: &str| -> Vec<u64> { events.iter().filter_map(|it| it[name].as_u64()).collect() };
    let (found, proven) = (amounts("lower_bound"), amounts("upper_bound"));
    assert_eq!(
        (found.len(), proven.len()),
        (events.len(), events.len()),
        "{text}"
    );
    assert!(found.is_sorted(), "{text}");
    assert!(proven.is_sorted_by(|one, next| one >= next), "{text}");
    let result: Json = serde_json::from_slice(&output.stdout).unwrap();
    let last = events.last().unwrap();
    for name in ["lower_bound", "upper_bound", "gap"] {
        assert_eq!(last[name], result[name], "{name}: {text}");
    }
}

#[test]
fn progress_off_a_terminal_says_nothing_of_a_short_search() {
    let output = run(&["plan", ONE_EGG, "--progress", "text"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
