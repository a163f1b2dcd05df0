//! Closing parentheses that are missing: where lists were to be closed, by what begins there.

use super::indentation::Outdent;
use super::words::{
    begins_declarations, begins_facts, begins_field, begins_section, first_within,
    is_compound_fact, is_text, is_type, most_parts, span, word_end,
};
use super::{Open, Repair, Scan};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic};

impl Scan<'_, '_> {
    /// A word or list stands no further right than lists that are still open.
    pub(super) fn outdented(&mut self, outdent: Outdent, at: usize) -> Option<()> {
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

    pub(super) fn section_begins(&mut self, at: usize) -> Option<()> {
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

    pub(super) fn field_begins(&mut self, at: usize) -> Option<()> {
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

    /// A list begins while parentheses are missing: perhaps where the one that is open holds no more.
    pub(super) fn another_begins(&mut self, at: usize, first: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        let (Some(&open), Some(section)) = (self.open.last(), self.section) else {
            return Some(());
        };
        let (head, section) = (open.first as usize, section.first as usize);
        let depth = self.open.len();
        if depth == 2 {
            self.viewer_lists = 0;
        }
        // The list that begins is counted.
        let is_full = most_parts(bytes, head).is_some_and(|most| open.items > most + 1);
        let why = if depth == 3 && begins_declarations(bytes, section) {
            if self.viewer_lists > 0 {
                self.viewer_lists -= 1;
                return Some(());
            }
            if is_type(bytes, first) {
                return Some(());
            }
            "another declaration begins here"
        } else if depth == 3 && begins_facts(bytes, section) {
            if is_compound_fact(bytes, head) && !is_full {
                return Some(());
            }
            "another fact begins here"
        } else {
            return Some(());
        };
        self.missing(2, at, why)
    }

    /// Returns true if the innermost list holds nothing yet, in a text that closes as many lists as it opens: it is
    /// then one pair of parentheses too many, such as in `((:action …))`, and not a list that was never closed.
    fn is_within_nothing(&self) -> bool {
        let before = self.text.as_bytes()[..self.token_end].last();
        self.is_even && before == Some(&b'(')
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

    /// Reports that everything above `depth` should have been closed before `at`.
    pub(super) fn missing(&mut self, depth: usize, at: usize, why: &str) -> Option<()> {
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
        self.lacking = self.lacking.saturating_sub(count);
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

    pub(super) fn report_unclosed(&mut self, count: usize, end: Span, why: &str, before: &str) {
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
    pub(super) fn opening(&self, open: Open) -> Span {
        let start = open.at as usize + 1;
        Span::new(open.at, word_end(self.text.as_bytes(), start) as u32)
    }
}
