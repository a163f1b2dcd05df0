//! Uniform-cost search over half-steps (E. W. Dijkstra, 1959), which is breadth-first search where
//! the makespan is all that counts.
//!
//! Nodes are finished in the order of (first key, makespan, half-step), whole buckets at a time;
//! the last key, the number of labels, is the least over the predecessors and known once they are
//! all finished. The search ends when the next bucket cannot come before the best plan met, so that
//! every optimal end is known with every key.

use std::ops::ControlFlow;

use super::parallel::rounds::Rounds;
use crate::control::{NODES_PER_POLL, Progress, StopReason};
use crate::space::batch::{Batch, Met};
use crate::space::bucket_queue::Bucket;
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::words::copy;
use brigade_task::StateBuf;

/// The working space for finishing buckets.
pub(crate) struct Finisher<'t> {
    batch: Batch,
    state: StateBuf,
    /// Of several threads, once a bucket is worth them.
    rounds: Option<Rounds<'t>>,
}

impl Finisher<'_> {
    pub(crate) fn new(space: &Space) -> Self {
        let words = space.task.words;
        Self {
            batch: Batch::new(words, space.expanded, space.generated),
            state: StateBuf::zeros(words),
            rounds: None,
        }
    }
}

impl Space<'_> {
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
        self.look_ahead_from(&bucket);
        self.control.progress(&Progress {
            states: self.states(),
            lower: self.lower(),
            upper: None,
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
            copy(self.tables[bucket.half].key(node.id), state.words_mut());
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
            None => self.tables[met.half].find_or_place(met.hash, met.state.words()),
        };
        match known {
            Ok(id) => {
                self.meet_again(id, met);
                ControlFlow::Continue(())
            }
            Err(place) => self.meet_first(place, met),
        }
    }
}
