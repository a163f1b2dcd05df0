//! A* over half-steps (P. Hart, N. Nilsson and B. Raphael, 1968) with a lexicographic estimate.
//!
//! Nodes are finished in the order of everything the objective counts, so far and estimated to come.
//! All that do not exceed the optimum are, so that the DAG of all optimal plans is complete. In the
//! middle of a step a node inherits from the node before it; such values may be inconsistent, so a
//! node that is reached better is opened again.
//!
//! Nodes of equal priority are expanded several at a time: their successors are looked up together,
//! and those that are new estimated together, by several threads if there are. How many nodes that
//! are does not depend on the threads. It grows with the search, so that the nodes that need not have
//! been expanded, those beside the first way to the goal, are few.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::batch::{Batch, Met, Open};
use super::engine::{POLL, Space, Standing, standing, standing_of_unfinished};
use super::evaluators::{Evaluators, with_evaluators};
use super::expand::Expander;
use super::heuristic::{Estimate, Heuristic};
use super::measure::Key;
use super::open::{OpenNodes, Priority};
use super::options::StopReason;
use super::queue::BucketQueue;
use super::result::Progress;
use super::table::Reached;
use super::words::copy;

/// Of the nodes expanded by now such a part may be expanded at once, and no more than so many.
const SHARE_AT_ONCE: u64 = 512;
const MOST_AT_ONCE: u64 = 64;

/// How much a plan through a successor is worth at least.
#[derive(Clone, Copy)]
enum Worth {
    /// It ends there.
    Final,
    /// What it is estimated to be worth: index into the estimates.
    Estimated(usize),
    /// As much as one through the node before it.
    Inherited,
}

/// A successor that is to be met.
#[derive(Clone, Copy)]
struct Arrival {
    hash: u64,
    key: Key,
    labels: u32,
    half: usize,
    /// The number of the node before it.
    parent: u32,
    worth: Worth,
}

/// The successors of nodes that are expanded at once.
#[derive(Default)]
struct Wave {
    arrivals: Vec<Arrival>,
    /// The words of all arrivals.
    states: Vec<u64>,
    /// The words of those that are estimated.
    estimated: Vec<u64>,
    /// By hash, an arrival that is estimated.
    known: FxHashMap<u64, usize>,
    estimates: Vec<Estimate>,
}

impl Wave {
    fn clear(&mut self) {
        self.arrivals.clear();
        self.states.clear();
        self.estimated.clear();
        self.known.clear();
        self.estimates.clear();
    }

    /// Adds a successor; each state is estimated once.
    fn push(&mut self, met: &Met, standing: Standing) {
        let words = met.state.len();
        let worth = if standing == Standing::Final {
            Worth::Final
        } else if met.is_ticked {
            let next = self.arrivals.len();
            let first = *self.known.entry(met.hash).or_insert(next);
            let same = self.states.get(first * words..(first + 1) * words);
            if same == Some(met.state) {
                self.arrivals[first].worth
            } else {
                self.estimated.extend_from_slice(met.state);
                Worth::Estimated(self.estimated.len() / words - 1)
            }
        } else {
            Worth::Inherited
        };
        self.states.extend_from_slice(met.state);
        self.arrivals.push(Arrival {
            hash: met.hash,
            key: met.key,
            labels: met.labels,
            half: met.half,
            parent: met.source.node.id,
            worth,
        });
    }
}

/// The search, without its heuristic.
struct Search<'s, 'a> {
    space: &'s mut Space<'a>,
    open: OpenNodes,
    /// What the best plan met is worth.
    best: Option<Estimate>,
    /// Nodes that this search has expanded.
    expanded: u64,
    heuristic_bytes: usize,
}

/// An informed search in a space that holds the start alone.
pub(super) struct Informed<'s, 'a, 'h> {
    search: Search<'s, 'a>,
    heuristic: &'h mut dyn Heuristic,
}

impl<'s, 'a, 'h> Informed<'s, 'a, 'h> {
    pub(super) fn new(space: &'s mut Space<'a>, heuristic: &'h mut dyn Heuristic) -> Self {
        let mut open = OpenNodes::new(space.tables.len());
        let total = heuristic.estimate(space.tables[0].state(0));
        space.side_bytes = heuristic.bytes();
        space.evaluated += 1;
        if total != Estimate::DEAD {
            open.push((total, Reverse(0), Reverse(0)), 0);
        }
        Self {
            search: Search {
                best: space.incumbent(),
                space,
                open,
                expanded: 0,
                heuristic_bytes: heuristic.bytes(),
            },
            heuristic,
        }
    }

    /// What is stored.
    pub(super) fn space(&self) -> &Space<'a> {
        self.search.space
    }

    /// Sets after how many states it pauses.
    pub(super) fn store_at_most(&mut self, states: u64) {
        self.search.space.most_states = states;
    }

    /// Whether it has come to a pause, rather than to its end.
    pub(super) fn is_paused(&self, explored: Result<(), StopReason>) -> bool {
        let space = self.space();
        explored == Err(StopReason::States)
            && space.states() >= space.most_states
            && (space.options.max_states).is_none_or(|most| most > space.most_states)
    }

    /// Notes what a plan that is known otherwise is worth.
    pub(super) fn seek_better_than(&mut self, plan: Estimate) {
        self.search.space.seek_no_worse_than(plan);
        let best = &mut self.search.best;
        *best = Some(best.map_or(plan, |best| best.min(plan)));
    }

    /// Explores until the optimum is known, or there is nothing left. After an error it may be called
    /// again, and goes on.
    pub(super) fn explore(&mut self, expander: &mut Expander) -> Result<(), StopReason> {
        let options = self.search.space.options;
        let share_from = options.share_from / 16;
        let search = &mut self.search;
        with_evaluators(
            self.heuristic,
            options.threads.get(),
            share_from,
            |evaluators| search.explore(expander, evaluators),
        )
    }
}

impl Search<'_, '_> {
    fn explore(
        &mut self,
        expander: &mut Expander,
        evaluators: &mut Evaluators,
    ) -> Result<(), StopReason> {
        let words = self.space.task.words;
        let mut state = vec![0; words];
        let mut batch = Batch::new(words, self.space.expanded, self.space.generated);
        let mut wave = Wave::default();
        let mut nodes = Vec::new();
        let mut total = None;
        while let Some(priority) = self.open.least() {
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
            let most = (self.expanded / SHARE_AT_ONCE).clamp(1, MOST_AT_ONCE);
            self.open.take(most as usize, &mut nodes);
            wave.clear();
            let Reverse(half) = priority.2;
            let mut flow = ControlFlow::Continue(());
            for &id in &nodes {
                let table = &self.space.tables[half];
                let Reached { key, labels } = table.reached(id);
                let key = self.space.keys.value(key);
                copy(table.state(id), &mut state);
                batch.expand(Open { id, key, labels });
                flow = expander.expand(half, &state, |successor| {
                    batch.push(self.space.measure, successor);
                    if batch.is_full() {
                        self.sift(priority.0, &mut batch, &mut wave)
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if flow.is_break() {
                    break;
                }
            }
            self.expanded += nodes.len() as u64;
            if flow.is_continue() {
                flow = self.sift(priority.0, &mut batch, &mut wave);
            }
            self.space.expanded = batch.expanded();
            if flow.is_continue() {
                let control = self.space.control;
                let states = &wave.estimated;
                flow = evaluators.estimate(states, words, &mut wave.estimates, control);
                self.space.evaluated += wave.estimates.len() as u64;
                self.heuristic_bytes = evaluators.bytes();
            }
            if flow.is_continue() {
                flow = self.meet_all(priority, &wave);
            }
            if let ControlFlow::Break(reason) = flow {
                // Some may be finished; to expand them again changes nothing.
                for &id in nodes.iter().rev() {
                    self.open.push(priority, id);
                }
                return Err(reason);
            }
        }
        if self.space.options.all {
            self.list_closed();
        }
        Ok(())
    }

    /// Looks the successors of a batch up, keeps those that may matter, and clears it. A plan through
    /// the nodes before them is worth at least `total`.
    fn sift(
        &mut self,
        total: Estimate,
        batch: &mut Batch,
        wave: &mut Wave,
    ) -> ControlFlow<StopReason> {
        let space = &mut *self.space;
        batch.look_up(&space.tables[batch.half()]);
        let is_due = batch.generated() / POLL > space.generated / POLL;
        space.generated = batch.generated();
        if is_due {
            space.side_bytes = self.open.bytes() + self.heuristic_bytes;
            if let Some(reason) = space.control.stop() {
                return ControlFlow::Break(reason);
            }
        }
        for index in 0..batch.len() {
            let met = batch.met(index);
            if self
                .best
                .is_some_and(|best| so_far(met.key, met.labels) > best)
            {
                continue;
            }
            if let Some(found) = met.found
                && is_no_better(space, (met.key, met.labels), found.reached)
            {
                continue;
            }
            let standing = if !met.is_ticked {
                Standing::Open
            } else if so_far(met.key, met.labels) < total {
                // A plan that ended here would be worth less than any can.
                standing_of_unfinished(space.task, met.state)
            } else {
                standing(space.task, met.state)
            };
            if standing != Standing::Dead {
                wave.push(&met, standing);
            }
        }
        batch.clear();
        ControlFlow::Continue(())
    }

    /// Meets the successors of nodes that were expanded at once.
    fn meet_all(&mut self, priority: Priority, wave: &Wave) -> ControlFlow<StopReason> {
        let states = wave.states.chunks_exact(self.space.task.words);
        for (arrival, state) in wave.arrivals.iter().zip(states) {
            let so_far = so_far(arrival.key, arrival.labels);
            let total = match arrival.worth {
                Worth::Final => so_far,
                Worth::Inherited => priority.0.max(so_far),
                Worth::Estimated(index) => match wave.estimates.get(index) {
                    Some(&Estimate::DEAD) => continue,
                    Some(rest) => rest.plus(so_far.first, so_far.makespan, so_far.labels),
                    // A thread has panicked.
                    None => return ControlFlow::Break(StopReason::Interrupted),
                },
            };
            if self.best.is_some_and(|best| total > best) {
                continue;
            }
            self.meet(arrival, state, total)?;
        }
        ControlFlow::Continue(())
    }

    fn meet(
        &mut self,
        arrival: &Arrival,
        state: &[u64],
        total: Estimate,
    ) -> ControlFlow<StopReason> {
        let space = &mut *self.space;
        let &Arrival {
            key, labels, half, ..
        } = arrival;
        let known = space.tables[half].find_or_place(arrival.hash, state);
        if let Ok(id) = known
            && is_no_better(space, (key, labels), space.tables[half].reached(id))
        {
            return ControlFlow::Continue(());
        }
        let reached = Reached {
            key: space.keys.number(key),
            labels,
        };
        let id = match known {
            Ok(id) => {
                space.tables[half].set(id, reached, arrival.parent);
                id
            }
            Err(place) => {
                space.make_room(half)?;
                let table = &mut space.tables[half];
                table.insert_at(place, arrival.hash, state, reached, arrival.parent)
            }
        };
        if matches!(arrival.worth, Worth::Final) {
            if known.is_err() {
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
        for (half, id) in self.open.closed() {
            let key = space.keys.value(space.tables[half].reached(id).key);
            queue.push(space.measure.order(key), half, id);
        }
        while let Some(bucket) = queue.pop() {
            space.closed_bytes += bucket.ids.bytes();
            space.closed.push(bucket);
        }
    }
}

/// What a node is worth that was reached so.
const fn so_far(key: Key, labels: u32) -> Estimate {
    Estimate {
        first: key.0,
        makespan: key.1,
        labels,
    }
}

/// Whether a node that was reached so is reached no better now.
fn is_no_better(space: &Space, now: (Key, u32), reached: Reached) -> bool {
    now >= (space.keys.value(reached.key), reached.labels)
}
