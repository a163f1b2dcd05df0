//! A bound on what the rest of a task with a horizon changes the first key by: so much a tick.

use super::start::Start;
use crate::measure::{Key, Measure};
use brigade_task::{PackedTask, cost_range};

/// The bound, for a task in which steps may lower the first key.
///
/// For example, where a tick gains 20 at most and 3 ticks are left after a node with a gain of 40, no
/// plan through the node gains more than 100.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    /// The least that a tick adds to the first key; at most 0, as a plan may end before the horizon.
    per_tick: i64,
    /// The ticks that are left at the start.
    ticks: u32,
}

impl Rest {
    /// `None` where the task has no horizon or no clock, or the bound does not fit.
    pub(crate) fn new(task: &PackedTask, start: Start, measure: Measure) -> Option<Self> {
        let clock = &task.variables[task.clock?.index()];
        let per_tick = measure.least_cost(cost_range::of_step(task)?)?.min(0);
        let ticks = task.horizon?.saturating_sub(clock.get(start.state));
        per_tick.checked_mul(i64::from(ticks))?;
        Some(Self { per_tick, ticks })
    }

    /// The least first key of a plan through a node of this key, which counts ticks since the start.
    pub(crate) fn after(self, (first, ticks): Key) -> i64 {
        let left = self.ticks.saturating_sub(ticks);
        first.saturating_add(self.per_tick * i64::from(left))
    }
}
