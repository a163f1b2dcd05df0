//! Runs a command under limits, and says what it took.
//!
//! The usage of a process is known of all children together only, so each command gets a parent of its own: this
//! program again, as `measure`.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde::{Deserialize, Serialize};

/// A command, and what it may take.
#[derive(Debug, Clone, Args)]
pub(crate) struct Job {
    /// Its standard input
    #[arg(long, default_value = "/dev/null")]
    pub(crate) input: PathBuf,

    /// Where its standard output goes
    #[arg(long)]
    pub(crate) output: PathBuf,

    /// The most CPU time, in seconds
    #[arg(long)]
    pub(crate) seconds: u64,

    /// The most address space, in bytes
    #[arg(long)]
    pub(crate) bytes: u64,

    /// Program and arguments
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<String>,
}

/// The time and memory that a command took.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// CPU time of all its threads, user and system, in seconds.
    pub(crate) cpu: f64,
    /// Its greatest resident size, in KiB.
    pub(crate) peak_kib: u64,
    /// Its exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
}

/// Runs a command in this process's only child, and prints its [`Usage`].
#[cfg(unix)]
pub(crate) fn child(job: &Job) -> Result<(), Box<dyn Error>> {
    use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
    use nix::sys::time::TimeValLike;

    // The signal at the first limit lets a tool end in order.
    setrlimit(Resource::RLIMIT_CPU, job.seconds, job.seconds + 5)?;
    setrlimit(Resource::RLIMIT_AS, job.bytes, job.bytes)?;
    let status = Command::new(&job.command[0])
        .args(&job.command[1..])
        .stdin(File::open(&job.input)?)
        .stdout(File::create(&job.output)?)
        .stderr(Stdio::null())
        .status()?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = usage.user_time() + usage.system_time();
    let usage = Usage {
        cpu: time.num_microseconds() as f64 / 1e6,
        peak_kib: usage.max_rss() as u64,
        code: status.code(),
    };
    #[expect(clippy::print_stdout, reason = "the parent reads it")]
    {
        println!("{}", serde_json::to_string(&usage)?);
    }
    Ok(())
}

/// CPU time of this process up to now, user and system, in seconds.
#[cfg(unix)]
pub(crate) fn own_seconds() -> Result<f64, Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let time = usage.user_time() + usage.system_time();
    Ok(time.num_microseconds() as f64 / 1e6)
}

#[cfg(not(unix))]
pub(crate) fn own_seconds() -> Result<f64, Box<dyn Error>> {
    Err("CPU time is measured on Unix only".into())
}

#[cfg(not(unix))]
pub(crate) fn child(_: &Job) -> Result<(), Box<dyn Error>> {
    Err("processes are measured on Unix only".into())
}

/// Runs a command and returns what it took and what it wrote.
pub(crate) fn measure(job: &Job) -> Result<(Usage, String), Box<dyn Error>> {
    let measured = Command::new(std::env::current_exe()?)
        .arg("measure")
        .args([Path::new("--input"), &job.input])
        .args([Path::new("--output"), &job.output])
        .args(["--seconds", &job.seconds.to_string()])
        .args(["--bytes", &job.bytes.to_string()])
        .arg("--")
        .args(&job.command)
        .stderr(Stdio::inherit())
        .output()?;
    let usage = String::from_utf8_lossy(&measured.stdout);
    let usage = serde_json::from_str(&usage)
        .map_err(|error| format!("{}: {error}", job.command.join(" ")))?;
    let output = fs::read(&job.output)?;
    Ok((usage, String::from_utf8_lossy(&output).into_owned()))
}
