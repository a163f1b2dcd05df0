//! Buckets of blind search that several threads expand: what they keep in a round is met here.

use std::ops::ControlFlow;

use super::batch::{Batch, Met, Sifted};
use super::engine::Space;
use super::options::StopReason;
use super::queue::Bucket;
use super::rounds::{Job, Recent, Rounds};

impl Space<'_> {
    /// Expands the nodes of a bucket on several threads, with the same result.
    pub(super) fn finish_in_rounds(
        &mut self,
        bucket: &Bucket,
        rounds: &mut Rounds,
    ) -> ControlFlow<StopReason> {
        let half = (bucket.half + 1) % self.tables.len();
        let mut next = 0;
        while next < bucket.ids.len() {
            let known = self.known();
            let job = Job {
                tables: &self.tables,
                measure: self.measure,
                half: bucket.half,
                open: |index| known.open(bucket, index),
                sift: |met: &Met| known.sift(met),
            };
            let (done, parts, recent) =
                match rounds.expand(&job, next..bucket.ids.len(), self.control) {
                    Ok(round) => round,
                    Err(reason) => return ControlFlow::Break(reason),
                };
            next += done;
            recent.begin(parts.iter().map(Batch::len).sum());
            let flow = parts
                .iter_mut()
                .try_for_each(|part| self.meet_part(part, recent));
            let threads = self.options.threads.get();
            self.tables[half].list(recent.hashes(), threads);
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Meets what a thread has kept of the successors of some nodes.
    fn meet_part(&mut self, part: &mut Batch, recent: &mut Recent) -> ControlFlow<StopReason> {
        part.count_from(self.expanded, self.generated);
        for index in 0..part.len() {
            self.meet_sifted(&part.met(index), part.sifted(index), recent)?;
        }
        self.expanded = part.expanded();
        self.count(part.generated())
    }

    /// Meets a successor that a thread has kept.
    fn meet_sifted(
        &mut self,
        met: &Met,
        sifted: Sifted,
        recent: &mut Recent,
    ) -> ControlFlow<StopReason> {
        self.expanded = met.source.expanded;
        self.count(met.generated)?;
        if self.known().is_unbounded(met) {
            return ControlFlow::Break(StopReason::Unbounded);
        }
        if self.limit().is_some_and(|best| met.key > best) {
            return ControlFlow::Continue(());
        }
        let known = match sifted {
            Sifted::Known(id) => Ok(id),
            // It may have been stored in this round.
            Sifted::New(standing) => {
                let found = recent.find(&self.tables[met.half], met.hash, met.state);
                found.ok_or(standing)
            }
        };
        match known {
            Ok(id) => self.meet_again(id, met),
            Err(standing) => {
                let Some(standing) = self.known().worth(met, standing) else {
                    return ControlFlow::Continue(());
                };
                self.make_room(met.half)?;
                let reached = self.reached_by(met);
                let table = &mut self.tables[met.half];
                let id = table.append(met.state, reached, met.source.node.id);
                recent.add(table, met.hash, id);
                self.open(id, met, standing);
            }
        }
        ControlFlow::Continue(())
    }
}
