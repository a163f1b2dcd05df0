//! Policies that know what their agents do not observe: refused unless they are asked for as such.

use super::exit::{Failure, Result};
use crate::agents::is_clairvoyant;
use crate::task::PackedTask;

/// Refuses such a policy among those of a task's agents; `help` says how it is let play all the same.
pub(super) fn refuse<'p>(
    task: &PackedTask,
    mut policies: impl Iterator<Item = &'p str>,
    what: &str,
    help: &str,
) -> Result<()> {
    match policies.find(|policy| is_clairvoyant(task, policy)) {
        None => Ok(()),
        Some(policy) => Err(Failure::usage(
            format!("{what}the policy `{policy}` knows facts that its agent does not observe"),
            format!("{help} lets it play, marked as clairvoyant"),
        )),
    }
}
