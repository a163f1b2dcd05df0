//! `brigade score`: episodes against references.

mod args;
mod logs;
mod recorded;
mod show;
mod texts;

pub(super) use args::ScoreArgs;
pub(super) use texts::{LOG_START, log_text};

use super::exit::{Failure, Result};
use super::printer::Printer;
use logs::score_logs;
use recorded::score_recorded;

/// Scores episodes.
pub(super) fn run(printer: &Printer, args: &ScoreArgs) -> Result {
    match (&args.problem, &args.references) {
        (Some(problem), _) => score_logs(printer, args, problem),
        (None, Some(references)) => score_recorded(printer, args, references),
        (None, None) => Err(Failure::usage(
            "there is nothing to score against",
            "give `--problem PROBLEM` for event logs, `--references DIR` for recorded episodes",
        )),
    }
}
