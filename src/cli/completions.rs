//! `brigade completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
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

/// Writes a completion script.
pub(super) fn run(printer: &Printer, args: &CompletionsArgs) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut super::Cli::command(),
        "brigade",
        &mut script,
    );
    printer.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
