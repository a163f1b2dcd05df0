//! Any bytes as a file that only the command line reads; the first byte says which, from `a`.

#![no_main]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use brigade::cli::{self, Exit};
use libfuzzer_sys::fuzz_target;

const DOMAIN: &str = include_str!("../../tests/data/designs/drinks-domain.pddl");
const PROBLEM: &str = include_str!("../../tests/data/designs/coffee.pddl");

const REFERENCES: &str = include_str!("../../tests/data/score/references/boiled_egg.json");

/// Two random agents, so that no model is asked.
const BENCH: &str = "seeds = [1]\nmax-ticks = 4\n\n[[problems]]\npath = \"problem.pddl\"\n\n\
                     [[setups]]\nname = \"random\"\nagents = \"random\"\n";

/// What becomes of the bytes: the file that they are written to, and the command that reads it.
const COMMANDS: [(&str, &str); 14] = [
    ("trace", "replay problem.pddl trace"),
    (
        "trace",
        "replay problem.pddl trace --on-invalid wait --past-end --format json",
    ),
    ("plan", "replay problem.pddl plan --classical"),
    ("trace", "observe problem.pddl --after trace"),
    (
        "run.jsonl",
        "run problem.pddl --others random --resume --log run.jsonl",
    ),
    ("run.jsonl", "score run.jsonl --problem problem.pddl"),
    (
        "run.jsonl",
        "score run.jsonl --problem problem.pddl --process --regret",
    ),
    (
        "episodes.jsonl",
        "score episodes.jsonl --references references",
    ),
    ("fuzzed.toml", "bench fuzzed.toml --log-dir other --dry-run"),
    ("logs/spending.json", "bench bench.toml --log-dir logs"),
    ("logs/process.jsonl", "bench bench.toml --log-dir logs"),
    ("logs/header.json", "bench bench.toml --log-dir logs"),
    (
        "logs/episodes/problem.random.none.seed1.epoch1.jsonl",
        "bench bench.toml --log-dir logs",
    ),
    ("snapshots/problem.snap", "snapshot --check problem.pddl"),
];

/// A folder of this process with what the commands need beside the file.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("brigade-fuzz-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        for inner in ["logs/episodes", "references", "snapshots"] {
            fs::create_dir_all(folder.join(inner)).expect("a folder can be made");
        }
        for (name, text) in [
            ("domain.pddl", DOMAIN),
            ("problem.pddl", PROBLEM),
            ("bench.toml", BENCH),
            ("references/boiled_egg.json", REFERENCES),
        ] {
            fs::write(folder.join(name), text).expect("a file can be written");
        }
        std::env::set_current_dir(&folder).expect("it is a folder");
        folder
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else {
        return;
    };
    let Some((file, command)) = COMMANDS.get(usize::from(choice.wrapping_sub(b'a'))) else {
        return;
    };
    let path = folder().join(file);
    fs::write(&path, bytes).expect("a file can be written");
    let arguments = ["brigade", "--quiet"].into_iter().chain(command.split(' '));
    let exit = cli::run(arguments.map(OsString::from));
    assert_ne!(exit, Exit::Internal);
    // Otherwise it would be part of what the next command reads.
    fs::remove_file(&path).expect("it was written");
});
