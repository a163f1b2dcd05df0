//! `fmt`: what is written, what is left alone, and what the exit code says.

use std::fs;

use crate::cli::{Scratch, run, run_with_input};

const LOOSE: &str = "(define   (domain d) ; a note\n (:requirements :typing))\n";
const TIDY: &str = "(define (domain d)  ; a note\n  (:requirements :typing))\n";

fn out(output: &std::process::Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn a_file_is_formatted_in_its_place_and_then_left_alone() {
    let scratch = Scratch::new("fmt");
    let file = scratch.file("d.pddl", LOOSE);
    let (code, names, note) = out(&run(&["fmt", &file]));
    assert_eq!((code, names), (0, format!("{file}\n")));
    assert_eq!(note, "1 file, 1 changed\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), TIDY);
    let (code, names, _) = out(&run(&["fmt", &file]));
    assert_eq!((code, &*names), (0, ""));
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
}

#[test]
fn with_check_nothing_is_written_and_the_exit_code_is_1() {
    let scratch = Scratch::new("fmt-check");
    let file = scratch.file("d.pddl", LOOSE);
    let (code, names, note) = out(&run(&["fmt", "--check", &file]));
    assert_eq!((code, names), (1, format!("{file}\n")));
    assert_eq!(note, "1 file, 1 to be changed\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), LOOSE);
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let (code, text, _) = out(&run_with_input(&["fmt", "-"], LOOSE));
    assert_eq!((code, &*text), (0, TIDY));
    let (code, text, _) = out(&run_with_input(&["fmt", "-", "--check"], LOOSE));
    assert_eq!((code, &*text), (1, "-\n"));
}

#[test]
fn folders_are_searched_for_pddl_files() {
    let scratch = Scratch::new("fmt-folder");
    fs::create_dir(scratch.path("below")).unwrap();
    let deep = scratch.file("below/a.pddl", LOOSE);
    let flat = scratch.file("b.pddl", LOOSE);
    scratch.file("notes.txt", "(  not  pddl  )");
    let folder = scratch.path("");
    let (code, names, _) = out(&run(&["fmt", &folder]));
    assert_eq!((code, names), (0, format!("{flat}\n{deep}\n")));
    let empty = Scratch::new("fmt-empty");
    let (code, _, why) = out(&run(&["fmt", &empty.path("")]));
    assert_eq!(code, 2);
    assert!(why.contains("holds no `.pddl` file"), "{why}");
}

#[test]
fn what_cannot_be_read_is_reported_and_left_and_the_others_are_formatted() {
    let scratch = Scratch::new("fmt-broken");
    let broken = scratch.file("a.pddl", "(define (domain d)\n");
    let other = scratch.file("b.pddl", LOOSE);
    let (code, names, why) = out(&run(&["fmt", &broken, &other]));
    assert_eq!((code, names), (5, format!("{other}\n")));
    assert!(why.contains("error[E0003]"), "{why}");
    assert_eq!(fs::read_to_string(&broken).unwrap(), "(define (domain d)\n");
    let json = scratch.file("c.json", "{}");
    let missing = scratch.path("d.pddl");
    fs::write(&other, LOOSE).unwrap();
    let (code, names, why) = out(&run(&["fmt", &missing, &json, &other]));
    assert_eq!((code, names), (2, format!("{other}\n")));
    assert!(why.contains("is JSON, which is not formatted"), "{why}");
    assert!(why.contains("no such file"), "{why}");
}

#[test]
fn what_cannot_be_read_is_reported_in_the_order_of_the_text() {
    let text = "# one\n(define (domain d) // two\n  -- three\n  (:requirements :typing))\n";
    let (code, _, why) = out(&run_with_input(&["fmt", "-"], text));
    let at = |line: u32| why.find(&format!("<stdin>:{line}:")).unwrap();
    assert_eq!(code, 5);
    assert!(at(1) < at(2) && at(2) < at(3), "{why}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new("fmt-link");
    let file = scratch.file("d.pddl", LOOSE);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = scratch.path("link.pddl");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(out(&run(&["fmt", &link])).0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), TIDY);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn the_files_of_the_repository_are_formatted() {
    let output = run(&["fmt", "--check", "domains", "problems", "evals"]);
    let (code, names, _) = out(&output);
    assert_eq!(code, 0, "run `brigade fmt` on\n{names}");
}
