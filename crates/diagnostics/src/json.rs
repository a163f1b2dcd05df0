//! Diagnostics in the form that editors and scripts read.

use serde::Serialize;

use super::{Code, Diagnostic, Diagnostics, LineColumn, Severity, Sources};

/// A [`Diagnostic`] with its places resolved to lines and columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JsonDiagnostic {
    /// `"E0001"`.
    pub code: Code,
    /// `"error"` or `"warning"`.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The places, in the order given.
    pub labels: Vec<JsonLabel>,
    /// The advice.
    pub help: Vec<String>,
}

/// A place, resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JsonLabel {
    /// The name of the source.
    pub file: String,
    /// The byte range in the source.
    pub bytes: (u32, u32),
    /// Its first character.
    pub start: LineColumn,
    /// One past its last character.
    pub end: LineColumn,
    /// The text of the label.
    pub text: String,
    /// Is this where the problem is?
    pub primary: bool,
}

/// Resolves one diagnostic. Labels into sources that do not exist are left out.
pub fn resolve(diagnostic: &Diagnostic, sources: &Sources) -> JsonDiagnostic {
    let labels = diagnostic.labels.iter().filter_map(|label| {
        let source = sources.get(label.source)?;
        Some(JsonLabel {
            file: source.name.clone(),
            bytes: (label.span.start, label.span.end),
            start: source.position(label.span.start),
            end: source.position(label.span.end),
            text: label.text.clone(),
            primary: label.primary,
        })
    });
    JsonDiagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        labels: labels.collect(),
        help: diagnostic.help.clone(),
    }
}

/// Resolves all diagnostics, in their order.
pub fn resolve_all(diagnostics: &Diagnostics, sources: &Sources) -> Vec<JsonDiagnostic> {
    diagnostics.iter().map(|d| resolve(d, sources)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn places_are_given_as_bytes_and_as_lines_and_columns() {
        let mut sources = Sources::new();
        let id = sources.add("a.pddl", "é\n x");
        let diagnostic = Diagnostic::new(Code::ExpectedName, "no")
            .primary(id, Span::new(4, 5), "here")
            .help("do that");
        let json = serde_json::to_value(resolve(&diagnostic, &sources)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({
                "code": "E0017", "severity": "error", "message": "no", "help": ["do that"],
                "labels": [{
                    "file": "a.pddl", "bytes": [4, 5], "text": "here", "primary": true,
                    "start": {"line": 2, "column": 2}, "end": {"line": 2, "column": 3},
                }],
            })
        );
    }
}
