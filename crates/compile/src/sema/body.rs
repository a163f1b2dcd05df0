//! The resolver of one schema's body (an action's, an event's, an axiom's, the goal's).

use super::context::Context;
use super::misfits::Misfits;
use super::report::{File, Place};
use super::requirements::Need;
use super::scaled::Scaled;
use super::scope::Scope;
use brigade_diagnostics::Diagnostic;
use brigade_diagnostics::span::Span;

/// The deepest nesting of conditions, effects and terms: it bounds the stack, whoever made the AST.
pub(super) const MAX_DEPTH: usize = 100;

/// Resolves terms, conditions and effects against the symbol tables and its own variables.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what may stand here, and what was found, are independent"
)]
pub(super) struct Body<'c, 'd> {
    pub(super) cx: &'c mut Context<'d>,
    pub(super) file: File,
    pub(super) scope: Scope,
    /// Of a durative action: what `?duration` stands for.
    pub(super) duration: Option<Scaled>,
    /// True if there is an actor whose deeds a `log` records.
    pub(super) may_log: bool,
    /// True in the body of a `maintain`, outside of its delayed parts.
    pub(super) maintained: bool,
    /// True if a part of it could not be read.
    pub(super) broken: bool,
    pub(super) depth: usize,
    pub(super) misfits: Misfits,
    too_deep: bool,
    errors_before: usize,
}

impl<'c, 'd> Body<'c, 'd> {
    pub(super) fn new(cx: &'c mut Context<'d>, file: File) -> Self {
        let errors_before = cx.reporter.error_count();
        Self {
            cx,
            file,
            scope: Scope::default(),
            duration: None,
            may_log: true,
            maintained: false,
            broken: false,
            depth: 0,
            misfits: Misfits::default(),
            too_deep: false,
            errors_before,
        }
    }

    pub(super) fn place(&self, span: Span) -> Place {
        self.cx.place(self.file, span)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.cx.push(diagnostic);
    }

    pub(super) fn need(&mut self, need: Need, span: Span) {
        self.cx.need(self.file, need, span);
    }

    /// Returns true if everything so far was read and resolved.
    pub(super) fn is_sound(&self) -> bool {
        !self.broken && self.cx.reporter.error_count() == self.errors_before
    }

    /// Runs `inner` one level deeper, or reports that the limit is reached.
    pub(super) fn nested<T>(
        &mut self,
        span: Span,
        fallback: T,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= MAX_DEPTH {
            return self.nested_too_deeply(span, fallback);
        }
        self.depth += 1;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    /// Reports, once, that something is nested too deeply.
    pub(super) fn nested_too_deeply<T>(&mut self, span: Span, fallback: T) -> T {
        if !std::mem::replace(&mut self.too_deep, true) {
            let place = self.place(Span::new(span.start, span.start + 1));
            self.broken = true;
            self.push(
                super::report::problem(
                    brigade_diagnostics::Code::NestedTooDeeply,
                    format!("nested deeper than {MAX_DEPTH} levels"),
                    place,
                    "too deep",
                )
                .help("split it, with derived predicates or helper fluents"),
            );
        }
        fallback
    }
}
