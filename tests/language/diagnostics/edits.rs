//! Every slip of one character in a sound domain is one report.
//!
//! The domain is that of `brigade new`. Each of its words loses a letter, each keyword its colon, each
//! variable its question mark; each parenthesis is left out, and doubled.

use std::collections::BTreeMap;

use brigade::diagnostics::{Colour, Diagnostics, Severity, Sources, render_all};
use brigade::lint;
use brigade::sema;
use brigade::syntax::{File, parse_file};

const DOMAIN: &str = include_str!("../../../src/cli/new/domain.pddl");

/// A text with one slip, and what the slip is.
struct Edit {
    what: String,
    text: String,
}

/// The byte ranges of parentheses and words, comments and texts left out.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"' | b';');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match bytes[at] {
            b';' => rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len()),
            b'"' => rest[1..].iter().position(|byte| *byte == b'"').unwrap() + 2,
            byte if byte.is_ascii_whitespace() => 1,
            b'(' | b')' => {
                found.push(at..at + 1);
                1
            }
            _ => {
                let length = rest.iter().position(|byte| is_end(*byte)).unwrap();
                found.push(at..at + length);
                length
            }
        };
        at += length;
    }
    found
}

fn edits(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for range in tokens(text) {
        let token = &text[range.clone()];
        let line = text[..range.start].matches('\n').count() + 1;
        let mut edit = |new: String| {
            edits.push(Edit {
                what: format!("line {line}: `{token}` -> `{new}`"),
                text: format!("{}{new}{}", &text[..range.start], &text[range.end..]),
            });
        };
        if matches!(token, "(" | ")") {
            edit(String::new());
            edit(token.repeat(2));
            continue;
        }
        if token.len() < 3 {
            continue;
        }
        let cut = if token.len() > 3 { token.len() - 2 } else { 1 };
        edit(format!("{}{}", &token[..cut], &token[cut + 1..]));
        if token.starts_with([':', '?']) {
            edit(token[1..].to_owned());
        }
    }
    edits
}

/// Returns the diagnostics of `brigade check` on a domain.
fn check(text: &str) -> (Diagnostics, Sources) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources.add("domain.pddl", text);
    if let Some(File::Domain(domain)) = parse_file(id, text, &mut diagnostics) {
        let options = sema::Options::default();
        if sema::resolve_domain(&domain, &options, id, &mut diagnostics) {
            lint::domain(&domain, id, &mut diagnostics);
        }
    }
    diagnostics.sort();
    (diagnostics, sources)
}

/// The slips that are more than one report, and what is said of them.
fn more_than_one<'e>(edits: impl Iterator<Item = &'e Edit>) -> BTreeMap<&'e str, String> {
    let mut more = BTreeMap::new();
    for Edit { what, text } in edits {
        let (diagnostics, sources) = check(text);
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let count = match errors.count() {
            0 => diagnostics.len(),
            errors => errors,
        };
        if count > 1 {
            let said = render_all(&diagnostics, &sources, Colour::Plain);
            more.insert(&what[..], said);
        }
    }
    more
}

#[test]
fn a_slip_of_one_character_is_one_report() {
    let edits = edits(DOMAIN);
    assert!(edits.len() > 700, "{} edits are too few", edits.len());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = edits.len().div_ceil(threads);
    let more: BTreeMap<&str, String> = std::thread::scope(|scope| {
        let parts = edits.chunks(share);
        let running: Vec<_> = parts
            .map(|part| scope.spawn(|| more_than_one(part.iter())))
            .collect();
        let found = running.into_iter().map(|thread| thread.join().unwrap());
        found.flatten().collect()
    });
    let all: Vec<String> = more
        .iter()
        .map(|(what, said)| format!("{what}\n{said}"))
        .collect();
    assert!(more.is_empty(), "{} slips:\n{}", more.len(), all.join("\n"));
}
