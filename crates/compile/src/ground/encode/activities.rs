//! Effects that depend on the activity of an agent.

use crate::ground::formula::Effect;
use crate::ground::reachable::Activity;
use crate::ground::slots::SlotId;

/// The effect that depends on an agent's activity; nothing where it is idle.
pub(super) fn by_activity(
    slot: SlotId,
    activities: &[Activity],
    effect: impl Fn(&Activity) -> Effect,
) -> Effect {
    let effects = std::iter::once(Effect::Nothing)
        .chain(activities.iter().map(effect))
        .collect();
    Effect::Switch(slot, effects)
}
