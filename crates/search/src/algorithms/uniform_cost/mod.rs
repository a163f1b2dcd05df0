//! Uniform-cost search over half-steps (E. W. Dijkstra, 1959), which is breadth-first search where
//! the makespan is all that counts.
//!
//! Nodes are finished in the order of (first key, makespan, half-step), whole buckets at a time;
//! the last key, the number of labels, is the least over the predecessors and known once they are
//! all finished. The search ends when the next bucket cannot come before the best plan met, so that
//! every optimal end is known with every key.

mod findings;

use std::ops::ControlFlow;

use super::parallel::rounds::Rounds;
use crate::control::{Control, NODES_PER_POLL, Progress, SUCCESSORS_PER_POLL, StopReason};
use crate::heuristics::Estimate;
use crate::measure::{Key, Measure};
use crate::options::SearchOptions;
use crate::space::batch::{Batch, Met};
use crate::space::bucket_queue::{Bucket, BucketQueue, Keys};
use crate::space::expand::{Expander, halves};
use crate::space::id_table::Place;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::state_table::{Reached, StateTable};
use crate::space::successor_filter::SuccessorFilter;
use crate::space::words::{copy, hash};
use brigade_task::PackedTask;

/// The start of plans: a state, and in the middle of a step of sequential turns the agent to
/// choose.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The state; with `agent` > 0 the one that the agents before it have left.
    pub state: &'a [u64],
    /// The agent who chooses next. Other than 0 in the middle of a step of sequential turns only.
    pub agent: usize,
}

impl<'t> Start<'t> {
    /// The initial state of a task.
    pub fn initial(task: &'t PackedTask) -> Self {
        Self {
            state: &task.initial,
            agent: 0,
        }
    }
}

/// The working space for finishing buckets.
pub(crate) struct Finisher<'t> {
    batch: Batch,
    state: Vec<u64>,
    /// Of several threads, once a bucket is worth them.
    rounds: Option<Rounds<'t>>,
}

impl Finisher<'_> {
    pub(crate) fn new(space: &Space) -> Self {
        let words = space.task.words;
        Self {
            batch: Batch::new(words, space.expanded, space.generated),
            state: vec![0; words],
            rounds: None,
        }
    }
}

/// The nodes met and what is known of them.
pub(crate) struct Space<'a> {
    pub task: &'a PackedTask,
    pub options: &'a SearchOptions,
    pub control: &'a dyn Control,
    pub measure: Measure,
    is_monotone: bool,
    /// The most states that may be stored before something else is tried.
    pub most_states: u64,
    /// One table for each half-step.
    pub tables: Vec<StateTable>,
    pub keys: Keys,
    queue: BucketQueue,
    /// States in which a plan ends.
    pub goals: Vec<u32>,
    /// The least key of a goal.
    best: Option<Key>,
    /// The finished buckets, in order, where the DAG is asked for.
    pub closed: Vec<Bucket>,
    /// Bytes of everything but the tables, as last summed up.
    pub side_bytes: usize,
    pub closed_bytes: usize,
    /// Nodes stored elsewhere than in the tables.
    pub elsewhere: u64,
    /// States and bytes that another space holds, which count as its own where limits are met.
    pub others: (u64, usize),
    pub peak_bytes: usize,
    pub expanded: u64,
    pub generated: u64,
    pub evaluated: u64,
    /// Priority of the bucket that is being finished.
    current: Key,
    /// A bound that was proven otherwise.
    proven: Estimate,
    /// The worth of the best plan known otherwise: no worse one is looked for.
    incumbent: Option<Estimate>,
}

impl<'a> Space<'a> {
    /// A space that holds the start, which must be neither final nor dead.
    pub(crate) fn new(
        task: &'a PackedTask,
        start: Start,
        options: &'a SearchOptions,
        control: &'a dyn Control,
        mut measure: Measure,
    ) -> Self {
        let is_monotone = measure.is_monotone(task);
        measure.by_tick = !is_monotone && task.horizon.is_some() && task.clock.is_some();
        let halves = halves(task);
        let half = start.agent.min(halves - 1);
        let mut space = Self {
            task,
            options,
            control,
            measure,
            is_monotone,
            most_states: u64::MAX,
            tables: (0..halves).map(|_| StateTable::new(task.words)).collect(),
            keys: Keys::default(),
            queue: BucketQueue::new(halves),
            goals: Vec::new(),
            best: None,
            closed: Vec::new(),
            side_bytes: 0,
            closed_bytes: 0,
            elsewhere: 0,
            others: (0, 0),
            peak_bytes: 0,
            expanded: 0,
            generated: 0,
            evaluated: 0,
            current: (0, 0),
            proven: Estimate::ZERO,
            incumbent: None,
        };
        space.begin_at(half, start.state);
        space.peak_bytes = space.bytes();
        space
    }

    /// Lets plans begin at a state that is not stored as well.
    pub(crate) fn begin_at(&mut self, half: usize, state: &[u64]) {
        let key = self.keys.number((0, 0));
        let reached = Reached { key, labels: 0 };
        let id = self.tables[half].insert(hash(state), state, reached, 0);
        self.queue.push((0, 0), half, id);
    }

    /// Explores until the optimum is known, or there is nothing left.
    pub(crate) fn explore(&mut self, expander: &mut Expander) -> Result<(), StopReason> {
        let mut finisher = Finisher::new(self);
        while let Some(bucket) = self.next_bucket() {
            if !self.measure.by_tick && self.best.is_some_and(|best| bucket.order >= best) {
                if self.is_monotone {
                    break;
                }
                // A better plan may lie beyond a step that improves the metric.
                return Err(StopReason::Unbounded);
            }
            self.finish(bucket, expander, &mut finisher)?;
        }
        Ok(())
    }

    /// Takes the bucket that is finished next.
    pub(crate) fn next_bucket(&mut self) -> Option<Bucket> {
        self.queue.pop()
    }

    /// Expands the nodes of the bucket that was taken last.
    pub(crate) fn finish<'t>(
        &mut self,
        bucket: Bucket,
        expander: &mut Expander<'t>,
        finisher: &mut Finisher<'t>,
    ) -> Result<(), StopReason> {
        self.current = bucket.order;
        self.control.progress(&Progress {
            states: self.states(),
            lower: self.lower(),
        });
        let threads = self.options.threads.get();
        let flow = if threads > 1 && bucket.ids.len() >= self.options.share_from {
            let new = || Rounds::new(expander, self.task.words, threads);
            let rounds = finisher.rounds.get_or_insert_with(new);
            let flow = self.finish_in_rounds(&bucket, rounds);
            expander.pruned += rounds.take_pruned();
            flow
        } else {
            finisher.batch.count_on(self.expanded, self.generated);
            self.finish_alone(&bucket, expander, finisher)
        };
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
        if self.options.all {
            self.closed_bytes += bucket.ids.bytes();
            self.closed.push(bucket);
        }
        Ok(())
    }

    /// Expands the nodes of a bucket one by one.
    fn finish_alone(
        &mut self,
        bucket: &Bucket,
        expander: &mut Expander,
        finisher: &mut Finisher,
    ) -> ControlFlow<StopReason> {
        let Finisher { batch, state, .. } = finisher;
        for index in 0..bucket.ids.len() {
            let Some(node) = self.successor_filter().open(bucket, index) else {
                continue;
            };
            copy(self.tables[bucket.half].state(node.id), state);
            batch.expand(node);
            if batch.expanded().is_multiple_of(NODES_PER_POLL)
                && let Some(reason) = self.control.stop()
            {
                return ControlFlow::Break(reason);
            }
            expander.expand(bucket.half, state, |successor| {
                batch.push(self.measure, successor);
                if batch.is_full() {
                    self.meet_all(batch)
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        self.meet_all(batch)?;
        self.expanded = batch.expanded();
        ControlFlow::Continue(())
    }

    /// The filter of successors, while nothing is stored.
    pub(crate) fn successor_filter(&self) -> SuccessorFilter<'_> {
        SuccessorFilter {
            task: self.task,
            measure: self.measure,
            tables: &self.tables,
            keys: &self.keys,
            limit: self.limit(),
        }
    }

    /// Meets the successors of a batch, and clears it.
    fn meet_all(&mut self, batch: &mut Batch) -> ControlFlow<StopReason> {
        batch.look_up(&self.tables[batch.half()]);
        for index in 0..batch.len() {
            self.meet(&batch.met(index))?;
        }
        batch.clear();
        ControlFlow::Continue(())
    }

    fn meet(&mut self, met: &Met) -> ControlFlow<StopReason> {
        self.expanded = met.source.expanded;
        self.count(met.generated)?;
        let filter = self.successor_filter();
        if filter.is_unbounded(met) {
            return ControlFlow::Break(StopReason::Unbounded);
        }
        // What is known of it can only be better by now.
        if filter.is_settled(met) {
            return ControlFlow::Continue(());
        }
        let known = match met.found {
            Some(found) => Ok(found.id),
            // It may have been stored after the look-up.
            None => self.tables[met.half].find_or_place(met.hash, met.state),
        };
        match known {
            Ok(id) => {
                self.meet_again(id, met);
                ControlFlow::Continue(())
            }
            Err(place) => self.meet_first(place, met),
        }
    }

    /// No plan through a node of a greater key is optimal.
    pub(crate) fn limit(&self) -> Option<Key> {
        self.best.filter(|_| self.is_monotone)
    }

    /// Counts the successors that have been generated by now.
    pub(crate) fn count(&mut self, generated: u64) -> ControlFlow<StopReason> {
        let is_due = generated / SUCCESSORS_PER_POLL > self.generated / SUCCESSORS_PER_POLL;
        self.generated = generated;
        if is_due {
            self.side_bytes = self.queue.bytes() + self.closed_bytes;
            if let Some(reason) = self.control.stop() {
                return ControlFlow::Break(reason);
            }
        }
        ControlFlow::Continue(())
    }

    /// Meets a state that is stored.
    pub(crate) fn meet_again(&mut self, id: u32, met: &Met) {
        let (half, key) = (met.half, met.key);
        let old = self.tables[half].reached(id);
        if self.successor_filter().is_no_better(met, old) {
            return;
        }
        let old_key = self.keys.value(old.key);
        let reached = self.reached_by(met);
        self.tables[half].set(id, reached, met.source.node.id);
        if key < old_key {
            let order = self.measure.order(key);
            if met.is_ticked && node_kind(self.task, met.state) == NodeKind::Final {
                self.best = self.best.min(Some(key)).or(Some(key));
            } else if order != self.measure.order(old_key) {
                self.queue.push(order, half, id);
            }
        }
    }

    /// Meets a state that is not stored.
    fn meet_first(&mut self, place: Place, met: &Met) -> ControlFlow<StopReason> {
        let Some(kind) = self.successor_filter().kind_of(met) else {
            return ControlFlow::Continue(());
        };
        self.make_room(met.half)?;
        let reached = self.reached_by(met);
        let table = &mut self.tables[met.half];
        let id = table.insert_at(place, met.hash, met.state, reached, met.source.node.id);
        self.open(id, met, kind);
        ControlFlow::Continue(())
    }

    /// The way in which a successor was reached.
    pub(crate) fn reached_by(&mut self, met: &Met) -> Reached {
        Reached {
            key: self.keys.number(met.key),
            labels: met.labels,
        }
    }

    /// Opens a node that was stored, if no plan ends there.
    pub(crate) fn open(&mut self, id: u32, met: &Met, kind: NodeKind) {
        if kind == NodeKind::Final {
            self.goals.push(id);
            self.best = self.best.min(Some(met.key)).or(Some(met.key));
        } else {
            self.queue.push(self.measure.order(met.key), met.half, id);
        }
    }

    /// Refuses if the limits leave no room for one more node.
    pub(crate) fn make_room(&mut self, half: usize) -> ControlFlow<StopReason> {
        let states = self.states() + self.others.0;
        if (self.options.max_states).is_some_and(|most| states >= most)
            || states >= self.most_states
            || self.tables[half].len() >= u32::MAX - 1
        {
            return ControlFlow::Break(StopReason::States);
        }
        let growth = self.tables[half].growth();
        if growth > 0 {
            let bytes = self.bytes() + self.others.1 + growth;
            if self.options.memory_limit.is_some_and(|most| bytes > most) {
                return ControlFlow::Break(StopReason::Memory);
            }
            self.peak_bytes = self.peak_bytes.max(bytes);
        }
        ControlFlow::Continue(())
    }
}
