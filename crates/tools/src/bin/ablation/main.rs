//! Measures each technique of the search with and without it: `docs/results/search.jsonl`, and the page
//! `docs/results/search.md` that is made of it. For developers.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports on standard error how far it is"
)]

mod child;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use brigade_tools::ablation::{
    Configuration, Instance, Line, Outcome, Run, Setting, instances, page,
};
use brigade_tools::files::{self, read, write};
use brigade_tools::machine::{cpu_info, said};
use brigade_tools::results::Results;
use clap::{Args, Parser, Subcommand};

/// Measure each technique of the search with and without it.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Measure what is not measured, and write data and page
    Run(Measurement),
    /// Write the page of the data
    Render,
    /// Solve one instance with one configuration, and print what that took
    #[command(hide = true)]
    Solve {
        instance: String,
        configuration: Configuration,
        seconds: u64,
    },
}

#[derive(Debug, Args)]
struct Measurement {
    /// Only these configurations
    #[arg(long, value_name = "NAME")]
    configuration: Vec<Configuration>,

    /// Only instances with this in their name
    #[arg(long, value_name = "TEXT")]
    instance: Option<String>,

    /// Measure again what is measured
    #[arg(long)]
    again: bool,

    /// The most CPU time of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    seconds: u64,
}

fn main() -> ExitCode {
    files::exit_code(run(Cli::parse().action))
}

fn run(action: Action) -> Result<(), Box<dyn Error>> {
    match action {
        Action::Run(measurement) => measurement.run(),
        Action::Render => {
            let results = Results::parse(&read(&root().join(DATA))?)?;
            write(&root().join(PAGE), &page(&results))
        }
        Action::Solve {
            instance,
            configuration,
            seconds,
        } => {
            let all = instances(root(), upstream().as_deref())?;
            let found = all.iter().find(|it| it.name == instance);
            let found = found.ok_or_else(|| format!("there is no instance `{instance}`"))?;
            let run = child::solve(found, configuration, seconds)?;
            #[expect(clippy::print_stdout, reason = "the parent reads it")]
            {
                println!("{}", serde_json::to_string(&run)?);
            }
            Ok(())
        }
    }
}

const DATA: &str = "docs/results/search.jsonl";
const PAGE: &str = "docs/results/search.md";

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder of published instances, if the environment names it.
fn upstream() -> Option<PathBuf> {
    std::env::var_os("BRIGADE_UPSTREAM").map(PathBuf::from)
}

impl Measurement {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        let data = root().join(DATA);
        let mut results: Results<Line> = if data.exists() {
            Results::parse(&read(&data)?)?
        } else {
            Results::default()
        };
        results.add(Line::Setting(Setting {
            commit: said(
                root(),
                "git",
                &["describe", "--always", "--abbrev=12", "--dirty"],
            ),
            processor: cpu_info("model name").unwrap_or_default(),
            seconds: self.seconds,
        }));
        let all = instances(root(), upstream().as_deref())?;
        let wanted = |instance: &&Instance| {
            let text = self.instance.as_deref().unwrap_or_default();
            instance.name.contains(text)
        };
        for configuration in Configuration::ALL {
            if !self.configuration.is_empty() && !self.configuration.contains(&configuration) {
                continue;
            }
            for instance in all.iter().filter(wanted) {
                if self.is_due(&results, instance, configuration) {
                    let run = self.measure(instance, configuration)?;
                    eprintln!(
                        "{configuration:?} {}: {:?}, {} s",
                        run.instance, run.outcome, run.cpu
                    );
                    results.add(Line::Run(run));
                }
            }
            write(&data, &results.render()?)?;
        }
        write(&root().join(PAGE), &page(&results))
    }

    /// Returns true if a run is not measured yet, or wanted again, and may differ from the default's.
    fn is_due(
        &self,
        results: &Results<Line>,
        instance: &Instance,
        configuration: Configuration,
    ) -> bool {
        let run = |configuration| results.get(&Some((instance.name.clone(), configuration)));
        let differs = match run(Configuration::Default) {
            Some(Line::Run(default)) => {
                default.outcome != Outcome::Refused && default.may_differ_under(configuration)
            }
            _ => true,
        };
        let is_first = configuration == Configuration::Default;
        (differs || is_first) && (self.again || run(configuration).is_none())
    }

    /// Runs a configuration in a process of its own.
    fn measure(
        &self,
        instance: &Instance,
        configuration: Configuration,
    ) -> Result<Run, Box<dyn Error>> {
        let name = serde_json::to_value(configuration)?;
        let output = Command::new(std::env::current_exe()?)
            .args(["solve", &instance.name, name.as_str().unwrap_or_default()])
            .arg(self.seconds.to_string())
            .stderr(Stdio::null())
            .output()?;
        let run = serde_json::from_slice(&output.stdout);
        // A process that met a hard limit has printed nothing.
        Ok(run.unwrap_or_else(|_| Run {
            cpu: self.seconds as f64,
            ..Run::new(&instance.name, configuration, Outcome::Limit)
        }))
    }
}
