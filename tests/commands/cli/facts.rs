//! `check --facts`, `new`, `snapshot` and `diff`: what is known of files, and what becomes of it.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::cli::{Bistro, NO_EGG, ONE_EGG, Scratch, check, run, run_with_input, shown, snapshot};

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn check_shows_the_facts_of_domains_and_problems_on_request() {
    let files = ["tests/data/cli/egg.pddl", ONE_EGG];
    check("facts-text", &[&["check", "--facts"][..], &files].concat());
    check("facts-unsolvable", &["check", "--facts", NO_EGG]);
    let args = ["check", "--facts", "--format", "json", files[0], files[1]];
    check("facts-json", &args);
    check(
        "facts-sizes",
        &["check", "--facts", "--states", "0", ONE_EGG],
    );
    check(
        "facts-limited",
        &["check", "--facts", "--states", "5", ONE_EGG],
    );
    let wrong = run(&["check", "--states", "5", ONE_EGG]);
    assert_eq!(code(&wrong), 2);
}

#[test]
fn facts_of_a_file_with_errors_are_not_shown() {
    let bad = "tests/data/bad/several-problems-in-one-run.pddl";
    let output = run(&["check", "--facts", "--format", "json", bad, ONE_EGG]);
    assert_eq!(code(&output), 1);
    let json = json(&output);
    assert_eq!(json["files"][0].get("facts"), None);
    assert_eq!(json["files"][1]["facts"]["solution"]["solvable"], true);
}

#[test]
fn a_new_domain_is_right_in_form_and_content_and_is_its_snapshot() {
    let bistro = Bistro::new("new");
    let files = [bistro.path("domain.pddl"), bistro.path("soup.pddl")];
    let output = run(&["check", &files[0], &files[1]]);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    assert_eq!(code(&run(&["fmt", "--check", &bistro.folder])), 0);
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
    let references = run(&["rats", &files[1], "--format", "json"]);
    assert_eq!(json(&references)["makespan"], 7);
    assert!(
        bistro
            .read("domain.pddl")
            .contains("(define (domain bistro)")
    );
    snapshot("new-soup", &bistro.read("snapshots/soup.snap"));
    snapshot("new-domain", &bistro.read("snapshots/domain.snap"));
}

#[test]
fn a_new_domain_never_goes_into_a_folder_that_exists() {
    let bistro = Bistro::new("new-again");
    bistro.replace(
        "soup.pddl",
        "(define (problem soup)",
        "(define (problem mine)",
    );
    let before = bistro.read("soup.pddl");
    let root = bistro.scratch.path("");
    let again = run(&["new", "bistro", "--folder", &root]);
    assert_eq!(code(&again), 2);
    let error = text(&again.stderr);
    assert!(
        error.contains("exists already, and is left as it is"),
        "{error}"
    );
    assert_eq!(bistro.read("soup.pddl"), before);
    for name in ["", "7up", "a b", "../up", "a/b", "é"] {
        let refused = run(&["new", name, "--folder", &root]);
        assert_eq!(code(&refused), 2, "{name}");
        assert!(
            text(&refused.stderr).contains("is no name of a domain"),
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(&bistro.scratch.0).unwrap().count(), 1);
}

#[test]
fn a_change_is_shown_left_pending_refused_by_check_and_accepted() {
    let bistro = Bistro::new("snapshot");
    bistro.replace("domain.pddl", "(after 3", "(after 5");
    let accepted = bistro.read("snapshots/soup.snap");

    let checked = bistro.snapshot(&["--check"]);
    assert_eq!(code(&checked), 1);
    assert!(!bistro.exists("snapshots/soup.snap.new"));
    snapshot(
        "snapshot-changed",
        &shown(&["snapshot", "--check", "bistro"], &checked),
    );

    assert_eq!(code(&bistro.snapshot(&[])), 1);
    assert_eq!(bistro.read("snapshots/soup.snap"), accepted);
    let pending = bistro.read("snapshots/soup.snap.new");
    assert!(
        pending.contains("optimum: makespan 9, 6 labelled actions"),
        "{pending}"
    );

    assert_eq!(code(&bistro.snapshot(&["--accept"])), 0);
    assert_eq!(bistro.read("snapshots/soup.snap"), pending);
    assert!(!bistro.exists("snapshots/soup.snap.new"));
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
}

#[test]
fn what_was_left_pending_goes_when_nothing_differs_any_more() {
    let bistro = Bistro::new("pending");
    bistro.replace("domain.pddl", "(after 3", "(after 5");
    assert_eq!(code(&bistro.snapshot(&[])), 1);
    assert!(bistro.exists("snapshots/soup.snap.new"));
    bistro.replace("domain.pddl", "(after 5", "(after 3");
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
    assert!(
        bistro.exists("snapshots/soup.snap.new"),
        "check writes nothing"
    );
    assert_eq!(code(&bistro.snapshot(&[])), 0);
    assert!(!bistro.exists("snapshots/soup.snap.new"));
}

#[test]
fn new_and_removed_files_differ_from_what_was_accepted() {
    let bistro = Bistro::new("files");
    let soup = bistro
        .read("soup.pddl")
        .replace("(problem soup)", "(problem stew)");
    fs::write(bistro.path("stew.pddl"), soup).unwrap();
    fs::remove_file(bistro.path("soup.pddl")).unwrap();
    // Snapshots of other tools are none of ours.
    fs::write(
        bistro.path("snapshots/other.snap"),
        "---\nsource: a.rs\n---\n1\n",
    )
    .unwrap();
    let output = bistro.snapshot(&["--check", "--format", "json"]);
    assert_eq!(code(&output), 1);
    let found = json(&output);
    let found = found["snapshots"].as_array().unwrap().iter();
    let status = found.map(|entry| entry["status"].as_str().unwrap().to_owned());
    assert_eq!(status.collect::<Vec<_>>(), ["unchanged", "new", "removed"]);
    assert_eq!(code(&bistro.snapshot(&["--accept"])), 0);
    assert!(!bistro.exists("snapshots/soup.snap"));
    assert!(bistro.exists("snapshots/stew.snap") && bistro.exists("snapshots/other.snap"));
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
}

#[test]
fn a_file_with_errors_fails_and_does_not_keep_others_from_their_snapshots() {
    let bistro = Bistro::new("failed");
    fs::write(
        bistro.path("bad.pddl"),
        "(define (problem bad) (:domain bistro) (:goal (hot)))",
    )
    .unwrap();
    let output = bistro.snapshot(&["--accept", "--format", "json"]);
    assert_eq!(code(&output), 5);
    assert!(text(&output.stderr).contains("error[E0102]"));
    let found = json(&output);
    assert_eq!(found["snapshots"][0]["status"], "failed");
    assert_eq!(found["snapshots"][1]["status"], "unchanged");
    assert!(!bistro.exists("snapshots/bad.snap"));
}

#[test]
fn a_snapshot_is_compared_with_the_number_of_states_it_was_made_with() {
    let bistro = Bistro::new("states");
    assert_eq!(code(&bistro.snapshot(&["--accept", "--states", "3"])), 0);
    let limited = bistro.read("snapshots/soup.snap");
    assert!(limited.contains("states: 3\n") && limited.contains("solvable: not known"));
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
    assert_eq!(code(&bistro.snapshot(&["--check", "--states", "1000"])), 1);
    assert_eq!(code(&bistro.snapshot(&["--accept", "--states", "0"])), 0);
    let sizes = bistro.read("snapshots/soup.snap");
    assert_eq!(code(&bistro.snapshot(&["--check"])), 0);
    assert!(
        sizes.contains("states: 0\n") && !sizes.contains("solvable"),
        "{sizes}"
    );
}

#[test]
fn snapshots_may_be_kept_in_one_folder_by_the_paths_of_their_files() {
    let scratch = Scratch::new("snapshots-in");
    let kept = scratch.path("kept");
    let args = [
        "snapshot",
        "tests/data/cli/egg.pddl",
        ONE_EGG,
        "--folder",
        &kept,
    ];
    assert_eq!(code(&run(&[&args[..], &["--accept"]].concat())), 0);
    assert!(Path::new(&format!("{kept}/tests/data/cli/one-egg.snap")).exists());
    assert_eq!(code(&run(&[&args[..], &["--check"]].concat())), 0);
    let twice = run(&["snapshot", ONE_EGG, ONE_EGG]);
    assert_eq!(code(&twice), 2);
    assert_eq!(code(&run(&["snapshot", "-"])), 2);
}

#[test]
fn facts_are_given_of_standard_input_too() {
    let problem = fs::read_to_string(ONE_EGG).unwrap();
    let domain = "tests/data/cli/egg.pddl";
    let args = ["check", "--facts", "-", "--domain", domain];
    let piped = run_with_input(&args, &problem);
    assert_eq!(code(&piped), 0);
    let of_file = run(&["check", "--facts", ONE_EGG, "--domain", domain]);
    assert_eq!(
        text(&piped.stdout).replace("<stdin>", ONE_EGG),
        text(&of_file.stdout)
    );
}

#[test]
fn every_semantics_that_a_domain_declares_is_in_a_snapshot() {
    let bistro = Bistro::new("semantics");
    bistro.replace(
        "domain.pddl",
        "  (:types",
        "  (:semantics clean slow)\n  (:types",
    );
    let boil = "(after 3 (assign (on-hob) (cooked ?x)))";
    let slow = "(when (semantics clean) (after 3 (assign (on-hob) (cooked ?x))))\n
                 (when (semantics slow) (after 5 (assign (on-hob) (cooked ?x))))";
    bistro.replace("domain.pddl", boil, slow);
    let output = bistro.snapshot(&["--accept"]);
    assert_eq!(code(&output), 0, "{}", shown(&[], &output));
    let both = bistro.read("snapshots/soup.snap");
    assert!(
        both.contains("semantics: clean\n") && both.contains("semantics: slow\n"),
        "{both}"
    );
    assert!(
        both.contains("makespan 7,") && both.contains("makespan 9,"),
        "{both}"
    );
    assert_eq!(
        code(&bistro.snapshot(&["--check", "--semantics", "slow"])),
        1
    );
}

#[test]
fn a_snapshot_of_millions_of_lines_is_refused_in_place_of_being_compared() {
    let bistro = Bistro::new("snapshot-large");
    fs::write(bistro.path("snapshots/soup.snap"), "[]\n".repeat(400_000)).unwrap();
    let output = bistro.snapshot(&["--check"]);
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("is too large: it has more than 1048576 bytes"),
        "{said}"
    );
}

#[test]
fn two_versions_of_a_problem_differ_in_facts_and_references() {
    let bistro = Bistro::new("diff");
    let soup = bistro.path("soup.pddl");
    let same = run(&["diff", &soup, &soup]);
    assert_eq!(
        (code(&same), text(&same.stdout)),
        (0, "1 without a difference\n".to_owned())
    );
    let quick = bistro.read("soup.pddl");
    let quick = quick.replace(
        "(in-pantry carrot)",
        "(in-pantry carrot) (in-pantry chopped-carrot)",
    );
    fs::write(bistro.path("quick.pddl"), quick).unwrap();
    let args = ["diff", &soup, &bistro.path("quick.pddl")];
    check("diff-problems", &args);
    let output = run(&[&args[..], &["--format", "json"]].concat());
    snapshot("diff-json", &shown(&args, &output));
    assert_eq!(code(&output), 1);
    let references = &json(&output)["problems"][0]["references"];
    assert_eq!(references["lost"]["count"], "1");
    assert_eq!(references["kept"], "0");
}

#[test]
fn two_domains_are_compared_by_what_they_declare_and_make_of_problems() {
    let bistro = Bistro::new("diff-domains");
    let old = bistro.path("domain.pddl");
    let text = bistro.read("domain.pddl");
    let text = text.replace(":label \"take({?x})\"", ":label \"grab({?x})\"");
    let text = text.replace("(:action put", "(:action put-down");
    let new = bistro.scratch.file("changed.pddl", text);
    let soup = bistro.path("soup.pddl");
    assert_eq!(
        code(&check(
            "diff-domains",
            &["diff", &old, &new, "--problem", &soup]
        )),
        1
    );
    let alone = run(&["diff", &old, &new]);
    assert_eq!(code(&alone), 1);
    assert_eq!(code(&run(&["diff", &old, &soup])), 2);
    assert_eq!(code(&run(&["diff", &old, &bistro.folder])), 2);
}

/// Pairs of a text of the new domain and another meaning, in everything that a domain says.
const OTHER_MEANINGS: [(&str, &str); 9] = [
    ("(after 3 ", "(after 4 "),
    (
        "(not (hob-taken))))\n    :effect",
        "(hob-taken)))\n    :effect",
    ),
    ("(not (in-pantry ?x)) (assign", "(in-pantry ?x) (assign"),
    ("\"{?x} is not done\"", "\"{?x} is raw\""),
    (":text \"serve {?x}\"", ":text \"bring {?x}\""),
    ("\"{?x} is served\"", "\"{?x} is there\""),
    (
        "(= (cooked chopped-carrot) carrot-soup)",
        "(= (cooked carrot) carrot-soup)",
    ),
    ("(:constants", "(:turns simultaneous)\n  (:constants"),
    (
        "(:requirements ",
        "(:fail (hob-taken))\n  (:requirements :horizon ",
    ),
];

#[test]
fn every_change_of_what_a_domain_means_is_seen_without_a_problem() {
    for (old, new) in OTHER_MEANINGS {
        let bistro = Bistro::new("meaning");
        let before = bistro
            .scratch
            .file("before.pddl", bistro.read("domain.pddl"));
        bistro.replace("domain.pddl", old, new);
        let domain = bistro.path("domain.pddl");
        let difference = run(&["diff", &before, &domain]);
        let said = text(&difference.stdout);
        assert_eq!(code(&difference), 1, "{new}: {said}");
        let checked = run(&["snapshot", "--check", &domain]);
        assert_eq!(code(&checked), 1, "{new}");
    }
}

#[test]
fn layout_and_comments_of_a_domain_are_no_difference() {
    let bistro = Bistro::new("layout");
    let before = bistro
        .scratch
        .file("before.pddl", bistro.read("domain.pddl"));
    bistro.replace(
        "domain.pddl",
        "(and (served ?x) ",
        "(and ; done\n\n(served ?x)\n",
    );
    let domain = bistro.path("domain.pddl");
    assert_eq!(code(&run(&["diff", &before, &domain])), 0);
    assert_eq!(code(&run(&["snapshot", "--check", &domain])), 0);
}

#[test]
fn what_a_problem_says_is_compared_also_where_no_fact_differs() {
    let bistro = Bistro::new("goal-text");
    let before = bistro.scratch.file("before.pddl", bistro.read("soup.pddl"));
    bistro.replace("soup.pddl", "Serve a carrot soup.", "Soup, please.");
    let soup = bistro.path("soup.pddl");
    let domain = bistro.path("domain.pddl");
    let args = ["diff", &before, &soup, "--domain", &domain];
    let output = run(&args);
    assert_eq!(code(&output), 1);
    snapshot("diff-goal-text", &shown(&args, &output));
    assert_eq!(code(&run(&["snapshot", "--check", &soup])), 1);
}

#[test]
fn two_folders_are_compared_file_by_file_each_with_its_own_domain() {
    let bistro = Bistro::new("diff-folders");
    let other = Bistro::new("diff-folders-other");
    assert_eq!(code(&run(&["diff", &bistro.folder, &other.folder])), 0);
    other.replace("domain.pddl", "(after 3", "(after 5");
    let added = other
        .read("soup.pddl")
        .replace("(problem soup)", "(problem stew)");
    fs::write(other.path("stew.pddl"), added).unwrap();
    let output = run(&["diff", &bistro.folder, &other.folder, "--format", "json"]);
    assert_eq!(code(&output), 1);
    let found = json(&output);
    let soup = &found["problems"][0];
    assert_eq!(soup["file"], "soup.pddl");
    let changes = soup["changes"].as_array().unwrap();
    let makespan = changes
        .iter()
        .find(|change| change["fact"] == "solution.makespan");
    assert_eq!(
        (&makespan.unwrap()["before"], &makespan.unwrap()["after"]),
        (&"7".into(), &"9".into())
    );
    // The same labels, later.
    assert_eq!(soup["references"]["kept"], "1");
    let stew = &found["problems"][1];
    assert_eq!(stew["changes"][0]["before"], serde_json::Value::Null);
    assert_eq!(stew["references"]["gained"]["count"], "1");
}

#[test]
fn what_is_not_known_is_not_said_to_be_the_same() {
    let bistro = Bistro::new("diff-limit");
    let soup = bistro.path("soup.pddl");
    let output = run(&["diff", &soup, &soup, "--states", "3"]);
    assert_eq!(code(&output), 3, "{}", shown(&[], &output));
    assert!(text(&output.stdout).contains("references: not known within 3 states"));
    assert_eq!(code(&run(&["diff", &soup, &soup, "--states", "0"])), 0);
}

#[test]
fn faults_of_a_domain_are_reported_once_for_all_its_problems() {
    let bistro = Bistro::new("snapshot-domain-error");
    let domain = format!("{}/domain.pddl", bistro.folder);
    let written = fs::read_to_string(&domain).unwrap();
    fs::write(
        &domain,
        written.replace("(served ?x - food :text", "(served ?x - fod :text"),
    )
    .unwrap();
    let soup = fs::read_to_string(format!("{}/soup.pddl", bistro.folder)).unwrap();
    fs::write(format!("{}/stew.pddl", bistro.folder), soup).unwrap();
    let output = run(&["snapshot", "--check", &bistro.folder]);
    assert_eq!(code(&output), 1);
    let errors = text(&output.stderr);
    assert_eq!(errors.matches("error[E0101]").count(), 1, "{errors}");
}
