//! The effects of a task, and their parts.

use brigade_task::effect::Effect;
use brigade_task::{Phase, Task};

/// The effects of operators, delayed effects and the tick.
pub(super) fn effects(task: &Task) -> impl Iterator<Item = &Effect> {
    let operators = task.operators.iter().map(|operator| &operator.effect);
    let timers = task.timers.iter().map(|timer| &timer.effect);
    let phases = task.tick.iter().filter_map(|phase| match phase {
        Phase::Timers => None,
        Phase::Effect { effect, .. } => Some(effect),
    });
    operators.chain(timers).chain(phases)
}

/// Calls `each` with every part of an effect that has no parts.
pub(super) fn each_leaf(effect: &Effect, each: &mut impl FnMut(&Effect)) {
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
