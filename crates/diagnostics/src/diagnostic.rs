//! One problem of the input, with its places and advice.

use super::code::Code;
use super::severity::Severity;
use super::source::SourceId;
use super::span::Span;

/// A place in a source, with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The source.
    pub source: SourceId,
    /// The place.
    pub span: Span,
    /// The text of the label; may be empty.
    pub text: String,
    /// Is this the place where the problem is, rather than context for it?
    pub primary: bool,
}

/// One problem of the input, said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the problem.
    pub code: Code,
    /// The severity; by default as its code says.
    pub severity: Severity,
    /// One line, lower case, no full stop: ``no action is called `chpo` ``.
    pub message: String,
    /// The places; the first primary one decides the order of the report.
    pub labels: Vec<Label>,
    /// The advice, one sentence each.
    pub help: Vec<String>,
    /// True if reading went on as if the advice had been followed, so that nothing is lost.
    pub mended: bool,
}

impl Diagnostic {
    /// A diagnostic without labels yet.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            help: Vec::new(),
            mended: false,
        }
    }

    /// Says that reading went on as if the advice had been followed, and no declaration is lost.
    #[must_use]
    pub fn mended(self) -> Self {
        Self {
            mended: true,
            ..self
        }
    }

    /// Returns true if the text may hold declarations that could not be read because of this.
    pub fn may_lose_declarations(&self) -> bool {
        !self.mended && self.code.may_lose_declarations()
    }

    /// Adds the place of the problem.
    #[must_use]
    pub fn primary(self, source: SourceId, span: Span, text: impl Into<String>) -> Self {
        self.label(source, span, text.into(), true)
    }

    /// Adds a place that explains the problem.
    #[must_use]
    pub fn secondary(self, source: SourceId, span: Span, text: impl Into<String>) -> Self {
        self.label(source, span, text.into(), false)
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// The first primary label, which says where the problem is.
    pub fn place(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary)
    }

    fn label(mut self, source: SourceId, span: Span, text: String, primary: bool) -> Self {
        self.labels.push(Label {
            source,
            span,
            text,
            primary,
        });
        self
    }
}
