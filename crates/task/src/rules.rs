//! The normal form of a task: rules *facts → fact at a phase of the tick*.
//!
//! Whatever conditional, numeric or nested effect an operator, an event or a timer has, its rules are
//! flat: a [`Rule`] adds one fact at one phase of the tick where others hold. A disjunction is an
//! auxiliary fact with a rule for each of its parts, so that none is multiplied out. Analyses that
//! ignore what is deleted (the delete relaxation of J. Hoffmann and B. Nebel, "The FF Planning
//! System", 2001) read these rules instead of compound effects.
//!
//! **Soundness.** Take any run of the task, and for each fact the first moment (tick and phase) at
//! which it holds. For each fact that does not hold at the start there is a rule that adds it, at that
//! phase, all of whose needs have held by then: before the phase, or for a [loose](Rules::loose) one
//! by its end. So the first moment of a fact in the relaxation is never later than in a run. A condition
//! that is too large to be flattened counts as true, which keeps this.
//!
//! For example `(:action take :precondition (near pot) :effect (when (hot pot) (burnt hand)))` gives the
//! rule `(near pot)`, `(hot pot)` → `(burnt hand)` at the phase of its agent.

mod effects;
mod formula;
mod numbering;
mod path;
mod reader;
mod rule;
mod tick;
mod touched;
mod writer;

use super::Task;
pub use numbering::{FactId, Numbering};
pub use rule::{Charge, Moment, Rule, Rules};
use writer::Writer;

impl Rules {
    /// Flattens a task. `None` if there would be more than four million rules, or once `stop` returns true.
    pub fn new(task: &Task, stop: &dyn Fn() -> bool) -> Option<Self> {
        let mut writer = Writer::new(task, stop);
        let choices = writer.operators();
        writer.tick(choices);
        writer.axioms();
        let goal = task.goal.as_ref().map(|goal| writer.goal(goal));
        writer.finish(choices, goal)
    }
}
