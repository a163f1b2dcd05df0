//! The facts of every domain and problem of the repository, as `brigade snapshot` keeps them.

use std::path::{Path, PathBuf};
use std::process::Command;

use brigade::report::snapshot::Snapshot;

use crate::domains::{files, root};

/// The folder in which they are kept.
const FOLDER: &str = "snapshots/domains";

/// Snapshots that were made with more states take long without optimisation.
const QUICK: u64 = 20_000;

fn sources() -> Vec<PathBuf> {
    let problems = files(&root().join("problems"));
    let problems = problems.iter().flat_map(|folder| files(folder));
    files(&root().join("domains"))
        .into_iter()
        .chain(problems)
        .collect()
}

/// Returns true if the facts of a file are derived soon.
fn is_quick(source: &Path) -> bool {
    let name = source.with_extension("snap");
    let snapshot = root().join(FOLDER).join(name);
    let text = std::fs::read_to_string(snapshot).unwrap_or_default();
    let states = Snapshot::parse(&text)
        .ok()
        .and_then(|snapshot| snapshot.states);
    states.is_none_or(|states| states <= QUICK)
}

#[test]
fn the_facts_of_every_domain_and_problem_are_those_that_were_accepted() {
    let accepts = std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always");
    let mode = if accepts { "--accept" } else { "--check" };
    let mut paths = vec![PathBuf::from("domains"), PathBuf::from("problems")];
    if cfg!(debug_assertions) {
        let within = |path: PathBuf| path.strip_prefix(root()).unwrap().to_owned();
        paths = sources().into_iter().map(within).collect();
        let all = paths.len();
        paths.retain(|path| is_quick(path));
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            let left = all - paths.len();
            eprintln!("without optimisation the facts of {left} files are not derived anew");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .args(["snapshot", mode, "--folder", FOLDER])
        .args(&paths)
        .current_dir(root())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

#[test]
fn every_file_has_a_snapshot() {
    for source in sources() {
        let within = source.strip_prefix(root()).unwrap();
        let snapshot = root().join(FOLDER).join(within).with_extension("snap");
        assert!(snapshot.is_file(), "{}", snapshot.display());
    }
}
