//! The program that `docs/how-to/programs.md` shows plays, and goes on with an episode as it is.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::docs::markdown::blocks;
use crate::docs::{has_python, read, root};

#[test]
fn the_example_of_a_program_plays_and_resumes() {
    if !has_python() {
        return;
    }
    let page = blocks(&read("docs/how-to/programs.md"));
    let program = page.iter().find(|block| block.is("python")).unwrap();
    assert_eq!(program.text.lines().count(), 10);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("cook.py"), &program.text).unwrap();
    let problem = root().join("problems/collab-overcooked/boiled_egg.pddl");
    let run = |options: &[&str]| -> Output {
        let agent = ["--agent", "chef=exec:python3 cook.py", "--others", "random"];
        Command::new(env!("CARGO_BIN_EXE_brigade"))
            .arg("run")
            .arg(&problem)
            .args(agent)
            .args(["--max-ticks", "12", "--log", "log.jsonl"])
            .args(options)
            .current_dir(&folder)
            .output()
            .unwrap()
    };
    let log = folder.join("log.jsonl");
    let output = run(&["--force"]);
    let whole = fs::read_to_string(&log).unwrap();
    assert!(whole.contains(r#""reason":"tick-limit""#), "{output:?}");
    assert!(!whole.contains(r#""event":"error""#), "{whole}");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    fs::write(&log, lines[..6].concat()).unwrap();
    run(&["--resume"]);
    assert_eq!(fs::read_to_string(&log).unwrap(), whole);
}
