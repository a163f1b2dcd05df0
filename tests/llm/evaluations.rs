//! The evaluations that come with Brigade: their cassettes give the same bytes, without a server, in
//! whatever order episodes are played.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::bench::{exit, files, told};

/// Replays an evaluation of the repository, so many episodes at a time.
fn replay(name: &str, threads: &str) -> PathBuf {
    let log_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{threads}"));
    let _ = fs::remove_dir_all(&log_dir);
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["bench", &format!("evals/{name}.toml")])
        .args(["--cassette", "replay", "--max-connections", threads])
        .arg("--log-dir")
        .arg(&log_dir)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(exit(&output), 0, "{}", told(&output));
    log_dir
}

#[test]
fn a_recorded_evaluation_gives_the_same_bytes_every_time() {
    let one = files(&replay("smoke", "1"));
    let four = files(&replay("smoke", "4"));
    assert!(one.len() > 4);
    assert_eq!(one, four);
}
