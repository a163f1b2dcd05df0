//! The reader and the printer.

mod formatting;
mod generate;
mod limits;
mod printing;
mod reading;

use std::path::{Path, PathBuf};

/// The PDDL files of the planning competitions; none, and a word about it, where they are missing.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn competition_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let Ok(upstream) = std::env::var("BRIGADE_UPSTREAM") {
        pddl_files(&Path::new(&upstream).join("ipc"), &mut files);
        assert!(files.len() > 100, "{} files", files.len());
    } else {
        eprintln!("skipped: BRIGADE_UPSTREAM does not name the upstream data");
    }
    files
}

fn pddl_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the upstream data") {
        let path = entry.expect("a file of the upstream data").path();
        if path.is_dir() {
            pddl_files(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "pddl")
        {
            files.push(path);
        }
    }
    files.sort();
}
