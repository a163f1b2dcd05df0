//! The search space as far as it was met: the nodes of all half-steps with the ways to them, those
//! that are open, and the limits on how many may be stored.

use std::ops::ControlFlow;

use super::batch::Met;
use super::bucket_queue::{Bucket, BucketQueue, Keys};
use super::expand::halves;
use super::id_table::Place;
use super::node_kind::{NodeKind, node_kind};
use super::rest::Rest;
use super::start::Start;
use super::state_table::{Reached, StateTable};
use super::successor_filter::SuccessorFilter;
use super::words::hash;
use crate::control::{Control, SUCCESSORS_PER_POLL, StopReason};
use crate::heuristics::Estimate;
use crate::measure::{Key, Measure};
use crate::options::SearchOptions;
use brigade_task::{PackedTask, State};

/// The nodes met and what is known of them.
pub(crate) struct Space<'a> {
    pub task: &'a PackedTask,
    pub options: &'a SearchOptions,
    pub control: &'a dyn Control,
    pub measure: Measure,
    pub(crate) is_monotone: bool,
    /// The most states that may be stored before something else is tried.
    pub most_states: u64,
    /// One table for each half-step.
    pub tables: Vec<StateTable>,
    pub keys: Keys,
    pub(crate) queue: BucketQueue,
    /// States in which a plan ends.
    pub goals: Vec<u32>,
    /// The least key of a goal.
    pub(crate) best: Option<Key>,
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
    pub(crate) current: Key,
    /// The bound on the rest of a task in which steps may lower the first key, if there is one.
    pub(super) rest: Option<Rest>,
    /// The least first key of plans through nodes that were open when the last bucket was taken.
    pub(super) least_ahead: i64,
    /// A bound that was proven otherwise.
    pub(super) proven: Estimate,
    /// The worth of the best plan known otherwise: no worse one is looked for.
    pub(super) incumbent: Option<Estimate>,
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
        let rest = (measure.by_tick)
            .then(|| Rest::new(task, start, measure))
            .flatten();
        let least_ahead =
            (rest.as_ref()).map_or(0, |rest| rest.after((0, 0), start.agent, start.state));
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
            rest,
            least_ahead,
            proven: Estimate {
                first: least_ahead,
                ..Estimate::ZERO
            },
            incumbent: None,
        };
        space.begin_at(half, start.state);
        space.peak_bytes = space.bytes();
        space
    }

    /// Bounds the rest by more than what is found at once.
    pub(crate) fn bound_by(&mut self, rest: Rest, start: Start) {
        self.least_ahead = rest.after((0, 0), start.agent, start.state);
        self.proven.first = self.proven.first.max(self.least_ahead);
        self.rest = Some(rest);
    }

    /// Lets plans begin at a state that is not stored as well.
    pub(crate) fn begin_at(&mut self, half: usize, state: &State) {
        let key = self.keys.number((0, 0));
        let reached = Reached { key, labels: 0 };
        let id = self.tables[half].insert(hash(state.words()), state.words(), reached, 0);
        self.queue.push((0, 0), half, id);
    }

    /// The filter of successors, while nothing is stored.
    pub(crate) fn successor_filter(&self) -> SuccessorFilter<'_> {
        SuccessorFilter {
            task: self.task,
            measure: self.measure,
            tables: &self.tables,
            keys: &self.keys,
            limit: self.limit(),
            rest: self.rest.as_ref().zip(self.best.map(|(first, _)| first)),
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
    pub(crate) fn meet_first(&mut self, place: Place, met: &Met) -> ControlFlow<StopReason> {
        let Some(kind) = self.successor_filter().kind_of(met) else {
            return ControlFlow::Continue(());
        };
        self.make_room(met.half)?;
        let reached = self.reached_by(met);
        let (table, words) = (&mut self.tables[met.half], met.state.words());
        let id = table.insert_at(place, met.hash, words, reached, met.source.node.id);
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
