//! Plans some ticks ahead, for agents who decide in little time and plan again: receding-horizon control.

use std::num::NonZeroUsize;

use crate::algorithms::anytime::EFFORT_PER_STATE;
use crate::algorithms::anytime::tick_beam::{Ahead, Limits, TickBeam};
use crate::control::Control;
use crate::measure::Measure;
use crate::options::{Objective, SearchOptions};
use crate::space::start::Start;
use brigade_task::{OperatorId, PackedTask};

/// The width of the first beam, which no limit on states ends.
const FIRST_WIDTH: usize = 2;
/// The factor by which the next one is wider.
const WIDER: usize = 2;
/// The width of the last one.
const MOST_WIDTH: usize = 100_000;
/// The bytes that a beam may take where no limit is given.
const DEFAULT_BYTES: usize = 1 << 30;

/// The limits of one decision, beside a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// The number of ticks to look ahead.
    pub window: u32,
    /// The greatest effort, in states; no limit where there is none. A first, narrow beam is made in any case.
    pub states: Option<u64>,
}

/// Looks ahead in a task, from any of its states.
///
/// Its plans are the best that beams have met, and nothing is proven of them. They may end before the task does. What
/// agents of nature do is assumed to be what they do most often.
pub struct Lookahead<'t> {
    task: &'t PackedTask,
    beam: TickBeam<'t>,
    /// The bytes of a beam.
    bytes: usize,
}

impl std::fmt::Debug for Lookahead<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookahead").finish_non_exhaustive()
    }
}

impl<'t> Lookahead<'t> {
    /// Lookahead within the memory limit of some options, 1 GiB where they have none. `None` where the task has too
    /// many rules for it, or `control` stops.
    pub fn new(
        task: &'t PackedTask,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Option<Self> {
        let measure = Measure::new(task, Objective::Declared);
        let beam = TickBeam::new(task, measure, NonZeroUsize::MIN, control)?;
        let most = options.memory_limit().unwrap_or(DEFAULT_BYTES);
        let bytes = most.checked_sub(beam.bytes())?;
        Some(Self { task, beam, bytes })
    }

    /// Returns the joint choices of the next ticks on the best way that it finds, those of the agents before
    /// `start.agent` left out of the first; empty where it finds none. `seed` is an earlier plan, as far as it is
    /// applicable: the first beam keeps to it, so nothing worse is returned, and the others are free.
    pub fn plan(
        &mut self,
        start: Start,
        seed: &[Vec<OperatorId>],
        ticks: Ticks,
        control: &dyn Control,
    ) -> Vec<Vec<OperatorId>> {
        let task = self.task;
        let left = match (task.horizon, task.clock) {
            (Some(horizon), Some(clock)) => {
                let passed = task.variables[clock.index()].get(start.state);
                horizon.saturating_sub(passed)
            }
            _ => u32::MAX,
        };
        self.beam.prepare(start, left);
        let first = self.beam.work().effort;
        let most = ticks.states.map_or(u64::MAX, |states| {
            states
                .saturating_mul(EFFORT_PER_STATE)
                .saturating_add(first)
        });
        let mut limits = Limits {
            width: FIRST_WIDTH,
            ticks: ticks.window.min(left),
            effort: u64::MAX,
            bytes: self.bytes,
        };
        let mut best: Option<Ahead> = None;
        for round in 0.. {
            let before = self.beam.work();
            let seed = if round == 0 { seed } else { &[] };
            let found = (self.beam).ahead(start, seed, limits, left, round, control);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.is_better(best))
            {
                best = Some(found);
            }
            let work = self.beam.work();
            let next = (work.effort - before.effort).saturating_mul(WIDER as u64);
            let is_over = control.stop().is_some()
                || work.effort.saturating_add(next) > most
                || work.layer_bytes >= limits.bytes
                || limits.width >= MOST_WIDTH;
            if is_over {
                break;
            }
            limits.width *= WIDER;
            limits.effort = most - work.effort;
        }
        best.map_or_else(Vec::new, |best| best.joints)
    }
}
