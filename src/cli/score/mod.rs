//! `brigade score`: episodes against references.

mod args;
mod evaluation;
mod logs;
mod recorded;
mod show;
mod texts;

pub(super) use args::ScoreArgs;
pub(super) use evaluation::{is_evaluation, no_evaluation};
pub(super) use logs::of_another_task;
pub(super) use texts::{LOG_START, log_text, warn_if_cut};

use super::exit::{Failure, Result};
use super::printer::Printer;
use logs::score_logs;
use recorded::score_recorded;

/// Scores episodes.
pub(super) fn run(printer: &Printer, args: &ScoreArgs) -> Result {
    if let Some(references) = &args.references {
        return score_recorded(printer, args, references);
    }
    if args.problem.is_empty() && !args.files.iter().any(|path| is_evaluation(path)) {
        return Err(Failure::usage(
            "there is nothing to score against",
            "give `--problem PROBLEM` for event logs, `--references DIR` for recorded episodes",
        ));
    }
    score_logs(printer, args)
}
