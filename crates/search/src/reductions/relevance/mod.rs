//! Variables that are obsolete: once some fact holds for good, what they hold makes no difference
//! any more (dead variables: M. Bozga, J.-C. Fernandez, L. Ghirvu, "State Space Reduction Based on
//! Live Variables Analysis", SAS 1999). When a tomato is cut, how often it has been cut matters no
//! more, nor does a second frying of what is fried.
//!
//! A fact is *permanent* if all that is ever written to its variable is its value. A set of
//! variables is obsolete under a permanent fact p if, where p holds, nothing reads them but effects
//! that do nothing else than write these variables, or p once more. Two states that differ in them
//! alone then have the same applicable operators, which lead to states that differ in them alone,
//! at the same cost and with the same labels: they are bisimilar. So it makes no difference to any
//! plan, nor to their number, if what makes p hold, and what would write such a variable where p
//! holds, makes it 0, and states that were several become one.
//!
//! This changes effects only: states have the same variables as before, and operators their
//! numbers. Searches use the changed task; plans are replayed on the given one.
//!
//! `candidates` finds permanent facts and what is read on the way to them, `reader` what is read
//! where one holds (`given`), `guards` what is obsolete by that, and `rewriter` changes the
//! effects.

mod candidates;
mod effects;
mod facts;
mod given;
mod guards;
mod reader;
mod rewriter;

use brigade_task::PackedTask;
use guards::guards;
use rewriter::Rewriter;

/// The task with 0 in variables once they are obsolete; `None` where there are none.
pub(crate) fn without_obsolete_values(task: &PackedTask) -> Option<PackedTask> {
    // In a list what is live counts by its place too.
    if task.live.is_some() {
        return None;
    }
    let guards = guards(task);
    (!guards.is_empty()).then(|| Rewriter::new(task, guards).task())
}
