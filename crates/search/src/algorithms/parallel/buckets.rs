//! Buckets of blind search that several threads expand: what they keep in a round is met here.

use std::ops::ControlFlow;

use super::rounds::{Job, Rounds};
use crate::control::StopReason;
use crate::space::batch::{Batch, Met, Sifted, Spot};
use crate::space::bucket_queue::Bucket;
use crate::space::search_space::Space;

impl Space<'_> {
    /// Expands the nodes of a bucket on several threads, with the same result.
    pub(crate) fn finish_in_rounds(
        &mut self,
        bucket: &Bucket,
        rounds: &mut Rounds,
    ) -> ControlFlow<StopReason> {
        let half = (bucket.half + 1) % self.tables.len();
        let mut next = 0;
        let mut hashes = Vec::new();
        while next < bucket.ids.len() {
            let filter = self.successor_filter();
            let job = Job {
                tables: &self.tables,
                measure: self.measure,
                half: bucket.half,
                open: |index| filter.open(bucket, index),
                sift: |met: &Met| filter.sift(met),
            };
            let (done, parts) = match rounds.expand(&job, next..bucket.ids.len(), self.control) {
                Ok(round) => round,
                Err(reason) => return ControlFlow::Break(reason),
            };
            next += done;
            hashes.clear();
            let flow = self.meet_parts(parts, &mut hashes);
            let threads = self.options.threads.get();
            self.tables[half].list(&hashes, threads);
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Meets what threads have kept of the successors of some nodes; collects the hashes of what is
    /// stored.
    fn meet_parts(
        &mut self,
        parts: &mut [Batch],
        hashes: &mut Vec<u64>,
    ) -> ControlFlow<StopReason> {
        for number in 0..parts.len() {
            let part = &mut parts[number];
            part.count_from(self.expanded, self.generated);
            let (expanded, generated) = (part.expanded(), part.generated());
            for index in 0..part.len() as u32 {
                let mut sifted = parts[number].sifted(index);
                while let Sifted::Again(Spot { batch, index }) = sifted {
                    sifted = parts[batch as usize].sifted(index);
                }
                let met = parts[number].met(index as usize);
                if let Some(id) = self.meet_sifted(&met, sifted, hashes)? {
                    parts[number].set_sifted(index, Sifted::Known(id));
                }
            }
            self.expanded = expanded;
            self.count(generated)?;
        }
        ControlFlow::Continue(())
    }

    /// Meets a successor that a thread has kept; returns its number if it is stored.
    fn meet_sifted(
        &mut self,
        met: &Met,
        sifted: Sifted,
        hashes: &mut Vec<u64>,
    ) -> ControlFlow<StopReason, Option<u32>> {
        if let Sifted::Nothing = sifted {
            return ControlFlow::Continue(None);
        }
        self.expanded = met.source.expanded;
        self.count(met.generated)?;
        if self.successor_filter().is_unbounded(met) {
            return ControlFlow::Break(StopReason::Unbounded);
        }
        if self.successor_filter().is_too_late(met) {
            return ControlFlow::Continue(None);
        }
        let kind = match sifted {
            Sifted::Known(id) => {
                self.meet_again(id, met);
                return ControlFlow::Continue(Some(id));
            }
            Sifted::New(kind) => self.successor_filter().worth(met, kind),
            Sifted::Again(_) | Sifted::Nothing => None,
        };
        let Some(kind) = kind else {
            return ControlFlow::Continue(None);
        };
        self.make_room(met.half)?;
        let reached = self.reached_by(met);
        let id = self.tables[met.half].append(met.state.words(), reached, met.source.node.id);
        hashes.push(met.hash);
        self.open(id, met, kind);
        ControlFlow::Continue(Some(id))
    }
}
