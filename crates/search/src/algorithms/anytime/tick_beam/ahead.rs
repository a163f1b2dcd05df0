//! The most promising way some ticks ahead, for agents who act before they have a whole plan.

use super::layer::Layer;
use super::{Course, Limits, TickBeam, joints};
use crate::control::Control;
use crate::space::start::Start;
use brigade_task::OperatorId;

/// A way ahead.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// The joint choices.
    pub(crate) joints: Vec<Vec<OperatorId>>,
    /// The promise of its end; less is better.
    pub(crate) rank: f64,
    /// Its ticks and its tie-break.
    pub(crate) ties: (usize, i64),
    /// True if it leads to the end of the task, or as far as was asked for.
    pub(crate) is_whole: bool,
}

impl Ahead {
    /// Returns true if it is more promising than another one.
    pub(crate) fn is_better(&self, other: &Self) -> bool {
        if self.is_whole != other.is_whole {
            return self.is_whole;
        }
        let order = self.rank.total_cmp(&other.rank);
        order.then(self.ties.cmp(&other.ties)).is_lt()
    }
}

impl TickBeam<'_> {
    /// Prepares for beams from a start, so many ticks before the end of the task: finds what passes by itself.
    pub(crate) fn prepare(&mut self, start: Start, left: u32) {
        for ranker in self.rankers.iter_mut() {
            ranker.start(start, left);
        }
    }

    /// Returns the most promising way so many ticks ahead, of `left` to the end of the task: one that reaches the
    /// goal or the end of the task, else one to a state of the last tick that it came to. `None` where it came to
    /// none. [`TickBeam::prepare`] comes before. The beam keeps to `seed`, joint choices from the start, beside what it prefers.
    pub(crate) fn ahead(
        &mut self,
        start: Start,
        seed: &[Vec<OperatorId>],
        limits: Limits,
        left: u32,
        round: u64,
        control: &dyn Control,
    ) -> Option<Ahead> {
        let course = Course {
            is_online: true,
            ..Course::new(left, round)
        };
        let (layers, end) = self.layers(start, seed, limits, None, course, control);
        let reached = layers.len() as u32 - 1;
        let end = end.map(|end| Ahead {
            rank: end.keys.0 as f64,
            ties: (end.joints.len(), end.keys.2),
            joints: end.joints,
            is_whole: true,
        });
        let is_over = end.is_some() && (self.task.goal.is_some() || reached < limits.ticks);
        if is_over {
            return end;
        }
        let last = layers.last().filter(|_| reached > 0)?;
        let (rank, tie, node) = best(last)?;
        let ahead = Ahead {
            joints: joints(&layers, node),
            rank,
            ties: (reached as usize, tie),
            is_whole: reached == limits.ticks || last.is_over(),
        };
        Some(end.filter(|end| end.is_better(&ahead)).unwrap_or(ahead))
    }
}

/// The most promising node of a layer.
fn best(layer: &Layer) -> Option<(f64, i64, usize)> {
    let nodes = layer.nodes.iter().enumerate();
    let ranked = nodes.filter_map(|(index, node)| {
        let [one, other] = node.ranks?;
        Some((f64::midpoint(one, other), node.way.tie, index))
    });
    ranked.min_by(|one, other| (one.0.total_cmp(&other.0)).then(one.1.cmp(&other.1)))
}
