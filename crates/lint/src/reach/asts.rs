//! The texts of a model, and where in them its parts stand.

use std::collections::BTreeSet;

use super::writers::Owner;
use crate::places::{in_effect, of_action, within};
use brigade_compile::sema::Files;
use brigade_compile::sema::model::{Cond, FluentId, Model, Variable};
use brigade_diagnostics::SourceId;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Domain, Name, Problem, Typed};

/// The texts that a model was made of.
pub(crate) struct Asts<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) problem: &'a Problem,
    pub(crate) files: Files,
    /// The preconditions that the check of the domain by itself reports as never holding.
    pub(crate) never: &'a BTreeSet<Span>,
}

impl Asts<'_> {
    /// Returns the place at which a predicate or function is declared.
    pub(super) fn declared(&self, model: &Model, fluent: FluentId) -> Option<Span> {
        let name = &model.fluents[fluent.index()].name;
        let mut fluents = self.domain.fluents.iter();
        let decl = fluents.find(|decl| decl.name.text.eq_ignore_ascii_case(name))?;
        Some(decl.name.span)
    }

    /// Returns the place of a condition of an action, event or rule, else that of the name.
    pub(super) fn place_of(
        &self,
        owner: Owner,
        cond: &Cond,
        model: &Model,
        variables: &[Variable],
    ) -> Span {
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
    pub(super) fn object(&self, name: &str) -> Option<(SourceId, &Name)> {
        let find = |list: &'_ [Typed]| {
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
    pub(super) fn problem_name(&self) -> &str {
        self.problem
            .name
            .as_ref()
            .map_or("this problem", |name| &name.text)
    }
}
