//! Unbounded numbers: which are static, which are the cost, which nothing reads; and the scale
//! that makes all costs whole.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::model::{Action, Effect, Event, Expr, Fact, Fluent, FluentId, ObjectId, Range, Value};
use super::report::{File, Place, problem};
use super::scaled::{Scaled, least_common_multiple};
use brigade_diagnostics::Code;
use brigade_syntax::ast::{InitItem, Term};

/// What an unbounded number is for.
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
    /// What a plan costs before its first step: the sum of these,
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

    /// Whether nothing reads a number that changes.
    pub(super) fn is_unread(&self, fluent: FluentId) -> bool {
        self.role(fluent) == Role::Unread
    }

    /// By what the values of a function are multiplied in the model.
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

    /// What a plan costs before its first step, where the initial state has these facts of such fluents.
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
        Some((Scale { unit, initial }, costs.collect::<Option<_>>()?))
    }
}

/// How costs are told as whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// By what they are multiplied.
    pub(super) unit: i64,
    /// What a plan costs before its first step, multiplied likewise.
    pub(super) initial: i64,
}

impl Context<'_> {
    /// Finds the role of each unbounded number that changes. One that is read as well has none.
    pub(super) fn find_roles(&mut self) {
        for at in 0..self.symbols.fluents.len() {
            let fluent = &self.symbols.fluents[at];
            if fluent.range != Range::Number {
                continue;
            }
            let id = FluentId(at as u32);
            let key = fluent.name.to_ascii_lowercase();
            let Some(&written) = self.usage.written.get(&key) else {
                continue;
            };
            let Some(&read) = self.usage.read.get(&key) else {
                self.costs.unread.insert(id);
                continue;
            };
            let name = fluent.name.clone();
            self.costs.unread.insert(id);
            let declared = self.symbols.fluent_info[at].callee.place;
            self.push(
                problem(
                    Code::UnboundedNumber,
                    format!("`{name}` changes and is read, so it needs bounds"),
                    declared,
                    "an unbounded number",
                )
                .secondary(written.source, written.span, "changed here")
                .secondary(read.source, read.span, "read here")
                .help("declare it with bounds, `- (int 0 100)`; costs must not be read"),
            );
        }
    }

    /// Finds by what the initial values of static functions must be multiplied to be whole.
    pub(super) fn find_scales(&mut self, items: &[InitItem], file: File) {
        for item in items {
            let InitItem::Value(target, Term::Number(value, span), _) = item else {
                continue;
            };
            let function = target.function();
            let Some(fluent) = function.and_then(|(name, _)| self.symbols.fluent(name)) else {
                continue;
            };
            if self.symbols.fluents[fluent.index()].range == Range::Number {
                let scale = self.costs.scales.entry(fluent).or_insert(1);
                let finer = Scaled::thousandths(*value).scale;
                if finer > 1 {
                    let place = self.reporter.place(file, *span);
                    self.costs.fractions.entry(fluent).or_insert(place);
                }
                if let Some(common) = least_common_multiple(*scale, finer) {
                    *scale = common;
                }
            }
        }
    }

    /// Writes the costs, scaled to whole numbers, into the effects.
    pub(super) fn settle_costs(
        &mut self,
        actions: &mut [Action],
        events: &mut [Event],
        init: &[Fact],
        metric: Option<Place>,
    ) -> Scale {
        let Some((scale, costs)) = self.costs.scaled(init, &self.symbols.fluents) else {
            let place = metric.unwrap_or_else(|| {
                self.place(File::Domain, brigade_diagnostics::span::Span::default())
            });
            self.push(
                problem(
                    Code::NumberTooLarge,
                    "the costs are too large or too fine to be exact",
                    place,
                    "do not fit",
                )
                .help("use smaller numbers, or fewer digits after the point"),
            );
            return Scale {
                unit: 1,
                initial: 0,
            };
        };
        for action in actions {
            settle(&mut action.effect, &costs);
            settle(&mut action.end_effect, &costs);
        }
        for event in events {
            settle(&mut event.effect, &costs);
        }
        scale
    }
}

fn settle(effect: &mut Effect, costs: &[Expr]) {
    match effect {
        Effect::Cost(cost) => {
            if let Expr::Constant(at) = cost
                && let Some(settled) = usize::try_from(*at).ok().and_then(|at| costs.get(at))
            {
                *cost = settled.clone();
            }
        }
        Effect::And(all) | Effect::Seq(all) => {
            for one in all {
                settle(one, costs);
            }
        }
        Effect::Forall(_, one)
        | Effect::ForEach(_, _, one)
        | Effect::When(_, one)
        | Effect::After(_, _, one)
        | Effect::OnNth(_, one) => settle(one, costs),
        Effect::Case(cases, otherwise) => {
            for (_, one) in cases {
                settle(one, costs);
            }
            settle(otherwise, costs);
        }
        Effect::Let(_, _, one, otherwise) => {
            settle(one, costs);
            settle(otherwise, costs);
        }
        Effect::Maintain(_, one, rest) => {
            settle(one, costs);
            for one in rest {
                settle(one, costs);
            }
        }
        Effect::Set(..)
        | Effect::Assign(..)
        | Effect::Update(..)
        | Effect::Log(_)
        | Effect::Do(..) => {}
    }
}
