//! Draws the crates of the workspace in the language of Graphviz, or lists the circles of files in each. For
//! developers.

#![expect(
    clippy::print_stdout,
    reason = "a tool prints what it was asked for on standard output"
)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use brigade_tools::files;
use brigade_tools::structure::{crates, drawn, listed};
use clap::Parser;

/// Draw the crates of the workspace: `structure | dot -Tsvg > crates.svg`.
#[derive(Debug, Parser)]
struct Args {
    /// List the files of each crate that import each other in a circle instead
    #[arg(long)]
    circles: bool,
}

fn main() -> ExitCode {
    files::exit_code(run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let crates = crates(root)?;
    if args.circles {
        print!("{}", listed(&crates)?);
    } else {
        print!("{}", drawn(&crates));
    }
    Ok(())
}
