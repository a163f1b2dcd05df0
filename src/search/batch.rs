//! Successors that are looked up together.
//!
//! Most successors have been met before, and a table of many states lies outside the caches: a
//! look-up waits for memory twice, for the slot and for the state. Those of a whole batch wait at the
//! same time. They are met in the order in which they were generated, so no result depends on it.

use super::expand::Successor;
use super::id_table::TOGETHER;
use super::measure::{Key, Measure};
use super::table::{Found, StateTable};
use super::words::{copy, hash};

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

/// A successor of a batch that has been looked up.
pub(super) struct Met<'b> {
    /// The half-step at which it arrives.
    pub half: usize,
    /// Whether the tick has passed.
    pub is_ticked: bool,
    pub state: &'b [u64],
    pub hash: u64,
    /// How it was reached now.
    pub key: Key,
    pub labels: u32,
    pub source: Source,
    /// What was known of it when it was looked up.
    pub found: Option<Found>,
}

/// How a successor was reached.
#[derive(Clone, Copy)]
struct Arrival {
    key: Key,
    labels: u32,
    /// Index into the sources.
    source: u32,
}

/// Successors of nodes of one half-step: they all arrive at one half-step.
pub(super) struct Batch {
    words: usize,
    half: usize,
    is_ticked: bool,
    states: Vec<u64>,
    hashes: Vec<u64>,
    sources: Vec<Source>,
    arrivals: Vec<Arrival>,
    found: Vec<Option<Found>>,
}

impl Batch {
    pub(super) fn new(words: usize) -> Self {
        Self {
            words,
            half: 0,
            is_ticked: false,
            states: vec![0; SIZE * words],
            hashes: Vec::with_capacity(SIZE),
            sources: Vec::with_capacity(SIZE),
            arrivals: Vec::with_capacity(SIZE),
            found: Vec::with_capacity(SIZE),
        }
    }

    /// Begins with the successors of a node.
    pub(super) fn expand(&mut self, source: Source) {
        let last = self.sources.len().wrapping_sub(1) as u32;
        if self
            .arrivals
            .last()
            .is_none_or(|arrival| arrival.source != last)
        {
            // The last one has no successors here.
            self.sources.pop();
        }
        self.sources.push(source);
    }

    /// Adds a successor of the last source, if the batch is not full.
    pub(super) fn push(&mut self, measure: Measure, successor: &Successor) {
        let Some(source) = self.sources.last() else {
            return;
        };
        self.half = successor.half;
        self.is_ticked = successor.ticked;
        let (key, labels) = measure.add((source.key, source.labels), successor);
        let start = self.hashes.len() * self.words;
        copy(successor.state, &mut self.states[start..start + self.words]);
        self.hashes.push(hash(successor.state));
        self.arrivals.push(Arrival {
            key,
            labels,
            source: self.sources.len() as u32 - 1,
        });
    }

    pub(super) fn is_full(&self) -> bool {
        self.hashes.len() == SIZE
    }

    /// Forgets all successors. The last source may have more.
    pub(super) fn clear(&mut self) {
        self.sources.drain(..self.sources.len().saturating_sub(1));
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

    /// Looks all of them up, in the table of their half-step.
    pub(super) fn look_up(&mut self, table: &StateTable) {
        let states = &self.states[..self.len() * self.words];
        table.find_all(&self.hashes, states, &mut self.found);
    }

    /// One of them.
    pub(super) fn met(&self, index: usize) -> Met<'_> {
        let arrival = self.arrivals[index];
        Met {
            half: self.half,
            is_ticked: self.is_ticked,
            state: &self.states[index * self.words..][..self.words],
            hash: self.hashes[index],
            key: arrival.key,
            labels: arrival.labels,
            source: self.sources[arrival.source as usize],
            found: self.found[index],
        }
    }
}
