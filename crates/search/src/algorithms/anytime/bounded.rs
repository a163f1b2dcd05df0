//! Bounded-cost search: a search for a plan that is better than a known one, not for the best (R.
//! Stern, R. Puzis, A. Felner, "Potential Search: A Bounded-Cost Search Algorithm", ICAPS 2011).
//!
//! Estimates fall short by about the same part of the cost-to-go everywhere. Nodes are expanded
//! first whose estimate is least, as a part of what may yet be spent.

use std::ops::ControlFlow;

use super::queue::{Node, Queue};
use super::store::{Source, Stored, store};
use super::{Ended, GENERATED_PER_STATE};
use crate::algorithms::parallel::worker_pool::{WorkerPool, with_worker_pool};
use crate::heuristics::{Estimate, Heuristic};
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::successor::Successor;
use brigade_task::StateBuf;

/// So many nodes are expanded before their successors are estimated.
const AT_ONCE: usize = 64;
/// The estimate is measured in such parts of what may yet be spent.
const PARTS: u64 = 1 << 20;

/// The estimate in parts of what may yet be spent, and the estimate.
type Rank = (u64, Estimate);

/// A search in a space that holds the start alone.
pub(crate) struct Bounded<'s, 'a> {
    space: &'s mut Space<'a>,
    /// The worth that a plan has to beat.
    best: Estimate,
    goal: Option<u32>,
    open: Queue<Rank>,
    /// Successors that are to be estimated, what has led to each, and the words of all.
    waiting: Vec<(Node, Estimate)>,
    states: Vec<u64>,
    heuristic_bytes: usize,
    effort: u64,
    /// The estimates and successors that the space had counted before.
    evaluated_before: u64,
    generated_before: u64,
    /// True if nothing was left out that a better plan may lead through.
    is_complete: bool,
}

impl<'s, 'a> Bounded<'s, 'a> {
    pub(crate) fn new(space: &'s mut Space<'a>, best: Estimate) -> Self {
        let mut open = Queue::new();
        open.push((0, Estimate::ZERO), (0, 0));
        Self {
            evaluated_before: space.evaluated,
            generated_before: space.generated,
            is_complete: true,
            space,
            best,
            goal: None,
            open,
            waiting: Vec::new(),
            states: Vec::new(),
            heuristic_bytes: 0,
            effort: 0,
        }
    }

    /// Searches until a better plan is met, or about so much is spent, in states.
    pub(crate) fn search(
        mut self,
        heuristic: &mut dyn Heuristic,
        most: u64,
        expander: &mut Expander,
    ) -> Ended {
        self.effort = heuristic.effort();
        let options = self.space.options;
        let (threads, share_from) = (options.threads.get(), options.share_from / 16);
        let flow = with_worker_pool(heuristic, None, threads, share_from, |pool| {
            self.explore(pool, most, expander)
        });
        Ended {
            goal: self.goal,
            nearest: Vec::new(),
            spent: self.spent(),
            is_complete: self.is_complete && flow.is_continue(),
        }
    }

    /// Breaks where a better plan is met, or something ends the search before.
    fn explore(
        &mut self,
        pool: &mut WorkerPool,
        most: u64,
        expander: &mut Expander,
    ) -> ControlFlow<()> {
        let words = self.space.task.words;
        let mut state = StateBuf::zeros(words);
        let mut estimates = Vec::new();
        while !self.open.is_empty() {
            if self.spent() >= most {
                return ControlFlow::Break(());
            }
            for _ in 0..AT_ONCE {
                let Some(((_, to_come), (half, id))) = self.open.pop() else {
                    break;
                };
                state.copy_from(self.space.tables[half].state(id));
                let source = Source::new(self.space, (half, id));
                self.space.expanded += 1;
                if self.space.control.stop().is_some() {
                    return ControlFlow::Break(());
                }
                expander.expand(half, &state, |successor| {
                    self.meet(source, to_come, successor)
                })?;
            }
            let control = self.space.control;
            estimates.clear();
            let flow = pool.estimate(&self.states, words, &mut estimates, control);
            self.space.evaluated += estimates.len() as u64;
            self.heuristic_bytes = pool.bytes();
            if flow.is_break() || estimates.len() < self.waiting.len() {
                return ControlFlow::Break(());
            }
            let mut waiting = std::mem::take(&mut self.waiting);
            for (&(node, so_far), &to_come) in waiting.iter().zip(&estimates) {
                if to_come != Estimate::DEAD {
                    self.push(node, so_far, to_come);
                }
            }
            waiting.clear();
            self.waiting = waiting;
            self.states.clear();
        }
        ControlFlow::Continue(())
    }

    fn spent(&self) -> u64 {
        let evaluated = self.space.evaluated - self.evaluated_before;
        let generated = self.space.generated - self.generated_before;
        self.space.states() + evaluated * self.effort + generated / GENERATED_PER_STATE
    }

    fn meet(
        &mut self,
        source: Source,
        to_come: Estimate,
        successor: &Successor,
    ) -> ControlFlow<()> {
        let waiting =
            self.waiting.capacity() * size_of::<(Node, Estimate)>() + size_of_val(&*self.states);
        let side_bytes = self.heuristic_bytes + self.open.bytes() + waiting;
        match store(self.space, source, successor, Some(self.best), side_bytes)? {
            Stored::New(node, so_far) if successor.half == 0 => {
                self.waiting.push((node, so_far));
                self.states.extend_from_slice(successor.state.words());
            }
            // In the middle of a step nothing is estimated.
            Stored::New(node, so_far) => self.push(node, so_far, to_come),
            Stored::Nothing => {}
            Stored::Better => self.is_complete = false,
            Stored::Goal(id) => {
                self.goal = Some(id);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds an open node, unless no plan through it is better.
    fn push(&mut self, node: Node, so_far: Estimate, to_come: Estimate) {
        if to_come.plus(so_far.first, so_far.makespan, so_far.labels) >= self.best {
            return;
        }
        let (estimate, may_be_spent) = match self.best.first {
            0 => (
                i64::from(to_come.makespan),
                i64::from(self.best.makespan) - i64::from(so_far.makespan),
            ),
            first => (to_come.first, first.saturating_sub(so_far.first)),
        };
        let part = |of: u64| PARTS.saturating_mul(estimate.max(0).unsigned_abs()) / of;
        let may_be_spent = u64::try_from(may_be_spent).unwrap_or(0);
        self.open.push((part(may_be_spent.max(1)), to_come), node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::anytime::testing::{LENGTH, Misled, marsh};
    use crate::control::Unlimited;
    use crate::measure::Measure;
    use crate::options::SearchOptions;
    use crate::space::start::Start;

    /// The length of a plan found that is better than this; true if there is none.
    fn found(best: u32) -> (Option<u32>, bool) {
        let task = marsh();
        let options = SearchOptions::default();
        let start = Start {
            state: &task.initial,
            agent: 0,
        };
        let measure = Measure::new(&task, options.objective);
        let mut space = Space::new(&task, start, &options, &Unlimited, measure);
        let best = Estimate {
            makespan: best,
            ..Estimate::ZERO
        };
        let search = Bounded::new(&mut space, best);
        let ended = search.search(&mut Misled(&task), u64::MAX, &mut Expander::new(&task));
        let makespan = |id| space.keys.value(space.tables[0].reached(id).key).1;
        (ended.goal.map(makespan), ended.is_complete)
    }

    #[test]
    fn a_plan_that_is_better_than_one_that_is_known_is_found() {
        assert_eq!(found(LENGTH + 1), (Some(LENGTH), false));
    }

    #[test]
    fn the_lack_of_a_better_plan_is_reported() {
        assert_eq!(found(LENGTH), (None, true));
    }
}
