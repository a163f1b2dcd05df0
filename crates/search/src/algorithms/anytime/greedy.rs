//! Weighted best-first search with deferred evaluation and preferred operators (S. Richter and M.
//! Westphal, "The LAMA planner", JAIR 39, 2010).
//!
//! A node is estimated when it is expanded, and waits with what the node before it promises. Nodes
//! wait in two queues, all in one, those that a relaxed plan starts with in the other as well; the
//! queues take turns, the second more often after progress.

use std::ops::ControlFlow;

use super::queue::{Node, Queue};
use super::store::{Source, Stored, store};
use super::{Ended, Guide};
use crate::heuristics::Estimate;
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::successor::Successor;
use brigade_task::StateBuf;

/// After progress so many more preferred nodes are expanded than others.
const BOOST: i64 = 1_000;

/// A search in a space that holds the start alone.
pub(crate) struct Greedy<'s, 'a, 'g, 't> {
    space: &'s mut Space<'a>,
    guide: Guide<'g, 't>,
    /// The weight of the cost-to-go, against the cost so far.
    weight: u32,
    /// The worth that a plan has to beat.
    best: Option<Estimate>,
    goal: Option<u32>,
    all: Queue<Estimate>,
    preferred: Queue<Estimate>,
    /// The turns that each has had, the second less its bonus for progress.
    turns: (i64, i64),
    /// For each half-step and node whether it was expanded.
    is_closed: Vec<Vec<bool>>,
    effort_before: u64,
    guide_bytes: usize,
    /// True if nothing was left out that a better plan may lead through.
    is_complete: bool,
}

impl<'s, 'a, 'g, 't> Greedy<'s, 'a, 'g, 't> {
    pub(crate) fn new(
        space: &'s mut Space<'a>,
        guide: Guide<'g, 't>,
        weight: u32,
        best: Option<Estimate>,
    ) -> Self {
        let mut all = Queue::new();
        all.push(Estimate::ZERO, (0, 0));
        Self {
            is_closed: vec![Vec::new(); space.tables.len()],
            effort_before: guide.effort(),
            guide_bytes: guide.bytes(),
            is_complete: true,
            space,
            guide,
            weight,
            best,
            goal: None,
            all,
            preferred: Queue::new(),
            turns: (0, 0),
        }
    }

    /// Searches until a better plan is met, or about so much is spent, in states.
    pub(crate) fn search(mut self, most: u64, expander: &mut Expander) -> Ended {
        let mut state = StateBuf::zeros(self.space.task.words);
        let mut nearest = Estimate::DEAD;
        while let Some((half, id)) = self.next() {
            if self.spent() >= most || self.space.control.stop().is_some() {
                self.is_complete = false;
                break;
            }
            state.copy_from(self.space.tables[half].state(id));
            self.space.evaluated += 1;
            let Some((promise, least)) = self.guide.estimate(half, &state) else {
                continue;
            };
            let source = Source::new(self.space, (half, id));
            let least = least.plus(source.key.0, source.key.1, source.labels);
            if self.best.is_some_and(|best| least >= best) {
                continue;
            }
            if promise < nearest {
                nearest = promise;
                self.turns.1 -= BOOST;
            }
            self.space.expanded += 1;
            let flow = expander.expand(half, &state, |successor| {
                self.meet(source, promise, successor)
            });
            if flow.is_break() {
                self.is_complete = false;
                break;
            }
        }
        Ended {
            goal: self.goal,
            nearest: Vec::new(),
            spent: self.spent(),
            is_complete: self.is_complete,
        }
    }

    fn spent(&self) -> u64 {
        self.space.states() + self.guide.effort() - self.effort_before
    }

    /// The next node that was not expanded.
    fn next(&mut self) -> Option<Node> {
        loop {
            let is_preferred =
                !self.preferred.is_empty() && (self.all.is_empty() || self.turns.1 < self.turns.0);
            let (queue, turns) = if is_preferred {
                (&mut self.preferred, &mut self.turns.1)
            } else {
                (&mut self.all, &mut self.turns.0)
            };
            let (_, (half, id)) = queue.pop()?;
            let is_closed = &mut self.is_closed[half];
            if is_closed.len() <= id as usize {
                is_closed.resize(id as usize + 1, false);
            }
            if !std::mem::replace(&mut is_closed[id as usize], true) {
                *turns += 1;
                return Some((half, id));
            }
        }
    }

    fn meet(
        &mut self,
        source: Source,
        promise: Estimate,
        successor: &Successor,
    ) -> ControlFlow<()> {
        let closed: usize = self.is_closed.iter().map(Vec::capacity).sum();
        let side_bytes = self.guide_bytes + self.all.bytes() + self.preferred.bytes() + closed;
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
        let weight = self.weight;
        let priority = so_far.plus(
            promise.first.saturating_mul(i64::from(weight)),
            promise.makespan.saturating_mul(weight),
            0,
        );
        self.all.push(priority, node);
        if self.guide.prefers(successor.operators) {
            self.preferred.push(priority, node);
        }
        ControlFlow::Continue(())
    }
}
