//! `brigade completions`: completion scripts for shells.

use clap::Args;
use clap_complete::Shell;

use super::exit::{Exit, Result};
use super::printer::Printer;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes a completion script for the command line `brigade`.
pub(super) fn run(printer: &Printer, args: &CompletionsArgs, mut brigade: clap::Command) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut brigade, "brigade", &mut script);
    printer.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
