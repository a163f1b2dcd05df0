//! A* over half-steps (P. Hart, N. Nilsson and B. Raphael, 1968) with a lexicographic estimate.
//!
//! Nodes are finished in the order of everything the objective counts, so far and estimated to
//! come. All that do not exceed the optimum are, so that the DAG of all optimal plans is complete.
//! In the middle of a step a node inherits from the node before it; such values may be
//! inconsistent, so a node that is reached better is opened again.
//!
//! Nodes of equal priority are expanded several at a time: their successors are looked up together,
//! and those that are new estimated together (`node_group`), by several threads if there are, while
//! the next nodes are expanded. Their number does not depend on the threads. It grows with the
//! search, so that the nodes that need not have been expanded, those beside the first way to the
//! goal, are few.
//!
//! A new state is at first only compared with the node before it, where that takes less time than
//! an estimate: is a plan through it worth more? Its estimate follows when it comes to be expanded
//! (D. Tolpin et al., "Toward Rational Deployment of Multiple Heuristics in A*", IJCAI 2013, who
//! leave a heuristic that takes longer to that time).

mod node_group;

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::parallel::expansion::{Expansion, Piece};
use super::parallel::worker_pool::{Begun, WorkerPool, with_worker_pool};
use crate::control::{NODES_PER_POLL, Progress, SUCCESSORS_PER_POLL, StopReason};
use crate::heuristics::{Estimate, Heuristic};
use crate::measure::Key;
use crate::space::batch::{Batch, Open};
use crate::space::bucket_queue::BucketQueue;
use crate::space::expand::Expander;
use crate::space::node_kind::{NodeKind, kind_of_non_goal, node_kind};
use crate::space::open_list::OpenNodes;
use crate::space::search_space::Space;
use crate::space::state_table::Reached;
use crate::space::words::copy;
use brigade_task::{State, StateBuf};
use node_group::{Arrival, Asked, NodeGroup, Worth, worth};

/// Of the nodes expanded by now such a part may be expanded at once, and no more than so many.
const SHARE_AT_ONCE: u64 = 512;
const MOST_AT_ONCE: u64 = 256;
/// Nodes that must be expanded at once for the next to be expanded while others are being
/// estimated.
const FEWEST_TO_OVERLAP: u64 = 16;
/// Several threads expand the nodes of a group where those of the last had no more successors each
/// than this, as those of all nodes are held at once.
const MOST_PER_NODE: u64 = 64;
/// So many groups are being estimated at once, at most.
const MOST_PENDING: usize = 3;

/// Working space.
struct Working {
    state: StateBuf,
    batch: Batch,
}

/// A group whose nodes, or their successors, are being estimated.
struct PendingGroup {
    group: NodeGroup,
    begun: Option<Begun>,
}

/// The search, without its heuristic.
struct Search<'s, 'a> {
    space: &'s mut Space<'a>,
    open: OpenNodes,
    /// The worth of the best plan met.
    best: Option<Estimate>,
    /// Nodes that this search has expanded.
    expanded: u64,
    /// Successors of each node of the group that was expanded last, about.
    per_node: u64,
    heuristic_bytes: usize,
}

/// An informed search in a space that holds the start alone.
pub(crate) struct Informed<'s, 'a, 'h> {
    search: Search<'s, 'a>,
    heuristic: &'h mut dyn Heuristic,
}

impl<'s, 'a, 'h> Informed<'s, 'a, 'h> {
    pub(crate) fn new(space: &'s mut Space<'a>, heuristic: &'h mut dyn Heuristic) -> Self {
        let mut open = OpenNodes::new(space.tables.len());
        let total = heuristic.estimate(space.tables[0].state(0));
        space.side_bytes = heuristic.bytes();
        space.evaluated += 1;
        if total != Estimate::DEAD {
            open.push((total, Reverse(0), Reverse(0), false), 0);
        }
        Self {
            search: Search {
                best: space.incumbent(),
                space,
                open,
                expanded: 0,
                per_node: u64::MAX,
                heuristic_bytes: heuristic.bytes(),
            },
            heuristic,
        }
    }

    /// The nodes met.
    pub(crate) fn space(&self) -> &Space<'a> {
        self.search.space
    }

    /// Sets after how many states it pauses.
    pub(crate) fn store_at_most(&mut self, states: u64) {
        self.search.space.most_states = states;
    }

    /// Returns whether the search has come to a pause, rather than to its end.
    pub(crate) fn is_paused(&self, explored: Result<(), StopReason>) -> bool {
        let space = self.space();
        explored == Err(StopReason::States)
            && space.states() >= space.most_states
            && (space.options.max_states).is_none_or(|most| most > space.most_states)
    }

    /// Notes what a plan that is known otherwise is worth.
    pub(crate) fn seek_better_than(&mut self, plan: Estimate) {
        self.search.space.seek_no_worse_than(plan);
        let best = &mut self.search.best;
        *best = Some(best.map_or(plan, |best| best.min(plan)));
    }

    /// Explores until the optimum is known, or there is nothing left. After an error it may be
    /// called again, and goes on.
    pub(crate) fn explore(&mut self, expander: &mut Expander) -> Result<(), StopReason> {
        let options = self.search.space.options;
        let share_from = options.share_from / 16;
        let search = &mut self.search;
        let threads = options.threads.get();
        with_worker_pool(
            self.heuristic,
            (threads > 1).then(|| expander.another()),
            threads,
            share_from,
            |pool| search.explore(expander, pool),
        )
    }
}

impl Search<'_, '_> {
    fn explore(
        &mut self,
        expander: &mut Expander,
        pool: &mut WorkerPool,
    ) -> Result<(), StopReason> {
        let mut working = Working {
            state: StateBuf::zeros(self.space.task.words),
            batch: Batch::new(
                self.space.task.words,
                self.space.expanded,
                self.space.generated,
            ),
        };
        let mut pending = VecDeque::new();
        let ended = self.explore_in(&mut pending, &mut working, expander, pool);
        for PendingGroup { group, .. } in &pending {
            self.open_again(group);
        }
        if ended.is_ok() && self.space.options.all {
            self.list_closed();
        }
        ended
    }

    /// The same; groups that are not finished after an error stay in `pending`.
    fn explore_in(
        &mut self,
        pending: &mut VecDeque<PendingGroup>,
        working: &mut Working,
        expander: &mut Expander,
        pool: &mut WorkerPool,
    ) -> Result<(), StopReason> {
        let mut proven = None;
        // One of a pending that has ended.
        let mut spare = NodeGroup::default();
        loop {
            let next = self.open.least().filter(|next| !self.is_beyond(next.0));
            let at_once = (self.expanded / SHARE_AT_ONCE).clamp(1, MOST_AT_ONCE);
            let may_start = |first: &PendingGroup| {
                at_once >= FEWEST_TO_OVERLAP
                    && pending.len() < MOST_PENDING
                    && next.is_some_and(|next| next.0 <= first.group.priority.0)
            };
            if pending.front().is_some_and(|first| !may_start(first))
                && let Some(first) = pending.pop_front()
            {
                spare = self.finish(first, pool)?;
                continue;
            }
            let Some(priority) = next else {
                return Ok(());
            };
            if proven.is_none_or(|proven| priority.0 > proven) {
                proven = Some(priority.0);
                self.space.prove(priority.0);
                self.space.control.progress(&Progress {
                    states: self.space.states(),
                    lower: self.space.lower(),
                    upper: None,
                });
            }
            let mut group = std::mem::take(&mut spare);
            group.clear(priority);
            self.open.take(at_once as usize, &mut group.nodes);
            if group.asks_about_nodes() {
                self.ask_again(&mut group);
            } else if let ControlFlow::Break(reason) =
                self.expand(&mut group, pending, working, (expander, pool))
            {
                self.open_again(&group);
                return Err(reason);
            }
            let asked = &group.asked;
            let begun = pool.begin(&asked.states, self.space.task.words, &asked.most);
            pending.push_back(PendingGroup { group, begun });
        }
    }

    /// Returns whether every plan that is looked for is worth less.
    fn is_beyond(&self, total: Estimate) -> bool {
        let beyond = |best| total > best || !self.space.options.all && total == best;
        total == Estimate::DEAD || self.best.is_some_and(beyond)
    }

    /// Opens nodes again. Some may be finished; to expand them again changes nothing.
    fn open_again(&mut self, group: &NodeGroup) {
        for &id in group.nodes.iter().rev() {
            self.open.push(group.priority, id);
        }
    }

    /// Expands the nodes of a group; `before` are those whose successors have not been met.
    fn expand(
        &mut self,
        group: &mut NodeGroup,
        before: &VecDeque<PendingGroup>,
        working: &mut Working,
        (expander, pool): (&mut Expander, &mut WorkerPool),
    ) -> ControlFlow<StopReason> {
        let generated = self.space.generated;
        let count = group.nodes.len() as u64;
        let may_share = count >= FEWEST_TO_OVERLAP && self.per_node <= MOST_PER_NODE;
        let flow = if may_share && pool.may_expand() {
            self.expand_together(group, before, (expander, pool))
        } else {
            self.expand_alone(group, before, working, expander)
        };
        self.per_node = (self.space.generated - generated) / count.max(1);
        flow
    }

    /// The same on this thread.
    fn expand_alone(
        &mut self,
        group: &mut NodeGroup,
        before: &VecDeque<PendingGroup>,
        working: &mut Working,
        expander: &mut Expander,
    ) -> ControlFlow<StopReason> {
        let Working { state, batch } = working;
        batch.count_on(self.space.expanded, self.space.generated);
        let half = group.half();
        let nodes = std::mem::take(&mut group.nodes);
        let flow = nodes.iter().try_for_each(|&id| {
            let table = &self.space.tables[half];
            let Reached { key, labels } = table.reached(id);
            let key = self.space.keys.value(key);
            copy(table.key(id), state.words_mut());
            batch.expand(Open { id, key, labels });
            if batch.expanded().is_multiple_of(NODES_PER_POLL)
                && let Some(reason) = self.space.control.stop()
            {
                return ControlFlow::Break(reason);
            }
            expander.expand(half, state, |successor| {
                batch.push(self.space.measure, successor);
                if batch.is_full() {
                    self.sift(batch, group, before)
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        self.expanded += nodes.len() as u64;
        group.nodes = nodes;
        flow?;
        self.sift(batch, group, before)?;
        self.space.expanded = batch.expanded();
        ControlFlow::Continue(())
    }

    /// The same on several threads.
    fn expand_together(
        &mut self,
        group: &mut NodeGroup,
        before: &VecDeque<PendingGroup>,
        (expander, pool): (&mut Expander, &mut WorkerPool),
    ) -> ControlFlow<StopReason> {
        let half = group.half();
        let table = &self.space.tables[half];
        let mut states = Vec::with_capacity(group.nodes.len() * self.space.task.words);
        let nodes = group.nodes.iter().map(|&id| {
            let Reached { key, labels } = table.reached(id);
            let key = self.space.keys.value(key);
            states.extend_from_slice(table.key(id));
            Open { id, key, labels }
        });
        let nodes: Vec<Open> = nodes.collect();
        let expansion = Expansion::new(half, self.space.measure, nodes, states);
        let pieces = match pool.expand(expansion, expander, self.space.control) {
            Ok(pieces) => pieces,
            Err(reason) => return ControlFlow::Break(reason),
        };
        self.expanded += group.nodes.len() as u64;
        for Piece { mut batch, pruned } in pieces {
            expander.pruned += pruned;
            batch.count_from(self.space.expanded, self.space.generated);
            self.sift(&mut batch, group, before)?;
            self.space.expanded = batch.expanded();
        }
        ControlFlow::Continue(())
    }

    /// Asks about nodes of which it may be found out that they are worth more.
    fn ask_again(&self, group: &mut NodeGroup) {
        for &id in &group.nodes {
            let table = &self.space.tables[group.half()];
            let Reached { key, labels } = table.reached(id);
            let key = self.space.keys.value(key);
            (group.asked).push(table.state(id), (key, labels), group.priority.0);
        }
    }

    /// Opens the nodes of a group, or their successors, once their estimates are there. Returns the
    /// group, to be used again.
    fn finish(
        &mut self,
        pending: PendingGroup,
        pool: &mut WorkerPool,
    ) -> Result<NodeGroup, StopReason> {
        let PendingGroup { mut group, begun } = pending;
        let space = &mut *self.space;
        let Asked {
            states,
            most,
            answers,
        } = &mut group.asked;
        let of_states = (&**states, space.task.words, &**most);
        let mut flow = pool.finish(begun.as_ref(), of_states, answers, space.control);
        space.evaluated += answers.len() as u64;
        self.heuristic_bytes = pool.bytes();
        if flow.is_continue() && answers.len() < most.len() {
            // A thread has panicked.
            flow = ControlFlow::Break(StopReason::Interrupted);
        }
        if flow.is_continue() {
            flow = if group.asks_about_nodes() {
                self.open_answered(&group);
                flow
            } else {
                self.meet_all(&group)
            };
        }
        match flow {
            ControlFlow::Continue(()) => Ok(group),
            ControlFlow::Break(reason) => {
                self.open_again(&group);
                Err(reason)
            }
        }
    }

    /// Opens nodes about which it was asked.
    fn open_answered(&mut self, group: &NodeGroup) {
        let half = group.half();
        // The first comes last, so that it is taken first.
        for (&id, &answer) in group.nodes.iter().zip(&group.asked.answers).rev() {
            let Reached { key, labels } = self.space.tables[half].reached(id);
            let key = self.space.keys.value(key);
            // One that leads nowhere is not expanded, so it stays open.
            let dead = (Estimate::DEAD, false);
            let (total, is_unsettled) =
                worth(answer, so_far(key, labels), group.priority.0).unwrap_or(dead);
            let priority = (total, Reverse(key.1), Reverse(half), is_unsettled);
            self.open.push(priority, id);
        }
    }

    /// Looks the successors of a batch up, keeps those that may matter, and clears it.
    fn sift(
        &mut self,
        batch: &mut Batch,
        group: &mut NodeGroup,
        before: &VecDeque<PendingGroup>,
    ) -> ControlFlow<StopReason> {
        let space = &mut *self.space;
        batch.look_up(&space.tables[batch.half()]);
        let is_due =
            batch.generated() / SUCCESSORS_PER_POLL > space.generated / SUCCESSORS_PER_POLL;
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
            let kind = if !met.is_ticked {
                NodeKind::Interior
            } else if so_far(met.key, met.labels) < group.priority.0 {
                // A plan that ended here would be worth less than any can.
                kind_of_non_goal(space.task, met.state)
            } else {
                node_kind(space.task, met.state)
            };
            if kind != NodeKind::DeadEnd {
                let is_asked = |pending: &PendingGroup| pending.group.is_asked_about(&met);
                group.push(&met, kind, before.iter().any(is_asked));
            }
        }
        batch.clear();
        ControlFlow::Continue(())
    }

    /// Meets the successors of nodes that were expanded at once.
    fn meet_all(&mut self, group: &NodeGroup) -> ControlFlow<StopReason> {
        let total = group.priority.0;
        let states = group.states.chunks_exact(self.space.task.words);
        for (arrival, state) in group.arrivals.iter().zip(states) {
            let so_far = so_far(arrival.key, arrival.labels);
            let worth_and_settled = match arrival.worth {
                Worth::Final => Some((so_far, false)),
                Worth::Inherited => Some((total.max(so_far), false)),
                Worth::Asked(index) => worth(group.asked.answers[index], so_far, total),
                Worth::AskedBefore => Some((total.max(so_far), true)),
            };
            if let Some((total, is_unsettled)) = worth_and_settled
                && self.best.is_none_or(|best| total <= best)
            {
                self.meet(arrival, State::from_words(state), total, is_unsettled)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn meet(
        &mut self,
        arrival: &Arrival,
        state: &State,
        total: Estimate,
        is_unsettled: bool,
    ) -> ControlFlow<StopReason> {
        let space = &mut *self.space;
        let &Arrival {
            key, labels, half, ..
        } = arrival;
        let known = space.tables[half].find_or_place(arrival.hash, state.words());
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
                table.insert_at(place, arrival.hash, state.words(), reached, arrival.parent)
            }
        };
        if matches!(arrival.worth, Worth::Final) {
            if known.is_err() {
                space.goals.push(id);
            }
            self.best = Some(self.best.map_or(total, |best| best.min(total)));
        } else {
            self.open
                .push((total, Reverse(key.1), Reverse(half), is_unsettled), id);
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

/// The worth of a node by the way to it alone.
const fn so_far(key: Key, labels: u32) -> Estimate {
    Estimate {
        first: key.0,
        makespan: key.1,
        labels,
    }
}

/// Returns whether a node that was reached so is reached no better now.
fn is_no_better(space: &Space, now: (Key, u32), reached: Reached) -> bool {
    now >= (space.keys.value(reached.key), reached.labels)
}
