//! A bound on what the rest of a task with a horizon changes the first key by.

use std::sync::Arc;

use super::start::Start;
use crate::control::Control;
use crate::heuristics::TotalPotentials;
use crate::measure::{Key, Measure};
use brigade_task::gains::Gains;
use brigade_task::layout::Field;
use brigade_task::{PackedTask, State};

/// The bound, for a task in which steps may lower the first key.
///
/// For example, where a tick gains 20 at most and 3 ticks are left after a node with a gain of 40, no
/// plan through the node gains more than 100. What can be gained once, such as an order that is
/// served, counts once: as long as it is open, or may still be opened.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// The least that a tick adds to the first key; at most 0, as a plan may end before the horizon.
    per_tick: i64,
    /// The ticks that are left at the start.
    ticks: u32,
    /// The clock at the start.
    clock: u32,
    /// The amounts, at most 0, that are added once while a variable has a value: its field, the value, the amount.
    once: Vec<(Field, u32, i64)>,
    /// For each value of the clock: what can be added since by facts that begin to hold then or later.
    later: Vec<i64>,
    /// A bound that takes longer to find.
    potentials: Option<Arc<TotalPotentials>>,
}

impl Rest {
    /// `None` where the task has no horizon or no clock, or the bound does not fit.
    pub(crate) fn new(task: &PackedTask, start: Start, measure: Measure) -> Option<Self> {
        let horizon = task.horizon?;
        let clock = &task.variables[task.clock?.index()];
        let gains = Gains::new(task)?;
        let per_tick = measure.least_cost(gains.each_step)?.min(0);
        per_tick.checked_mul(i64::from(horizon))?;
        let mut once = Vec::new();
        let mut later = vec![0_i64; clock.size as usize + 1];
        let mut all = 0_i64;
        for limited in gains.limited {
            let amount = measure.least_cost(limited.amount)?.min(0);
            for &begin in &limited.begins {
                let sum = &mut later[begin as usize];
                *sum = sum.checked_add(amount)?;
                all = all.checked_add(amount)?;
            }
            all = all.checked_add(amount)?;
            let field = task.variables[limited.fact.variable.index()].field();
            once.push((field, limited.fact.value, amount));
        }
        for value in (0..later.len() - 1).rev() {
            later[value] += later[value + 1];
        }
        let clock = clock.get(start.state);
        Some(Self {
            per_tick,
            ticks: horizon.saturating_sub(clock),
            clock,
            once,
            later,
            potentials: None,
        })
    }

    /// The same with potentials that are best at the start, if they can be had.
    pub(crate) fn with_potentials(
        self,
        task: &PackedTask,
        start: Start,
        measure: Measure,
        control: &dyn Control,
    ) -> Self {
        let potentials = TotalPotentials::new(task, start.state, measure, control);
        Self {
            potentials: potentials.map(Arc::new),
            ..self
        }
    }

    /// True if it has potentials.
    pub(crate) const fn has_potentials(&self) -> bool {
        self.potentials.is_some()
    }

    /// The least first key of a plan through a node of this key, which counts ticks since the start, at a half-step.
    pub(crate) fn after(&self, (first, ticks): Key, half: usize, state: &State) -> i64 {
        let left = self.ticks.saturating_sub(ticks);
        let clock = self.clock.saturating_add(ticks) as usize;
        let open = self
            .once
            .iter()
            .filter(|(field, value, _)| field.get(state) == *value);
        let open: i64 = open.map(|(_, _, amount)| amount).sum();
        let later = self.later.get(clock).copied().unwrap_or(0);
        let rest = (self.per_tick * i64::from(left)).saturating_add(open + later);
        let potentials = self.potentials.as_ref();
        let potentials = potentials.filter(|it| half == 0 || it.holds_amid_steps());
        let by_potentials = potentials.map_or(i64::MIN, |it| -it.gain(state, clock as u32));
        first.saturating_add(rest.max(by_potentials))
    }

    /// The same between two steps by potentials alone, before it is rounded to what gains add up to, in so many parts of
    /// their divisor. `None` where there are no potentials.
    pub(crate) fn after_in_parts(
        &self,
        (first, ticks): Key,
        state: &State,
        parts: i64,
    ) -> Option<i64> {
        let potentials = self.potentials.as_ref()?;
        let clock = self.clock.saturating_add(ticks);
        let gain = potentials.gain_in_parts(state, clock, parts);
        Some(potentials.in_parts(first, parts).saturating_sub(gain))
    }
}
