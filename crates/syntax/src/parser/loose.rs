//! Conditions, effects and facts that lack their parentheses, or whose operator stands between its operands, as in
//! other languages: reported once, and read as they are meant.

use std::borrow::Cow;

use super::super::tree::{Node, Tree};
use super::construct::is_condition_word;
use super::construct::is_effect_word;
use super::context::Context;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostics};

/// Items of one condition, effect or fact without parentheses, at most: no more are looked at.
const MOST_ITEMS: usize = 64;

/// Items that `and` or `or` joins without parentheses, at most: each may be another such word, whose items
/// are the same.
const MOST_JOINED: usize = 1000;

/// The kind of list that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Condition,
    Effect,
    Fact,
}

impl Expected {
    pub(super) const fn code(self) -> Code {
        match self {
            Self::Condition => Code::ExpectedFormula,
            Self::Effect => Code::ExpectedEffect,
            Self::Fact => Code::ExpectedInitItem,
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Condition => "not a condition",
            Self::Effect => "not an effect",
            Self::Fact => "not a fact",
        }
    }
}

/// The fault in some items that are meant as one list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// They stand without parentheses.
    Bare,
    /// The name stands before the parenthesis.
    Outside,
    /// The operator stands between what it compares or changes.
    Between,
    /// `and` or `or` stands between what it joins.
    Joined,
    /// A sign stands for `not`.
    Sign,
}

/// An operator that other languages write between its operands.
#[derive(Clone, Copy)]
enum Operator {
    /// With the word of the language; of conditions, and of effects.
    Infix(&'static str, Option<&'static str>),
    /// Unequal.
    Differs,
    Join(&'static str),
}

fn operator(tree: &Tree<'_>) -> Option<Operator> {
    let text = match tree.node {
        // `:=`
        Node::Keyword("=") => return Some(Operator::Infix("=", Some("assign"))),
        // Facts are many, and most of their words longer.
        Node::Name(text) if text.len() <= 3 => text,
        _ => return None,
    };
    Some(match text {
        "=" | "==" => Operator::Infix("=", Some("assign")),
        "<" => Operator::Infix("<", None),
        "<=" | "=<" => Operator::Infix("<=", None),
        ">" => Operator::Infix(">", None),
        ">=" | "=>" => Operator::Infix(">=", None),
        "+=" => Operator::Infix("", Some("increase")),
        "-=" => Operator::Infix("", Some("decrease")),
        "!=" | "<>" | "/=" => Operator::Differs,
        "&&" | "&" => Operator::Join("and"),
        _ if text.eq_ignore_ascii_case("and") => Operator::Join("and"),
        _ if text.eq_ignore_ascii_case("or") => Operator::Join("or"),
        _ => return None,
    })
}

impl<'d> Context<'d> {
    /// The items of a list of conditions, effects or facts, each as a list of its own.
    pub(super) fn regrouped<'x>(
        &mut self,
        items: &'x [Tree<'x>],
        of: Expected,
    ) -> Cow<'x, [Tree<'x>]>
    where
        'd: 'x,
    {
        if items.iter().all(|item| item.items().is_some()) {
            return Cow::Borrowed(items);
        }
        let mut groups = Vec::with_capacity(items.len());
        let mut rest = items;
        // Each item that is none of a list is a report to come. Once reports are only counted, nothing depends
        // on how the rest is read.
        let mut unread = 0;
        while let Some(first) = rest.first() {
            let is_reported = !self.diagnostics.is_full() && unread < Diagnostics::DEFAULT_LIMIT;
            let found = is_reported.then(|| self.group(rest, of));
            unread += usize::from(first.items().is_none());
            let (tree, used) = match found.flatten() {
                Some((tree, used, wrong)) => {
                    let word = first.name();
                    if !word.is_some_and(|word| self.is_of_effects(word, of)) {
                        self.report_loose(&rest[..used], &tree, wrong, of);
                    }
                    (tree, used)
                }
                None => (*first, 1),
            };
            groups.push(tree);
            rest = &rest[used..];
        }
        Cow::Owned(groups)
    }

    /// Returns the intended reading of a list whose operator stands between its operands; reported.
    pub(super) fn infix<'x>(&mut self, items: &[Tree<'x>], of: Expected) -> Option<Tree<'x>>
    where
        'd: 'x,
    {
        let (tree, used, wrong) = self.between(items, of)?;
        if used != items.len() {
            return None;
        }
        let right = items.last().filter(|_| wrong == Wrong::Between);
        if right.is_some_and(|right| right.is_name("true") || right.is_name("false")) {
            // That no predicate is compared is what is said.
            return Some(tree);
        }
        self.report_loose(items, &tree, wrong, of);
        Some(tree)
    }

    /// The list that some items begin with, as it is meant, and how many are its.
    fn group<'x>(&self, rest: &[Tree<'x>], of: Expected) -> Option<(Tree<'x>, usize, Wrong)>
    where
        'd: 'x,
    {
        if let Some(found) = self.between(rest, of) {
            return Some(found);
        }
        let (first, after) = rest.split_first()?;
        let word = first.name()?;
        if let Some((tree, used @ 2)) = self.operand(rest) {
            return Some((tree, used, Wrong::Sign));
        }
        if let (Some(next), false) = (after.first(), self.is_word(word, of))
            && let Some(args) = next.items()
            && next.span.start == first.span.end
        {
            let items: Vec<Tree<'x>> = std::iter::once(*first)
                .chain(args.iter().copied())
                .collect();
            return Some((self.list(&items), 2, Wrong::Outside));
        }
        if word == "-" {
            return None;
        }
        let used = 1 + self.parts(word, after, of)?;
        if word.eq_ignore_ascii_case("not")
            && after.first().is_some_and(|next| next.items().is_none())
        {
            let (inner, length, _) = self.group(after, of)?;
            return Some((self.list(&[*first, inner]), 1 + length, Wrong::Bare));
        }
        Some((self.list(&rest[..used]), used, Wrong::Bare))
    }

    /// Is this a word of the language here, and no name of the author's?
    fn is_word(&self, word: &str, of: Expected) -> bool {
        let is_word = match of {
            Expected::Condition | Expected::Fact => is_condition_word(word),
            Expected::Effect => {
                is_condition_word(word)
                    || is_effect_word(word)
                    || word.eq_ignore_ascii_case("after")
            }
        };
        is_word && !self.vocabulary.declares(word)
    }

    /// Returns whether it is a word of effects where none may stand. That is what is wrong, not its parentheses.
    fn is_of_effects(&self, head: &str, of: Expected) -> bool {
        of != Expected::Effect && is_effect_word(head) && !self.vocabulary.declares(head)
    }

    /// Returns the number of the items after a word that belong to it.
    fn parts(&self, word: &str, after: &[Tree<'_>], of: Expected) -> Option<usize> {
        if !self.is_word(word, of) && !self.is_of_effects(word, of) {
            let ends = |tree: &Tree<'_>| match tree.node {
                Node::Variable(_) | Node::Number(_) => false,
                Node::Name(name) => {
                    self.is_word(name, of)
                        || self.vocabulary.is_predicate(name)
                        || name.eq_ignore_ascii_case(word)
                }
                _ => true,
            };
            let most = after.len().min(MOST_ITEMS);
            return Some(after[..most].iter().position(ends).unwrap_or(most));
        }
        let needed = match word.to_ascii_lowercase().as_str() {
            "and" | "or" => after.len().clamp(1, MOST_JOINED),
            "not" => 1,
            _ => 2,
        };
        (after.len() >= needed).then_some(needed)
    }

    /// The comparison, change or conjunction that some items begin with, its operator between what it
    /// joins.
    fn between<'x>(&self, rest: &[Tree<'x>], of: Expected) -> Option<(Tree<'x>, usize, Wrong)>
    where
        'd: 'x,
    {
        let is_flat = |tree: &Tree<'_>| {
            matches!(
                tree.node,
                Node::Name(_) | Node::Variable(_) | Node::Number(_)
            )
        };
        let first = rest.first()?;
        let at = if first.items().is_some() {
            1
        } else {
            let ends = |tree: &Tree<'_>| operator(tree).is_some() || !is_flat(tree);
            rest.iter().take(MOST_ITEMS).position(ends)?
        };
        let sign = rest.get(at)?;
        let found = operator(sign)?;
        let right = rest.get(at + 1)?;
        let left = match &rest[..at] {
            [] => return None,
            [one] if one.items().is_some() => *one,
            [one]
                if !one
                    .name()
                    .is_some_and(|name| self.vocabulary.declares(name)) =>
            {
                *one
            }
            // The name of an operator or quantifier begins a list of its own.
            [head, ..] if head.name().is_none_or(|word| self.is_word(word, of)) => return None,
            several => self.list(several),
        };
        let of_span = |word: &'static str| named(word, sign.span);
        let list = |word: &'static str| self.list(&[of_span(word), left, *right]);
        Some(match (found, of) {
            (Operator::Infix(_, Some(change)), Expected::Effect) => {
                (list(change), at + 2, Wrong::Between)
            }
            (Operator::Infix("", _), _) => return None,
            (Operator::Infix(word, _), Expected::Condition) => (list(word), at + 2, Wrong::Between),
            (Operator::Infix("=", _), Expected::Fact) => (list("="), at + 2, Wrong::Between),
            (Operator::Differs, Expected::Condition) => {
                let equal = self.list(&[of_span("="), left, *right]);
                let unequal = self.list(&[of_span("not"), equal]);
                (unequal, at + 2, Wrong::Between)
            }
            (Operator::Join(word), Expected::Condition | Expected::Effect)
                if left.items().is_some() =>
            {
                let mut items = vec![of_span(word), left];
                let mut used = at;
                while let Some(sign) = rest.get(used)
                    && matches!(operator(sign), Some(Operator::Join(again)) if again == word)
                    && let Some((next, length)) = self.operand(&rest[used + 1..])
                {
                    items.push(next);
                    used += 1 + length;
                }
                if items.len() == 2 {
                    return None;
                }
                (self.list(&items), used, Wrong::Joined)
            }
            _ => return None,
        })
    }

    /// The list that some items begin with, perhaps with a sign for `not` before it, and how many are its.
    fn operand<'x>(&self, rest: &[Tree<'x>]) -> Option<(Tree<'x>, usize)>
    where
        'd: 'x,
    {
        match rest {
            [list, ..] if list.items().is_some() => Some((*list, 1)),
            [sign, list, ..]
                if matches!(sign.name(), Some("!" | "~")) && list.items().is_some() =>
            {
                let not = named("not", sign.span);
                Some((self.list(&[not, *list]), 2))
            }
            _ => None,
        }
    }

    /// A list of some items, as if it stood in the text.
    pub(super) fn list<'x>(&self, items: &[Tree<'x>]) -> Tree<'x>
    where
        'd: 'x,
    {
        let start = items.iter().map(|item| item.span.start).min();
        let end = items.iter().map(|item| item.span.end).max();
        Tree {
            node: Node::List(self.arena.alloc_slice_copy(items)),
            span: Span::new(start.unwrap_or_default(), end.unwrap_or_default()),
        }
    }

    fn report_loose(&mut self, items: &[Tree<'_>], tree: &Tree<'_>, wrong: Wrong, of: Expected) {
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        let message = match wrong {
            Wrong::Bare => format!("`{}` stands without its parentheses", bare(tree)),
            Wrong::Outside => {
                "the name stands within the parentheses, as the first word".to_owned()
            }
            Wrong::Between if of == Expected::Condition => {
                "the operator of a comparison comes first".to_owned()
            }
            Wrong::Between => "the operator comes first".to_owned(),
            Wrong::Joined => "what joins several comes first, once".to_owned(),
            Wrong::Sign => "what is false is said with `not`".to_owned(),
        };
        if wrong == Wrong::Outside {
            // Commas, too, come from the other notation.
            self.diagnostics
                .withdraw(Code::UnexpectedCharacter, self.source, span);
        }
        let diagnostic = self.at(of.code(), span, message, of.label());
        let help = format!("write `{}`", written(tree));
        self.push(diagnostic.help(help).mended());
    }
}

/// A name as if it stood in the text.
pub(super) fn named(word: &'static str, span: Span) -> Tree<'static> {
    Tree {
        node: Node::Name(word),
        span,
    }
}

/// A list as it is written; of a long one, how it begins.
pub(super) fn written(tree: &Tree<'_>) -> String {
    /// In characters.
    const LONGEST: usize = 60;
    let mut text = String::new();
    write_into(&mut text, tree, LONGEST);
    text
}

/// A list without its parentheses.
fn bare(tree: &Tree<'_>) -> String {
    let text = written(tree);
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(&text).to_owned()
}

fn write_into(text: &mut String, tree: &Tree<'_>, longest: usize) {
    match tree.node {
        Node::List(items) => {
            text.push('(');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                if at > 0 && text.len() > longest {
                    text.push('…');
                    break;
                }
                write_into(text, item, longest);
            }
            text.push(')');
        }
        Node::Name(name) | Node::Number(name) => text.push_str(name),
        Node::Variable(name) => {
            text.push('?');
            text.push_str(name);
        }
        Node::Keyword(name) => {
            text.push(':');
            text.push_str(name);
        }
        Node::Text(inner) => {
            text.push('"');
            text.push_str(inner);
            text.push('"');
        }
        Node::Junk => text.push('…'),
    }
}
