//! The state that all passes share: symbol tables, the usage of fluents, costs, requirements, diagnostics.

use super::causes::Causes;
use super::costs::Costs;
use super::misdeclared::Misdeclared;
use super::performed::Performed;
use super::report::{File, Place, Reporter};
use super::requirements::{Need, Needs};
use super::symbols::Symbols;
use super::usage::Usage;
use brigade_diagnostics::Diagnostic;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::Name;

/// The state of one resolution.
pub(super) struct Context<'d> {
    pub(super) reporter: Reporter<'d>,
    pub(super) symbols: Symbols,
    pub(super) usage: Usage,
    pub(super) costs: Costs,
    pub(super) needs: Needs,
    pub(super) causes: Causes,
    pub(super) misdeclared: Misdeclared,
    /// Every `do`.
    pub(super) performed: Vec<Performed>,
    /// The semantics chosen, in lower case.
    pub(super) semantics: String,
    /// The semantics that the domain declares.
    pub(super) declared_semantics: Vec<Name>,
}

impl<'d> Context<'d> {
    pub(super) fn new(reporter: Reporter<'d>, semantics: &str, declared: &[Name]) -> Self {
        Self {
            reporter,
            symbols: Symbols::default(),
            usage: Usage::default(),
            costs: Costs::default(),
            needs: Needs::default(),
            causes: Causes::default(),
            misdeclared: Misdeclared::default(),
            performed: Vec::new(),
            semantics: semantics.to_ascii_lowercase(),
            declared_semantics: declared.to_vec(),
        }
    }

    pub(super) fn place(&self, file: File, span: Span) -> Place {
        self.reporter.place(file, span)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.reporter.push(diagnostic);
    }

    /// Notes that a construct is used which needs a requirement key.
    pub(super) fn need(&mut self, file: File, need: Need, span: Span) {
        let place = self.place(file, span);
        self.needs.note(file, need, place);
    }
}
