//! Tasks in which agents act in any order: no search chooses that order, so nothing is said of what is optimal.

use super::exit::{Failure, Result};
use crate::task::PackedTask;

/// Refuses a task whose agents act in any order.
pub(super) fn check(task: &PackedTask, what: &str) -> Result<()> {
    task.check_declared_order().map_err(|reason| {
        Failure::usage(
            format!("{what}: {reason}"),
            "leave out `:order any`, or play it: `run`, `replay` and `bench` do, with policies that do not plan",
        )
    })
}
