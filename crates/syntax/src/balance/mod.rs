//! Finds unbalanced parentheses and quotes, points at the likeliest culprit, and repairs the text.
//!
//! A missing parenthesis is only felt at the end of a file. Two facts show its place earlier: sections such as
//! `(:action` stand directly in the definition, and keywords such as `:effect` directly in a section (but for the
//! `:text` of a predicate). So lists that are still open when one of them begins were never closed. So does a
//! definition, at top level. Where parentheses are missing, two more show it: indentation, if it accounts for all of
//! them (`indentation`), and a word such as `not` with more parts than it takes. The text is repaired there, in place
//! and without moving any other byte, so that the rest of the file can be checked in the same run.

mod count;
mod excess;
mod indentation;
mod missing;
mod repair;
pub(super) mod words;

use std::borrow::Cow;

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use count::{Counted, count};
use repair::{Repair, apply};
use words::{
    begins_field, begins_section, begins_value, first_within, is_definition, is_observers,
    line_end, most_parts, span, string_end, word_end,
};

/// The most levels to which lists may be nested. Every later pass may recurse this deep.
pub const MAX_NESTING: usize = 256;

/// After so many reports the text is not repaired further: more of them would be noise.
const MAX_REPORTS: usize = 20;

/// A text whose parentheses and quotes are balanced.
#[derive(Debug)]
pub struct Balanced<'s> {
    /// The text, as given or repaired; byte offsets are those of the given text.
    pub text: Cow<'s, str>,
    /// The ranges that follow a repair and are a guess: problems found in them are not reported.
    pub damaged: Vec<Span>,
}

/// Balances a text. `None` if it cannot be read on; that is reported.
pub fn balance<'s>(
    source: SourceId,
    text: &'s str,
    diagnostics: &mut Diagnostics,
) -> Option<Balanced<'s>> {
    let Counted { excess, deficit } = count(source, text, diagnostics)?;
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
        stray_end: None,
        excess,
        fields_at: 2,
        deficit,
        lacking: deficit,
        viewer_lists: 0,
        is_in_value: false,
        value_begins: false,
        value_closed: None,
        outdents: indentation::outdents(text, deficit),
        is_even: excess == 0 && deficit == 0,
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

/// An opening parenthesis.
#[derive(Clone, Copy)]
struct Open {
    at: u32,
    /// The offset of its first word or list.
    first: u32,
    /// The indentation of its line, in bytes.
    indent: u32,
    /// The offset of its line.
    line: u32,
    /// The number of words and lists that it holds so far.
    items: u32,
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
    /// The end of the last `)` that closes nothing.
    stray_end: Option<usize>,
    /// The number of surplus closing parentheses still to be found. Only then can a word that stands directly in the
    /// definition mean that a section was closed too early.
    excess: usize,
    /// In how many lists the keywords of the section begun last stand.
    fields_at: usize,
    /// The number of missing closing parentheses, before anything is repaired.
    deficit: usize,
    /// The number of these that are not found yet.
    lacking: usize,
    /// The number of lists that may follow in the clause `:observable-by` of the declaration begun last.
    viewer_lists: u32,
    /// The outdents before which indentation shows lists to be closed, in order.
    outdents: Vec<indentation::Outdent>,
    /// True if the keyword that was read last has a condition or an effect for a value.
    is_in_value: bool,
    /// True if that keyword was the word before.
    value_begins: bool,
    /// The parenthesis that closed its value, if nothing was read since.
    value_closed: Option<(u32, Open)>,
    /// As many closing parentheses as opening ones in all.
    is_even: bool,
    reports: usize,
    token_end: usize,
}

impl Scan<'_, '_> {
    fn run(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let (mut at, mut line, mut indent, mut leading) = (0, 0, 0, true);
        let mut outdents = std::mem::take(&mut self.outdents).into_iter().peekable();
        while at < bytes.len() {
            let byte = bytes[at];
            if self.reports >= MAX_REPORTS {
                return None;
            }
            let white = matches!(byte, b'\n' | b' ' | b'\t' | b'\r' | 0x0C);
            if self.excess > 0 && !white && !matches!(byte, b')' | b';') {
                self.unexpected_in_definition(at, line)?;
                self.unexpected_in_value(at, line)?;
            }
            if let Some(outdent) = outdents.next_if(|outdent| outdent.at as usize == at) {
                self.outdented(outdent, at)?;
            }
            if !white
                && !matches!(byte, b')' | b';')
                && let Some(open) = self.open.last_mut()
            {
                open.items += 1;
            }
            match byte {
                b'\n' => (line, indent, leading) = (at + 1, 0, true),
                b' ' | b'\t' | b'\r' | 0x0C => indent += u32::from(leading),
                b';' => {
                    at = line_end(bytes, at);
                    continue;
                }
                b'(' => {
                    let first = first_within(bytes, at);
                    if begins_section(bytes, first) {
                        self.section_begins(at)?;
                    } else if self.deficit > 0
                        && !self.open.is_empty()
                        && is_definition(bytes, first)
                    {
                        self.missing(0, at, "another definition begins here")?;
                    } else if self.lacking > 0 {
                        self.another_begins(at, first)?;
                    }
                    if self.open.len() >= MAX_NESTING {
                        self.too_deep(at);
                        return None;
                    }
                    let open = Open {
                        at: at as u32,
                        first: first as u32,
                        indent,
                        line: line as u32,
                        items: 0,
                    };
                    if self.open.len() == 1 {
                        (self.section, self.suspect) = (Some(open), None);
                    }
                    self.open.push(open);
                }
                b')' => self.close(at, line, leading),
                b':' => {
                    if is_observers(bytes, at) {
                        self.viewer_lists = 2;
                    }
                    self.is_in_value = begins_value(bytes, at);
                    self.value_begins = self.is_in_value;
                    if begins_field(bytes, at) {
                        self.field_begins(at)?;
                    }
                }
                _ => {}
            }
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
            self.excess = self.excess.saturating_sub(1);
            // What stands before it on its line may be what is wrong.
            self.damaged.push(span(line, at));
            let before = self.stray_end.replace(at + 1);
            if before.is_some_and(|end| self.text[end..at].trim().is_empty()) {
                // One report is enough of those that follow each other.
                return;
            }
            self.report(
                Diagnostic::new(Code::StrayParenthesis, "this `)` closes nothing")
                    .primary(self.source, span(at, at + 1), "no list is open here")
                    .help("remove it, or look for a `(` that is missing before it"),
            );
            return;
        };
        if leading
            && open.line != line as u32
            && ((at - line) as u32) < open.indent
            && self.suspect.is_none()
        {
            self.suspect = Some(open);
        }
        if self.deficit > 0 && self.suspect.is_none() && self.has_too_many_parts(open) {
            self.suspect = Some(open);
        }
        if self.open.len() <= 1 {
            self.closed = Some((at as u32, open));
        }
        if self.open.len() == 2 && self.is_in_value {
            self.value_closed = Some((at as u32, open));
        }
    }

    /// Returns true if a list holds more than its head takes: the next ones belong to the list around it.
    fn has_too_many_parts(&self, open: Open) -> bool {
        let most = most_parts(self.text.as_bytes(), open.first as usize);
        most.is_some_and(|most| open.items > most + 1)
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

    fn report(&mut self, diagnostic: Diagnostic) {
        self.reports += 1;
        self.diagnostics.push(diagnostic);
    }

    fn finish(&mut self) -> Option<()> {
        if self.open.is_empty() {
            return Some(());
        }
        let count = self.open.len();
        let end = self.text.len();
        let before = "at the end of the file";
        self.report_unclosed(count, span(end, end), "the file ends here", before);
        if let (true, Some(section)) = (count > 1 || self.suspect.is_some(), self.section) {
            self.damaged.push(span(section.at as usize, end));
        } else {
            // What is missing may be missing on the last line that says anything.
            let before = &self.text[..self.token_end];
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            self.damaged.push(span(line, end));
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
