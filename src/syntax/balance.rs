//! Finds unbalanced parentheses and quotes, points at the likeliest culprit, and repairs the text.
//!
//! A missing parenthesis is only felt at the end of a file. Two facts tell earlier where it is:
//! sections such as `(:action` stand directly in the definition, and keywords such as `:effect`
//! directly in a section. So whatever is still open when one of them begins was never closed.
//! The text is repaired there, in place and without moving any other byte, so that the rest of
//! the file can be checked in the same run.

use std::borrow::Cow;

use super::span::Span;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// How deep lists may be nested. Every later pass may recurse this deep.
pub const MAX_NESTING: usize = 256;

/// Stray parentheses past this number are not worth a report of their own.
const MAX_REPORTS: usize = 20;

/// Sections: they stand directly in the definition.
const SECTIONS: &[&str] = &[
    "action",
    "constants",
    "derived",
    "durative-action",
    "event",
    "facts",
    "functions",
    "goal",
    "horizon",
    "init",
    "live-effects",
    "metric",
    "objects",
    "option",
    "predicates",
    "requirements",
    "semantics",
    "tick",
    "transient",
    "turns",
    "types",
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
];

/// A text whose parentheses and quotes are balanced.
#[derive(Debug)]
pub struct Balanced<'s> {
    /// The text, as given or repaired; byte offsets are those of the given text.
    pub text: Cow<'s, str>,
    /// Where repairs make what follows a guess: problems found in these ranges are not reported.
    pub damaged: Vec<Span>,
}

/// Balances a text. `None` if it cannot be read on; that is reported.
pub fn balance<'s>(
    source: SourceId,
    text: &'s str,
    diagnostics: &mut Diagnostics,
) -> Option<Balanced<'s>> {
    if unterminated_strings(source, text, diagnostics) {
        return None;
    }
    let mut scan = Scan {
        source,
        text,
        diagnostics,
        open: Vec::new(),
        repairs: Vec::new(),
        damaged: Vec::new(),
        section: None,
        closed: None,
        suspect: None,
        reports: 0,
        token_end: 0,
    };
    scan.run()?;
    let Scan {
        repairs, damaged, ..
    } = scan;
    Some(Balanced {
        text: apply(text, &repairs),
        damaged,
    })
}

/// A change of the text.
enum Repair {
    /// The byte at this offset becomes a space.
    Blank(u32),
    /// The white space at this offset becomes that many closing parentheses.
    Close(u32, usize),
}

fn apply<'s>(text: &'s str, repairs: &[Repair]) -> Cow<'s, str> {
    if repairs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut repaired = text.to_owned();
    for repair in repairs {
        match *repair {
            Repair::Blank(at) => repaired.replace_range(at as usize..at as usize + 1, " "),
            Repair::Close(at, count) => {
                let start = (at as usize).min(repaired.len());
                let end = (start + count).min(repaired.len());
                repaired.replace_range(start..end, &")".repeat(count));
            }
        }
    }
    Cow::Owned(repaired)
}

/// Reports strings without a closing quote; they end on their line.
fn unterminated_strings(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> bool {
    let bytes = text.as_bytes();
    let mut found = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => at = line_end(bytes, at),
            b'"' => {
                at = string_end(bytes, at).unwrap_or_else(|end| {
                    found = true;
                    let stop = at + text[at..end].trim_end().len();
                    diagnostics.push(
                        Diagnostic::new(Code::UnterminatedString, "this text is never closed")
                            .primary(source, span(at, stop), "no closing `\"` on this line")
                            .help("close it with `\"`; a line break in a text is written `\\n`"),
                    );
                    end
                });
            }
            _ => at += 1,
        }
    }
    found
}

/// One past the closing quote of the string at `start`; without one, the end of its line.
fn string_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
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

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at..].iter().position(|byte| *byte == b'\n');
    rest.map_or(bytes.len(), |length| at + length)
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// An opening parenthesis.
#[derive(Clone, Copy)]
struct Open {
    at: u32,
    /// The indentation of its line, in bytes.
    indent: u32,
    /// The offset of its line.
    line: u32,
}

struct Scan<'s, 'd> {
    source: SourceId,
    text: &'s str,
    diagnostics: &'d mut Diagnostics,
    open: Vec<Open>,
    repairs: Vec<Repair>,
    damaged: Vec<Span>,
    /// The section begun last.
    section: Option<Open>,
    /// The last parenthesis that closed a section or the definition, and what it closed.
    closed: Option<(u32, Open)>,
    /// A list of this section that is closed by a parenthesis standing further left than the
    /// list's own line: the likeliest place of a missing one.
    suspect: Option<Open>,
    reports: usize,
    token_end: usize,
}

impl Scan<'_, '_> {
    fn run(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let (mut at, mut line, mut indent, mut leading) = (0, 0, 0, true);
        while at < bytes.len() {
            let byte = bytes[at];
            match byte {
                b'\n' => (line, indent, leading) = (at + 1, 0, true),
                b' ' | b'\t' | b'\r' | 0x0C => indent += u32::from(leading),
                b';' => {
                    at = line_end(bytes, at);
                    continue;
                }
                b'(' => {
                    if word_after(bytes, at + 1).is_some_and(|word| is_one_of(word, SECTIONS)) {
                        self.section_begins(at)?;
                    }
                    if self.open.len() >= MAX_NESTING {
                        self.too_deep(at);
                        return None;
                    }
                    let open = Open {
                        at: at as u32,
                        indent,
                        line: line as u32,
                    };
                    if self.open.len() == 1 {
                        (self.section, self.suspect) = (Some(open), None);
                    }
                    self.open.push(open);
                }
                b')' => self.close(at, line, leading),
                b':' if begins_field(bytes, at) => self.field_begins(at)?,
                _ => {}
            }
            let white = matches!(byte, b'\n' | b' ' | b'\t' | b'\r' | 0x0C);
            leading &= white;
            at = if byte == b'"' {
                string_end(bytes, at).unwrap_or_else(|end| end)
            } else if white || matches!(byte, b'(' | b')') {
                at + 1
            } else {
                word_end(bytes, at)
            };
            if !white {
                self.token_end = at;
            }
        }
        self.finish()
    }

    fn close(&mut self, at: usize, line: usize, leading: bool) {
        let Some(open) = self.open.pop() else {
            self.repairs.push(Repair::Blank(at as u32));
            self.reports += 1;
            if self.reports <= MAX_REPORTS {
                self.diagnostics.push(
                    Diagnostic::new(Code::StrayParenthesis, "this `)` closes nothing")
                        .primary(self.source, span(at, at + 1), "no list is open here")
                        .help("remove it, or look for a `(` that is missing before it"),
                );
            }
            return;
        };
        if leading
            && open.line != line as u32
            && ((at - line) as u32) < open.indent
            && self.suspect.is_none()
        {
            self.suspect = Some(open);
        }
        if self.open.len() <= 1 {
            self.closed = Some((at as u32, open));
        }
    }

    fn section_begins(&mut self, at: usize) -> Option<()> {
        match (self.open.len(), self.closed) {
            (0, Some((close, open))) if self.definition_was_closed() => {
                self.closes_too_early(close, "the definition", at);
                self.open.push(open);
                Some(())
            }
            (0 | 1, _) => Some(()),
            _ => self.missing(1, at, "a new section begins here"),
        }
    }

    fn field_begins(&mut self, at: usize) -> Option<()> {
        match (self.open.len(), self.closed) {
            (1, Some((close, open))) if self.section.is_some_and(|s| s.at == open.at) => {
                self.closes_too_early(close, "the section", at);
                self.open.push(open);
                Some(())
            }
            (0..=2, _) => Some(()),
            _ => self.missing(2, at, "this keyword belongs to the section"),
        }
    }

    /// Did the parenthesis closed last belong to the definition, `(define`?
    fn definition_was_closed(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.closed.is_some_and(|(_, open)| {
            let start = open.at as usize + 1;
            let word = &bytes[start..word_end(bytes, start)];
            word.eq_ignore_ascii_case(b"define")
        })
    }

    fn closes_too_early(&mut self, close: u32, what: &str, at: usize) {
        self.repairs.push(Repair::Blank(close));
        let start = self.section.map_or(close, |section| section.at);
        self.damaged.push(Span::new(start, at as u32));
        self.diagnostics.push(
            Diagnostic::new(
                Code::StrayParenthesis,
                format!("this `)` closes {what} too early"),
            )
            .primary(self.source, Span::new(close, close + 1), "one `)` too many")
            .secondary(
                self.source,
                span(at, word_end(self.text.as_bytes(), at + 1)),
                format!("this still belongs to {what}"),
            ),
        );
    }

    /// Reports that everything above `depth` should have been closed before `at`.
    fn missing(&mut self, depth: usize, at: usize, why: &str) -> Option<()> {
        let count = self.open.len() - depth;
        let end = word_end(self.text.as_bytes(), at + 1);
        self.report_unclosed(count, span(at, end), why);
        let start = self.section.map_or(0, |section| section.at);
        let until = if depth == 1 { at } else { end };
        self.damaged.push(span(start as usize, until));
        if depth > 1 {
            // What follows in the section is sound, but its first part is not.
            self.suspect = None;
        }
        self.open.truncate(depth);
        let room = self.text.as_bytes()[self.token_end..at]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if room < count {
            return None;
        }
        self.repairs
            .push(Repair::Close(self.token_end as u32, count));
        Some(())
    }

    fn report_unclosed(&mut self, count: usize, end: Span, why: &str) {
        let Some(innermost) = self.open.last() else {
            return;
        };
        let message = if count == 1 {
            "this `(` is never closed".to_owned()
        } else {
            format!("this `(` is never closed, nor {} around it", count - 1)
        };
        let culprit = self.suspect.filter(|_| count == 1).unwrap_or(*innermost);
        let mut diagnostic = Diagnostic::new(Code::UnclosedParenthesis, message).primary(
            self.source,
            self.opening(culprit),
            "opened here",
        );
        diagnostic = diagnostic.secondary(self.source, end, why);
        let plural = if count == 1 {
            "a `)`"
        } else {
            "the missing `)`"
        };
        self.diagnostics
            .push(diagnostic.help(format!("add {plural} where the list ends")));
    }

    /// A parenthesis and the word after it.
    fn opening(&self, open: Open) -> Span {
        let start = open.at as usize + 1;
        Span::new(open.at, word_end(self.text.as_bytes(), start) as u32)
    }

    fn too_deep(&mut self, at: usize) {
        self.diagnostics.push(
            Diagnostic::new(
                Code::NestedTooDeeply,
                format!("lists are nested more than {MAX_NESTING} deep"),
            )
            .primary(self.source, span(at, at + 1), "one level too many"),
        );
    }

    fn finish(&mut self) -> Option<()> {
        if self.open.is_empty() {
            return Some(());
        }
        let count = self.open.len();
        let end = self.text.len();
        self.report_unclosed(count, span(end, end), "the file ends here");
        if let (true, Some(section)) = (count > 1 || self.suspect.is_some(), self.section) {
            self.damaged.push(span(section.at as usize, end));
        }
        // A comment on the last line would swallow what is appended to it.
        let tail = &self.text[self.token_end..];
        if tail.contains(';') && !tail.ends_with('\n') {
            return None;
        }
        self.repairs.push(Repair::Close(end as u32, count));
        Some(())
    }
}

/// The keyword at `at`, without its colon.
fn word_after(bytes: &[u8], at: usize) -> Option<&[u8]> {
    if bytes.get(at) != Some(&b':') {
        return None;
    }
    Some(&bytes[at + 1..word_end(bytes, at + 1)])
}

/// Does a keyword of a section begin here, with something that could be its value?
fn begins_field(bytes: &[u8], at: usize) -> bool {
    word_after(bytes, at).is_some_and(|word| {
        let rest = &bytes[at + 1 + word.len()..];
        let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
        is_one_of(word, FIELDS) && next != Some(&b')')
    })
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// The end of the word that begins at `at`.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let delimiter =
        |byte: &u8| matches!(byte, b'(' | b')' | b'"' | b';') || byte.is_ascii_whitespace();
    let from = at.min(bytes.len());
    let length = bytes[from..].iter().position(delimiter);
    length.map_or(bytes.len(), |length| from + length)
}
