//! Texts with slots: `"pickup({?i})"`.
//!
//! A slot is a term in braces. `{{` and `}}` stand for braces; `\"`, `\\`, `\n` and `\t` are the
//! escapes.

use bumpalo::Bump;

use super::super::ast::{Template, TemplatePart, Term};
use super::super::tree::{self, Node, Tree};
use super::context::Context;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostics};

/// The most levels to which lists may be nested in a slot.
const MAX_SLOT_NESTING: usize = 16;

/// A text without slots.
pub(super) fn literal(text: &str, span: Span) -> Template {
    let part = TemplatePart::Text(text.to_owned());
    Template {
        parts: if text.is_empty() {
            Vec::new()
        } else {
            vec![part]
        },
        span,
    }
}

impl Context<'_> {
    /// Reads a text; `None` after a report that it is none.
    pub(super) fn template(&mut self, tree: &Tree<'_>, what: &str) -> Option<Template> {
        let Node::Text(raw) = tree.node else {
            self.unexpected_help(
                Code::ExpectedString,
                tree,
                what,
                "a text is written in double quotes",
            );
            return None;
        };
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = raw;
        while let Some(c) = rest.chars().next() {
            let at = tree.span.start + 1 + (raw.len() - rest.len()) as u32;
            let after = &rest[c.len_utf8()..];
            rest = match c {
                '\\' => self.escape(after, at, &mut text),
                '{' | '}' if after.starts_with(c) => {
                    text.push(c);
                    &after[1..]
                }
                '{' => {
                    let Some(length) = after.find('}') else {
                        let message = "this slot is never closed";
                        let diagnostic =
                            self.at(Code::MalformedTemplate, Span::new(at, at + 1), message, "");
                        self.push(diagnostic.help("close it with `}`, or write `{{` for a brace"));
                        break;
                    };
                    if let Some(term) = self.slot(&after[..length], at + 1) {
                        if !text.is_empty() {
                            parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                        }
                        parts.push(TemplatePart::Slot(term));
                    }
                    &after[length + 1..]
                }
                '}' => {
                    let message = "this `}` closes no slot";
                    let diagnostic =
                        self.at(Code::MalformedTemplate, Span::new(at, at + 1), message, "");
                    self.push(diagnostic.help("write `}}` for a brace"));
                    after
                }
                _ => {
                    text.push(c);
                    after
                }
            };
        }
        if !text.is_empty() {
            parts.push(TemplatePart::Text(text));
        }
        Some(Template {
            parts,
            span: tree.span,
        })
    }

    /// Reads what follows a backslash that stands at `at`; answers with the rest.
    fn escape<'s>(&mut self, after: &'s str, at: u32, text: &mut String) -> &'s str {
        let Some(c) = after.chars().next() else {
            return after;
        };
        match c {
            '"' | '\\' => text.push(c),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            _ => {
                let span = Span::new(at, at + 1 + c.len_utf8() as u32);
                let message = format!("`\\{}` is not an escape", c.escape_debug());
                let diagnostic = self.at(Code::MalformedTemplate, span, message, "");
                self.push(diagnostic.help("the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`"));
            }
        }
        &after[c.len_utf8()..]
    }

    fn slot(&mut self, text: &str, at: u32) -> Option<Term> {
        if let Some(word) = tree::word(text, at) {
            return self.term(&word);
        }
        if is_plain_and_balanced(text) {
            let mut problems = Diagnostics::new();
            let arena = Bump::new();
            let forest = tree::read(&arena, self.source, text, at, &mut problems);
            if let ([term], true) = (forest.trees.as_slice(), problems.is_empty()) {
                return self.term(term);
            }
        }
        let span = Span::new(at - 1, at + text.len() as u32 + 1);
        let diagnostic = self.at(
            Code::MalformedTemplate,
            span,
            "this slot does not hold a term",
            "",
        );
        self.push(diagnostic.help(
            "a slot holds one variable, object or function: `{?x}`, `{(held ?a)}`; \
             write `{{` for a brace",
        ));
        None
    }
}

/// May the text of a slot be read as a tree?
fn is_plain_and_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            '"' | ';' | '\\' => return false,
            _ => {}
        }
        if depth > MAX_SLOT_NESTING {
            return false;
        }
    }
    depth == 0
}
