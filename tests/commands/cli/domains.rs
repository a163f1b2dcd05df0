//! Domains that are part of the binary, and which of two files is the domain.

use std::fs;

use serde_json::Value;

use super::{ONE_EGG, Scratch, command, run, shown};

const EGG: &str = "problems/collab-overcooked/boiled_egg.pddl";

/// Runs a command in a folder without domains.
fn elsewhere(scratch: &Scratch, args: &[&str]) -> (i32, String, String) {
    let output = command(args)
        .current_dir(scratch.path(""))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_bundled_problem_compiles_wherever_it_is_copied() {
    let scratch = Scratch::new("copied-problem");
    let copy = scratch.file("egg.pddl", fs::read(EGG).unwrap());
    let here = run(&["compile", EGG, "--emit", "json"]);
    let (code, there, stderr) = elsewhere(&scratch, &["compile", &copy, "--emit", "json"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("the domain is the bundled `collab-overcooked`"),
        "{stderr}"
    );
    assert_eq!(there, String::from_utf8(here.stdout).unwrap());
    let (code, named, stderr) = elsewhere(
        &scratch,
        &[
            "compile",
            "bundled:collab-overcooked/boiled_egg",
            "--emit",
            "json",
        ],
    );
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(named, there);
}

#[test]
fn a_domain_beside_the_problem_or_given_comes_before_the_bundled_one() {
    let scratch = Scratch::new("own-domain");
    let copy = scratch.file("egg.pddl", fs::read(EGG).unwrap());
    let domain = fs::read_to_string("domains/collab-overcooked.pddl").unwrap();
    let broken = scratch.file("kitchen.pddl", domain.replace("(:types", "(:typs"));
    let (code, _, stderr) = elsewhere(&scratch, &["compile", &copy]);
    assert_eq!(code, 5, "{stderr}");
    fs::rename(broken, scratch.path("elsewhere.txt")).unwrap();
    let given = scratch.path("elsewhere.txt");
    let (code, _, _) = elsewhere(&scratch, &["compile", &copy, "--domain", &given]);
    assert_eq!(code, 5);
}

#[test]
fn domains_lists_what_there_is_and_copies_it_without_overwriting() {
    let scratch = Scratch::new("domains-copy");
    let (code, text, _) = elsewhere(&scratch, &["domains", "--format", "json"]);
    assert_eq!(code, 0);
    let document: Value = serde_json::from_str(&text).unwrap();
    let domains = document["domains"].as_array().unwrap();
    assert!(domains.len() >= 4);
    for domain in domains {
        let path = domain["path"].as_str().unwrap();
        assert_eq!(elsewhere(&scratch, &["check", "-q", path]).0, 0, "{path}");
        let problem = domain["problems"][0]["path"].as_str().unwrap();
        assert_eq!(elsewhere(&scratch, &["compile", problem]).0, 0, "{problem}");
    }
    let (code, _, _) = elsewhere(&scratch, &["domains", "--copy", "boiled_egg"]);
    assert_eq!(code, 0);
    let copied = fs::read(scratch.path("boiled_egg.pddl")).unwrap();
    assert_eq!(copied, fs::read(EGG).unwrap());
    fs::write(scratch.path("boiled_egg.pddl"), "mine").unwrap();
    let (code, _, stderr) = elsewhere(&scratch, &["domains", "--copy", "boiled_egg"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("--force"), "{stderr}");
    assert_eq!(fs::read(scratch.path("boiled_egg.pddl")).unwrap(), b"mine");
    let (code, _, _) = elsewhere(&scratch, &["domains", "--copy", "boiled_egg", "--force"]);
    assert_eq!(code, 0);
    assert_eq!(fs::read(scratch.path("boiled_egg.pddl")).unwrap(), copied);
}

#[test]
fn the_role_of_a_file_is_read_from_its_first_words_in_either_order() {
    let scratch = Scratch::new("roles");
    let domain = &scratch.file("kitchen.txt", fs::read("tests/data/cli/egg.pddl").unwrap());
    let problem = &scratch.file("supper.txt", fs::read(ONE_EGG).unwrap());
    let trace = &scratch.file("trace.jsonl", "[null, \"fetch(egg)\"]\n");
    let pairs = [[domain, problem], [problem, domain]];
    for [first, second] in pairs {
        for args in [
            &["plan", first, second][..],
            &["compile", first, second],
            &["rats", first, second],
            &["run", first, second, "--max-ticks", "9"],
            &["observe", first, second, "--agent", "chef"],
            &["replay", first, second, trace],
            &["export", "--to", "pddl", first, second],
            &["demo", first, second],
        ] {
            let output = run(args);
            assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
        }
    }
}

#[test]
fn two_files_of_a_kind_and_a_domain_given_twice_are_errors() {
    let egg = "tests/data/cli/egg.pddl";
    for (args, message) in [
        (&["plan", egg, egg][..], "two files are a domain"),
        (&["plan", ONE_EGG, ONE_EGG], "two files are a problem"),
        (
            &["plan", egg, ONE_EGG, "--domain", egg],
            "the domain is given twice",
        ),
        (
            &["replay", ONE_EGG, ONE_EGG, "trace"],
            "two files are a problem",
        ),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{}", shown(args, &output));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(message), "{errors}");
    }
}

#[test]
fn a_problem_is_copied_by_its_path_with_or_without_its_beginning() {
    let scratch = Scratch::new("copied-by-path");
    for name in ["lunch", "order-rush/lunch", "bundled:order-rush/lunch"] {
        let folder = scratch.path("copies");
        let output = run(&["domains", "--copy", name, "--folder", &folder, "--force"]);
        assert!(output.status.success(), "{name}");
    }
}

#[test]
fn a_folder_whose_name_begins_as_what_is_bundled_is_read_where_it_is_meant() {
    let scratch = Scratch::new("named-as-bundled");
    let folder = scratch.path("bundled:order-rush");
    fs::create_dir_all(&folder).unwrap();
    for file in ["egg.pddl", "one-egg.pddl"] {
        fs::copy(format!("tests/data/cli/{file}"), format!("{folder}/{file}")).unwrap();
    }
    let (code, _, error) = elsewhere(&scratch, &["plan", "./bundled:order-rush/one-egg.pddl"]);
    assert_eq!(code, 0, "{error}");
    let (code, _, error) = elsewhere(&scratch, &["plan", "bundled:order-rush/one-egg.pddl"]);
    assert_eq!(code, 2, "{error}");
}
