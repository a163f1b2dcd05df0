//! Describes the machine.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Processes that want to run, on average over the last minute.
pub fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split_whitespace().next();
    first
        .and_then(|first| first.parse().ok())
        .unwrap_or_default()
}

/// The value of a key in the system's description of its processors.
pub fn cpu_info(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The size of the memory, in KiB.
pub fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Returns the output of a command in one line.
pub fn said(folder: &Path, command: &str, words: &[&str]) -> String {
    let output = Command::new(command)
        .args(words)
        .current_dir(folder)
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_default()
}
