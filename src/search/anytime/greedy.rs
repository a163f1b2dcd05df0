//! Weighted best-first search with deferred evaluation and preferred operators (S. Richter and M.
//! Westphal, "The LAMA planner", JAIR 39, 2010).
//!
//! A node is estimated when it is expanded, and waits with what the node before it promises. Nodes wait
//! in two queues, all in one, those that a relaxed plan starts with in the other as well; the queues
//! take turns, the second more often after progress.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use super::Guide;
use crate::search::engine::{POLL, Space, Standing, standing};
use crate::search::expand::{Expander, Successor};
use crate::search::heuristic::Estimate;
use crate::search::measure::Key;
use crate::search::table::Reached;
use crate::search::words::hash;

/// After progress so many more preferred nodes are expanded than others.
const BOOST: i64 = 1_000;

/// Open nodes, `(half-step, number)`, in order of priority; of equal ones the first comes first.
#[derive(Default)]
struct Queue {
    buckets: BTreeMap<Estimate, VecDeque<(usize, u32)>>,
    /// What the buckets have room for, in nodes.
    room: usize,
    /// How often it had its turn.
    turns: i64,
}

impl Queue {
    fn push(&mut self, priority: Estimate, node: (usize, u32)) {
        let bucket = self.buckets.entry(priority).or_default();
        self.room -= bucket.capacity();
        bucket.push_back(node);
        self.room += bucket.capacity();
    }

    fn pop(&mut self) -> Option<(usize, u32)> {
        let mut bucket = self.buckets.first_entry()?;
        let node = bucket.get_mut().pop_front();
        if bucket.get().is_empty() {
            self.room -= bucket.remove().capacity();
        }
        node
    }

    /// Bytes held.
    fn bytes(&self) -> usize {
        let bucket = size_of::<(Estimate, VecDeque<(usize, u32)>)>();
        self.room * size_of::<(usize, u32)>() + self.buckets.len() * bucket
    }
}

/// The node whose successors are met.
#[derive(Clone, Copy)]
struct Source {
    id: u32,
    key: Key,
    labels: u32,
    promise: Estimate,
}

/// A search in a space that holds the start alone.
pub(crate) struct Greedy<'s, 'a, 'g, 't> {
    space: &'s mut Space<'a>,
    guide: Guide<'g, 't>,
    /// How many times more what is to come counts than what was.
    weight: u32,
    /// What a plan is to be better than.
    best: Option<Estimate>,
    goal: Option<u32>,
    all: Queue,
    preferred: Queue,
    /// For each half-step and node whether it was expanded.
    is_closed: Vec<Vec<bool>>,
    effort_before: u64,
    guide_bytes: usize,
    /// Whether nothing was left out that a better plan may lead through.
    is_complete: bool,
}

/// How a search ended.
pub(crate) struct Ended {
    /// Where a plan ends that is better.
    pub(crate) goal: Option<u32>,
    /// What was spent, in states.
    pub(crate) spent: u64,
    /// Whether everything was explored that a better plan may lead through.
    pub(crate) is_complete: bool,
}

impl<'s, 'a, 'g, 't> Greedy<'s, 'a, 'g, 't> {
    pub(crate) fn new(
        space: &'s mut Space<'a>,
        guide: Guide<'g, 't>,
        weight: u32,
        best: Option<Estimate>,
    ) -> Self {
        let mut all = Queue::default();
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
            preferred: Queue::default(),
        }
    }

    /// Searches until a better plan is met, or about so much is spent, in states.
    pub(crate) fn search(mut self, most: u64, expander: &mut Expander) -> Ended {
        let mut state = vec![0; self.space.task.words];
        let mut nearest = Estimate::DEAD;
        while let Some((half, id)) = self.next() {
            if self.spent() >= most || self.space.control.stop().is_some() {
                self.is_complete = false;
                break;
            }
            state.copy_from_slice(self.space.tables[half].state(id));
            self.space.evaluated += 1;
            let Some((promise, least)) = self.guide.estimate(half, &state) else {
                continue;
            };
            let reached = self.space.tables[half].reached(id);
            let source = Source {
                id,
                key: self.space.keys.value(reached.key),
                labels: reached.labels,
                promise,
            };
            let least = least.plus(source.key.0, source.key.1, source.labels);
            if self.best.is_some_and(|best| least >= best) {
                continue;
            }
            if promise < nearest {
                nearest = promise;
                self.preferred.turns -= BOOST;
            }
            self.space.expanded += 1;
            let flow = expander.expand(half, &state, |successor| self.meet(source, successor));
            if flow.is_break() {
                self.is_complete = false;
                break;
            }
        }
        Ended {
            goal: self.goal,
            spent: self.spent(),
            is_complete: self.is_complete,
        }
    }

    fn spent(&self) -> u64 {
        self.space.states() + self.guide.effort() - self.effort_before
    }

    /// The next node that was not expanded.
    fn next(&mut self) -> Option<(usize, u32)> {
        loop {
            let is_preferred = !self.preferred.buckets.is_empty()
                && (self.all.buckets.is_empty() || self.preferred.turns < self.all.turns);
            let queue = if is_preferred {
                &mut self.preferred
            } else {
                &mut self.all
            };
            let (half, id) = queue.pop()?;
            let is_closed = &mut self.is_closed[half];
            if is_closed.len() <= id as usize {
                is_closed.resize(id as usize + 1, false);
            }
            if !std::mem::replace(&mut is_closed[id as usize], true) {
                queue.turns += 1;
                return Some((half, id));
            }
        }
    }

    fn meet(&mut self, source: Source, successor: &Successor) -> ControlFlow<()> {
        let space = &mut *self.space;
        space.generated += 1;
        if space.generated.is_multiple_of(POLL) && space.control.stop().is_some() {
            return ControlFlow::Break(());
        }
        let (key, labels) = (space.measure).add((source.key, source.labels), successor);
        let so_far = Estimate::ZERO.plus(key.0, key.1, labels);
        if self.best.is_some_and(|best| so_far >= best) {
            return ControlFlow::Continue(());
        }
        let (half, state) = (successor.half, successor.state);
        let hash = hash(state);
        let reached = Reached {
            key: space.keys.number(key),
            labels,
        };
        let place = match space.tables[half].find_or_place(hash, state) {
            // A better way there is kept for the plan; the search does not come back to it.
            Ok(id) => {
                let known = space.tables[half].reached(id);
                if (key, labels) < (space.keys.value(known.key), known.labels) {
                    space.tables[half].set(id, reached, source.id);
                    self.is_complete = false;
                }
                return ControlFlow::Continue(());
            }
            Err(place) => place,
        };
        let standing = if successor.ticked {
            standing(space.task, state)
        } else {
            Standing::Open
        };
        if standing == Standing::Dead {
            return ControlFlow::Continue(());
        }
        let closed: usize = self.is_closed.iter().map(Vec::capacity).sum();
        let queues = self.all.bytes() + self.preferred.bytes();
        space.side_bytes = self.guide_bytes + queues + closed;
        if space.make_room(half).is_break() {
            return ControlFlow::Break(());
        }
        let id = space.tables[half].insert_at(place, hash, state, reached, source.id);
        if standing == Standing::Final {
            self.goal = Some(id);
            return ControlFlow::Break(());
        }
        let weight = self.weight;
        let priority = so_far.plus(
            source.promise.first.saturating_mul(i64::from(weight)),
            source.promise.makespan.saturating_mul(weight),
            0,
        );
        self.all.push(priority, (half, id));
        if self.guide.prefers(successor.operators) {
            self.preferred.push(priority, (half, id));
        }
        ControlFlow::Continue(())
    }
}
