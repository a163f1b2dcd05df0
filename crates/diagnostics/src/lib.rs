//! Diagnostics as data: code, severity, labels, help; rendering last.
//!
//! A stage that reads text pushes [`Diagnostic`]s into [`Diagnostics`] and goes on. What they look
//! like on a terminal ([`render()`]) or in JSON ([`json`]) is decided at the very end, from the
//! [`Sources`] they point into.

mod code;
mod collector;
pub mod explain;
pub mod json;
pub mod json_text;
mod render;
pub mod sarif;
mod source;
pub mod span;
mod suggest;
pub mod words;

pub use code::Code;
pub use collector::Diagnostics;
pub use collector::SHOWN_PLACES;
pub use render::{Colour, DEFAULT_WIDTH, render, render_all, render_all_within};
pub use source::{LineColumn, LineIndex, MAX_SOURCE_BYTES, Source, SourceId, Sources};
pub use suggest::suggest;

use crate::span::Span;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but probably not what its author means.
    Warning,
}

/// A place in a source, with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The source.
    pub source: SourceId,
    /// The place.
    pub span: Span,
    /// What is said of it; may be empty.
    pub text: String,
    /// Is this the place where the problem is, rather than context for it?
    pub primary: bool,
}

/// One problem of the input, said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which problem.
    pub code: Code,
    /// How bad it is; by default as its code says.
    pub severity: Severity,
    /// One line, lower case, no full stop: ``no action is called `chpo` ``.
    pub message: String,
    /// Where; the first primary one decides the order of the report.
    pub labels: Vec<Label>,
    /// What to do about it, one sentence each.
    pub help: Vec<String>,
    /// Whether reading went on as if the advice had been followed, so that nothing is lost.
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

    /// Whether the text may hold declarations that could not be read because of this.
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
