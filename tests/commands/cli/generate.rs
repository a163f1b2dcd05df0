//! `generate`: random problems that can be solved.

use crate::cli::{Scratch, check, run, run_with_input, shown};

const CHEESE: &str = "synchronous/0_cheese_sandwich";
const CHEESE_FILE: &str = "problems/robotouille/synchronous-0_cheese_sandwich.pddl";
const DOMAIN: &str = "domains/robotouille.pddl";
const TEA_DOMAIN: &str = "tests/data/import/tea-domain.json";
const TEA: &str = "tests/data/import/tea-for-one.json";

/// Returns the output of the generator.
fn generated(args: &[&str]) -> String {
    let args = [&["generate", "robotouille"], args].concat();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    String::from_utf8(output.stdout).unwrap()
}

/// The domain and the cheese sandwich in JSON.
fn exported(scratch: &Scratch) -> (String, String) {
    let (domain, environment) = (scratch.path("domain.json"), scratch.path("cheese.json"));
    let args = ["export", CHEESE_FILE, "--to", "robotouille"];
    let out = ["--out-domain", &domain, "--out-problem", &environment];
    let args = [&args[..], &out].concat();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    (domain, environment)
}

/// A problem without its name.
fn unnamed(text: &str) -> String {
    text.split_once("(:objects").unwrap().1.to_owned()
}

/// Reads the optimum from the first line.
fn optimum_in(text: &str) -> u32 {
    let (_, rest) = text.split_once(": optimum ").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

/// The optimum that `plan` proves.
fn proven(args: &[&str]) -> u32 {
    let args = [&["plan"], args].concat();
    let output = run(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, rest) = text.split_once("optimal, proven: makespan ").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn a_seed_gives_the_same_problem_on_every_machine() {
    let args = [
        "generate",
        "robotouille",
        CHEESE,
        "--seed",
        "7",
        "--optimum",
        "9..12",
    ];
    let output = check("generate-robotouille", &args);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let text =
        |jobs: &str| generated(&[CHEESE, "--seed", "7", "--optimum", "9..12", "--jobs", jobs]);
    assert_eq!(text("1"), text("2"));
    assert_eq!(text("1").into_bytes(), output.stdout);
}

#[test]
fn what_is_generated_compiles_and_has_the_reported_optimum() {
    let scratch = Scratch::new("generate");
    for (task, range) in [
        (CHEESE, 8..=9),
        (CHEESE, 10..=11),
        ("problems/robotouille/synchronous-3_burger.pddl", 6..=30),
        ("asynchronous/5_potato_soup", 17..=22),
    ] {
        for seed in ["1", "2"] {
            let wanted = format!("{}..{}", range.start(), range.end());
            let text = generated(&[task, "--seed", seed, "--optimum", &wanted]);
            let file = scratch.file("problem.pddl", &text);
            let checked = run(&["check", &file]);
            assert_eq!(checked.status.code(), Some(0), "{}", shown(&[], &checked));
            let optimum = proven(&[&file]);
            assert_eq!(optimum, optimum_in(&text));
            assert!(range.contains(&optimum), "{task}, seed {seed}: {optimum}");
        }
    }
}

#[test]
fn json_is_the_same_kitchen() {
    let scratch = Scratch::new("generate-json");
    let (domain, _) = exported(&scratch);
    for seed in ["1", "2", "3"] {
        let json = generated(&[CHEESE, "--seed", seed, "--json"]);
        let file = scratch.file("kitchen.json", &json);
        let text = generated(&[CHEESE, "--seed", seed]);
        assert_eq!(proven(&[&file, "--domain", &domain]), optimum_in(&text));
        let name = format!("synchronous-0_cheese_sandwich-seed{seed}");
        let imported = run(&["import", "robotouille", &domain, &file, "--name", &name]);
        let imported = String::from_utf8(imported.stdout).unwrap();
        let (_, problem) = text.split_once('\n').unwrap();
        assert!(imported.ends_with(problem), "{imported}\n{problem}");
    }
}

#[test]
fn environments_of_any_domain_can_be_drawn_from() {
    let args = [
        TEA,
        "--domain",
        TEA_DOMAIN,
        "--seed",
        "1",
        "--semantics",
        "upstream",
    ];
    let text = generated(&args);
    assert!(
        text.contains("(:domain tea)") && text.contains("(semantics upstream)"),
        "{text}"
    );
}

#[test]
fn a_task_its_file_and_its_environment_give_the_same_problem() {
    let scratch = Scratch::new("generate-same");
    let (domain, environment) = exported(&scratch);
    let task = generated(&[CHEESE, "--seed", "4"]);
    assert!(
        task.contains("(define (problem synchronous-0_cheese_sandwich-seed4)"),
        "{task}"
    );
    assert_eq!(generated(&[CHEESE_FILE, "--seed", "4"]), task);
    let drawn = generated(&[&environment, "--seed", "4"]);
    assert_eq!(unnamed(&drawn), unnamed(&task));
    // A domain that is given has no further tasks, in JSON or not; a problem's, if it is the bundled one.
    assert_eq!(
        generated(&[CHEESE, "--seed", "4", "--domain", DOMAIN]),
        task
    );
    let alone = |domain: &str| generated(&[&environment, "--seed", "4", "--domain", domain]);
    assert_eq!(alone(&domain), alone(DOMAIN));
}

#[test]
fn a_task_can_come_from_standard_input() {
    let scratch = Scratch::new("generate-stdin");
    let (_, environment) = exported(&scratch);
    let expected = unnamed(&generated(&[CHEESE, "--seed", "4"]));
    for (file, name) in [
        (environment.as_str(), "environment-seed4"),
        (CHEESE_FILE, "synchronous-0_cheese_sandwich-seed4"),
    ] {
        let args = ["generate", "robotouille", "-", "--seed", "4"];
        let output = run_with_input(&args, &std::fs::read_to_string(file).unwrap());
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains(&format!("(define (problem {name})")),
            "{text}"
        );
        assert_eq!(unnamed(&text), expected);
    }
}

#[test]
fn players_who_take_turns_still_do() {
    let scratch = Scratch::new("generate-turns");
    let two = std::fs::read_to_string(CHEESE_FILE)
        .unwrap()
        .replace("(:domain robotouille)", "(:domain robotouille-in-turn)")
        .replace("robot1 - player", "robot1 robot2 - player")
        .replace("(vacant table2)", "(isrobot robot2) (loc robot2 table2)")
        .replace("(nothing robot1)", "(nothing robot1) (nothing robot2)");
    let two = scratch.file("two.pddl", two);
    let text = generated(&[&two]);
    assert!(text.contains("(:domain robotouille-in-turn)"), "{text}");
    assert!(text.contains("robot1 robot2 - player"), "{text}");
    let file = scratch.file("problem.pddl", &text);
    assert_eq!(proven(&[&file]), optimum_in(&text));
}

#[test]
fn a_goal_does_not_depend_on_which_object_of_a_kind_is_there() {
    // Some of the drawn kitchens have a second cheese: any will do.
    let options = ["--items", "4", "--stations", "0", "--max-states", "20000"];
    let goals = (0..20).map(|seed| {
        let seed = seed.to_string();
        let text = generated(&[&[CHEESE, "--seed", &seed], &options[..]].concat());
        let (start, goal) = text.split_once("(:goal").unwrap();
        let cheeses = start.matches("(ischeese cheese").count();
        assert_eq!(goal.contains("cheese1"), cheeses == 1, "{text}");
        cheeses
    });
    assert!(goals.collect::<Vec<_>>().iter().any(|cheeses| *cheeses > 1));
}

#[test]
fn where_no_problem_is_found_the_reason_is_reported() {
    let args = [CHEESE, "--optimum", "30..40", "--tries", "3"];
    let output = check(
        "generate-exhausted",
        &[&["generate", "robotouille"], &args[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let few = [
        "generate",
        "robotouille",
        "synchronous/4_cheeseburger",
        "--tries",
        "2",
        "--max-states",
        "5",
    ];
    let output = check("generate-undecided", &few);
    assert_eq!(output.status.code(), Some(1));
    let args = ["generate", "robotouille", CHEESE, "--time-limit", "0"];
    assert_eq!(run(&args).status.code(), Some(3));
}

#[test]
fn wrong_use_of_generate_is_explained() {
    let scratch = Scratch::new("generate-wrong");
    let nobody = r#"{"stations": [{"name": "table", "x": 0, "y": 0}], "items": [], "players": [],
        "goal": [{"predicate": "istable", "args": ["table"], "ids": [1]}]}"#;
    let nobody = scratch.file("nobody.json", nobody);
    let cheese = std::fs::read_to_string(CHEESE_FILE).unwrap();
    let (start, _) = cheese.split_once("(:goal").unwrap();
    let either = format!("{start}(:goal (or (atop cheese1 bread1) (atop cheese1 bread2))))");
    let either = scratch.file("either.pddl", either);
    for (name, args, code) in [
        (
            "generate-unknown-task",
            &["synchronous/0_chese_sandwich"][..],
            2,
        ),
        ("generate-no-such-task", &["lasagne"], 2),
        ("generate-not-expressible", &[&either], 5),
        ("generate-empty-range", &[CHEESE, "--optimum", "9..3"], 2),
        ("generate-no-range", &[CHEESE, "--optimum", "few"], 2),
        ("generate-too-many-items", &[CHEESE, "--items", "101"], 2),
        (
            "generate-unknown-semantics",
            &[CHEESE, "--semantics", "nope"],
            5,
        ),
        ("generate-wrong-domain", &[TEA], 5),
        ("generate-nobody", &[&nobody], 5),
        ("generate-json-domain", &[CHEESE, "--domain", TEA_DOMAIN], 2),
    ] {
        let output = check(name, &[&["generate", "robotouille"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
}
