//! Unbounded numbers: which are static, which are the cost, which nothing reads; and the scale
//! that makes all costs whole.

mod settle;

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Effect, Expr, Fact, Fluent, FluentId, ObjectId, Range, Total, Value};
use super::report::Place;
use super::scaled::{Scaled, least_common_multiple};
use super::totals::Totals;

/// The role of an unbounded number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It never changes.
    Static,
    /// The metric optimises it, with this weight.
    Cost(Scaled),
    /// It changes, and nothing reads it.
    Unread,
}

/// The roles and scales of unbounded numbers, and all costs met so far.
#[derive(Default)]
pub(super) struct Costs {
    weights: BTreeMap<FluentId, Scaled>,
    unread: BTreeSet<FluentId>,
    scales: BTreeMap<FluentId, i64>,
    /// Of functions with values that are not whole, where the first of these is given.
    fractions: BTreeMap<FluentId, Place>,
    table: Vec<Scaled>,
    pub(super) totals: Totals,
    /// The cost of a plan before its first step: the sum of these,
    start: Vec<Scaled>,
    /// and of these weighted values that do not change.
    static_start: Vec<(FluentId, Vec<ObjectId>, Scaled)>,
}

impl Costs {
    pub(super) fn role(&self, fluent: FluentId) -> Role {
        if let Some(weight) = self.weights.get(&fluent) {
            Role::Cost(weight.clone())
        } else if self.unread.contains(&fluent) {
            Role::Unread
        } else {
            Role::Static
        }
    }

    /// Returns true if a number changes and nothing reads it.
    pub(super) fn is_unread(&self, fluent: FluentId) -> bool {
        self.role(fluent) == Role::Unread
    }

    /// The factor of the values of a function in the model.
    pub(super) fn scale_of(&self, fluent: FluentId) -> i64 {
        self.scales.get(&fluent).copied().unwrap_or(1)
    }

    /// Where a value of a function is given that is not whole.
    pub(super) fn fraction_of(&self, fluent: FluentId) -> Option<Place> {
        self.fractions.get(&fluent).copied()
    }

    pub(super) fn set_weight(&mut self, fluent: FluentId, weight: Scaled) {
        self.weights.insert(fluent, weight);
    }

    /// Adds to what a plan costs before its first step.
    pub(super) fn begin_with(&mut self, number: Scaled) {
        self.start.push(number);
    }

    /// Adds a static value of the initial state, with a weight.
    pub(super) fn begin_with_static(
        &mut self,
        fluent: FluentId,
        arguments: Vec<ObjectId>,
        weight: Scaled,
    ) {
        self.static_start.push((fluent, arguments, weight));
    }

    /// The cost of a plan before its first step, where the initial state has these facts of such fluents.
    fn initial(&self, facts: &[Fact], fluents: &[Fluent]) -> Option<Scaled> {
        let statics = self.static_start.iter().map(|(fluent, arguments, weight)| {
            let mut facts = facts.iter();
            let fact = facts.find(|fact| fact.fluent == *fluent && fact.args == *arguments);
            let value = match (fact.map(|fact| &fact.value), &fluents[fluent.index()].range) {
                (Some(Value::Number(value)), _) => *value,
                (_, Range::Integer { lo, hi }) => 0.clamp(*lo.min(hi), *hi),
                _ => 0,
            };
            let value = Scaled::ratio(value, self.scale_of(*fluent))?;
            Scaled::product(vec![weight.clone(), value])
        });
        let mut all = vec![Scaled::thousandths(0)];
        all.extend(self.start.iter().cloned());
        all.extend(statics.collect::<Option<Vec<_>>>()?);
        Scaled::combine(all, Expr::Add, i64::checked_add)
    }

    /// A cost effect that holds its index in the table until [`Costs::settle`].
    pub(super) fn effect(&mut self, cost: Scaled) -> Effect {
        self.table.push(cost);
        Effect::Cost(Expr::Constant(self.table.len() as i64 - 1))
    }

    /// The least scale at which all costs are whole, and the costs at that scale.
    fn scaled(&self, facts: &[Fact], fluents: &[Fluent]) -> Option<(Scale, Vec<Expr>)> {
        let initial = self.initial(facts, fluents)?;
        let unit = self.table.iter().try_fold(initial.scale, |scale, cost| {
            least_common_multiple(scale, cost.scale)
        })?;
        let Expr::Constant(initial) = initial.at_scale(unit)? else {
            return None;
        };
        let costs = self.table.iter().map(|cost| cost.clone().at_scale(unit));
        let scale = Scale {
            unit,
            initial,
            totals: Vec::new(),
        };
        Some((scale, costs.collect::<Option<_>>()?))
    }
}

/// Costs and totals as whole numbers.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// Their common factor.
    pub(super) unit: i64,
    /// The cost of a plan before its first step, multiplied likewise.
    pub(super) initial: i64,
    pub(super) totals: Vec<Total>,
}
