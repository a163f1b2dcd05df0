//! The findings of a search: what is proven, the best ends of plans, and the work done.

use super::bucket_queue::Bucket;
use super::search_space::Space;
use crate::heuristics::Estimate;
use crate::plans::plan::Value;
use crate::result::Statistics;
use crate::space::state_table::StateTable;

impl Space<'_> {
    /// Nodes stored.
    pub(crate) fn states(&self) -> u64 {
        self.tables.iter().map(|table| u64::from(table.len())).sum()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(StateTable::bytes).sum::<usize>() + self.side_bytes
    }

    /// Notes what a plan that is known otherwise is worth. Nodes through which none is as good are
    /// left out from now on: where no step improves the first key, what is worse so far ends worse;
    /// else where a bound on the rest shows it.
    pub(crate) fn seek_no_worse_than(&mut self, plan: Estimate) {
        if self.is_monotone || self.rest.is_some() {
            self.incumbent = Some(plan);
            self.best = Some((plan.first, plan.makespan));
        }
    }

    /// Leaves out nodes through which no plan has a better first key than the incumbent, where that is known.
    pub(crate) fn seek_better_first_key(&mut self) {
        if let (Some(_), Some(plan)) = (&self.rest, self.incumbent) {
            self.best = Some((plan.first.saturating_sub(1), u32::MAX));
        }
    }

    /// The worth of the incumbent: the best plan known otherwise.
    pub(crate) const fn incumbent(&self) -> Option<Estimate> {
        self.incumbent
    }

    /// Notes what no plan can be better than.
    pub(crate) fn prove(&mut self, total: Estimate) {
        self.proven = self.proven.max(total);
    }

    /// The bound on all plans that are not known yet. Where nodes are finished in order of their
    /// keys it has one tick more at least.
    pub(crate) fn bound(&self) -> Estimate {
        if self.rest.is_some() {
            let ended = self.best.map_or(i64::MAX, |(first, _)| first);
            let first = self.least_ahead.min(ended);
            return self.proven.max(Estimate {
                first,
                ..Estimate::ZERO
            });
        }
        let finished = Estimate {
            first: self.current.0,
            makespan: self.current.1.saturating_add(1),
            labels: 0,
        };
        self.proven.max(finished)
    }

    /// Notes what all plans have in common that go on from the bucket that is taken.
    pub(crate) fn look_ahead_from(&mut self, bucket: &Bucket) {
        let Some(rest) = &self.rest else {
            return;
        };
        let filter = self.successor_filter();
        let nodes = (0..bucket.ids.len()).filter_map(|index| filter.open(bucket, index));
        let ahead = nodes
            .map(|node| {
                rest.after(
                    node.key,
                    bucket.half,
                    self.tables[bucket.half].state(node.id),
                )
            })
            .min();
        self.least_ahead = ahead.unwrap_or(i64::MAX).max(self.least_ahead);
    }

    /// The proven lower bound.
    pub(crate) fn lower(&self) -> Option<Value> {
        let bound = self.bound();
        let value = self
            .measure
            .value((bound.first, bound.makespan), bound.labels);
        (self.is_monotone || self.rest.is_some()).then_some(value)
    }

    /// The worth of the best plan known.
    pub(crate) fn optimum(&self) -> Option<Value> {
        let goals = self.goals.iter().map(|&id| {
            let reached = self.tables[0].reached(id);
            (self.keys.value(reached.key), reached.labels)
        });
        let known = self.incumbent.iter();
        let known = known.map(|plan| ((plan.first, plan.makespan), plan.labels));
        let best = goals.chain(known).min();
        best.map(|(key, labels)| self.measure.value(key, labels))
    }

    /// The best of the states in which a plan ends, ascending.
    pub(crate) fn best_goals(&self) -> Vec<u32> {
        let value = |id: u32| {
            let reached = self.tables[0].reached(id);
            (self.keys.value(reached.key), reached.labels)
        };
        let best = self.goals.iter().map(|&id| value(id)).min();
        let goals = self.goals.iter().copied();
        goals.filter(|&id| Some(value(id)) == best).collect()
    }

    /// The work done.
    pub(crate) fn statistics(&self) -> Statistics {
        let states = self.states() + self.elsewhere;
        Statistics {
            expanded: self.expanded,
            generated: self.generated,
            evaluated: self.evaluated,
            states,
            bytes_per_state: self.peak_bytes as f64 / states as f64,
            peak_bytes: self.peak_bytes,
        }
    }
}
