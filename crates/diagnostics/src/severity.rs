//! The severity of diagnostics.

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but probably not what its author means.
    Warning,
}
