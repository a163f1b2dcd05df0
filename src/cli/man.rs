//! `brigade man`: manual pages, made of the command line's own help.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;

use super::exit::{Exit, Failure, Result};
use super::files;
use super::paths;
use super::printer::Printer;
use crate::diagnostics::suggest;

/// Arguments of `man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page is printed; that of `brigade` itself if none is given
    #[arg(conflicts_with = "write")]
    command: Option<String>,

    /// Write all pages to this folder, which is made if it is not there
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    write: Option<PathBuf>,
}

/// Prints a page of the command line `brigade`, or writes all of them.
pub(super) fn run(printer: &Printer, args: &ManArgs, brigade: clap::Command) -> Result {
    // `brigade help plan` says what the page of `plan` does.
    let mut brigade = brigade
        .disable_help_subcommand(true)
        .mut_subcommands(|command| command.disable_help_subcommand(true));
    brigade.build();
    if let Some(folder) = &args.write {
        std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
        write(&brigade, folder)?;
        return Ok(Exit::Done);
    }
    let command = match &args.command {
        None => brigade,
        Some(name) => {
            let found = brigade.find_subcommand(name).cloned();
            found.ok_or_else(|| unknown(name, &brigade))?
        }
    };
    printer.text(&page(&Man::new(command))?)?;
    Ok(Exit::Done)
}

/// Writes the page of a command, and those of its own commands.
fn write(command: &clap::Command, folder: &Path) -> Result<()> {
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    for command in shown {
        write(command, folder)?;
    }
    let man = Man::new(command.clone());
    files::write(&folder.join(man.get_filename()), &page(&man)?)
}

fn page(man: &Man) -> Result<String> {
    let mut page = Vec::new();
    man.render(&mut page)
        .map_err(|error| Failure::Unusable(error.to_string()))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
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
