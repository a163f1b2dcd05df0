//! The words of a text, as far as balancing needs them: where they end, and which are keywords.

use brigade_diagnostics::span::Span;

/// Sections: they stand directly in the definition.
const SECTIONS: &[&str] = &[
    "action",
    "constants",
    "derived",
    "durative-action",
    "end",
    "event",
    "facts",
    "fail",
    "functions",
    "goal",
    "horizon",
    "init",
    "layout",
    "live-effects",
    "metric",
    "objects",
    "option",
    "predicates",
    "requirements",
    "role",
    "semantics",
    "tick",
    "transient",
    "turns",
    "types",
    "wait",
];

/// Keywords that stand directly in a section.
const FIELDS: &[&str] = &[
    "agent",
    "condition",
    "duration",
    "effect",
    "label",
    "parameters",
    "policy",
    "precondition",
    "primitive",
    "text",
    "weight",
];

/// The span of some bytes.
pub(super) fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// The keyword at `at`, without its colon.
fn word_after(bytes: &[u8], at: usize) -> Option<&[u8]> {
    if bytes.get(at) != Some(&b':') {
        return None;
    }
    Some(&bytes[at + 1..word_end(bytes, at + 1)])
}

/// Returns the offset of the first word or list within the list that opens here.
pub(super) fn first_within(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    loop {
        match bytes.get(at) {
            Some(b';') => at = line_end(bytes, at),
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            _ => return at.min(bytes.len()),
        }
    }
}

/// Does the keyword of a section begin here?
pub(super) fn begins_section(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| is_one_of(word, SECTIONS))
}

/// Does a keyword within a section begin here, with something that could be its value?
pub(super) fn begins_field(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| {
        let rest = &bytes[at + 1 + word.len()..];
        let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
        is_one_of(word, FIELDS) && next != Some(&b')')
    })
}

/// Does the keyword of a section begin here that holds declarations?
pub(super) fn begins_declarations(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at)
        .is_some_and(|word| is_one_of(word, &["predicates", "functions", "transient"]))
}

/// Does the keyword of a section begin here that holds facts?
pub(super) fn begins_facts(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| is_one_of(word, &["init", "facts"]))
}

/// Does the keyword `:observable-by` begin here?
pub(super) fn is_observers(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| is_one_of(word, &["observable-by"]))
}

/// Does a fact whose head begins at `at` hold lists?
pub(super) fn is_compound_fact(bytes: &[u8], at: usize) -> bool {
    let word = &bytes[at..word_end(bytes, at)];
    is_one_of(word, &["=", "not", "at", ""])
}

/// Does a list whose head begins at `at` stand for values or for types?
pub(super) fn is_type(bytes: &[u8], at: usize) -> bool {
    let word = &bytes[at..word_end(bytes, at)];
    is_one_of(word, &["either", "int"])
}

/// Does the keyword `:text` begin here?
pub(super) fn is_text(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| is_one_of(word, &["text"]))
}

/// Does the word of a definition begin here?
pub(super) fn is_definition(bytes: &[u8], at: usize) -> bool {
    bytes[at..word_end(bytes, at)].eq_ignore_ascii_case(b"define")
}

/// Does a keyword begin here whose one value is a condition or an effect?
pub(super) fn begins_value(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at)
        .is_some_and(|word| is_one_of(word, &["precondition", "condition", "effect"]))
}

/// Does a list whose head begins at `at` hold nothing but lists?
pub(super) fn holds_lists(bytes: &[u8], at: usize) -> bool {
    let word = &bytes[at..word_end(bytes, at)];
    is_one_of(word, &["and", "or", "not", "when", "imply", "seq"])
}

/// Returns the number of parts that a list takes whose head begins at `at`, where a word of PDDL says so.
pub(super) fn most_parts(bytes: &[u8], at: usize) -> Option<u32> {
    const ONE: &[&str] = &["not"];
    const TWO: &[&str] = &[
        "when", "imply", "forall", "exists", "=", "<", "<=", ">", ">=", "assign", "increase",
        "decrease", "else",
    ];
    let word = &bytes[at..word_end(bytes, at)];
    if is_one_of(word, ONE) {
        Some(1)
    } else {
        is_one_of(word, TWO).then_some(2)
    }
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// The end of the word that begins at `at`. A `?` begins another.
pub(crate) fn word_end(bytes: &[u8], at: usize) -> usize {
    let delimiter =
        |byte: &u8| matches!(byte, b'(' | b')' | b'"' | b';' | b'?') || byte.is_ascii_whitespace();
    let first = bytes.get(at).filter(|byte| **byte == b'?');
    let from = at.min(bytes.len()) + first.map_or(0, |_| 1);
    let length = bytes[from..].iter().position(delimiter);
    length.map_or(bytes.len(), |length| from + length)
}

/// One past the closing quote of the string at `start`; without one, the end of its line.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'"' => return Ok(at + 1),
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
            _ => at += 1,
        }
    }
    Err(at.min(bytes.len()))
}

/// The end of the line that `at` stands on, however lines end.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'));
    rest.map_or(bytes.len(), |length| at + length)
}
