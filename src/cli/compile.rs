//! `brigade compile`: a problem as a finite task, for people or for other tools.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Result};
use super::load::{Purpose, load};
use super::printer::Printer;
use super::roles::ProblemFiles;
use crate::report::task_text::{self, TaskSummary};
use crate::task::json;

/// Arguments of `compile`.
#[derive(Debug, Args)]
pub(super) struct CompileArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// The form to write
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub(super) emit: Emit,

    /// Form of the summary
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Form of the task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// A summary; `--format` says in which form.
    #[default]
    Text,
    /// The whole task; `docs/schema/task.schema.json` is its schema.
    Json,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    #[serde(flatten)]
    summary: TaskSummary,
}

/// Compiles a problem.
pub(super) fn run(printer: &Printer, args: &CompileArgs) -> Result {
    let problem = args.files.problem()?;
    let loaded = load(printer, &problem, Purpose::Play, &|| false)?;
    match (args.emit, args.format) {
        (Emit::Json, _) => printer.json_line(&json::document(&loaded.task))?,
        (Emit::Text, Format::Text) => printer.text(&task_text::summary(&loaded.task))?,
        (Emit::Text, Format::Json) => printer.json(&Document {
            schema: 1,
            summary: TaskSummary::new(&loaded.task),
        })?,
    }
    Ok(Exit::Done)
}
