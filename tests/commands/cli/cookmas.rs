//! CookMAS from the command line: evenings that are drawn, and what guests find of what they are served.

use serde_json::Value;

use super::{Scratch, check, run, shown};

fn text(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_evening_depends_on_its_level_and_seed_alone_and_is_free_of_warnings() {
    let scratch = Scratch::new("generate-cookmas");
    let output = check(
        "generate-cookmas",
        &["generate", "cookmas", "--level", "3", "--seed", "7"],
    );
    let drawn = String::from_utf8(output.stdout).unwrap();
    for level in ["1", "2", "3"] {
        for seed in ["1", "2", "7"] {
            let args = ["generate", "cookmas", "--level", level, "--seed", seed];
            let problem = text(&args);
            assert_eq!(problem, text(&args));
            assert_eq!(problem == drawn, (level, seed) == ("3", "7"));
            let file = scratch.file("evening.pddl", &problem);
            text(&["check", "--deny-warnings", &file]);
            let document = text(&[&args[..], &["--format", "json"]].concat());
            let document: Value = serde_json::from_str(&document).unwrap();
            assert_eq!(document["text"], Value::String(problem));
            let (ticks, horizon) = (&document["ticks"], &document["horizon"]);
            assert!(horizon.as_u64() >= ticks.as_u64().map(|ticks| 2 * ticks));
        }
    }
}

#[test]
fn there_are_three_levels() {
    let output = run(&["generate", "cookmas", "--level", "4"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("1..=3"), "{said}");
}

/// A cheeseburger, with this custom; ann makes it, with the patty so many ticks on the grill.
fn burger(custom: &str, grilled: usize, without_onion: bool) -> Value {
    let scratch = Scratch::new(&format!("burger-{grilled}-{}", custom.len()));
    let problem = scratch.file(
        "burger.pddl",
        format!(
            "(define (problem burger) (:domain cookmas)
               (:objects ann - cook board1 - board grill1 - appliance order1 - order dish1 - dish)
               (:init (= (at ann) pantry) (= (kind-of grill1) grill) (= (unserved) 1)
                 (= (of dish1) order1) (= (wants dish1) cheeseburger) {custom})
               (:goal (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))))"
        ),
    );
    let fetched = |part: &str| {
        [
            "go(pantry)",
            "fetch(PART)",
            "go(pass)",
            "plate(PART, dish1)",
        ]
        .map(|it| it.replace("PART", part))
    };
    let mut steps: Vec<String> = ["fetch(patty)", "go(grill1)", "put(patty, grill1)"]
        .map(str::to_owned)
        .into();
    steps.extend(vec!["wait".to_owned(); grilled - 1]);
    steps.extend(["take(patty, grill1)", "go(pass)", "plate(patty, dish1)"].map(str::to_owned));
    steps.extend(fetched("bun"));
    steps.extend(fetched("cheese"));
    if !without_onion {
        let slice = [
            "go(pantry)",
            "fetch(onion)",
            "go(board1)",
            "slice(onion, board1)",
        ];
        steps.extend(slice.map(str::to_owned));
        steps.extend(["go(pass)", "plate(sliced-onion, dish1)"].map(str::to_owned));
    }
    steps.push("serve(dish1)".to_owned());
    let lines: String = steps.iter().map(|step| format!("[\"{step}\"]\n")).collect();
    let trace = scratch.file("trace.jsonl", lines);
    let output = run(&["replay", &problem, &trace, "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["error"], Value::Null, "{document}");
    assert_eq!(document["totals"]["dishes-served"], 1);
    assert_eq!(document["totals"]["unserved"], 0);
    document
}

/// The causes that are counted, and whether the goal is reached.
fn found(document: &Value) -> ([u64; 5], bool) {
    let names = [
        "customs",
        "not-left-out",
        "done-otherwise",
        "underdone",
        "overdone",
    ];
    let counts = names.map(|name| document["totals"][name].as_u64().unwrap_or(0));
    (counts, document["status"] == "goal")
}

#[test]
fn the_grill_is_judged_by_the_recipe_to_the_tick() {
    for (grilled, counts, is_right) in [
        (3, [0, 0, 0, 1, 0], false),
        (4, [0; 5], true),
        (5, [0; 5], true),
        (6, [0, 0, 0, 0, 1], false),
    ] {
        assert_eq!(
            found(&burger("", grilled, false)),
            (counts, is_right),
            "{grilled}"
        );
    }
}

#[test]
fn a_doneness_that_is_asked_for_comes_before_the_recipe() {
    let rare = "(= (doneness dish1) rare)";
    for (grilled, missed) in [(1, 1), (2, 0), (3, 0), (4, 1)] {
        let (counts, is_right) = found(&burger(rare, grilled, false));
        assert_eq!(
            (counts, is_right),
            ([1, 0, missed, 0, 0], missed == 0),
            "{grilled}"
        );
    }
}

#[test]
fn what_is_to_be_left_out_may_be_missing_and_must_be() {
    let without = "(without dish1 sliced-onion)";
    assert_eq!(found(&burger(without, 4, true)), ([1, 0, 0, 0, 0], true));
    assert_eq!(found(&burger(without, 4, false)), ([1, 1, 0, 0, 0], false));
}

#[test]
fn an_appliance_that_is_in_use_is_taken_and_cooks_do_not_collide() {
    let scratch = Scratch::new("cookmas-collide");
    let first = r#"{"ann": "fetch(beef)", "ben": "fetch(potato)", "cleo": "go(pantry)"}"#;
    for (second, why) in [
        (
            r#"{"ann": "go(grill1)", "ben": "go(grill1)"}"#,
            "another cook is at grill1",
        ),
        (
            r#"{"ann": "go(fryer1)", "ben": "go(board1)", "cleo": "go(fryer1)"}"#,
            "another cook is at fryer1",
        ),
    ] {
        let trace = scratch.file("trace.jsonl", format!("{first}\n{second}\n"));
        let problem = "problems/cookmas/level-2-dinner.pddl";
        let output = run(&["replay", problem, &trace, "--format", "json"]);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(
            document["error"]["message"].as_str().unwrap().contains(why),
            "{document}"
        );
    }
    let steps = [
        r#"{"ann": "fetch(beef)", "ben": "fetch(patty)"}"#,
        r#"{"ann": "go(grill1)"}"#,
        r#"{"ann": "put(beef, grill1)"}"#,
        r#"{"ann": "go(pantry)", "ben": "go(grill1)"}"#,
        r#"{"ben": "put(patty, grill1)"}"#,
    ];
    let trace = scratch.file("trace.jsonl", steps.join("\n"));
    let problem = "problems/cookmas/level-2-dinner.pddl";
    let output = run(&["replay", problem, &trace, "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = document["error"]["message"].as_str().unwrap();
    assert!(message.contains("grill1 is in use"), "{document}");
}

/// The columns of the evaluation that comes along, on one of its problems.
#[test]
fn the_columns_of_the_evaluation_count_what_is_scored() {
    let scratch = Scratch::new("cookmas-bench");
    let bench =
        std::fs::read_to_string(format!("{}/evals/cookmas.toml", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let (columns, _) = bench.split_once("[[problems]]").unwrap();
    let problem = format!(
        "{}/problems/cookmas/level-2-lunch.pddl",
        env!("CARGO_MANIFEST_DIR")
    );
    let bench = format!(
        "{columns}\n[[problems]]\npath = {problem:?}\n[[setups]]\nname = \"random\"\nagents = \"random\"\n"
    );
    let file = scratch.file("bench.toml", bench);
    let log_dir = scratch.path("logs");
    let args = [
        "bench",
        &file,
        "--log-dir",
        &log_dir,
        "--metric-states",
        "0",
        "--format",
        "json",
    ];
    let document: Value = serde_json::from_str(&text(&args)).unwrap();
    let columns = document["rows"][0]["columns"].as_object().unwrap();
    assert_eq!(columns["makespan"], 50.0);
    assert_eq!(columns["calls"], 0.0);
    assert_eq!(columns["refused"], 0.0);
    let served = columns["served"].as_f64().unwrap();
    let unserved = columns["unserved"].as_f64().unwrap();
    assert!((served - (1.0 - unserved / 2.0)).abs() < 1e-9, "{document}");
}
