//! Beam search: of the nodes of one depth the most promising lead on, as many as the beam is wide
//! (B. T. Lowerre, "The Harpy Speech Recognition System", 1976).
//!
//! An estimate that is nearly exact errs by a few steps, more in some states than in others; a
//! greedy search drains those first that it underrates. Among nodes of one depth they take some
//! places, and leave the others to the rest.

use std::ops::ControlFlow;

use super::queue::Node;
use super::store::{Source, Stored, store};
use super::{Ended, GENERATED_PER_STATE};
use crate::heuristics::{Estimate, Heuristic};
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::successor::Successor;
use brigade_task::StateBuf;

/// A beam that has come no nearer to the goal over so many depths is given up once plans through it
/// are estimated to take half as much again as was at the start.
const MOST_DEPTHS_WITHOUT_PROGRESS: u32 = 25;

/// A search in a space that holds the start alone.
pub(crate) struct Beam<'s, 'a, 'h> {
    space: &'s mut Space<'a>,
    heuristic: &'h mut dyn Heuristic,
    heuristic_bytes: usize,
    /// The number of nodes of a depth that lead on.
    width: usize,
    /// The worth that a plan has to beat.
    best: Option<Estimate>,
    goal: Option<u32>,
    /// Nodes that seemed nearer to the goal than all before when they were met.
    nearest: Vec<u32>,
    /// The nodes of this depth, with what a plan through each is estimated to be worth and what of
    /// that is to come.
    nodes: Vec<Ranked>,
    /// Those of the next.
    next: Vec<Ranked>,
    /// The estimates and successors that the space had counted before.
    evaluated_before: u64,
    generated_before: u64,
    /// True if nothing was left out that a better plan may lead through.
    is_complete: bool,
}

/// A node by what a plan through it is estimated to be worth, and by what of that is to come.
type Ranked = (Estimate, Estimate, Node);

impl<'s, 'a, 'h> Beam<'s, 'a, 'h> {
    pub(crate) fn new(
        space: &'s mut Space<'a>,
        heuristic: &'h mut dyn Heuristic,
        width: usize,
        best: Option<Estimate>,
    ) -> Self {
        Self {
            evaluated_before: space.evaluated,
            generated_before: space.generated,
            heuristic_bytes: heuristic.bytes(),
            is_complete: true,
            space,
            heuristic,
            width,
            best,
            goal: None,
            nearest: Vec::new(),
            nodes: vec![(Estimate::ZERO, Estimate::ZERO, (0, 0))],
            next: Vec::new(),
        }
    }

    /// Searches until a better plan is met, or about so much is spent, in states.
    pub(crate) fn search(mut self, most: u64, expander: &mut Expander) -> Ended {
        let mut state = StateBuf::zeros(self.space.task.words);
        let start = self.heuristic.estimate(self.space.tables[0].state(0));
        let mut nearest = Estimate::DEAD;
        let mut without_progress = 0;
        while let Some(&(worth, ..)) = self.nodes.first() {
            if without_progress >= MOST_DEPTHS_WITHOUT_PROGRESS && is_much_more(worth, start) {
                break;
            }
            for place in 0..self.nodes.len() {
                let (_, to_come, (half, id)) = self.nodes[place];
                state.copy_from(self.space.tables[half].state(id));
                let source = Source::new(self.space, (half, id));
                self.space.expanded += 1;
                let flow = expander.expand(half, &state, |successor| {
                    self.meet(source, to_come, successor)
                });
                let is_stopped = self.space.control.stop().is_some();
                if flow.is_break() || is_stopped || self.spent() >= most {
                    self.is_complete = false;
                    // It may have been far from the goal yet, or have no room left.
                    self.nearest.clear();
                    return self.ended();
                }
            }
            let mut next = std::mem::take(&mut self.next);
            // Among equals those come first that were met first.
            next.sort_by_key(|&(worth, ..)| worth);
            self.is_complete &= next.len() <= self.width;
            next.truncate(self.width);
            without_progress += 1;
            let least = next.iter().min_by_key(|&&(_, to_come, _)| to_come);
            if let Some(&(_, to_come, (half, id))) = least.filter(|least| least.1 < nearest) {
                nearest = to_come;
                without_progress = 0;
                if half == 0 {
                    self.nearest.push(id);
                }
            }
            self.nodes = next;
        }
        self.is_complete &= self.nodes.is_empty();
        self.ended()
    }

    fn ended(self) -> Ended {
        Ended {
            goal: self.goal,
            spent: self.spent(),
            nearest: self.nearest,
            is_complete: self.is_complete,
        }
    }

    fn spent(&self) -> u64 {
        let evaluated = self.space.evaluated - self.evaluated_before;
        let generated = self.space.generated - self.generated_before;
        self.space.states() + evaluated * self.heuristic.effort() + generated / GENERATED_PER_STATE
    }

    fn meet(
        &mut self,
        source: Source,
        to_come: Estimate,
        successor: &Successor,
    ) -> ControlFlow<()> {
        let room = self.nodes.capacity() + self.next.capacity();
        let side_bytes = self.heuristic_bytes + room * size_of::<Ranked>();
        let (node, so_far) = match store(self.space, source, successor, self.best, side_bytes)? {
            Stored::New(node, so_far) => (node, so_far),
            Stored::Nothing => return ControlFlow::Continue(()),
            Stored::Better => {
                self.is_complete = false;
                return ControlFlow::Continue(());
            }
            Stored::Goal(id) => {
                self.goal = Some(id);
                return ControlFlow::Break(());
            }
        };
        let mut to_come = to_come;
        // In the middle of a step nothing is estimated.
        if successor.half == 0 {
            self.space.evaluated += 1;
            to_come = self.heuristic.estimate(successor.state);
            if to_come == Estimate::DEAD {
                return ControlFlow::Continue(());
            }
        }
        let worth = to_come.plus(so_far.first, so_far.makespan, so_far.labels);
        if self.best.is_none_or(|best| worth < best) {
            self.next.push((worth, to_come, node));
        }
        ControlFlow::Continue(())
    }
}

/// Returns whether one value is more than one and a half times another.
fn is_much_more(worth: Estimate, than: Estimate) -> bool {
    let first = than.first.saturating_mul(3);
    let makespan = than.makespan.saturating_mul(3);
    (
        worth.first.saturating_mul(2),
        worth.makespan.saturating_mul(2),
    ) > (first, makespan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::anytime::testing::{LENGTH, Misled, marsh};
    use crate::control::Unlimited;
    use crate::measure::Measure;
    use crate::options::SearchOptions;
    use crate::space::start::Start;

    /// The length of the plan that a beam of this width finds, where it seeks a better one than
    /// that.
    fn found(width: usize, best: Option<u32>) -> (Option<u32>, bool) {
        let task = marsh();
        let options = SearchOptions::default();
        let start = Start {
            state: &task.initial,
            agent: 0,
        };
        let measure = Measure::new(&task, options.objective);
        let mut space = Space::new(&task, start, &options, &Unlimited, measure);
        let mut heuristic = Misled(&task);
        let best = best.map(|makespan| Estimate {
            makespan,
            ..Estimate::ZERO
        });
        let beam = Beam::new(&mut space, &mut heuristic, width, best);
        let ended = beam.search(u64::MAX, &mut Expander::new(&task));
        let makespan = |id| space.keys.value(space.tables[0].reached(id).key).1;
        (ended.goal.map(makespan), ended.is_complete)
    }

    #[test]
    fn a_beam_leads_past_what_seems_nearer_to_the_goal_and_is_not() {
        assert_eq!(found(2, None).0, Some(LENGTH));
    }

    #[test]
    fn a_beam_of_one_node_is_given_up_where_it_comes_no_nearer_to_the_goal() {
        assert_eq!(found(1, None), (None, false));
    }

    #[test]
    fn a_beam_that_left_out_nothing_proves_that_there_is_no_better_plan() {
        assert_eq!(found(100, Some(LENGTH)), (None, true));
    }
}
