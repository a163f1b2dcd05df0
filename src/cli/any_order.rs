//! Tasks in which agents act in any order: no search chooses that order, so nothing is said of what is optimal.

use super::exit::{Failure, Result};
use crate::task::PackedTask;

/// Refuses a task whose agents act in any order.
pub(super) fn check(task: &PackedTask, what: &str) -> Result<()> {
    if task.any_order {
        return Err(Failure::usage(
            format!(
                "{what}: agents act in any order, `(:turns sequential :order any)`, which is not searched"
            ),
            "leave out `:order any`, or play it: `run`, `replay` and `bench` do, with policies that do not plan",
        ));
    }
    Ok(())
}
