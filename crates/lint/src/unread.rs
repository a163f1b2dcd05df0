//! Predicates that effects make true and that neither the domain nor any of its problems reads.
//!
//! Goals are what such predicates are for, and each problem has one of its own: so this is asked of a
//! domain together with the problems that are checked with it.

use std::collections::BTreeSet;

use super::uses::Uses;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, FluentDecl, Name, Problem};

/// The predicates that no problem has read so far.
pub struct Unread<'d> {
    /// Predicates and functions of the domain, derived ones too.
    declared: BTreeSet<String>,
    fluents: Vec<&'d FluentDecl>,
    problems: usize,
}

impl<'d> Unread<'d> {
    /// Collects the predicates that a domain makes true, never makes false, and does not read.
    pub fn of(domain: &'d Domain) -> Self {
        let uses = Uses::of_domain(domain);
        let is_only_made = |fluent: &&FluentDecl| {
            let key = fluent.name.key();
            fluent.range.is_none()
                && !fluent.transient
                && uses.made_true.contains_key(&key)
                && !uses.made_false.contains_key(&key)
                && !uses.reads(&key)
        };
        let derived = domain.derived.iter().map(|rule| &rule.name);
        let declared = domain.fluents.iter().map(|fluent| &fluent.name);
        Self {
            declared: declared.chain(derived).map(Name::key).collect(),
            fluents: domain.fluents.iter().filter(is_only_made).collect(),
            problems: 0,
        }
    }

    /// Returns true if there is nothing to ask of more problems.
    pub const fn is_empty(&self) -> bool {
        self.fluents.is_empty()
    }

    /// Takes out what a problem reads: all, if it reads what the domain does not declare and may mean any.
    pub fn read_by(&mut self, problem: &Problem) {
        let uses = Uses::of_problem(problem);
        let is_unknown = |key: &String| !self.declared.contains(key);
        if uses.tested_true.keys().any(is_unknown) {
            self.fluents.clear();
        }
        self.fluents
            .retain(|fluent| !uses.reads(&fluent.name.key()));
        self.problems += 1;
    }

    /// Reports what is left, if there was a problem to ask.
    pub fn report(self, source: SourceId, diagnostics: &mut Diagnostics) {
        if self.problems == 0 {
            return;
        }
        let asked = counted(self.problems, "problem");
        for fluent in self.fluents {
            let name = &fluent.name;
            diagnostics.push(
                Diagnostic::new(
                    Code::NeverRead,
                    format!("the predicate `{}` is made true and never read", name.text),
                )
                .primary(
                    source,
                    name.span,
                    format!("neither the domain nor a goal tests it, in {asked} checked with it"),
                )
                .help("remove it with the effects that make it true, or test it where it matters"),
            );
        }
    }
}
