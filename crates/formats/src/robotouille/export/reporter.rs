//! Reports what has no exact form in the JSON of Robotouille.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// Reports what has no form.
pub(super) struct Reporter<'a> {
    source: SourceId,
    diagnostics: &'a mut Diagnostics,
    errors: usize,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(source: SourceId, diagnostics: &'a mut Diagnostics) -> Self {
        let errors = diagnostics.error_count();
        Self {
            source,
            diagnostics,
            errors,
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        self.diagnostics.error_count() == self.errors
    }

    pub(super) fn refuse(&mut self, span: Span, what: &str) {
        self.refuse_help(span, what, "");
    }

    pub(super) fn refuse_help(&mut self, span: Span, what: &str, help: &str) {
        let message = format!("{what} has no exact form in the JSON of Robotouille");
        let diagnostic = Diagnostic::new(Code::NotExpressible, message).primary(
            self.source,
            span,
            "cannot be written",
        );
        self.diagnostics.push(diagnostic.help(if help.is_empty() {
            "leave it out, or write it in the way that the format has; docs/reference/systems/robotouille.md says what becomes of what"
        } else {
            help
        }));
    }
}
