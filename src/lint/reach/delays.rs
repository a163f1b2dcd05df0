//! Delayed effects that never start, or whose condition to go on never holds.

use super::Asts;
use super::schema::{At, Schema, Solver, conjuncts};
use super::writers::Owner;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::ground::relaxed::Reached;
use crate::sema::model::{Cond, DelayGuard, Effect, ObjectId, Variable};
use crate::syntax::ast;
use crate::syntax::span::Span;

/// How many instances of a schema are looked at: with more of them nothing is said.
const INSTANCES: usize = 500;

/// A delayed effect of a schema.
struct Delay<'m> {
    /// The conditions on the way to it.
    path: Vec<&'m Cond>,
    /// What must hold for it to go on.
    goes_on: Option<&'m Cond>,
}

/// What holds delayed effects.
struct Definition<'m> {
    owner: Owner,
    variables: &'m [Variable],
    delays: Vec<Delay<'m>>,
    /// Where it is named.
    name: Span,
    /// Where its delayed effects stand, in the same order.
    spans: Vec<Span>,
    /// The arguments with which it can be done.
    instances: Vec<At>,
}

pub(super) fn check(solver: &mut Solver<'_, '_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    let model = solver.model;
    let bound = |args: &[ObjectId]| -> At { args.iter().copied().map(Some).collect() };
    for (index, action) in model.actions.iter().enumerate() {
        let delays = delays_of([&action.effect, &action.end_effect]);
        if delays.is_empty() {
            continue;
        }
        let written = &asts.domain.actions[index];
        let effects = written.effects.iter().map(|(_, effect)| effect);
        let own = |operator: &Reached<'_>| operator.action.index() == index;
        let operators = solver.relaxed.operators().filter(own).take(INSTANCES + 1);
        let definition = Definition {
            owner: Owner::Action(index),
            variables: &action.variables,
            delays,
            name: written.name.span,
            spans: spans_of(written.effect.iter().chain(effects)),
            instances: operators.map(|operator| bound(operator.args)).collect(),
        };
        tell(solver, asts, &definition, diagnostics);
    }
    for (index, event) in model.events.iter().enumerate() {
        let delays = delays_of([&event.effect]);
        if delays.is_empty() {
            continue;
        }
        let written = &asts.domain.events[index];
        let fires = solver.relaxed.fires(index).take(INSTANCES + 1);
        let definition = Definition {
            owner: Owner::Event(index),
            variables: &event.variables,
            delays,
            name: written.name.span,
            spans: spans_of(&written.effect),
            instances: fires.map(bound).collect(),
        };
        tell(solver, asts, &definition, diagnostics);
    }
}

fn tell<'m>(
    solver: &mut Solver<'_, 'm>,
    asts: &Asts<'_>,
    definition: &Definition<'m>,
    diagnostics: &mut Diagnostics,
) {
    let Definition {
        owner,
        variables,
        delays,
        name,
        spans,
        instances,
    } = definition;
    // Of what is never enabled, that is said already.
    if instances.is_empty() || instances.len() > INSTANCES {
        return;
    }
    for (number, delay) in delays.iter().enumerate() {
        let place = spans.get(number).filter(|_| spans.len() == delays.len());
        let place = *place.unwrap_or(name);
        let mut starts = Schema {
            variables,
            conds: delay.path.clone(),
        };
        let problem = asts.problem_name();
        let without = Schema {
            variables,
            conds: [&delay.path[..], delay.goes_on.as_slice()].concat(),
        };
        if instances.iter().all(|at| solver.is_left_out(&without, at)) {
            continue;
        }
        let mut may = |schema: &Schema<'m>| {
            let mut instances = instances.iter();
            instances.any(|at| solver.may_hold(schema, at))
        };
        if !may(&starts) {
            diagnostics.push(
                Diagnostic::new(
                    Code::DelayNeverDone,
                    format!("in `{problem}`, this delayed effect never starts"),
                )
                .primary(
                    asts.files.domain,
                    place,
                    "its conditions never hold where it stands",
                )
                .help("change the `when` around it, or the facts that it reads"),
            );
            continue;
        }
        let Some(cond) = delay.goes_on else { continue };
        conjuncts(cond, &mut starts.conds);
        if !may(&starts) {
            let text = solver.relaxed.text(cond, variables, &[]);
            let span = asts.place_of(*owner, cond, solver.model, variables);
            diagnostics.push(
                Diagnostic::new(
                    Code::DelayNeverDone,
                    format!("in `{problem}`, this delayed effect never comes due"),
                )
                .primary(asts.files.domain, place, "it starts, and never goes on")
                .secondary(asts.files.domain, span, format!("`{text}` never holds"))
                .help("change what it waits for, or add an effect that makes that so"),
            );
        }
    }
}

/// Where the delayed effects of a definition stand.
fn spans_of<'a>(effects: impl IntoIterator<Item = &'a ast::Effect>) -> Vec<Span> {
    let mut spans = Vec::new();
    effects
        .into_iter()
        .for_each(|effect| delayed_spans(effect, &mut spans));
    spans
}

/// The delayed effects in some effects, in the order of the text.
fn delays_of<'m>(effects: impl IntoIterator<Item = &'m Effect>) -> Vec<Delay<'m>> {
    let mut search = Search {
        path: Vec::new(),
        found: Vec::new(),
    };
    effects.into_iter().for_each(|effect| search.effect(effect));
    search.found
}

struct Search<'m> {
    path: Vec<&'m Cond>,
    found: Vec<Delay<'m>>,
}

impl<'m> Search<'m> {
    fn effect(&mut self, effect: &'m Effect) {
        match effect {
            Effect::When(cond, one) => {
                let before = self.path.len();
                conjuncts(cond, &mut self.path);
                self.effect(one);
                self.path.truncate(before);
            }
            Effect::After(_, guard, one) => {
                self.found.push(Delay {
                    path: self.path.clone(),
                    goes_on: match guard {
                        Some(DelayGuard::While(cond)) => Some(cond),
                        Some(DelayGuard::Until(_)) | None => None,
                    },
                });
                self.effect(one);
            }
            // Without a delayed part it is no timer: it may well go on for ever.
            Effect::Maintain(cond, _, _) if effect.any(&mut is_after) => {
                self.found.push(Delay {
                    path: self.path.clone(),
                    goes_on: Some(cond),
                });
            }
            other => other.parts().into_iter().for_each(|part| self.effect(part)),
        }
    }
}

fn is_after(effect: &Effect) -> bool {
    matches!(effect, Effect::After(..))
}

/// Adds those of an effect, in the order of the text.
fn delayed_spans(effect: &ast::Effect, spans: &mut Vec<Span>) {
    match effect {
        ast::Effect::And(all, _) | ast::Effect::Seq(all, _) => {
            for one in all {
                delayed_spans(one, spans);
            }
        }
        ast::Effect::Forall(_, one, _)
        | ast::Effect::ForEach(_, _, one, _)
        | ast::Effect::When(_, one, _)
        | ast::Effect::OnNth(_, one, _) => delayed_spans(one, spans),
        ast::Effect::Case(cases, otherwise, _) => {
            for (_, one) in cases {
                delayed_spans(one, spans);
            }
            if let Some(one) = otherwise {
                delayed_spans(one, spans);
            }
        }
        ast::Effect::Let(_, one, otherwise, _) => {
            delayed_spans(one, spans);
            if let Some(one) = otherwise {
                delayed_spans(one, spans);
            }
        }
        ast::Effect::After(_, _, one, span) => {
            spans.push(*span);
            delayed_spans(one, spans);
        }
        ast::Effect::Maintain(_, _, rest, span) => {
            let mut inner = Vec::new();
            for one in rest {
                delayed_spans(one, &mut inner);
            }
            if !inner.is_empty() {
                spans.push(*span);
            }
        }
        _ => {}
    }
}
