//! Finds unbalanced parentheses and quotes, points at the likeliest culprit, and repairs the text.
//!
//! A missing parenthesis is only felt at the end of a file. Two facts tell earlier where it is:
//! sections such as `(:action` stand directly in the definition, and keywords such as `:effect`
//! directly in a section (but for the `:text` of a predicate). So whatever is still open when one of them begins was never closed.
//! So does a definition, at top level. Where parentheses are missing, two more tell it: indentation, if
//! it accounts for all of them (`indentation`), and a word such as `not` with more parts than it takes.
//! The text is repaired there, in place and without moving any other byte, so that the rest of
//! the file can be checked in the same run.

mod indentation;
pub(super) mod words;

use std::borrow::Cow;

use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use crate::syntax::span::Span;
use words::{
    begins_declarations, begins_field, begins_section, begins_value, first_within, holds_lists,
    is_definition, is_text, line_end, most_parts, string_end, word_end,
};

/// How deep lists may be nested. Every later pass may recurse this deep.
pub const MAX_NESTING: usize = 256;

/// After so many reports the text is not repaired further: more of them would be noise.
const MAX_REPORTS: usize = 20;

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
        excess,
        fields_at: 2,
        deficit,
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

/// A change of the text.
enum Repair {
    /// The byte at this offset becomes a space.
    Blank(u32),
    /// The white space at this offset becomes that many closing parentheses.
    Close(u32, usize),
    /// The white space at this offset becomes an opening parenthesis.
    Open(u32),
}

fn apply<'s>(text: &'s str, repairs: &[Repair]) -> Cow<'s, str> {
    if repairs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut repaired = text.to_owned();
    for repair in repairs {
        match *repair {
            Repair::Blank(at) => repaired.replace_range(at as usize..=at as usize, " "),
            Repair::Open(at) => repaired.replace_range(at as usize..=at as usize, "("),
            Repair::Close(at, count) => {
                let start = (at as usize).min(repaired.len());
                let end = (start + count).min(repaired.len());
                repaired.replace_range(start..end, &")".repeat(count));
            }
        }
    }
    Cow::Owned(repaired)
}

/// How many parentheses of one kind there are more than of the other.
struct Counted {
    /// Closing ones.
    excess: usize,
    /// Opening ones.
    deficit: usize,
}

/// Counts parentheses. Strings without a closing quote end on their line; they are reported and
/// answered with `None`.
fn count(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<Counted> {
    let bytes = text.as_bytes();
    let (mut opening, mut closing) = (0_usize, 0_usize);
    let mut terminated = true;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' => {
                at = string_end(bytes, at).unwrap_or_else(|end| {
                    terminated = false;
                    let stop = at + text[at..end].trim_end().len();
                    diagnostics.push(
                        Diagnostic::new(Code::UnterminatedString, "this text is never closed")
                            .primary(source, span(at, stop), "no closing `\"` on this line")
                            .help("close it with `\"`; a line break in a text is written `\\n`"),
                    );
                    end
                });
                continue;
            }
            b'(' => opening += 1,
            b')' => closing += 1,
            _ => {}
        }
        at += 1;
    }
    terminated.then(|| Counted {
        excess: closing.saturating_sub(opening),
        deficit: opening.saturating_sub(closing),
    })
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

/// An opening parenthesis.
#[derive(Clone, Copy)]
struct Open {
    at: u32,
    /// Where its first word or list begins.
    first: u32,
    /// The indentation of its line, in bytes.
    indent: u32,
    /// The offset of its line.
    line: u32,
    /// How many words and lists it holds so far.
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
    /// How many closing parentheses are still to be found that there are too many. Only then can
    /// a word that stands directly in the definition mean that a section was closed too early.
    excess: usize,
    /// In how many lists the keywords of the section begun last stand.
    fields_at: usize,
    /// How many closing parentheses there are too few of, before anything is repaired.
    deficit: usize,
    /// Where indentation shows lists to be closed before, in order.
    outdents: Vec<indentation::Outdent>,
    /// Whether the keyword that was read last has a condition or an effect for a value.
    is_in_value: bool,
    /// Whether that keyword was the word before.
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

    /// Whether a list holds more than its head takes: the next ones belong to what is around it.
    fn has_too_many_parts(&self, open: Open) -> bool {
        let most = most_parts(self.text.as_bytes(), open.first as usize);
        most.is_some_and(|most| open.items > most + 1)
    }

    /// A word or list stands no further right than lists that are still open.
    fn outdented(&mut self, outdent: indentation::Outdent, at: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let begins = if bytes[at] == b'(' {
            first_within(bytes, at)
        } else {
            at
        };
        if begins_section(bytes, begins) || begins_field(bytes, begins) {
            return Some(());
        }
        if self.open.len() <= outdent.depth {
            return Some(());
        }
        self.missing(
            outdent.depth,
            at,
            "by its indentation this does not belong to it",
        )
    }

    fn section_begins(&mut self, at: usize) -> Option<()> {
        match (self.open.len(), self.closed) {
            (0, Some((close, open))) if self.definition_was_closed() => {
                self.closes_too_early(close, "the definition", at);
                self.open.push(open);
                Some(())
            }
            (0 | 1, _) => {
                self.fields_at = 2;
                Some(())
            }
            (depth, _) if self.is_within_nothing() => {
                self.fields_at = depth + 1;
                Some(())
            }
            _ => {
                self.fields_at = 2;
                self.missing(1, at, "a new section begins here")
            }
        }
    }

    /// Whether the innermost list holds nothing yet, in a text that closes as many lists as it opens: it
    /// is then one pair of parentheses too many, such as in `((:action …))`, and not a list that was
    /// never closed.
    fn is_within_nothing(&self) -> bool {
        let before = self.text.as_bytes()[..self.token_end].last();
        self.is_even && before == Some(&b'(')
    }

    /// The section begun last as it begins: `(:action toast`.
    fn section_head(&self) -> String {
        let text = self
            .section
            .map(|section| &self.text[section.at as usize..]);
        let line = text
            .and_then(|text| text.lines().next())
            .unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        let is_short = words.iter().all(|word| word.is_ascii() && word.len() < 40);
        match &words[..] {
            _ if !is_short => "the section".to_owned(),
            [key, name]
                if name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') =>
            {
                format!("`{key} {name}`")
            }
            [key, ..] => format!("`{key}`"),
            [] => "the section".to_owned(),
        }
    }

    fn field_begins(&mut self, at: usize) -> Option<()> {
        match (self.open.len(), self.closed) {
            (1, Some((close, open))) if self.section.is_some_and(|s| s.at == open.at) => {
                self.closes_too_early(close, "the section", at);
                self.open.push(open);
                Some(())
            }
            (depth, _) if depth <= self.fields_at => Some(()),
            _ if self.is_within_nothing() => Some(()),
            (3, _) if self.declares_fluents() && is_text(self.text.as_bytes(), at) => Some(()),
            _ => {
                let label = format!("this keyword belongs to {}", self.section_head());
                self.missing(self.fields_at, at, &label)
            }
        }
    }

    /// A token stands directly in the definition, where only sections may, while there are too
    /// many closing parentheses: the section before it was closed too early, or it is the keyword
    /// of a section whose opening parenthesis is missing.
    fn unexpected_in_definition(&mut self, at: usize, line: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let Some((close, open)) = self.closed.filter(|_| self.open.len() == 1) else {
            return Some(());
        };
        if begins_section(bytes, at) {
            return self.missing_opening(at, line);
        }
        let is_keyword = |at: usize| bytes.get(at) == Some(&b':');
        let in_section = is_keyword(open.first as usize);
        let opens_section = bytes[at] == b'(' && is_keyword(first_within(bytes, at));
        if in_section && !opens_section {
            self.closes_too_early(close, "the section", at);
            self.open.push(open);
        }
        Some(())
    }

    /// Where only lists may stand stands a word, or after the one value of a keyword another, while there
    /// are too many closing parentheses: an opening one is missing, or one before closes too early.
    fn unexpected_in_value(&mut self, at: usize, line: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let is_value = std::mem::take(&mut self.value_begins);
        let value = self.value_closed.take();
        if bytes[at] == b'(' {
            if let (Some((close, open)), 2) = (value, self.open.len()) {
                self.closes_too_early(close, "the value", at);
                self.open.push(open);
            }
            return Some(());
        }
        let Some(open) = self.open.last_mut() else {
            return Some(());
        };
        let is_item = open.items > 0 && holds_lists(bytes, open.first as usize);
        if !bytes[at].is_ascii_alphabetic() || !(is_value || is_item) {
            return Some(());
        }
        open.items += 1;
        // What stands before it may be what is wrong.
        let start = self.section.map_or(at as u32, |section| section.at);
        let end = word_end(bytes, at) as u32;
        self.damaged.push(Span::new(start, end));
        let before = self.lacks_opening(at, "this begins a list")?;
        self.open.push(Open {
            at: before,
            first: at as u32,
            indent: 0,
            line: line as u32,
            items: 0,
        });
        Some(())
    }

    /// Reports and repairs a missing parenthesis before a word; gives its place.
    fn lacks_opening(&mut self, at: usize, label: &str) -> Option<u32> {
        let word = span(at, word_end(self.text.as_bytes(), at));
        let message = format!("a `(` is missing before `{}`", &self.text[word.range()]);
        self.report(
            Diagnostic::new(Code::StrayParenthesis, message)
                .primary(self.source, word, label)
                .help("without it, a `)` further down closes nothing"),
        );
        self.excess -= 1;
        let before = at.checked_sub(1)?;
        if !self.text.as_bytes()[before].is_ascii_whitespace() || before < self.token_end {
            return None;
        }
        self.repairs.push(Repair::Open(before as u32));
        Some(before as u32)
    }

    fn missing_opening(&mut self, at: usize, line: usize) -> Option<()> {
        let before = self.lacks_opening(at, "this section has no opening parenthesis")?;
        let open = Open {
            at: before,
            first: at as u32,
            indent: 0,
            line: line as u32,
            items: 1,
        };
        (self.section, self.suspect) = (Some(open), None);
        self.open.push(open);
        Some(())
    }

    /// Is this a section of declarations? The keyword `:text` stands within one of these. Where as many
    /// lists are closed as are opened, one whose name is misspelt may be meant for it.
    fn declares_fluents(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.section.is_some_and(|section| {
            let at = section.first as usize;
            begins_declarations(bytes, at) || self.is_even && !begins_section(bytes, at)
        })
    }

    /// Did the parenthesis closed last belong to the definition, `(define`?
    fn definition_was_closed(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.closed.is_some_and(|(_, open)| {
            let start = open.first as usize;
            let word = &bytes[start..word_end(bytes, start)];
            word.eq_ignore_ascii_case(b"define")
        })
    }

    fn closes_too_early(&mut self, close: u32, what: &str, at: usize) {
        self.repairs.push(Repair::Blank(close));
        self.excess = self.excess.saturating_sub(1);
        let start = self.section.map_or(close, |section| section.at);
        let until = word_end(self.text.as_bytes(), at + 1);
        self.damaged.push(Span::new(start, until as u32));
        self.report(
            Diagnostic::new(
                Code::StrayParenthesis,
                format!("this `)` closes {what} too early"),
            )
            .primary(self.source, Span::new(close, close + 1), "one `)` too many")
            .secondary(
                self.source,
                span(at, word_end(self.text.as_bytes(), at + 1)),
                format!("this still belongs to {what}"),
            )
            .help("remove it, or add the `(` that is missing before it"),
        );
    }

    /// Reports that everything above `depth` should have been closed before `at`.
    fn missing(&mut self, depth: usize, at: usize, why: &str) -> Option<()> {
        let count = self.open.len() - depth;
        let end = word_end(self.text.as_bytes(), at + 1);
        let before = format!("before `{}`", &self.text[at..end]);
        self.report_unclosed(count, span(at, end), why, &before);
        let start = self.section.map_or(0, |section| section.at);
        let until = if depth <= 1 { at } else { end };
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

    fn report_unclosed(&mut self, count: usize, end: Span, why: &str, before: &str) {
        let Some(innermost) = self.open.last() else {
            return;
        };
        let message = if count == 1 {
            "this list is never closed".to_owned()
        } else {
            format!("this list is never closed, nor {} around it", count - 1)
        };
        let culprit = self.suspect.filter(|_| count == 1).unwrap_or(*innermost);
        let mut diagnostic = Diagnostic::new(Code::UnclosedParenthesis, message).primary(
            self.source,
            self.opening(culprit),
            "its `(` stands here",
        );
        diagnostic = diagnostic.secondary(self.source, end, why);
        let missing = if count == 1 {
            "a `)`"
        } else {
            "a `)` for each"
        };
        self.report(diagnostic.help(format!(
            "add {missing} where it ends, at the latest {before}"
        )));
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
