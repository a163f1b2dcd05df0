//! Closing parentheses that are too many: each closes something too early, or lacks its opening one.

use super::words::{begins_section, first_within, holds_lists, span, word_end};
use super::{Open, Repair, Scan};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic};

impl Scan<'_, '_> {
    /// A token stands directly in the definition, where only sections may, while there are too
    /// many closing parentheses: the section before it was closed too early, or it is the keyword
    /// of a section whose opening parenthesis is missing.
    pub(super) fn unexpected_in_definition(&mut self, at: usize, line: usize) -> Option<()> {
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

    /// Handles an unexpected word where only lists may stand, or a second value after the one of a keyword, while there
    /// are too many closing parentheses: an opening one is missing, or one before closes too early.
    pub(super) fn unexpected_in_value(&mut self, at: usize, line: usize) -> Option<()> {
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

    /// Reports and repairs a missing parenthesis before a word; gives its place.
    fn lacks_opening(&mut self, at: usize, label: &str) -> Option<u32> {
        let word = span(at, word_end(self.text.as_bytes(), at));
        let message = format!("a `(` is missing before `{}`", &self.text[word.range()]);
        self.report(
            Diagnostic::new(Code::StrayParenthesis, message)
                .primary(self.source, word, label)
                .help("without it, a `)` further down closes nothing"),
        );
        self.excess = self.excess.saturating_sub(1);
        let before = at.checked_sub(1)?;
        if !self.text.as_bytes()[before].is_ascii_whitespace() || before < self.token_end {
            return None;
        }
        self.repairs.push(Repair::Open(before as u32));
        Some(before as u32)
    }

    pub(super) fn closes_too_early(&mut self, close: u32, what: &str, at: usize) {
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

    /// Did the parenthesis closed last belong to the definition, `(define`?
    pub(super) fn definition_was_closed(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.closed.is_some_and(|(_, open)| {
            let start = open.first as usize;
            let word = &bytes[start..word_end(bytes, start)];
            word.eq_ignore_ascii_case(b"define")
        })
    }
}
