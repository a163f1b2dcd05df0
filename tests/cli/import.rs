//! `import`, and JSON files of Robotouille in place of a problem and its domain.

use crate::{Scratch, check, run, run_with_input, shown, snapshot};

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
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
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
fn what_is_wrong_is_told_at_its_place_in_the_json() {
    let text = std::fs::read_to_string(TEA).unwrap();
    let text = text.replace("\"leaf\", \"x\"", "\"loaf\", \"x\"");
    let text = text.replace("\"steeped\"", "\"stepped\"");
    let args = ["check", "-", "--domain", DOMAIN];
    let output = run_with_input(&args, &text);
    snapshot("import-wrong-environment", &shown(&args, &output));
    assert_eq!(output.status.code(), Some(1));
}
