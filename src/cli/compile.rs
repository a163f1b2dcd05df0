//! `brigade compile`: a problem as a finite task, for people or for other tools.

use clap::{Args, ValueEnum};

use super::exit::{Exit, Result};
use super::load::{Purpose, load};
use super::printer::Printer;
use super::roles::ProblemFiles;
use crate::report::task_text;
use crate::task::json;

/// Arguments of `compile`.
#[derive(Debug, Args)]
pub(super) struct CompileArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// What to write
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(super) emit: Emit,
}

/// Form of the task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// A summary for people.
    #[default]
    Text,
    /// The whole task; `docs/schema/task.schema.json` is its schema.
    Json,
}

/// Compiles a problem.
pub(super) fn run(printer: &Printer, args: &CompileArgs) -> Result {
    let problem = args.files.problem()?;
    let loaded = load(printer, &problem, Purpose::Play, &|| false)?;
    match args.emit {
        Emit::Text => printer.text(&task_text::summary(&loaded.task))?,
        Emit::Json => printer.json_line(&json::document(&loaded.task))?,
    }
    Ok(Exit::Done)
}
