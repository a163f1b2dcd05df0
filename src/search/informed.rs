//! A* over half-steps (P. Hart, N. Nilsson and B. Raphael, 1968) with a lexicographic estimate.
//!
//! Nodes are finished in the order of everything the objective counts, so far and estimated to come.
//! All that do not exceed the optimum are, so that the DAG of all optimal plans is complete. In the
//! middle of a step a node inherits from the node before it; such values may be inconsistent, so a
//! node that is reached better is opened again.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::engine::{POLL, Space, Standing, standing};
use super::expand::{Expander, Successor};
use super::heuristic::{Estimate, Heuristic};
use super::measure::Key;
use super::options::StopReason;
use super::queue::BucketQueue;
use super::result::Progress;
use super::table::Reached;
use super::words::hash;

/// The bucket number of a node that is not open.
const CLOSED: u32 = u32::MAX;

/// What a plan through a node is worth at least; of equal ones the deepest comes first.
type Priority = (Estimate, Reverse<u32>, Reverse<usize>);

/// The open nodes.
#[derive(Default)]
struct Open {
    numbers: BTreeMap<Priority, u32>,
    buckets: Vec<Vec<u32>>,
    /// For each half-step and node the bucket where it waits.
    waits_in: Vec<Vec<u32>>,
    bytes: usize,
}

impl Open {
    fn push(&mut self, priority: Priority, id: u32) {
        let next = self.buckets.len() as u32;
        let number = *self.numbers.entry(priority).or_insert(next);
        if number == next {
            self.buckets.push(Vec::new());
        }
        self.buckets[number as usize].push(id);
        let Reverse(half) = priority.2;
        let waits_in = &mut self.waits_in[half];
        if waits_in.len() <= id as usize {
            waits_in.resize(id as usize + 1, CLOSED);
        }
        waits_in[id as usize] = number;
    }

    /// Takes the node of least priority and closes it.
    fn pop(&mut self) -> Option<(Priority, u32)> {
        loop {
            let (&priority, &number) = self.numbers.first_key_value()?;
            let Reverse(half) = priority.2;
            while let Some(id) = self.buckets[number as usize].pop() {
                let waits_in = &mut self.waits_in[half][id as usize];
                if *waits_in == number {
                    *waits_in = CLOSED;
                    return Some((priority, id));
                }
            }
            self.buckets[number as usize] = Vec::new();
            self.numbers.pop_first();
        }
    }

    fn measure_bytes(&mut self) -> usize {
        let lists = self.buckets.iter().chain(&self.waits_in);
        self.bytes = lists.map(|list| list.capacity() * size_of::<u32>()).sum();
        self.bytes
    }
}

/// What is known of a node that is being expanded.
#[derive(Clone, Copy)]
struct Source {
    id: u32,
    key: Key,
    labels: u32,
    total: Estimate,
}

/// An informed search in a space that holds the start alone.
pub(super) struct Informed<'s, 'a, 'h> {
    space: &'s mut Space<'a>,
    heuristic: &'h mut dyn Heuristic,
    open: Open,
    /// What the best plan met is worth.
    best: Option<Estimate>,
}

impl<'s, 'a, 'h> Informed<'s, 'a, 'h> {
    pub(super) fn new(space: &'s mut Space<'a>, heuristic: &'h mut dyn Heuristic) -> Self {
        let mut open = Open::default();
        open.waits_in.resize(space.tables.len(), Vec::new());
        space.side_bytes = heuristic.bytes();
        let total = heuristic.estimate(space.tables[0].state(0));
        space.evaluated += 1;
        if total != Estimate::DEAD {
            open.push((total, Reverse(0), Reverse(0)), 0);
        }
        Self {
            space,
            heuristic,
            open,
            best: None,
        }
    }

    /// Explores until the optimum is known, or there is nothing left. After an error it may be called
    /// again, and goes on.
    pub(super) fn explore(&mut self, expander: &mut Expander) -> Result<(), StopReason> {
        let mut state = vec![0; self.space.task.words];
        let mut total = None;
        while let Some((priority, id)) = self.open.pop() {
            let exceeds =
                |best: Estimate| priority.0 > best || !self.space.options.all && priority.0 == best;
            if self.best.is_some_and(exceeds) {
                break;
            }
            if total.is_none_or(|total| priority.0 > total) {
                total = Some(priority.0);
                self.space.prove(priority.0);
                self.space.control.progress(&Progress {
                    states: self.space.states(),
                    lower: self.space.lower(),
                });
            }
            let Reverse(half) = priority.2;
            let table = &self.space.tables[half];
            let reached = table.reached(id);
            state.copy_from_slice(table.state(id));
            let source = Source {
                id,
                key: self.space.keys.value(reached.key),
                labels: reached.labels,
                total: priority.0,
            };
            self.space.expanded += 1;
            let flow = expander.expand(half, &state, |successor| self.meet(source, successor));
            if let ControlFlow::Break(reason) = flow {
                self.open.push(priority, id);
                return Err(reason);
            }
        }
        if self.space.options.all {
            self.list_closed();
        }
        Ok(())
    }

    fn meet(&mut self, source: Source, successor: &Successor) -> ControlFlow<StopReason> {
        let space = &mut *self.space;
        space.generated += 1;
        if space.generated.is_multiple_of(POLL) {
            space.side_bytes = self.open.measure_bytes() + self.heuristic.bytes();
            if let Some(reason) = space.control.stop() {
                return ControlFlow::Break(reason);
            }
        }
        let measure = space.measure;
        let (key, labels) = measure.add((source.key, source.labels), successor);
        let so_far = Estimate {
            first: key.0,
            makespan: key.1,
            labels,
        };
        if self.best.is_some_and(|best| so_far > best) {
            return ControlFlow::Continue(());
        }
        let half = successor.half;
        let hash = hash(successor.state);
        let known = space.tables[half].find(hash, successor.state);
        if let Some(id) = known {
            let old = space.tables[half].reached(id);
            if (key, labels) >= (space.keys.value(old.key), old.labels) {
                return ControlFlow::Continue(());
            }
        }
        let standing = if successor.ticked {
            standing(space.task, successor.state)
        } else {
            Standing::Open
        };
        let is_final = match standing {
            Standing::Dead => return ControlFlow::Continue(()),
            Standing::Final => true,
            Standing::Open => false,
        };
        let total = if is_final {
            so_far
        } else if successor.ticked {
            space.evaluated += 1;
            let rest = self.heuristic.estimate(successor.state);
            if rest == Estimate::DEAD {
                return ControlFlow::Continue(());
            }
            rest.plus(so_far.first, so_far.makespan, so_far.labels)
        } else {
            source.total.max(so_far)
        };
        if self.best.is_some_and(|best| total > best) {
            return ControlFlow::Continue(());
        }
        let reached = Reached {
            key: space.keys.number(key),
            labels,
        };
        let id = if let Some(id) = known {
            space.tables[half].set(id, reached, source.id);
            id
        } else {
            space.make_room(half)?;
            space.tables[half].insert(hash, successor.state, reached, source.id)
        };
        if is_final {
            if known.is_none() {
                space.goals.push(id);
            }
            self.best = Some(self.best.map_or(total, |best| best.min(total)));
        } else {
            self.open.push((total, Reverse(key.1), Reverse(half)), id);
        }
        ControlFlow::Continue(())
    }

    /// Lists the nodes that have been expanded, in the order that blind search finishes them in.
    fn list_closed(&mut self) {
        let space = &mut *self.space;
        let mut queue = BucketQueue::new(space.tables.len());
        for (half, waits_in) in self.open.waits_in.iter().enumerate() {
            for (id, _) in (0..).zip(waits_in).filter(|&(_, &number)| number == CLOSED) {
                let key = space.keys.value(space.tables[half].reached(id).key);
                queue.push(space.measure.order(key), half, id);
            }
        }
        while let Some(bucket) = queue.pop() {
            space.closed_bytes += bucket.ids.bytes();
            space.closed.push(bucket);
        }
    }
}
