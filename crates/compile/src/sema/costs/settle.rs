//! Finds what each unbounded number is for, and writes the costs as whole numbers.

use super::Scale;
use crate::sema::context::Context;
use crate::sema::model::{Action, Effect, Event, Expr, Fact, FluentId, Range};
use crate::sema::report::{File, Place, problem};
use crate::sema::scaled::{Scaled, least_common_multiple};
use crate::sema::totals::Settled;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{InitItem, Term};

impl Context<'_> {
    /// Finds the role of each unbounded number that changes. One that is read as well has none.
    pub(in super::super) fn find_roles(&mut self) {
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
    pub(in super::super) fn find_scales(&mut self, items: &[InitItem], file: File) {
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
    pub(in super::super) fn settle_costs(
        &mut self,
        actions: &mut [Action],
        events: &mut [Event],
        init: &[Fact],
        metric: Option<Place>,
    ) -> Scale {
        let scaled = self.costs.scaled(init, &self.symbols.fluents);
        let Some(((scale, costs), amounts)) = scaled.zip(self.costs.totals.settled()) else {
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
                totals: Vec::new(),
            };
        };
        for action in actions {
            settle(&mut action.effect, &costs, &amounts);
            settle(&mut action.end_effect, &costs, &amounts);
        }
        for event in events {
            settle(&mut event.effect, &costs, &amounts);
        }
        Scale {
            totals: amounts.totals,
            ..scale
        }
    }
}

fn settle(effect: &mut Effect, costs: &[Expr], amounts: &Settled) {
    match effect {
        Effect::Total(_, _, amount) => match amounts.amount(amount) {
            Some(settled) => *amount = settled,
            None => *effect = Effect::NOTHING,
        },
        Effect::Cost(cost) => {
            if let Expr::Constant(at) = cost
                && let Some(settled) = usize::try_from(*at).ok().and_then(|at| costs.get(at))
            {
                *cost = settled.clone();
            }
        }
        Effect::And(all) | Effect::Seq(all) => {
            for one in all {
                settle(one, costs, amounts);
            }
        }
        Effect::Forall(_, one)
        | Effect::ForEach(_, _, one)
        | Effect::When(_, one)
        | Effect::After(_, _, one)
        | Effect::OnNth(_, one) => settle(one, costs, amounts),
        Effect::Case(cases, otherwise) => {
            for (_, one) in cases {
                settle(one, costs, amounts);
            }
            settle(otherwise, costs, amounts);
        }
        Effect::Let(_, _, one, otherwise) => {
            settle(one, costs, amounts);
            settle(otherwise, costs, amounts);
        }
        Effect::Maintain(_, one, rest) => {
            settle(one, costs, amounts);
            for one in rest {
                settle(one, costs, amounts);
            }
        }
        Effect::Set(..)
        | Effect::Assign(..)
        | Effect::Update(..)
        | Effect::Log(_)
        | Effect::Do(..) => {}
    }
}
