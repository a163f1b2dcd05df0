//! Rounds: nodes whose successors several threads generate and look up at the same time.
//!
//! The nodes of a round are cut into parts of consecutive ones, and each thread takes the next part
//! when it is done with one. While they work nothing is stored, so all of them may read the tables.
//! What is known already, and reached no better, they drop: that is most. What is left of the parts is
//! then met in order, by one thread, which only has to tell apart what this round stores. At last the
//! threads list that in the hash table, each in a range of it. So everything is stored, numbered and
//! counted as if there were one thread only; how nodes are cut into rounds and parts does not matter
//! either.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashTable;

use super::batch::{Batch, Met, Open, Sifted};
use super::engine::POLL;
use super::expand::Expander;
use super::id_table::TOGETHER;
use super::measure::Measure;
use super::options::{Control, StopReason};
use super::table::StateTable;
use super::threads::{Pieces, together};
use super::words::{copy, is_same};

/// Parts of a round, for each thread.
const PARTS: usize = 8;
/// Nodes of a part, at first and at most.
const FIRST_NODES: usize = 16;
const MOST_NODES: usize = 4096;
/// A round whose parts keep or generate more successors on average is followed by one of half as many
/// nodes; one that keeps and generates less than half of this by one of twice as many.
const MOST_KEPT: usize = 2048;
const MOST_GENERATED: u64 = 1 << 16;
/// The control is asked after this many full batches.
const BATCHES_TO_POLL: u64 = POLL / TOGETHER as u64;
/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// What is to be done to the nodes of a round: all that the threads read.
pub(super) struct Job<'s, O, S> {
    pub tables: &'s [StateTable],
    pub measure: Measure,
    /// The half-step of the nodes.
    pub half: usize,
    /// A node by its index; `None` if it need not be expanded.
    pub open: O,
    /// What was found out about a successor; `None` if it need not be met.
    pub sift: S,
}

/// What one thread works with.
struct Hand<'t> {
    expander: Expander<'t>,
    state: Vec<u64>,
    batch: Batch,
}

/// The threads' working space.
pub(super) struct Rounds<'t> {
    hands: Vec<Hand<'t>>,
    parts: Vec<Batch>,
    nodes_per_part: usize,
    recent: Recent,
}

/// The states that are stored in a round, which the table of their half-step lists at its end only.
#[derive(Default)]
pub(super) struct Recent {
    ids: HashTable<u32>,
    /// In the order of their numbers.
    hashes: Vec<u64>,
}

impl Recent {
    /// Begins a round that stores so many at most.
    pub(super) fn begin(&mut self, most: usize) {
        self.hashes.clear();
        self.ids.clear();
        self.ids.reserve(most, |_| 0);
    }

    /// The number of a state that was stored in this round.
    pub(super) fn find(&self, table: &StateTable, hash: u64, state: &[u64]) -> Option<u32> {
        let is_it = |&id: &u32| is_same(table.state(id), state);
        self.ids.find(hash, is_it).copied()
    }

    /// Notes the state that was stored last.
    pub(super) fn add(&mut self, table: &StateTable, hash: u64, id: u32) {
        let hash_of = |&id: &u32| super::words::hash(table.state(id));
        self.ids.insert_unique(hash, id, hash_of);
        self.hashes.push(hash);
    }

    /// The hashes of the states, in the order of their numbers.
    pub(super) fn hashes(&self) -> &[u64] {
        &self.hashes
    }
}

impl<'t> Rounds<'t> {
    /// For so many threads, that of the caller among them.
    pub(super) fn new(expander: &Expander<'t>, words: usize, threads: usize) -> Self {
        let hand = || Hand {
            expander: expander.clone(),
            state: vec![0; words],
            batch: Batch::new(words, 0, 0),
        };
        let threads = threads.clamp(1, MOST_THREADS);
        Self {
            hands: (0..threads).map(|_| hand()).collect(),
            parts: (0..threads * PARTS)
                .map(|_| Batch::new(words, 0, 0))
                .collect(),
            nodes_per_part: FIRST_NODES,
            recent: Recent::default(),
        }
    }

    /// Expands the first of some nodes, as many as make a round. Tells how many, and what is to be
    /// met of their successors: parts that count from 0 each, and where to note what is stored.
    pub(super) fn expand<O, S>(
        &mut self,
        job: &Job<O, S>,
        nodes: Range<usize>,
        control: &dyn Control,
    ) -> Result<(usize, &mut [Batch], &mut Recent), StopReason>
    where
        O: Fn(usize) -> Option<Open> + Sync,
        S: Fn(&Met) -> Option<Sifted> + Sync,
    {
        let size = self.nodes_per_part;
        let count = nodes.len().div_ceil(size).min(self.parts.len());
        let parts = &mut self.parts[..count];
        let ranges = nodes.clone().step_by(size);
        let ranges = ranges.map(|first| first..(first + size).min(nodes.end));
        let waiting = Pieces::new(ranges.zip(parts.iter_mut()));
        let take = || waiting.take();
        let is_stopped = AtomicBool::new(false);
        let mut reason = None;
        let threads = self.hands.len().min(count);
        together(
            &mut self.hands[..threads],
            |hand| hand.work(job, &take, &mut || is_stopped.load(Ordering::Relaxed)),
            |hand| {
                let mut batches = 0;
                hand.work(job, &take, &mut || {
                    batches += 1;
                    if batches % BATCHES_TO_POLL == 0 {
                        reason = control.stop();
                        is_stopped.store(reason.is_some(), Ordering::Relaxed);
                    }
                    reason.is_some()
                });
            },
        );
        if let Some(reason) = reason {
            return Err(reason);
        }
        let kept: usize = parts.iter().map(Batch::len).sum();
        let generated: u64 = parts.iter().map(Batch::generated).sum();
        let (kept, generated) = (kept / count.max(1), generated / count.max(1) as u64);
        if kept > MOST_KEPT || generated > MOST_GENERATED {
            self.nodes_per_part = (size / 2).max(1);
        } else if kept < MOST_KEPT / 2 && generated < MOST_GENERATED / 2 {
            self.nodes_per_part = (size * 2).min(MOST_NODES);
        }
        let done = (count * size).min(nodes.len());
        Ok((done, parts, &mut self.recent))
    }
}

impl Hand<'_> {
    /// Works on parts until there are no more, or `is_stopped`, which is asked after each batch.
    fn work<'p, O, S>(
        &mut self,
        job: &Job<O, S>,
        take: &impl Fn() -> Option<(Range<usize>, &'p mut Batch)>,
        is_stopped: &mut dyn FnMut() -> bool,
    ) where
        O: Fn(usize) -> Option<Open>,
        S: Fn(&Met) -> Option<Sifted>,
    {
        while let Some((nodes, part)) = take() {
            if self.fill(part, job, nodes, is_stopped).is_break() {
                break;
            }
        }
    }

    /// Collects what is to be met of the successors of some nodes.
    fn fill<O, S>(
        &mut self,
        part: &mut Batch,
        job: &Job<O, S>,
        nodes: Range<usize>,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<()>
    where
        O: Fn(usize) -> Option<Open>,
        S: Fn(&Met) -> Option<Sifted>,
    {
        let Self {
            expander,
            state,
            batch,
        } = self;
        part.reset();
        batch.reset();
        let mut sift = |batch: &mut Batch| {
            batch.look_up(&job.tables[batch.half()]);
            part.take_over(batch, &job.sift);
            if is_stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        for index in nodes {
            let Some(node) = (job.open)(index) else {
                continue;
            };
            copy(job.tables[job.half].state(node.id), state);
            batch.expand(node);
            expander.expand(job.half, state, |successor| {
                batch.push(job.measure, successor);
                if batch.is_full() {
                    sift(batch)
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        sift(batch)
    }
}
