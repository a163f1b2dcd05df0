//! Totals: numbers that are added up along a plan, and are no part of the state.

use std::collections::BTreeMap;

use crate::effect::Record;
use crate::{Task, TotalId};

/// A number that is added up along a plan, counted and reported, whether or not the metric names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The function, followed by its arguments: `failed`, `served alice`.
    pub name: String,
    /// Amounts were multiplied by this to make them whole.
    pub scale: i64,
    /// Its value before the first step, multiplied likewise.
    pub initial: i64,
}

/// Sums of totals by name, in units of 1 / [`Total::scale`]; a sum stops at the limits of 64 bits.
pub type Totals = BTreeMap<String, i64>;

impl Task {
    /// The totals of which a step has changed the sum, and by how much.
    pub fn added(&self, record: &Record) -> Totals {
        let mut sums = BTreeMap::<TotalId, i64>::new();
        for &(total, amount) in &record.totals {
            let sum = sums.entry(total).or_default();
            *sum = sum.saturating_add(amount);
        }
        sums.retain(|_, sum| *sum != 0);
        let named = sums.into_iter();
        named
            .map(|(total, sum)| (self.totals[total.index()].name.clone(), sum))
            .collect()
    }

    /// All totals before the first step.
    pub fn initial_totals(&self) -> Totals {
        let totals = self.totals.iter();
        totals
            .map(|total| (total.name.clone(), total.initial))
            .collect()
    }
}

/// Adds what a step has added.
pub fn add(totals: &mut Totals, added: &Totals) {
    for (name, amount) in added {
        let sum = totals.entry(name.clone()).or_default();
        *sum = sum.saturating_add(*amount);
    }
}
