//! Measures plans and bounds of tasks in which several agents act: `docs/results/teams.jsonl`, and the page
//! `docs/results/teams.md` that is made of it. For developers.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports on standard error how far it is"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use brigade_tools::files::{self, read, write};
use brigade_tools::machine::{cpu_info, load, said};
use brigade_tools::results::Results;
use brigade_tools::teams::{Event, GROUPS, Line, Run, Setting, Task, page, tasks};
use clap::{Args, Parser, Subcommand};
use serde::Deserialize;

/// Measure plans and bounds of tasks in which several agents act.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Measure, and write data and page
    Run(Measurement),
    /// Write the page of the data
    Render,
}

#[derive(Debug, Args)]
struct Measurement {
    /// Only tasks with this in their name
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,

    /// The time limit of a search
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,

    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: u32,
}

/// The end of the answer of `brigade plan`.
#[derive(Debug, Deserialize)]
struct Answer {
    optimal: bool,
    lower_bound: Option<i64>,
    upper_bound: Option<i64>,
}

const DATA: &str = "docs/results/teams.jsonl";
const PAGE: &str = "docs/results/teams.md";

fn main() -> ExitCode {
    files::exit_code(match Cli::parse().action {
        Action::Run(measurement) => measurement.run(),
        Action::Render => recorded().and_then(|results| write(&root().join(PAGE), &page(&results))),
    })
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The results up to now.
fn recorded() -> Result<Results<Line>, Box<dyn Error>> {
    let data = root().join(DATA);
    if data.exists() {
        Ok(Results::parse(&read(&data)?)?)
    } else {
        Ok(Results::default())
    }
}

/// Draws orders for so many cooks, and returns their file.
fn orders(brigade: &Path, task: &Task, cooks: &str) -> Result<PathBuf, Box<dyn Error>> {
    let mut command = Command::new(brigade);
    command.current_dir(root());
    command.args(["generate", "orders", &task.path()]);
    command.args(["--alpha", "2", "--cooks", cooks]);
    let drawn = command.output()?;
    if !drawn.status.success() {
        return Err(String::from_utf8_lossy(&drawn.stderr).into());
    }
    let file = brigade.with_file_name(format!("{}.orders.pddl", task.name));
    write(&file, &String::from_utf8(drawn.stdout)?)?;
    Ok(file)
}

impl Measurement {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut results = recorded()?;
        let describe = ["describe", "--always", "--abbrev=12", "--dirty"];
        results.add(Line::Setting(Setting {
            commit: said(root(), "git", &describe),
            processor: cpu_info("model name").unwrap_or_default(),
            seconds: self.seconds,
            threads: self.jobs,
            load: load(),
        }));
        for group in GROUPS {
            for name in tasks(root(), group)? {
                let task = Task { group, name: &name };
                let text = self.task.as_deref().unwrap_or_default();
                if task.key().contains(text) {
                    let run = self.measure(&task)?;
                    eprintln!("{}: {:?}, at best {:?}", run.task, run.plan, run.bound);
                    results.add(Line::Run(run));
                    write(&root().join(DATA), &results.render()?)?;
                }
            }
        }
        write(&root().join(PAGE), &page(&results))
    }

    /// Searches one task in a process of its own.
    fn measure(&self, task: &Task) -> Result<Run, Box<dyn Error>> {
        let brigade = std::env::current_exe()?.with_file_name("brigade");
        let mut command = Command::new(&brigade);
        command.current_dir(root()).args(["plan", &task.path()]);
        command.args(["--format", "json", "--progress", "json"]);
        command.args(["--memory-limit", "4GiB"]);
        command.args(["--time-limit", &self.seconds.to_string()]);
        command.args(["--jobs", &self.jobs.to_string()]);
        if let Some(semantics) = task.group.semantics {
            command.args(["--semantics", semantics]);
        }
        let orders = task.cooks().map(|cooks| orders(&brigade, task, cooks));
        if let Some(orders) = orders.transpose()? {
            command.arg("--init").arg(orders);
        }
        let started = std::time::Instant::now();
        let output = command
            .output()
            .map_err(|error| format!("{}: {error}", brigade.display()))?;
        let seconds = started.elapsed().as_secs_f64();
        let reports = String::from_utf8_lossy(&output.stderr);
        let answer: Answer = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{}: {error}; {reports}", task.key()))?;
        let events = reports
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let last = Event {
            seconds,
            lower_bound: answer.lower_bound,
            upper_bound: answer.upper_bound,
        };
        let events: Vec<Event> = events.chain([last]).collect();
        Ok(Run {
            is_proven: answer.optimal,
            ..Run::new(task.key(), task.is_most(root())?, &events)
        })
    }
}
