//! Diagnostics as SARIF 2.1.0, the form that code hosts show beside the lines of a change.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Code, Diagnostic, Label, Severity, Sources};

/// A log of one run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Text {
    text: String,
}

#[derive(Debug, Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: Severity,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: Severity,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
}

#[derive(Debug, Serialize)]
struct Fingerprints {
    /// The same for the same finding where lines before it have come or gone.
    #[serde(rename = "brigade/v1")]
    finding: String,
}

#[derive(Debug, Serialize)]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(rename = "physicalLocation")]
    physical: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Debug, Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// Collects the findings of several files.
#[derive(Debug, Default)]
pub struct Builder {
    /// The codes that occur, in order of their first finding.
    rules: Vec<Code>,
    results: Vec<Finding>,
    failures: Vec<Notification>,
}

impl Builder {
    /// Adds a finding.
    pub fn add(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let code = diagnostic.code;
        let known = self.rules.iter().position(|rule| *rule == code);
        let rule_index = known.unwrap_or_else(|| {
            self.rules.push(code);
            self.rules.len() - 1
        });
        let mut text = diagnostic.message.clone();
        for help in &diagnostic.help {
            text += &format!("\nhelp: {help}");
        }
        let place = diagnostic.place();
        let location = |label: &Label| location(label, sources);
        let others = diagnostic
            .labels
            .iter()
            .filter(|label| Some(*label) != place);
        let related = others
            .filter_map(location)
            .zip(1..)
            .map(|(mut location, id)| {
                location.id = Some(id);
                location
            });
        self.results.push(Finding {
            rule_id: code.as_str(),
            rule_index,
            level: diagnostic.severity,
            message: Text { text },
            locations: place.and_then(location).into_iter().collect(),
            related_locations: related.collect(),
            partial_fingerprints: Fingerprints {
                finding: fingerprint(diagnostic, sources),
            },
        });
    }

    /// Adds why a file could not be checked.
    pub fn fail(&mut self, message: String) {
        self.failures.push(Notification {
            level: "error",
            message: Text { text: message },
        });
    }

    /// The log.
    pub fn build(self) -> Log {
        let rules = self.rules.into_iter().map(|code| Rule {
            id: code.as_str(),
            short_description: Text {
                text: code.meaning().to_owned(),
            },
            help: Help {
                text: format!("{} To fix it: {}.", code.meaning(), code.advice()),
                markdown: super::explain::markdown(code),
            },
            default_configuration: Configuration {
                level: code.severity(),
            },
        });
        Log {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: Tool {
                    driver: Driver {
                        name: "brigade",
                        semantic_version: env!("CARGO_PKG_VERSION"),
                        rules: rules.collect(),
                    },
                },
                invocations: [Invocation {
                    execution_successful: self.failures.is_empty(),
                    tool_execution_notifications: self.failures,
                }],
                column_kind: "unicodeCodePoints",
                results: self.results,
            }],
        }
    }
}

/// A label as a location; `None` for one into a source that does not exist.
fn location(label: &Label, sources: &Sources) -> Option<Location> {
    let source = sources.get(label.source)?;
    let (start, end) = (
        source.position(label.span.start),
        source.position(label.span.end),
    );
    Some(Location {
        id: None,
        physical: Physical {
            artifact_location: Artifact {
                uri: uri(&source.name),
            },
            region: Region {
                start_line: start.line,
                start_column: start.column,
                end_line: end.line,
                end_column: end.column,
            },
        },
        message: (!label.text.is_empty()).then(|| Text {
            text: label.text.clone(),
        }),
    })
}

/// A path as a URI reference: relative as it was given, or with the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A hash of the code, the file, the message and the line (of a very long one its start), but not of its
/// number.
fn fingerprint(diagnostic: &Diagnostic, sources: &Sources) -> String {
    /// Bytes of a line.
    const LONGEST: usize = 1 << 12;
    let place = diagnostic.place();
    let source = place.and_then(|label| sources.get(label.source));
    let line = place.zip(source).map_or("", |(label, source)| {
        let start = source.lines().line(label.span.start);
        let start = (source.lines().start(start) as usize).min(source.text.len());
        let end = source.text.floor_char_boundary(start + LONGEST);
        source.text[start..end]
            .lines()
            .next()
            .unwrap_or_default()
            .trim()
    });
    let name = source.map_or("", |source| &source.name);
    let mut hash = Sha256::new();
    for part in [diagnostic.code.as_str(), name, &diagnostic.message, line] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri_reference() {
        assert_eq!(uri("a b/é.pddl"), "a%20b/%C3%A9.pddl");
        assert_eq!(uri("./a.pddl"), "a.pddl");
        assert_eq!(uri("/x/a.pddl"), "file:///x/a.pddl");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
