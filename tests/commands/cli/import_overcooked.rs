//! `import overcooked`: layouts as problems of the bundled domain.

use std::fs;

use super::{Scratch, check, run, run_with_input, shown, snapshot};

const KITCHEN: &str = "tests/data/import/kitchen.layout";
const KITCHENS: &str = "tests/data/import/kitchens.json";

#[test]
fn a_layout_is_written_as_a_problem() {
    let output = check("import-overcooked", &["import", "overcooked", KITCHEN]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn several_layouts_become_files_that_are_sound_in_canonical_layout_and_named_as_their_problems() {
    let scratch = Scratch::new("import-overcooked");
    let folder = scratch.path("kitchens");
    let args = [
        "import",
        "overcooked",
        KITCHEN,
        KITCHENS,
        "--deliver",
        "2",
        "--out",
        &folder,
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    for name in ["kitchen", "narrow", "gated"] {
        let written = format!("{name}-deliver-2.pddl: written\n");
        assert!(stderr.contains(&written), "{stderr}");
    }
    // They may have been changed since.
    let path = scratch.path("kitchens/gated-deliver-2.pddl");
    fs::write(&path, "; mine\n").unwrap();
    fs::remove_file(scratch.path("kitchens/kitchen-deliver-2.pddl")).unwrap();
    let again = run(&args);
    assert_eq!(again.status.code(), Some(2), "{}", shown(&args, &again));
    let stderr = String::from_utf8(again.stderr).unwrap();
    assert!(
        stderr.contains("it exists, and is not overwritten"),
        "{stderr}"
    );
    assert!(stderr.contains("`--force` overwrites it"), "{stderr}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "; mine\n");
    assert!(!fs::exists(scratch.path("kitchens/kitchen-deliver-2.pddl")).unwrap());
    let forced = run(&[&args[..], &["--force"]].concat());
    assert_eq!(forced.status.code(), Some(0));
    for name in ["kitchen", "narrow", "gated"] {
        let path = scratch.path(&format!("kitchens/{name}-deliver-2.pddl"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("(problem {name}-deliver-2)")));
        for args in [&["check", &path][..], &["fmt", "--check", &path]] {
            let checked = run(args);
            assert_eq!(checked.status.code(), Some(0), "{}", shown(args, &checked));
            let stderr = String::from_utf8(checked.stderr).unwrap();
            assert!(!stderr.contains("warning"), "{stderr}");
        }
    }
}

#[test]
fn a_soup_is_made_by_one_player_as_soon_as_can_be() {
    let scratch = Scratch::new("import-overcooked-plan");
    let folder = scratch.path("");
    let args = [
        "import",
        "overcooked",
        KITCHENS,
        "--layout",
        "narrow",
        "--deliver",
        "1",
    ];
    run(&[&args[..], &["--out", &folder]].concat());
    let problem = scratch.path("narrow-deliver-1.pddl");
    // An onion is added and cooks for 20 ticks, in which a dish is fetched.
    let output = run(&["plan", &problem]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("optimal, proven: makespan 28"), "{text}");
    snapshot("import-overcooked-plan", text.split("\n\n").next().unwrap());
}

#[test]
fn a_fault_is_reported_at_its_place_in_the_layout() {
    let text = fs::read_to_string(KITCHEN).unwrap();
    let text = text
        .replace("X1  X", "X1  ")
        .replace("\"cook_time\"", "\"cooktime\"");
    let args = ["import", "overcooked", "-"];
    let output = run_with_input(&args, &text);
    snapshot("import-overcooked-wrong", &shown(&args, &output));
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn wrong_use_of_layouts_is_explained() {
    let scratch = Scratch::new("import-overcooked-usage");
    let folder = scratch.path("out");
    for (name, code, args) in [
        ("unknown", 5, &[KITCHENS, "--layout", "gate"][..]),
        ("twice", 2, &[KITCHEN, KITCHEN, "--out", &folder]),
        ("crowd", 5, &[KITCHEN, "--players", "3"]),
    ] {
        let args = [&["import", "overcooked"], args].concat();
        let output = run(&args);
        let text = shown(&args, &output).replace(&folder, "out");
        snapshot(&format!("import-overcooked-{name}"), &text);
        assert_eq!(output.status.code(), Some(code));
    }
    for args in [
        &["--deliver", "0"][..],
        &["--deliver", "100"],
        &["--horizon", "0"],
        &["--players", "10"],
    ] {
        let output = run(&[&["import", "overcooked", KITCHEN], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
