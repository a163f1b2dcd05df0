//! `brigade man`: manual pages, made of the command line's own help.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::exit::{Exit, Failure, Result};
use super::printer::Printer;
use crate::diagnostics::suggest;

/// Arguments of `man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page is printed; that of `brigade` itself if none is given
    #[arg(conflicts_with = "write")]
    command: Option<String>,

    /// Write all pages to this folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
pub(super) fn run(printer: &Printer, args: &ManArgs) -> Result {
    // `brigade help plan` says what the page of `plan` does.
    let mut brigade = super::Cli::command()
        .disable_help_subcommand(true)
        .mut_subcommands(|command| command.disable_help_subcommand(true));
    brigade.build();
    if let Some(folder) = &args.write {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(brigade, folder))
            .map_err(|error| Failure::unwritable(folder, &error))?;
        return Ok(Exit::Done);
    }
    let command = match &args.command {
        None => brigade,
        Some(name) => {
            let found = brigade.find_subcommand(name).cloned();
            found.ok_or_else(|| unknown(name, &brigade))?
        }
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::Internal(error.to_string()))?;
    printer.text(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}

fn unknown(name: &str, brigade: &clap::Command) -> Failure {
    let names: Vec<&str> = brigade
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let near = suggest(name, names.iter().copied());
    let help = near.map_or_else(
        || format!("commands are {}", names.join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Failure::usage(format!("there is no command `{name}`"), help)
}
