//! Variables that are obsolete: once some fact holds for good, what they hold makes no difference any
//! more (dead variables: M. Bozga, J.-C. Fernandez, L. Ghirvu, "State Space Reduction Based on Live
//! Variables Analysis", SAS 1999). When a tomato is cut, how often it has been cut matters no more, nor
//! does a second frying of what is fried.
//!
//! A fact is *permanent* if all that is ever written to its variable is its value. A set of variables
//! is obsolete under a permanent fact p if, where p holds, nothing reads them but effects that do
//! nothing else than write these variables, or p once more. Two states that differ in them alone then
//! have the same applicable operators, which lead to states that differ in them alone, at the same
//! cost and with the same labels: they are bisimilar. So it makes no difference to any plan, nor to
//! their number, if what makes p hold, and what would write such a variable where p holds, makes it 0,
//! and states that were several become one.
//!
//! This changes effects only: states have the same variables as before, and operators their numbers.
//! Searches use the changed task; plans are replayed on the given one.
//!
//! `candidates` finds permanent facts and what is read on the way to them, `reader` what is read where
//! one holds (`given`), `guards` what is obsolete by that, and `rewriter` changes the effects.

mod candidates;
mod fields;
mod given;
mod guards;
mod reader;
mod rewriter;

use std::collections::{BTreeMap, BTreeSet};

use brigade_task::effect::Effect;
use brigade_task::{Phase, Task, VarId};
use fields::Fields;
use guards::guards;
use rewriter::Rewriter;

/// A variable and the only value that is ever written to it.
type Permanent = (VarId, u32);

/// For each variable that is obsolete under some facts, these.
type Guards = BTreeMap<VarId, Vec<Permanent>>;

type Variables = BTreeSet<VarId>;

/// The task with 0 in variables once they are obsolete; `None` where there are none.
pub(super) fn without_obsolete_values(task: &Task) -> Option<Task> {
    // In a list what is live counts by its place too.
    if task.live.is_some() {
        return None;
    }
    let fields = Fields::new(task);
    let guards = guards(&fields);
    (!guards.is_empty()).then(|| Rewriter::new(fields, guards).task())
}

/// The effects of operators, delayed effects and the tick.
fn effects(task: &Task) -> impl Iterator<Item = &Effect> {
    let operators = task.operators.iter().map(|operator| &operator.effect);
    let timers = task.timers.iter().map(|timer| &timer.effect);
    let phases = task.tick.iter().filter_map(|phase| match phase {
        Phase::Timers => None,
        Phase::Effect { effect, .. } => Some(effect),
    });
    operators.chain(timers).chain(phases)
}

/// Calls `each` with every part of an effect that has no parts.
fn each_leaf(effect: &Effect, each: &mut impl FnMut(&Effect)) {
    match effect {
        Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
            effects.iter().for_each(|effect| each_leaf(effect, each));
        }
        Effect::When(_, effect) => each_leaf(effect, each),
        Effect::Case(cases, otherwise) => {
            cases.iter().for_each(|case| each_leaf(&case.1, each));
            each_leaf(otherwise, each);
        }
        Effect::Choose(candidates, otherwise) => {
            candidates.iter().for_each(|it| each_leaf(&it.effect, each));
            each_leaf(otherwise, each);
        }
        leaf => each(leaf),
    }
}
