//! Successors that are looked up together.
//!
//! Most successors have been met before, and a table of many states lies outside the caches: a
//! look-up waits for memory twice, for the slot and for the state. Those of a whole batch wait at
//! the same time. They are met in the order in which they were generated, so no result depends on
//! it.
//!
//! A batch of what others are sifted to, or of the successors of a piece of nodes, grows as needed:
//! it is what one thread hands on to be met.

use super::id_table::TOGETHER;
use super::node_kind::NodeKind;
use super::state_table::{Found, StateTable};
use super::successor::Successor;
use super::words::{copy, hash, is_same};
use crate::measure::{Key, Measure};
use brigade_task::State;

/// Successors in a full batch.
const SIZE: usize = TOGETHER;
/// Of so many that were taken over it is known at once that they are taken over again.
const REMEMBERED: usize = 4096;

/// A node that is to be expanded.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub id: u32,
    pub key: Key,
    pub labels: u32,
}

/// The node that is being expanded.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub node: Open,
    /// The number of nodes expanded, with this one.
    pub expanded: u64,
}

/// A successor of a batch that has been looked up.
pub(crate) struct Met<'b> {
    /// The half-step at which it arrives.
    pub half: usize,
    /// True if the tick has passed.
    pub is_ticked: bool,
    pub state: &'b State,
    pub hash: u64,
    /// The key with which it was reached now.
    pub key: Key,
    pub labels: u32,
    pub source: Source,
    /// The number of successors generated, with this one.
    pub generated: u64,
    /// The state found in the table when it was looked up.
    pub found: Option<Found>,
}

/// The result of sifting a successor, before it is met.
#[derive(Clone, Copy)]
pub(crate) enum Sifted {
    /// It is stored.
    Known(u32),
    /// It was not stored; what it is to a plan.
    New(NodeKind),
    /// Another one of the same state comes before it, and is reached worse.
    Again(Spot),
    /// Another one of the same state comes before it, and is reached no worse.
    Nothing,
}

/// The place of a successor in several batches.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    pub batch: u32,
    pub index: u32,
}

/// The way in which a successor was reached.
#[derive(Clone, Copy)]
struct Arrival {
    first: i64,
    makespan: u32,
    labels: u32,
    /// Index into the sources.
    source: u32,
    /// The number of the batch's successors generated, with this one.
    generated: u32,
}

/// Successors of nodes of one half-step: they all arrive at one half-step.
pub(crate) struct Batch {
    words: usize,
    half: usize,
    is_ticked: bool,
    states: Vec<u64>,
    hashes: Vec<u64>,
    sources: Vec<Source>,
    arrivals: Vec<Arrival>,
    /// Of those that were looked up.
    found: Vec<Option<Found>>,
    /// Of those that were sifted.
    sifted: Vec<Sifted>,
    /// By hash, the index plus 1 of the last that was taken over; 0 if there is none.
    remembered: Vec<u32>,
    /// Nodes expanded by now.
    expanded: u64,
    /// Successors generated before the first of these, and since.
    generated_before: u64,
    generated: u32,
}

impl Batch {
    /// An empty batch of a search that has expanded and generated so many.
    pub(crate) fn new(words: usize, expanded: u64, generated: u64) -> Self {
        Self {
            states: vec![0; SIZE * words],
            ..Self::without_states(words, expanded, generated)
        }
    }

    fn without_states(words: usize, expanded: u64, generated: u64) -> Self {
        Self {
            words,
            half: 0,
            is_ticked: false,
            states: Vec::new(),
            hashes: Vec::with_capacity(SIZE),
            sources: Vec::with_capacity(SIZE),
            arrivals: Vec::with_capacity(SIZE),
            found: Vec::with_capacity(SIZE),
            sifted: Vec::new(),
            remembered: Vec::new(),
            expanded,
            generated_before: generated,
            generated: 0,
        }
    }

    /// An empty batch that grows as needed.
    pub(crate) fn of_any_size(words: usize) -> Self {
        Self {
            states: Vec::with_capacity(SIZE * words),
            ..Self::without_states(words, 0, 0)
        }
    }

    /// Begins with the successors of a node.
    pub(crate) fn expand(&mut self, node: Open) {
        let last = self.sources.len().wrapping_sub(1) as u32;
        if self
            .arrivals
            .last()
            .is_none_or(|arrival| arrival.source != last)
        {
            // The last one has no successors here.
            self.sources.pop();
        }
        self.expanded += 1;
        self.sources.push(Source {
            node,
            expanded: self.expanded,
        });
    }

    /// Adds a successor of the last source. Only a batch of any size may be full.
    pub(crate) fn push(&mut self, measure: Measure, successor: &Successor) {
        let Some(Source { node, .. }) = self.sources.last() else {
            return;
        };
        self.half = successor.half;
        self.is_ticked = successor.ticked;
        let ((first, makespan), labels) = measure.add((node.key, node.labels), successor);
        let start = self.hashes.len() * self.words;
        if self.states.len() < start + self.words {
            self.states.resize(2 * start + self.words, 0);
        }
        let state = successor.state.words();
        copy(state, &mut self.states[start..start + self.words]);
        self.hashes.push(hash(state));
        self.generated += 1;
        self.arrivals.push(Arrival {
            first,
            makespan,
            labels,
            source: self.sources.len() as u32 - 1,
            generated: self.generated,
        });
    }

    pub(crate) fn is_full(&self) -> bool {
        self.hashes.len() == SIZE
    }

    /// Forgets all successors. The last source may have more.
    pub(crate) fn clear(&mut self) {
        self.sources.drain(..self.sources.len().saturating_sub(1));
        self.hashes.clear();
        self.arrivals.clear();
        self.found.clear();
        self.sifted.clear();
        self.generated_before += u64::from(self.generated);
        self.generated = 0;
    }

    /// Forgets everything, and counts anew.
    pub(crate) fn reset(&mut self) {
        self.clear();
        self.sources.clear();
        self.remembered.fill(0);
        self.count_from(0, 0);
        self.expanded = 0;
    }

    /// Goes on where so many have been expanded and generated, with an empty batch.
    pub(crate) fn count_on(&mut self, expanded: u64, generated: u64) {
        self.expanded = expanded;
        self.generated_before = generated;
        self.generated = 0;
    }

    /// Counts from so many instead of from 0.
    pub(crate) fn count_from(&mut self, expanded: u64, generated: u64) {
        for source in &mut self.sources {
            source.expanded += expanded;
        }
        self.expanded += expanded;
        self.generated_before = generated;
    }

    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The half-step at which they arrive.
    pub(crate) const fn half(&self) -> usize {
        self.half
    }

    /// Nodes expanded by now.
    pub(crate) const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Successors generated by now.
    pub(crate) const fn generated(&self) -> u64 {
        self.generated_before + self.generated as u64
    }

    /// Looks all of them up, in the table of their half-step.
    pub(crate) fn look_up(&mut self, table: &StateTable) {
        let states = &self.states[..self.len() * self.words];
        table.find_all(&self.hashes, states, &mut self.found);
    }

    /// One of them.
    pub(crate) fn met(&self, index: usize) -> Met<'_> {
        let arrival = self.arrivals[index];
        Met {
            half: self.half,
            is_ticked: self.is_ticked,
            state: self.state(index),
            hash: self.hashes[index],
            key: (arrival.first, arrival.makespan),
            labels: arrival.labels,
            source: self.sources[arrival.source as usize],
            generated: self.generated_before + u64::from(arrival.generated),
            found: self.found.get(index).copied().flatten(),
        }
    }

    /// The result for one that was sifted.
    pub(crate) fn sifted(&self, index: u32) -> Sifted {
        self.sifted[index as usize]
    }

    /// Notes what was found out about one that was sifted.
    pub(crate) fn set_sifted(&mut self, index: u32, sifted: Sifted) {
        self.sifted[index as usize] = sifted;
    }

    /// The hashes of all.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The state of one.
    pub(crate) fn state(&self, index: usize) -> &State {
        State::from_words(&self.states[index * self.words..][..self.words])
    }

    /// The key and labels with which one was reached.
    pub(crate) fn reached(&self, index: usize) -> (Key, u32) {
        let Arrival {
            first,
            makespan,
            labels,
            ..
        } = self.arrivals[index];
        ((first, makespan), labels)
    }

    /// Takes over what is still wanted of another batch that was looked up, in order, and all that
    /// was counted; clears the other. `sift` is the result for a successor, `None` if it need not
    /// be met. Nor does most of what was taken over before and is reached no better.
    pub(crate) fn take_over(&mut self, other: &mut Self, sift: impl Fn(&Met) -> Option<Sifted>) {
        self.half = other.half;
        self.is_ticked = other.is_ticked;
        for index in 0..other.len() {
            let met = other.met(index);
            let Some(sifted) = sift(&met) else {
                continue;
            };
            if self.remembers(&met, sifted) {
                continue;
            }
            if self
                .sources
                .last()
                .is_none_or(|source| source.expanded != met.source.expanded)
            {
                self.sources.push(met.source);
            }
            let (start, end) = (self.len() * self.words, (self.len() + 1) * self.words);
            if self.states.len() < end {
                self.states.resize(2 * end, 0);
            }
            copy(met.state.words(), &mut self.states[start..end]);
            self.hashes.push(met.hash);
            self.sifted.push(sifted);
            self.arrivals.push(Arrival {
                source: self.sources.len() as u32 - 1,
                generated: met.generated as u32,
                ..other.arrivals[index]
            });
        }
        other.clear();
        self.expanded = other.expanded;
        self.generated = other.generated_before as u32;
    }

    /// Returns whether it is known at once that a successor was taken over before and is reached no
    /// better now; else it will be remembered as the next.
    fn remembers(&mut self, met: &Met, sifted: Sifted) -> bool {
        if matches!(sifted, Sifted::New(NodeKind::DeadEnd)) {
            return false;
        }
        self.remembered.resize(REMEMBERED, 0);
        let next = self.len() as u32 + 1;
        let place = &mut self.remembered[met.hash as usize % REMEMBERED];
        let last = std::mem::replace(place, next);
        let Some(index) = last.checked_sub(1).map(|index| index as usize) else {
            return false;
        };
        let is_same =
            self.hashes[index] == met.hash && is_same(self.state(index).words(), met.state.words());
        let is_known = is_same && self.reached(index) <= (met.key, met.labels);
        if is_known {
            self.remembered[met.hash as usize % REMEMBERED] = last;
        }
        is_known
    }
}
