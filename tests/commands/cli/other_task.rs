//! Event logs shown in the task that they are of, and in no other.

use super::{ONE_EGG, Scratch, run};

const EGG: &str = "problems/collab-overcooked/boiled_egg.pddl";
/// Another problem of the same domain, with the same agents.
const OTHER: &str = "problems/collab-overcooked/boiled_mushroom.pddl";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_log_of_another_problem_is_not_shown_unless_that_is_asked_for() {
    let scratch = Scratch::new("other-task");
    let log = &scratch.path("log.jsonl");
    run(&[
        "run",
        EGG,
        "--others",
        "random",
        "--log",
        log,
        "--max-ticks",
        "3",
    ]);
    assert_eq!(run(&["replay", EGG, log]).status.code(), Some(0));
    for args in [
        &["replay", OTHER, log][..],
        &["observe", OTHER, "--agent", "chef", "--after", log],
    ] {
        let output = run(args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(
            stderr.contains("the log is of another task: problem "),
            "{stderr}"
        );
        assert!(output.stdout.is_empty());
    }
    let stderr = text(&run(&["replay", OTHER, log]).stderr);
    assert!(
        stderr.contains("`--other-task` plays its choices"),
        "{stderr}"
    );
    let anyway = run(&["replay", OTHER, log, "--other-task", "--on-invalid", "wait"]);
    assert_eq!(anyway.status.code(), Some(0), "{}", text(&anyway.stderr));
}

#[test]
fn a_log_that_is_not_true_is_not_shown() {
    let scratch = Scratch::new("false-log");
    let path = scratch.path("log.jsonl");
    run(&["run", ONE_EGG, "--log", &path, "--max-ticks", "3"]);
    let log = std::fs::read_to_string(&path).unwrap();
    let falsified = [
        log.replacen("\"semantics\":\"clean\"", "\"semantics\":\"upstream\"", 1),
        log.replacen("\"cost\":0", "\"cost\":7", 1),
    ];
    for log in falsified {
        let path = scratch.file("falsified.jsonl", log);
        let output = run(&["replay", ONE_EGG, &path]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("the log is not true"), "{stderr}");
    }
}
