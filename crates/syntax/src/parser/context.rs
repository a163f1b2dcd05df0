//! Holds the context of the typed pass, and the checks that every part of it needs.

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;

use super::super::ast::Name;
use super::super::tree::{Node, Tree};
use super::construct::{Construct, Place, is_condition_word, not_supported_word};
use super::vocabulary::{Use, Vocabulary};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SHOWN_PLACES, SourceId};

pub(super) struct Context<'d> {
    pub(super) source: SourceId,
    /// The arena of lists that are read as other than they are written.
    pub(super) arena: &'d Bump,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) vocabulary: Vocabulary,
    /// Requirements that were reported to be missing; once each is enough.
    missing: BTreeSet<&'static str>,
    /// The number of reports of each construct that is refused.
    refused: BTreeMap<String, usize>,
    /// True if parts of the durative action that is read need no time, as their lack was reported.
    pub(super) reads_untimed: bool,
}

impl<'d> Context<'d> {
    pub(super) fn new(source: SourceId, arena: &'d Bump, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            source,
            arena,
            diagnostics,
            vocabulary: Vocabulary::default(),
            missing: BTreeSet::new(),
            refused: BTreeMap::new(),
            reads_untimed: false,
        }
    }

    /// Starts a diagnostic about a place of this file.
    pub(super) fn at(
        &self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).primary(self.source, span, label)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        let diagnostic = self.at(code, span, message, label);
        self.push(diagnostic);
    }

    /// Reports that something else was expected than what stands here.
    pub(super) fn unexpected(&mut self, code: Code, found: &Tree<'_>, expected: &str) {
        self.unexpected_help(code, found, expected, "");
    }

    pub(super) fn unexpected_help(
        &mut self,
        code: Code,
        found: &Tree<'_>,
        expected: &str,
        help: &str,
    ) {
        if matches!(found.node, Node::Junk) {
            return;
        }
        if self.diagnostics.is_full() {
            return self.diagnostics.count(code, self.source, found.mark());
        }
        let message = format!("expected {expected}, found {}", found.describe());
        let mut diagnostic = self.at(code, found.mark(), message, format!("expected {expected}"));
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.push(diagnostic);
    }

    /// Reads a name.
    pub(super) fn name(&mut self, tree: &Tree<'_>, what: &str) -> Option<Name> {
        if let Some(text) = tree.name() {
            return Some(Name {
                text: text.into(),
                span: tree.span,
            });
        }
        self.unexpected(Code::ExpectedName, tree, what);
        None
    }

    /// Reads `?x`.
    pub(super) fn variable(&mut self, tree: &Tree<'_>, what: &str) -> Option<Name> {
        match tree.node {
            Node::Variable(text) => Some(Name {
                text: text.into(),
                span: tree.span,
            }),
            Node::Name(text) => {
                let help = format!("a variable is written `?{text}`, a type `- {text}`");
                self.unexpected_help(Code::ExpectedVariable, tree, what, &help);
                None
            }
            _ => {
                self.unexpected(Code::ExpectedVariable, tree, what);
                None
            }
        }
    }

    /// Reads a number, in thousandths.
    pub(super) fn number(&mut self, tree: &Tree<'_>) -> Option<i64> {
        let Some(text) = tree.numeral() else {
            self.unexpected(Code::ExpectedNumber, tree, "a number");
            return None;
        };
        let value = thousandths(text);
        if value.is_none() {
            let diagnostic = self
                .at(
                    Code::NumberOutOfRange,
                    tree.span,
                    format!("the number {text} cannot be represented exactly"),
                    "",
                )
                .help("numbers have at most 15 digits before the point and 3 after it");
            self.push(diagnostic);
        }
        value
    }

    /// Reads a whole number.
    pub(super) fn integer(&mut self, tree: &Tree<'_>, what: &str) -> Option<i64> {
        if tree.numeral().is_none() {
            self.unexpected(Code::ExpectedNumber, tree, "a whole number");
            return None;
        }
        let value = self.number(tree)?;
        if value % 1000 != 0 {
            let message = format!("{what} must be a whole number");
            self.error(Code::ExpectedNumber, tree.span, message, "has a fraction");
            return None;
        }
        Some(value / 1000)
    }

    /// Checks the number of parts of a construct, its head not counted.
    pub(super) fn arity(
        &mut self,
        tree: &Tree<'_>,
        range: std::ops::RangeInclusive<usize>,
        shape: &str,
    ) -> bool {
        let count = tree.items().unwrap_or_default().len().saturating_sub(1);
        self.has_parts(tree, count, range, shape)
    }

    /// Checks the number of parts of a construct, as they are read.
    pub(super) fn has_parts(
        &mut self,
        tree: &Tree<'_>,
        count: usize,
        range: std::ops::RangeInclusive<usize>,
        shape: &str,
    ) -> bool {
        let items = tree.items().unwrap_or_default();
        if range.contains(&count) {
            return true;
        }
        let (least, most) = (*range.start(), *range.end());
        let needed = match (least, most) {
            (least, usize::MAX) => format!("at least {}", counted(least, "part")),
            (least, most) if least == most => counted(least, "part"),
            (least, most) => format!("{least} to {}", counted(most, "part")),
        };
        let head = items.first().and_then(Tree::name).unwrap_or_default();
        let message = format!("`{head}` takes {needed}, but has {count}");
        let (span, label) = match items.get(most.saturating_add(1)) {
            Some(extra) => (extra.mark(), "one too many"),
            None => (tree.mark(), "too few parts"),
        };
        let diagnostic = self.at(Code::WrongArity, span, message, label);
        self.push(diagnostic.help(format!("write `{shape}`")));
        false
    }

    /// Is a list with this head a construct of the language here, or an atom of the author's? A
    /// construct whose requirement is missing is reported, and then read as one.
    pub(super) fn construct(
        &mut self,
        head: &Tree<'_>,
        word: &str,
        place: Place,
    ) -> Option<&'static Construct> {
        match self.vocabulary.use_of(word, place) {
            Use::Atom => None,
            Use::Construct(construct) => {
                if !construct.supported {
                    let what = format!("`{}`", construct.name);
                    self.not_supported(construct.keys[0], head.span, &what);
                }
                Some(construct)
            }
            Use::NeedsRequirement(construct) => {
                if construct.supported {
                    self.needs_requirement(construct.keys[0], head.span, construct.name);
                } else {
                    let what = format!("`{}`", construct.name);
                    self.not_supported(construct.keys[0], head.span, &what);
                }
                Some(construct)
            }
        }
    }

    /// Reports a keyword or section of an extension whose requirement is missing.
    pub(super) fn require(&mut self, key: &'static str, span: Span, what: &str) {
        if !self.vocabulary.has(key) {
            self.needs_requirement(key, span, what);
        }
    }

    fn needs_requirement(&mut self, key: &'static str, span: Span, what: &str) {
        if self.missing.insert(key) {
            let message = format!("`{what}` needs `:requirements :{key}`");
            let diagnostic = self.at(Code::NeedsRequirement, span, message, "used here");
            self.push(
                diagnostic.help(format!("add `:{key}` to the `:requirements` of the domain")),
            );
        }
    }

    /// Reports something that the language had and has no longer, with what takes its place.
    pub(super) fn outdated(&mut self, span: Span, message: &str, instead: &str) {
        if self.is_shown(message) {
            let diagnostic = self.at(Code::NotSupported, span, message, "not supported");
            self.push(diagnostic.help(instead));
        }
    }

    /// Reports something known that cannot be done yet; `key` is its requirement.
    pub(super) fn not_supported(&mut self, key: &'static str, span: Span, what: &str) {
        let message = format!("{what} is not supported yet (requirement `:{key}`)");
        if self.is_shown(&message) {
            self.error(Code::NotSupported, span, message, "");
        }
    }

    /// Reports a word that is known and not supported, where its parts show that no predicate of that name
    /// is meant: some are conditions. Of others the later stages know what is declared.
    pub(super) fn is_refused(&mut self, head: &Tree<'_>, word: &str, args: &[Tree<'_>]) -> bool {
        let holds_condition = args.iter().any(|arg| {
            let head = arg.items().and_then(<[_]>::first).and_then(Tree::name);
            head.is_some_and(is_condition_word)
        });
        if !holds_condition || self.vocabulary.declares(word) {
            return false;
        }
        let Some(message) = not_supported_word(word) else {
            return false;
        };
        if self.is_shown(&message) {
            self.error(Code::NotSupported, head.span, message, "");
        }
        true
    }

    /// Returns whether one more place is shown of what is refused: in a large file it may stand everywhere.
    fn is_shown(&mut self, message: &str) -> bool {
        let places = self.refused.entry(message.to_owned()).or_default();
        *places += 1;
        *places <= SHOWN_PLACES
    }
}

/// The value of a decimal number in thousandths, if it is exact and not too large.
fn thousandths(text: &str) -> Option<i64> {
    /// Of a value in thousandths.
    const MOST_DIGITS: i64 = 18;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches('0');
    let digits = all.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let zeros = (all.len() - digits.len()) as i64;
    // How many zeros follow the digits in thousandths.
    let zeros = i64::from(exponent.parse::<i32>().ok()?) + zeros + 3 - fraction.len() as i64;
    if zeros < 0 || digits.len() as i64 + zeros > MOST_DIGITS {
        return None;
    }
    let value = digits.parse::<i64>().ok()? * 10_i64.pow(zeros as u32);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::thousandths;

    #[test]
    fn numbers_are_exact_thousandths() {
        assert_eq!(thousandths("0"), Some(0));
        assert_eq!(thousandths("-0"), Some(0));
        assert_eq!(thousandths("007"), Some(7000));
        assert_eq!(thousandths("1.5"), Some(1500));
        assert_eq!(thousandths("-0.125000"), Some(-125));
        assert_eq!(thousandths("0.0001"), None);
        assert_eq!(
            thousandths("999999999999999"),
            Some(999_999_999_999_999_000)
        );
        assert_eq!(thousandths("1000000000000000"), None);
    }

    #[test]
    fn a_sign_and_an_exponent_are_read_if_the_number_is_exact() {
        assert_eq!(thousandths("+5"), Some(5000));
        assert_eq!(thousandths("-1.5e3"), Some(-1_500_000));
        assert_eq!(thousandths("1e3"), Some(1_000_000));
        assert_eq!(thousandths("2E-1"), Some(200));
        assert_eq!(thousandths(".5"), Some(500));
        assert_eq!(thousandths("-1."), Some(-1000));
        assert_eq!(thousandths("1.e3"), Some(1_000_000));
        assert_eq!(thousandths("1.5E+2"), Some(150_000));
        assert_eq!(thousandths("-25.0e-2"), Some(-250));
        assert_eq!(thousandths("0.0e99"), Some(0));
        assert_eq!(thousandths("1.0e-4"), None);
        assert_eq!(thousandths("1.0e15"), None);
        assert_eq!(thousandths("1.0e99999999999"), None);
    }
}
