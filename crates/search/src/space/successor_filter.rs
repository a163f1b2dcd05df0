//! What is known of the nodes met while nothing is stored: which of a node's successors matter.

use super::batch::{Met, Open, Sifted};
use super::bucket_queue::{Bucket, Keys};
use super::node_kind::{Standing, standing};
use super::state_table::{Found, Reached, StateTable};
use crate::measure::{Key, Measure};
use brigade_task::PackedTask;

/// What is known of the nodes met, for all who look at successors.
#[derive(Clone, Copy)]
pub(crate) struct Known<'s> {
    pub task: &'s PackedTask,
    pub measure: Measure,
    pub tables: &'s [StateTable],
    pub keys: &'s Keys,
    /// No plan through a node of a greater key is optimal.
    pub limit: Option<Key>,
}

impl Known<'_> {
    /// A node of a bucket, unless it was reached better since it was put there.
    pub(crate) fn open(self, bucket: &Bucket, index: usize) -> Option<Open> {
        let id = bucket.ids.get(index);
        let Reached { key, labels } = self.tables[bucket.half].reached(id);
        let key = self.keys.value(key);
        (self.measure.order(key) == bucket.order).then_some(Open { id, key, labels })
    }

    /// Whether a step improves what is minimised, where that must not be.
    pub(crate) const fn is_unbounded(self, met: &Met) -> bool {
        met.key.0 < met.source.node.key.0 && !self.measure.by_tick
    }

    /// Whether a node that was reached so is reached no better now.
    pub(crate) fn is_no_better(self, met: &Met, reached: Reached) -> bool {
        (met.key, met.labels) >= (self.keys.value(reached.key), reached.labels)
    }

    /// Whether a successor that was looked up changes nothing.
    pub(crate) fn is_settled(self, met: &Met) -> bool {
        let is_no_better = |found: Found| self.is_no_better(met, found.reached);
        met.found.is_some_and(is_no_better) || self.limit.is_some_and(|best| met.key > best)
    }

    /// What a successor is to a plan that is met for the first time; `None` if it is on no optimal
    /// one.
    pub(crate) fn standing(self, met: &Met) -> Option<Standing> {
        let standing = if met.is_ticked {
            standing(self.task, met.state)
        } else {
            Standing::Open
        };
        self.worth(met, standing)
    }

    /// The same of one whose standing is known.
    pub(crate) fn worth(self, met: &Met, standing: Standing) -> Option<Standing> {
        let after = (met.key.0, met.key.1 + 1);
        match standing {
            Standing::Dead => None,
            Standing::Open if self.limit.is_some_and(|best| after > best) => None,
            Standing::Open | Standing::Final => Some(standing),
        }
    }

    /// What a look-up has found out about a successor; `None` if it changes nothing now, and so never
    /// will.
    pub(crate) fn sift(self, met: &Met) -> Option<Sifted> {
        if self.is_unbounded(met) {
            // That ends the search.
            return Some(Sifted::New(Standing::Dead));
        }
        if self.is_settled(met) {
            return None;
        }
        match met.found {
            Some(found) => Some(Sifted::Known(found.id)),
            None => self.standing(met).map(Sifted::New),
        }
    }
}
