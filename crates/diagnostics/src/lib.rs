//! Diagnostics as data: code, severity, labels, help; rendering last.
//!
//! A stage that reads text pushes [`Diagnostic`]s into [`Diagnostics`] and goes on. Their look on a terminal
//! ([`render()`]) or in JSON ([`json`]) is decided at the very end, from the [`Sources`] they point into.

mod code;
mod collector;
mod decode;
mod diagnostic;
pub mod explain;
pub mod json;
pub mod json_text;
mod render;
pub mod sarif;
mod severity;
mod source;
pub mod span;
mod suggest;
pub mod words;

pub use code::Code;
pub use collector::Diagnostics;
pub use collector::SHOWN_PLACES;
pub use decode::MAX_SOURCE_BYTES;
pub use diagnostic::{Diagnostic, Label};
pub use render::{Colour, DEFAULT_WIDTH, render, render_all, render_all_within};
pub use severity::Severity;
pub use source::{LineColumn, LineIndex, Source, SourceId, Sources};
pub use suggest::suggest;
