//! Checks of what the delete relaxation of a problem does not reach.

mod causes;
mod chain;
mod delays;
mod enabled;
mod goal;
mod idle;
mod numbers;
mod repair;
mod schema;
mod unrelated;
mod writers;

use std::collections::BTreeSet;

use brigade_compile::ground::relaxed::Relaxed;
use brigade_compile::sema::Files;
use brigade_compile::sema::model::{Cond, FluentId, Model, Variable};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, Name, Problem};
use schema::Solver;
use writers::Owner;

/// The texts that a model was made of.
pub(super) struct Asts<'a> {
    pub(super) domain: &'a Domain,
    pub(super) problem: &'a Problem,
    pub(super) files: Files,
    /// The preconditions of which the check of the domain by itself tells that they never hold.
    pub(super) never: &'a BTreeSet<Span>,
}

/// All checks of reachability but those of labels.
pub(super) fn check(relaxed: &mut Relaxed<'_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    let mut solver = Solver::new(relaxed);
    let mut told = goal::check(&mut solver, asts, diagnostics);
    let taken = enabled::check(&mut solver, asts, &mut told, diagnostics);
    // What a goal or an action lacks is told of that.
    let lacking: Vec<Span> = told
        .fluents
        .iter()
        .filter_map(|fluent| asts.declared(solver.model, *fluent))
        .collect();
    diagnostics.retain(|diagnostic| {
        diagnostic.code != Code::NeverTrue
            || !diagnostic
                .place()
                .is_some_and(|label| lacking.contains(&label.span))
    });
    delays::check(&mut solver, asts, diagnostics);
    let is_out_of_reach = !told.needs.is_empty();
    let is_known = (is_out_of_reach, told.explains_actions());
    idle::check(&mut solver, asts, &taken, is_known, diagnostics);
}

impl Asts<'_> {
    /// Where a predicate or function is declared.
    fn declared(&self, model: &Model, fluent: FluentId) -> Option<Span> {
        let name = &model.fluents[fluent.index()].name;
        let mut fluents = self.domain.fluents.iter();
        let decl = fluents.find(|decl| decl.name.text.eq_ignore_ascii_case(name))?;
        Some(decl.name.span)
    }

    /// Where a condition of an action, event or rule stands, else where that is named.
    fn place_of(&self, owner: Owner, cond: &Cond, model: &Model, variables: &[Variable]) -> Span {
        use super::places::{in_effect, of_action, within};
        let domain = self.domain;
        match owner {
            Owner::Action(index) => of_action(&domain.actions[index], cond, model, variables)
                .unwrap_or(domain.actions[index].name.span),
            Owner::Event(index) => {
                let event = &domain.events[index];
                let precondition = event.precondition.as_ref();
                precondition
                    .and_then(|formula| within(formula, cond, model, variables))
                    .or_else(|| in_effect(event.effect.as_ref()?, cond, model, variables))
                    .unwrap_or(event.name.span)
            }
            Owner::Axiom(index) => {
                let derived = &domain.derived[index];
                within(&derived.body, cond, model, variables).unwrap_or(derived.name.span)
            }
        }
    }

    /// An object as it is declared, and in which file.
    fn object(&self, name: &str) -> Option<(SourceId, &Name)> {
        let find = |list: &'_ [brigade_syntax::ast::Typed]| {
            list.iter()
                .position(|typed| typed.name.text.eq_ignore_ascii_case(name))
        };
        if let Some(at) = find(&self.problem.objects) {
            return Some((self.files.problem, &self.problem.objects[at].name));
        }
        let at = find(&self.domain.constants)?;
        Some((self.files.domain, &self.domain.constants[at].name))
    }

    /// The name of the problem, for messages.
    fn problem_name(&self) -> &str {
        self.problem
            .name
            .as_ref()
            .map_or("this problem", |name| &name.text)
    }
}

/// Adds a place, unless it has nothing to show.
fn also(diagnostic: Diagnostic, place: Option<(SourceId, Span)>, text: String) -> Diagnostic {
    match place {
        Some((source, span)) => diagnostic.secondary(source, span, text),
        None => diagnostic,
    }
}
