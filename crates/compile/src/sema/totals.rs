//! Totals: unbounded numbers that are only increased and decreased, whether or not the metric names them.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Effect, Expr, FluentId, ObjectId, Term, Total};
use super::scaled::Scaled;

/// The totals, and all amounts met so far.
#[derive(Default)]
pub(super) struct Totals {
    fluents: BTreeSet<FluentId>,
    /// Those that are also set to values, which no sum of amounts gives.
    assigned: BTreeSet<FluentId>,
    amounts: Vec<(FluentId, Scaled)>,
    initial: Vec<(FluentId, Vec<ObjectId>, Scaled)>,
}

/// Totals as whole numbers.
pub(super) struct Settled {
    pub(super) totals: Vec<Total>,
    /// By the number that stands in the effect; nothing for what is no total.
    amounts: Vec<Option<Expr>>,
}

impl Totals {
    /// An effect that holds its index in the table of amounts until it is settled.
    pub(super) fn effect(&mut self, fluent: FluentId, args: Vec<Term>, amount: Scaled) -> Effect {
        self.fluents.insert(fluent);
        self.amounts.push((fluent, amount));
        Effect::Total(fluent, args, Expr::Constant(self.amounts.len() as i64 - 1))
    }

    /// A number that is set to a value is no total.
    pub(super) fn assigned(&mut self, fluent: FluentId) {
        self.assigned.insert(fluent);
    }

    /// The value before the first step.
    pub(super) fn begin_with(&mut self, fluent: FluentId, args: Vec<ObjectId>, value: Scaled) {
        self.initial.push((fluent, args, value));
    }

    /// The totals and amounts, each at the least scale at which all of its total are whole; `None` if
    /// one does not fit.
    pub(super) fn settled(&self) -> Option<Settled> {
        let mut scaled: BTreeMap<FluentId, Vec<Scaled>> = BTreeMap::new();
        let initial = self
            .initial
            .iter()
            .map(|(fluent, _, value)| (fluent, value));
        let amounts = self.amounts.iter().map(|(fluent, amount)| (fluent, amount));
        for (fluent, value) in initial
            .chain(amounts)
            .filter(|(fluent, _)| self.is_total(**fluent))
        {
            scaled.entry(*fluent).or_default().push(value.clone());
        }
        let mut totals = Vec::new();
        let mut values = BTreeMap::new();
        for (fluent, all) in scaled {
            let (exprs, scale) = Scaled::align(all)?;
            totals.push(Total {
                fluent,
                scale,
                initial: Vec::new(),
            });
            values.insert(fluent, exprs.into_iter());
        }
        for (fluent, args, _) in &self.initial {
            if let Some(Expr::Constant(value)) = values.get_mut(fluent).and_then(Iterator::next)
                && let Some(total) = totals.iter_mut().find(|total| total.fluent == *fluent)
            {
                total.initial.push((args.clone(), value));
            }
        }
        let amounts = self.amounts.iter();
        let amounts = amounts.map(|(fluent, _)| values.get_mut(fluent)?.next());
        let amounts = amounts.collect();
        Some(Settled { totals, amounts })
    }

    fn is_total(&self, fluent: FluentId) -> bool {
        self.fluents.contains(&fluent) && !self.assigned.contains(&fluent)
    }
}

impl Settled {
    /// The amount that an effect has the index of.
    pub(super) fn amount(&self, index: &Expr) -> Option<Expr> {
        let Expr::Constant(index) = index else {
            return None;
        };
        let amount = self.amounts.get(usize::try_from(*index).ok()?)?;
        amount.clone()
    }
}
