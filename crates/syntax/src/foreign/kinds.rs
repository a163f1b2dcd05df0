//! Defines the kinds of foreign notation, and the message for each.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic, SourceId};

/// In how many places of a file one kind is shown.
const SHOWN_PLACES: usize = 4;

/// The kind of a foreign notation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A comment that begins with this.
    Comment(&'static str),
    /// A text in these.
    Quotes(char),
    /// A text in none.
    Unquoted,
    /// A list in these.
    Brackets(char),
    /// A blank that is not one of the keyboard, or a character of no width.
    Invisible(char),
}

/// The places of foreign notation: the first ones, and their number.
#[derive(Default)]
pub(super) struct Places {
    shown: Vec<Span>,
    count: usize,
}

impl Kind {
    pub(super) fn report(&self, source: SourceId, places: &Places) -> Diagnostic {
        let (message, label, help) = match self {
            Self::Comment("/*") => (
                "comments in `/*` and `*/` are not known".to_owned(),
                "no comment begins so",
                "write `;` before each line of it: a comment goes from `;` to the end of its line",
            ),
            Self::Comment(mark) => (
                format!("a comment does not begin with `{mark}`"),
                "no comment begins so",
                "write `;` instead: a comment goes from there to the end of its line",
            ),
            Self::Quotes('\'' | '`') => (
                "a text does not stand in single quotes".to_owned(),
                "no text begins so",
                "write `\"` at both ends",
            ),
            Self::Quotes(_) => (
                "typographic quotes do not enclose a text".to_owned(),
                "no text begins so",
                "write `\"` at both ends",
            ),
            Self::Unquoted => (
                "a text stands without its quotes".to_owned(),
                "no text begins so",
                "write `\"` at both ends",
            ),
            Self::Brackets(bracket) => (
                format!("unexpected character `{bracket}`"),
                match bracket {
                    '[' | '{' => "no list begins so",
                    _ => "no list ends so",
                },
                "lists are written in parentheses: `(…)`",
            ),
            Self::Invisible(c) => (
                format!(
                    "the character U+{:04X} is not seen, and no blank",
                    u32::from(*c)
                ),
                "stands here",
                "write a blank, or remove it",
            ),
        };
        let code = match self {
            Self::Unquoted => Code::ExpectedString,
            _ => Code::UnexpectedCharacter,
        };
        let mut diagnostic = Diagnostic::new(code, message).mended();
        for (at, &span) in places.shown.iter().enumerate() {
            diagnostic = match at {
                0 => diagnostic.primary(source, span, label),
                _ => diagnostic.secondary(source, span, "also here"),
            };
        }
        diagnostic = diagnostic.help(help);
        match places.count - places.shown.len() {
            0 => diagnostic,
            more => {
                let more = counted(more, "more place");
                diagnostic.help(format!("it stands in {more} too"))
            }
        }
    }
}

impl Places {
    pub(super) fn note(&mut self, span: Span) {
        self.count += 1;
        if self.shown.len() < SHOWN_PLACES {
            self.shown.push(span);
        }
    }
}
