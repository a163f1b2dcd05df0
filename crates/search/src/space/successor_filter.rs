//! A filter of successors: it drops those that change nothing, by the nodes met so far, without
//! storing any.

use super::batch::{Met, Open, Sifted};
use super::bucket_queue::{Bucket, Keys};
use super::node_kind::{NodeKind, node_kind};
use super::rest::Rest;
use super::state_table::{Found, Reached, StateTable};
use crate::measure::{Key, Measure};
use brigade_task::PackedTask;

/// The nodes met so far, as a filter of successors. Several threads read it at once.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorFilter<'s> {
    pub task: &'s PackedTask,
    pub measure: Measure,
    pub tables: &'s [StateTable],
    pub keys: &'s Keys,
    /// No plan through a node of a greater key is optimal.
    pub limit: Option<Key>,
    /// Where steps may lower the first key: the bound on what is to come, and the first key of the
    /// best plan known. No plan through a node that is bounded by more is optimal.
    pub rest: Option<(&'s Rest, i64)>,
}

impl SuccessorFilter<'_> {
    /// A node of a bucket, unless it was reached better since it was put there.
    pub(crate) fn open(self, bucket: &Bucket, index: usize) -> Option<Open> {
        let id = bucket.ids.get(index);
        let Reached { key, labels } = self.tables[bucket.half].reached(id);
        let key = self.keys.value(key);
        (self.measure.order(key) == bucket.order).then_some(Open { id, key, labels })
    }

    /// Returns whether a step improves what is minimised, where that must not be.
    pub(crate) const fn is_unbounded(self, met: &Met) -> bool {
        met.key.0 < met.source.node.key.0 && !self.measure.by_tick
    }

    /// Returns whether a node that was reached so is reached no better now.
    pub(crate) fn is_no_better(self, met: &Met, reached: Reached) -> bool {
        (met.key, met.labels) >= (self.keys.value(reached.key), reached.labels)
    }

    /// Returns whether a successor that was looked up changes nothing.
    pub(crate) fn is_settled(self, met: &Met) -> bool {
        let is_no_better = |found: Found| self.is_no_better(met, found.reached);
        met.found.is_some_and(is_no_better) || self.is_too_late(met)
    }

    /// Returns true if all plans through a successor end worse than the best one known.
    pub(crate) fn is_too_late(self, met: &Met) -> bool {
        let ends_worse =
            |(rest, best): (&Rest, i64)| rest.after(met.key, met.half, met.state) > best;
        self.limit.is_some_and(|best| met.key > best) || self.rest.is_some_and(ends_worse)
    }

    /// The kind of a successor that is met for the first time; `None` if it is on no optimal plan.
    pub(crate) fn kind_of(self, met: &Met) -> Option<NodeKind> {
        let kind = if met.is_ticked {
            node_kind(self.task, met.state)
        } else {
            NodeKind::Interior
        };
        self.worth(met, kind)
    }

    /// The same of one whose kind is known.
    pub(crate) fn worth(self, met: &Met, kind: NodeKind) -> Option<NodeKind> {
        let after = (met.key.0, met.key.1 + 1);
        match kind {
            NodeKind::DeadEnd => None,
            NodeKind::Interior if self.limit.is_some_and(|best| after > best) => None,
            // The bound may still count what can be gained no more.
            NodeKind::Final if self.rest.is_some_and(|(_, best)| met.key.0 > best) => None,
            NodeKind::Interior | NodeKind::Final => Some(kind),
        }
    }

    /// Sifts a successor that was looked up; `None` if it changes nothing now, and so never will.
    pub(crate) fn sift(self, met: &Met) -> Option<Sifted> {
        if self.is_unbounded(met) {
            // That ends the search.
            return Some(Sifted::New(NodeKind::DeadEnd));
        }
        if self.is_settled(met) {
            return None;
        }
        match met.found {
            Some(found) => Some(Sifted::Known(found.id)),
            None => self.kind_of(met).map(Sifted::New),
        }
    }
}
