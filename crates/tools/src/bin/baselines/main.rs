//! Takes the figures of evaluations up into `docs/results/baselines.jsonl`, and renders `docs/results/baselines.md`;
//! `brigade_tools::baselines` does the work.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use brigade_tools::baselines::{collect, page};
use brigade_tools::files::{self, read, write};
use brigade_tools::results::Results;
use clap::Parser;

/// Take up what `brigade bench evals/SYSTEM.toml --log-dir FOLDER` has played, and render the page of baselines.
#[derive(Debug, Parser)]
struct Args {
    /// The folders of logs, each named as its evaluation: `logs/cookmas`. None: only render
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    files::exit_code(run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let data = root.join("docs/results/baselines.jsonl");
    let mut results = Results::parse(&read(&data)?)?;
    for folder in &args.folders {
        let system = folder.file_name().and_then(|name| name.to_str());
        let system = system.ok_or("a folder is named as its evaluation")?;
        for line in collect(system, &read(&folder.join("index.jsonl"))?)? {
            results.add(line);
        }
    }
    write(&data, &results.render()?)?;
    write(&root.join("docs/results/baselines.md"), &page(&results))
}
