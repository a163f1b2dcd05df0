//! Tasks that are not planned: chance decides for some agents of them, or their agents act in any order.

use super::exit::Result;
use super::{any_order, nature};
use crate::task::PackedTask;

/// Refuses a task that is not planned; `what` says what there is not for it.
pub(super) fn check(task: &PackedTask, what: &str) -> Result<()> {
    nature::check(task, what)?;
    any_order::check(task, what)
}
