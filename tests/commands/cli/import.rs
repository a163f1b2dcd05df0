//! `import`, and JSON files of Robotouille in place of a problem and its domain.

use crate::cli::{Scratch, check, run, run_with_input, shown, snapshot};

const DOMAIN: &str = "tests/data/import/tea-domain.json";
const TEA: &str = "tests/data/import/tea-for-one.json";

#[test]
fn import_writes_a_domain_and_a_problem() {
    let output = check(
        "import-robotouille",
        &["import", "robotouille", DOMAIN, TEA],
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_imported_is_a_problem_with_its_domain() {
    let scratch = Scratch::new("import");
    let (domain, problem) = (scratch.path("domain.pddl"), scratch.path("tea.pddl"));
    let import = [
        "import",
        "robotouille",
        DOMAIN,
        TEA,
        "--out-domain",
        &domain,
        "--out-problem",
        &problem,
        "--name",
        "tea",
    ];
    let output = run(&import);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    let written = String::from_utf8(output.stderr).unwrap();
    assert_eq!(written, format!("{domain}: written\n{problem}: written\n"));
    let checked = run(&["check", &domain, &problem]);
    assert_eq!(checked.status.code(), Some(0), "{}", shown(&[], &checked));
    assert!(checked.stderr.is_empty(), "{}", shown(&[], &checked));
    // The same plan by either way.
    let plan = |args: &[&str]| {
        let output = run(args);
        let text = String::from_utf8(output.stdout).unwrap();
        let table = text.split("\n\n").next().unwrap().to_owned();
        assert!(text.contains("optimal, proven: makespan 6"), "{text}");
        table
    };
    assert_eq!(
        plan(&["plan", &problem]),
        plan(&["plan", TEA, "--domain", DOMAIN])
    );
}

#[test]
fn what_later_versions_add_is_read() {
    const DOMAIN: &str = "tests/data/import/stall-domain.json";
    const STALL: &str = "tests/data/import/stall.json";
    let output = check(
        "import-later-versions",
        &["import", "robotouille", DOMAIN, STALL],
    );
    assert_eq!(output.status.code(), Some(0));
    // It is grilled for two ticks, salted twice, and served.
    let plan = run(&["plan", STALL, "--domain", DOMAIN]);
    let text = String::from_utf8(plan.stdout).unwrap();
    assert!(text.contains("optimal, proven: makespan 5"), "{text}");
}

#[test]
fn players_take_turns_if_asked_to() {
    let args = ["import", "robotouille", DOMAIN, TEA, "--turns", "alternate"];
    let output = run(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(:turns alternate)") && text.contains(":agent ?p1 - player"));
    // Waiting is what every agent can do.
    assert!(!text.contains("(:action wait"));
    assert!(text.contains("(:domain tea-in-turn)"));
}

#[test]
fn as_much_can_be_created_as_the_pool_has() {
    let args = ["import", "robotouille", DOMAIN, TEA, "--pool", "3"];
    let text = String::from_utf8(run(&args).stdout).unwrap();
    assert!(text.contains("tea1 tea2 tea3 - meal") && text.contains("(free-tea tea3)"));
    let too_many = ["import", "robotouille", DOMAIN, TEA, "--pool", "101"];
    assert_eq!(run(&too_many).status.code(), Some(2));
}

#[test]
fn an_environment_can_be_played_replayed_and_checked() {
    let scratch = Scratch::new("play");
    let log = scratch.path("log.jsonl");
    let played = run(&["run", TEA, "--domain", DOMAIN, "--log", &log]);
    assert_eq!(played.status.code(), Some(0), "{}", shown(&[], &played));
    let trace = scratch.file("trace.jsonl", "[\"guest1 walks from shelf1 to tap1\"]\n");
    let replayed = run(&["replay", TEA, &trace, "--domain", DOMAIN]);
    assert_eq!(replayed.status.code(), Some(0), "{}", shown(&[], &replayed));
    for args in [
        &["check", TEA, "--domain", DOMAIN][..],
        &["check", DOMAIN],
        &["check", DOMAIN, "--semantics", "upstream"],
    ] {
        let checked = run(args);
        assert_eq!(checked.status.code(), Some(0), "{}", shown(args, &checked));
        assert!(checked.stderr.is_empty(), "{}", shown(args, &checked));
    }
}

#[test]
fn wrong_use_of_json_files_is_explained() {
    for (name, args) in [
        ("import-without-domain", &["plan", TEA][..]),
        (
            "import-two-environments",
            &["import", "robotouille", TEA, TEA],
        ),
        (
            "import-two-domains",
            &["import", "robotouille", DOMAIN, DOMAIN],
        ),
        (
            "import-domain-of-the-language",
            &["plan", TEA, "--domain", "tests/data/cli/egg.pddl"],
        ),
        (
            "import-missing-file",
            &["import", "robotouille", DOMAIN, "none.json"],
        ),
    ] {
        let output = check(name, args);
        assert_ne!(output.status.code(), Some(0));
    }
}

#[test]
fn a_fault_is_reported_at_its_place_in_the_json() {
    let text = std::fs::read_to_string(TEA).unwrap();
    let text = text.replace("\"leaf\", \"x\"", "\"loaf\", \"x\"");
    let text = text.replace("\"steeped\"", "\"stepped\"");
    let args = ["check", "-", "--domain", DOMAIN];
    let output = run_with_input(&args, &text);
    snapshot("import-wrong-environment", &shown(&args, &output));
    assert_eq!(output.status.code(), Some(1));
}

/// The domain of tea with a text of it replaced, in a file.
fn changed_domain(scratch: &Scratch, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(DOMAIN).unwrap();
    assert!(text.contains(from), "{from}");
    let path = scratch.path("domain.json");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    path
}

/// The tea for one with another goal.
fn with_goal(goal: &str) -> String {
    let text = std::fs::read_to_string(TEA).unwrap();
    let (before, _) = text.split_once("\"goal\": [").unwrap();
    format!("{before}\"goal\": [{goal}]\n}}\n")
}

#[test]
fn types_that_are_not_declared_are_types_all_the_same() {
    let scratch = Scratch::new("import-undeclared-types");
    let types = "\"station\", \"item\", \"player\", \"container\", \"meal\"";
    let domain = changed_domain(&scratch, types, "\"station\", \"item\", \"container\"");
    let output = run(&["plan", TEA, "--domain", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("warning[W0310]").count(), 2, "{stderr}");
    for of in ["player", "meal"] {
        let message = format!("`object_types` has no type `{of}`");
        assert!(stderr.contains(&message), "{stderr}");
    }
    let plan = String::from_utf8(output.stdout).unwrap();
    assert!(plan.contains("optimal, proven: makespan 6"), "{plan}");
}

#[test]
fn a_type_of_nothing_but_things_in_the_environment_is_reported_there() {
    let scratch = Scratch::new("import-undeclared-type-of-things");
    let domain = scratch.path("domain.json");
    let text = r#"{"name": "sight", "object_types": ["player"], "action_defs": [], "predicate_defs": [
        {"name": "isview", "param_types": ["player"], "language_descriptors": {}},
        {"name": "nothing", "param_types": ["player"], "language_descriptors": {}}]}"#;
    std::fs::write(&domain, text).unwrap();
    let environment = r#"{"stations": [], "players": [], "goal": [], "items": [
        {"name": "item", "x": 0, "y": 0}]}"#;
    let args = ["check", "-", "--domain", &domain];
    let output = run_with_input(&args, environment);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("`object_types` has no type `item`"),
        "{stderr}"
    );
    assert!(stderr.contains("<stdin>:2:18"), "{stderr}");
}

/// A special effect of no kind.
const ODD: &str = r#"{"type": "conditonal", "param": "i1", "conditions": [], "fx": [], "sfx": []}"#;

#[test]
fn in_place_of_an_unknown_effect_upstream_counts_the_one_before_twice() {
    let scratch = Scratch::new("import-unknown-effect");
    let effect = r#""fx": [{"predicate": "isground", "params": ["i1"], "is_true": true}],
          "sfx": []
        },"#;
    let domain = changed_domain(&scratch, effect, &format!("{effect} {ODD},"));
    let ground = with_goal(r#"{"predicate": "isground", "args": ["ginger"], "ids": [1]}"#);
    for (semantics, steps) in [("clean", 3), ("upstream", 2)] {
        let args = ["plan", "-", "--domain", &domain, "--semantics", semantics];
        let output = run_with_input(&args, &ground);
        let (plan, stderr) = (output.stdout, String::from_utf8(output.stderr).unwrap());
        let plan = String::from_utf8(plan).unwrap();
        let proven = format!("optimal, proven: makespan {steps},");
        assert!(plan.contains(&proven), "{semantics}: {plan}{stderr}");
        assert!(stderr.contains("warning[W0311]"), "{stderr}");
        assert!(stderr.contains("did you mean `conditional`?"), "{stderr}");
    }
}

#[test]
fn in_place_of_a_nested_unknown_effect_upstream_creates_twice() {
    let scratch = Scratch::new("import-unknown-nested-effect");
    let effect = r#""is_true": false}
                  ],
                  "sfx": []
                }"#;
    let odd = ODD.replace("i1", "c1");
    let domain = changed_domain(&scratch, effect, &format!("{effect}, {odd}"));
    // One is asked for, and two are created.
    let one = with_goal(r#"{"predicate": "in", "args": ["tea", "kettle"], "ids": [1, 3]}"#);
    let two = with_goal(
        r#"{"predicate": "in", "args": ["tea", "kettle"], "ids": [1, 3]},
           {"predicate": "in", "args": ["tea", "kettle"], "ids": [2, 3]}"#,
    );
    let reached = "optimal, proven: makespan 5,";
    for (goal, semantics, outcome) in [
        (&one, "clean", reached),
        (&one, "upstream", reached),
        (&two, "clean", "unsolvable, proven"),
        (&two, "upstream", reached),
    ] {
        let args = ["plan", "-", "--domain", &domain, "--semantics", semantics];
        let output = run_with_input(&args, goal);
        let plan = String::from_utf8(output.stdout).unwrap();
        assert!(plan.contains(outcome), "{semantics}: {plan}");
    }
}

#[test]
fn an_unknown_effect_behind_a_conditional_one_that_ends_its_condition_is_refused() {
    let scratch = Scratch::new("import-unknown-effect-refused");
    let effect = r#""conditions": [
            {"predicate": "isginger", "params": ["i1"], "is_true": true},
            {"predicate": "isground", "params": ["i1"], "is_true": true}
          ],
          "fx": [{"predicate": "isfragrant", "params": ["i1"], "is_true": true}],
          "sfx": []
        }"#;
    let ends = effect.replace(
        r#""isground", "params": ["i1"], "is_true": true"#,
        r#""isfragrant", "params": ["i1"], "is_true": false"#,
    );
    for (to, code) in [(effect, 0), (&*ends, 1)] {
        let domain = changed_domain(&scratch, effect, &format!("{to}, {ODD}"));
        let output = run(&["check", &domain]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!(stderr.contains("E0306"), code == 1, "{stderr}");
    }
}

#[test]
fn faults_in_a_goal_are_reported_beside_what_it_can_never_reach() {
    let goal = with_goal(
        r#"
    {"predicate": "nosuch", "args": ["leaf"], "ids": [1]},
    {"predicate": "isground", "args": ["unicorn"], "ids": [2]},
    {"predicate": "isground", "args": ["ginger"], "ids": ["none"]},
    {"predicate": "loc", "args": ["guest", "ginger"], "ids": [3, 4]}"#,
    );
    let args = ["check", "-", "--domain", DOMAIN];
    let output = run_with_input(&args, &goal);
    snapshot("import-wrong-goal", &shown(&args, &output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_goal_is_not_said_to_be_out_of_reach_for_want_of_what_could_not_be_read() {
    let goal = with_goal(r#"{"predicate": "isground", "args": ["leaf"], "ids": [1]}"#);
    let args = ["check", "-", "--domain", DOMAIN];
    let lost = goal.replace(
        r#"{"name": "leaf", "x": 1"#,
        r#"{"name": "leaf", "x": true"#,
    );
    let random = goal.replace(r#"{"name": "leaf""#, r#"{"name": "item""#);
    for environment in [lost, random] {
        let output = run_with_input(&args, &environment);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(!stderr.contains("W0307"), "{stderr}");
    }
}

#[test]
fn beside_a_wrong_part_that_shares_an_id_a_goal_is_out_of_reach_under_clean_alone() {
    // Under `upstream` the unicorn of a number that a leaf has is the leaf.
    let unicorn = r#"{"predicate": "isground", "args": ["unicorn"], "ids": [1]}"#;
    for wrong in [
        r#"{"predicate": "nosuch", "args": ["leaf"], "ids": [1]}"#,
        r#"{"predicate": "isground", "args": ["leaf"], "ids": [1, 2]}"#,
        "7",
    ] {
        let goal = with_goal(&format!("{wrong}, {unicorn}"));
        let output = run_with_input(&["check", "-", "--domain", DOMAIN], &goal);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert_eq!(stderr.matches("W0307").count(), 1, "{stderr}");
        assert!(stderr.contains("never reached under `clean`"), "{stderr}");
    }
}

#[test]
fn of_a_type_misspelt_in_a_creation_nothing_is_said_to_be_out_of_reach() {
    let scratch = Scratch::new("import-misspelt-creation");
    let domain = changed_domain(&scratch, r#""type": "meal""#, r#""type": "mael""#);
    let output = run(&["check", TEA, "--domain", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("W0310") && stderr.contains("E0307"),
        "{stderr}"
    );
    assert!(!stderr.contains("W0307"), "{stderr}");
}

/// The creation of tea, as far as its end.
const CREATION: &str = r#"{
                  "type": "creation",
                  "param": "c1",
                  "created_obj": {"name": "tea", "type": "meal", "param": "m1"},
                  "fx": [
                    {"predicate": "istea", "params": ["m1"], "is_true": true},
                    {"predicate": "in", "params": ["m1", "c1"], "is_true": true},
                    {"predicate": "container_empty", "params": ["c1"], "is_true": false}
                  ],
                  "sfx": []
                }"#;

#[test]
fn there_is_enough_of_what_is_created_twice_at_once() {
    let scratch = Scratch::new("import-two-creations");
    let domain = changed_domain(&scratch, CREATION, &format!("{CREATION}, {CREATION}"));
    let one = with_goal(r#"{"predicate": "in", "args": ["tea", "kettle"], "ids": [1, 3]}"#);
    for semantics in ["clean", "upstream"] {
        let args = ["plan", "-", "--domain", &domain, "--semantics", semantics];
        let output = run_with_input(&args, &one);
        let plan = String::from_utf8(output.stdout).unwrap();
        assert!(
            plan.contains("optimal, proven: makespan 5,"),
            "{semantics}: {plan}"
        );
    }
    let many = vec![CREATION; 101].join(", ");
    let domain = changed_domain(&scratch, CREATION, &many);
    let output = run(&["check", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("creates more than 100 objects at once"),
        "{stderr}"
    );
    let odd = ODD.replace("i1", "c1");
    let many = format!("{CREATION}, {}", vec![&*odd; 200].join(", "));
    let domain = changed_domain(&scratch, CREATION, &many);
    let output = run(&["check", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
    assert!(
        stderr.contains("creates more than 100 objects at once"),
        "{stderr}"
    );
}

#[test]
fn what_an_unknown_effect_is_about_must_be_named_before() {
    let scratch = Scratch::new("import-unknown-param");
    let odd = ODD.replace("i1", "nothing");
    let domain = changed_domain(&scratch, CREATION, &format!("{CREATION}, {odd}"));
    let output = run(&["check", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("`nothing` is no parameter"), "{stderr}");
}

#[test]
fn an_unknown_effect_behind_a_repetitive_one_that_creates_is_refused() {
    let scratch = Scratch::new("import-unknown-effect-creates");
    let repetitive = r#""type": "repetitive",
          "param": "i1",
          "fx": [{"predicate": "isground", "params": ["i1"], "is_true": true}],
          "sfx": ["#;
    let brew = r#"{"type": "creation", "param": "i1", "sfx": [],
        "created_obj": {"name": "tea", "type": "meal", "param": "m1"},
        "fx": [{"predicate": "istea", "params": ["m1"], "is_true": true}]}"#;
    for (behind, code) in [("", 0), (ODD, 1)] {
        let comma = if behind.is_empty() { "" } else { ", " };
        let domain = changed_domain(
            &scratch,
            &format!("{repetitive}]\n        }}"),
            &format!("{repetitive}{brew}]\n        }}{comma}{behind}"),
        );
        let output = run(&["check", &domain]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!(
            stderr.contains("twice a repetitive effect that creates"),
            code == 1,
            "{stderr}"
        );
    }
}

#[test]
fn types_that_differ_in_case_are_one_with_a_warning() {
    let scratch = Scratch::new("import-types-in-case");
    let domain = changed_domain(&scratch, r#"["station", "item""#, r#"["Station", "item""#);
    let output = run(&["check", &domain]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("did you mean `Station`?"), "{stderr}");
    assert!(!stderr.contains("W0104"), "{stderr}");
}
