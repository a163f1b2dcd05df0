//! Plans some ticks ahead, for agents who decide in little time and plan again: receding-horizon control.

use crate::algorithms::anytime::EFFORT_PER_STATE;
use crate::algorithms::anytime::tick_beam::{Ahead, Limits, TickBeam};
use crate::control::Control;
use crate::measure::Measure;
use crate::options::Objective;
use crate::space::start::Start;
use brigade_task::{OperatorId, PackedTask};

/// The width of the first beam.
const FIRST_WIDTH: usize = 10;
/// The factor by which the next one is wider.
const WIDER: usize = 2;
/// The width of the last one.
const MOST_WIDTH: usize = 100_000;

/// The limits of one decision, beside a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// The number of ticks to look ahead.
    pub window: u32,
    /// The greatest effort, in states; no limit where there is none.
    pub states: Option<u64>,
}

/// Looks ahead in a task, from any of its states.
///
/// Its plans are the best that beams have met, and nothing is proven of them. They may end before the task does. What
/// agents of nature do is assumed to be what they do most often.
pub struct Lookahead<'t> {
    task: &'t PackedTask,
    beam: TickBeam<'t>,
}

impl std::fmt::Debug for Lookahead<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookahead").finish_non_exhaustive()
    }
}

impl<'t> Lookahead<'t> {
    /// `None` where the task has too many rules, or `control` stops.
    pub fn new(task: &'t PackedTask, control: &dyn Control) -> Option<Self> {
        let measure = Measure::new(task, Objective::Declared);
        let beam = TickBeam::new(task, measure, control)?;
        Some(Self { task, beam })
    }

    /// Returns the joint choices of the next ticks on the best way that it finds, those of the agents before
    /// `start.agent` left out of the first; empty where it finds none.
    pub fn plan(
        &mut self,
        start: Start,
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
        let first = self.beam.work().effort;
        let most = ticks.states.map_or(u64::MAX, |states| {
            states
                .saturating_mul(EFFORT_PER_STATE)
                .saturating_add(first)
        });
        let mut width = FIRST_WIDTH;
        let mut best: Option<Ahead> = None;
        for round in 0.. {
            let before = self.beam.work();
            let limits = Limits {
                width,
                ticks: ticks.window.min(left),
                effort: most.saturating_sub(before.effort),
                bytes: usize::MAX,
            };
            let found = self.beam.ahead(start, limits, left, round, control);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.is_better(best))
            {
                best = Some(found);
            }
            let after = self.beam.work().effort;
            let next = (after - before.effort).saturating_mul(WIDER as u64);
            if control.stop().is_some() || after.saturating_add(next) > most || width >= MOST_WIDTH
            {
                break;
            }
            width *= WIDER;
        }
        best.map_or_else(Vec::new, |best| best.joints)
    }
}
