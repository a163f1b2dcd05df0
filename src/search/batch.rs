//! Successors that are looked up together.
//!
//! Most successors have been met before, and a table of many states lies outside the caches: a
//! look-up waits for memory twice, for the slot and for the state. Those of a whole batch wait at the
//! same time. They are met in the order in which they were generated, so no result depends on it.

use super::expand::Successor;
use super::id_table::TOGETHER;
use super::measure::{Key, Measure};
use super::table::{Found, StateTable, hash};

/// Successors in a full batch.
const SIZE: usize = TOGETHER;

/// The node that is being expanded.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub id: u32,
    pub key: Key,
    pub labels: u32,
    /// How many nodes have been expanded, with this one.
    pub expanded: u64,
}

/// How a successor was reached.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub key: Key,
    pub labels: u32,
    pub source: Source,
}

/// Successors of nodes of one half-step: they all arrive at one half-step.
pub(super) struct Batch {
    words: usize,
    half: usize,
    is_ticked: bool,
    states: Vec<u64>,
    hashes: Vec<u64>,
    arrivals: Vec<Arrival>,
    found: Vec<Option<Found>>,
}

impl Batch {
    pub(super) fn new(words: usize) -> Self {
        Self {
            words,
            half: 0,
            is_ticked: false,
            states: Vec::with_capacity(SIZE * words),
            hashes: Vec::with_capacity(SIZE),
            arrivals: Vec::with_capacity(SIZE),
            found: Vec::with_capacity(SIZE),
        }
    }

    pub(super) fn push(&mut self, measure: Measure, source: Source, successor: &Successor) {
        self.half = successor.half;
        self.is_ticked = successor.ticked;
        self.states.extend_from_slice(successor.state);
        self.hashes.push(hash(successor.state));
        let (key, labels) = measure.add((source.key, source.labels), successor);
        self.arrivals.push(Arrival {
            key,
            labels,
            source,
        });
    }

    pub(super) fn is_full(&self) -> bool {
        self.hashes.len() >= SIZE
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.arrivals.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The half-step at which they arrive.
    pub(super) const fn half(&self) -> usize {
        self.half
    }

    /// Whether the tick has passed.
    pub(super) const fn is_ticked(&self) -> bool {
        self.is_ticked
    }

    pub(super) fn state(&self, index: usize) -> &[u64] {
        &self.states[index * self.words..][..self.words]
    }

    pub(super) fn hash(&self, index: usize) -> u64 {
        self.hashes[index]
    }

    pub(super) fn arrival(&self, index: usize) -> Arrival {
        self.arrivals[index]
    }

    /// Looks all of them up, in the table of their half-step.
    pub(super) fn look_up(&mut self, table: &StateTable) {
        table.find_all(&self.hashes, &self.states, &mut self.found);
    }

    /// What was found.
    pub(super) fn found(&self, index: usize) -> Option<Found> {
        self.found[index]
    }
}
