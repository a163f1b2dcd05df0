//! Rounds: nodes whose successors several threads generate and look up at the same time.
//!
//! The nodes of a round are cut into parts of consecutive ones, and each thread takes the next part
//! when it is done with one. While they work nothing is stored, so all of them may read the tables.
//! Most states are known already, and reached no better: these they drop. Each then looks for
//! states that are left more than once, in its share of all hashes. The rest is met in order, by
//! one thread, which numbers and stores what is new. At last the threads list that in the hash
//! table, each in a range of it. So everything is stored, numbered and counted as if there were one
//! thread only; how nodes are cut into rounds and parts does not matter either.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use brigade_task::StateBuf;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::control::{Control, NODES_PER_POLL, StopReason};
use crate::measure::Measure;
use crate::space::batch::{Batch, Met, Open, Sifted, Spot};
use crate::space::expand::Expander;
use crate::space::node_kind::NodeKind;
use crate::space::state_table::StateTable;
use crate::space::words::{copy, is_same};
use crate::threads::{Pieces, together};

/// Parts of a round, for each thread.
const PARTS: usize = 8;
/// Nodes of a part, at first and at most.
const FIRST_NODES: usize = 16;
const MOST_NODES: usize = 4096;
/// A round whose parts keep or generate more successors on average is followed by one of half as
/// many nodes; one that keeps and generates less than half of this by one of twice as many.
const MOST_KEPT: usize = 2048;
const MOST_GENERATED: u64 = 1 << 16;
/// So many successors are worth a thread that looks for repetitions.
const FEWEST_KEPT: usize = 4096;
/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// The work of a round: all that the threads read.
pub(crate) struct Job<'s, O, S> {
    pub tables: &'s [StateTable],
    pub measure: Measure,
    /// The half-step of the nodes.
    pub half: usize,
    /// A node by its index; `None` if it need not be expanded.
    pub open: O,
    /// Sifts a successor; `None` if it need not be met.
    pub sift: S,
}

/// The working space of one thread.
struct Hand<'t> {
    expander: Expander<'t>,
    state: StateBuf,
    batch: Batch,
    repeats: Repeats,
}

/// The threads' working space.
pub(crate) struct Rounds<'t> {
    hands: Vec<Hand<'t>>,
    parts: Vec<Batch>,
    nodes_per_part: usize,
}

impl<'t> Rounds<'t> {
    /// For so many threads, that of the caller among them.
    pub(crate) fn new(expander: &Expander<'t>, words: usize, threads: usize) -> Self {
        let hand = || Hand {
            expander: expander.another(),
            state: StateBuf::zeros(words),
            batch: Batch::new(words, 0, 0),
            repeats: Repeats::default(),
        };
        let threads = threads.clamp(1, MOST_THREADS);
        Self {
            hands: (0..threads).map(|_| hand()).collect(),
            parts: (0..threads * PARTS)
                .map(|_| Batch::new(words, 0, 0))
                .collect(),
            nodes_per_part: FIRST_NODES,
        }
    }

    /// Takes the number of applicable operators that were pruned since it was taken last.
    pub(crate) fn take_pruned(&mut self) -> u64 {
        let hands = self.hands.iter_mut();
        let pruned = hands.map(|hand| std::mem::take(&mut hand.expander.pruned));
        pruned.sum()
    }

    /// Expands the first of some nodes, as many as make a round. Returns how many, and what is to
    /// be met of their successors: parts that count from 0 each.
    pub(crate) fn expand<O, S>(
        &mut self,
        job: &Job<O, S>,
        nodes: Range<usize>,
        control: &dyn Control,
    ) -> Result<(usize, &mut [Batch]), StopReason>
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
                let mut asked = 0_u64;
                hand.work(job, &take, &mut || {
                    asked += 1;
                    if asked.is_multiple_of(NODES_PER_POLL) {
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
        let shares = (kept / FEWEST_KEPT).clamp(1, threads.max(1));
        find_repeats(&mut self.hands[..shares], parts);
        let (kept, generated) = (kept / count.max(1), generated / count.max(1) as u64);
        if kept > MOST_KEPT || generated > MOST_GENERATED {
            self.nodes_per_part = (size / 2).max(1);
        } else if kept < MOST_KEPT / 2 && generated < MOST_GENERATED / 2 {
            self.nodes_per_part = (size * 2).min(MOST_NODES);
        }
        let done = (count * size).min(nodes.len());
        Ok((done, parts))
    }
}

/// Finds what is in parts more than once: each of the hands in a share of the hashes.
fn find_repeats(hands: &mut [Hand], parts: &mut [Batch]) {
    let shares = hands.len() as u64;
    let waiting = Pieces::new(0..shares);
    let read: &[Batch] = parts;
    let find = |hand: &mut Hand| {
        while let Some(share) = waiting.take() {
            hand.repeats.find(read, share, shares);
        }
    };
    together(hands, find, find);
    for hand in hands {
        for (Spot { batch, index }, sifted) in hand.repeats.found.drain(..) {
            parts[batch as usize].set_sifted(index, sifted);
        }
    }
}

/// States that are in parts more than once.
#[derive(Default)]
struct Repeats {
    /// The last that is reached better than those before.
    last: HashTable<Spot>,
    found: Vec<(Spot, Sifted)>,
}

impl Repeats {
    /// Adds those whose hash is in one of so many shares.
    fn find(&mut self, parts: &[Batch], share: u64, shares: u64) {
        let hash_of = |spot: &Spot| parts[spot.batch as usize].hashes()[spot.index as usize];
        let state = |spot: Spot| parts[spot.batch as usize].state(spot.index as usize);
        let reached = |spot: Spot| parts[spot.batch as usize].reached(spot.index as usize);
        self.last.clear();
        for (batch, part) in (0..).zip(parts) {
            for (index, &hash) in (0..).zip(part.hashes()) {
                let is_own = ((hash & u64::from(u32::MAX)) * shares) >> 32 == share;
                if !is_own
                    || !matches!(
                        part.sifted(index),
                        Sifted::New(NodeKind::Interior | NodeKind::Final)
                    )
                {
                    continue;
                }
                let spot = Spot { batch, index };
                let is_it = |other: &Spot| {
                    hash_of(other) == hash && is_same(state(*other).words(), state(spot).words())
                };
                match self.last.entry(hash, is_it, hash_of) {
                    Entry::Vacant(entry) => {
                        entry.insert(spot);
                    }
                    Entry::Occupied(entry) => {
                        let last = entry.into_mut();
                        if reached(*last) <= reached(spot) {
                            self.found.push((spot, Sifted::Nothing));
                        } else {
                            self.found.push((spot, Sifted::Again(*last)));
                            *last = spot;
                        }
                    }
                }
            }
        }
    }
}

impl Hand<'_> {
    /// Works on parts until there are no more, or `is_stopped`, which is asked after each node and
    /// each full batch.
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
            ..
        } = self;
        part.reset();
        batch.reset();
        let mut sift = |batch: &mut Batch| {
            batch.look_up(&job.tables[batch.half()]);
            part.take_over(batch, &job.sift);
        };
        let mut go_on = || {
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
            copy(job.tables[job.half].key(node.id), state.words_mut());
            batch.expand(node);
            expander.expand(job.half, state, |successor| {
                batch.push(job.measure, successor);
                if batch.is_full() {
                    sift(batch);
                    go_on()
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            go_on()?;
        }
        sift(batch);
        go_on()
    }
}
