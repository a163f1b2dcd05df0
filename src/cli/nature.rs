//! Tasks in which chance decides for some agents: what is not solved for them, and what is a bound.

use clap::{Args, ValueEnum};

use super::exit::{Failure, Result};
use super::printer::Printer;
use crate::task::PackedTask;

/// The assumption about the agents of nature.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct NatureArgs {
    /// Where chance decides for some agents: plan as if it did whatever helps, which gives a bound
    #[arg(long, value_enum)]
    nature: Option<NatureName>,
}

/// See [`NatureArgs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NatureName {
    /// It does whatever helps: no policy can count on a better outcome
    Helps,
}

/// The value of `--nature`, and of the field `nature` in documents.
pub(super) const HELPS: &str = "helps";

impl NatureArgs {
    /// Notes that what is found is a bound only, as nature helps; an error if that was not asked for.
    pub(super) fn note(self, printer: &Printer, task: &PackedTask, what: &str) -> Result<()> {
        if self.nature.is_none() {
            return refuse(
                task,
                what,
                "`--nature helps` plans what chance decides too, for a bound",
            );
        }
        if task.has_nature() {
            printer.note(
                "what chance decides is planned too: the result is a bound that no policy can beat",
            );
        }
        Ok(())
    }
}

/// Refuses a task in which chance decides for some agent.
pub(super) fn check(task: &PackedTask, what: &str) -> Result<()> {
    refuse(
        task,
        what,
        "`run` and `bench` play it, with policies that do not plan",
    )
}

fn refuse(task: &PackedTask, what: &str, help: &str) -> Result<()> {
    task.check_without_chance()
        .map_err(|reason| Failure::usage(format!("{what}: {reason}"), help))
}
