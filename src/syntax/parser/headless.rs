//! Lists whose first word is missing, such as `((on ?x) ?y)`, or stands twice: told once, and read as what
//! they seem to be.

use super::super::span::Span;
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::loose::{Expected, named, written};
use super::vocabulary::{Place, is_effect_word};
use crate::diagnostics::Code;

impl<'d> Context<'d> {
    /// What a list is meant as that begins with a list or a number; reported.
    pub(super) fn headed<'x>(
        &mut self,
        tree: &Tree<'x>,
        items: &[Tree<'x>],
        of: Expected,
    ) -> Option<Tree<'x>>
    where
        'd: 'x,
    {
        let [first, second] = items else { return None };
        let word = self.missing_word(first, second, of)?;
        let start = tree.span.start;
        let head = named(word, Span::new(start, start + 1));
        let meant = self.list(&[head, *first, *second]);
        let message = "the first word of this list is missing";
        let label = "a list begins with a word";
        let diagnostic = self.at(of.code(), first.mark(), message, label);
        let help = format!("did you mean `{}`?", written(&meant));
        self.push(diagnostic.help(help).mended());
        Some(Tree {
            span: tree.span,
            ..meant
        })
    }

    /// What follows the first word of a list, or the keyword of a section, without the same again, which is
    /// reported.
    pub(super) fn undoubled<'t, 's>(
        &mut self,
        head: Option<&Tree<'s>>,
        rest: &'t [Tree<'s>],
        code: Code,
    ) -> &'t [Tree<'s>] {
        let (Some(head), Some((next, after))) = (head, rest.split_first()) else {
            return rest;
        };
        if head.node != next.node {
            return rest;
        }
        let word = match head.node {
            Node::Keyword(word) => format!(":{word}"),
            Node::Name(word) => word.to_owned(),
            _ => return rest,
        };
        let message = format!("`{word}` stands twice here");
        let diagnostic = self.at(code, next.span, message, "again here");
        self.push(diagnostic.help("remove one of the two").mended());
        after
    }

    /// The parts of a construct, its word not counted twice.
    pub(super) fn undoubled_word<'t, 's>(
        &mut self,
        head: &Tree<'s>,
        word: &str,
        parts: &'t [Tree<'s>],
        place: Place,
    ) -> &'t [Tree<'s>] {
        if !self.vocabulary.is_construct(word, place) {
            return parts;
        }
        let code = match place {
            Place::Formula => Code::ExpectedFormula,
            Place::Effect => Code::ExpectedEffect,
            Place::Term => Code::ExpectedTerm,
        };
        self.undoubled(Some(head), parts, code)
    }

    /// The word that makes a list of these two.
    fn missing_word(
        &self,
        first: &Tree<'_>,
        second: &Tree<'_>,
        of: Expected,
    ) -> Option<&'static str> {
        if matches!(first.node, Node::Number(_)) && of == Expected::Effect {
            second.items()?;
            return Some("after");
        }
        let head = first.items()?.first()?;
        if matches!(head.node, Node::Variable(_)) {
            second.items()?;
            return Some(match of {
                Expected::Effect => "forall",
                Expected::Condition | Expected::Fact => "exists",
            });
        }
        let name = head.name()?;
        let is_function = self.vocabulary.declares(name) && !self.vocabulary.is_predicate(name);
        let second = second.items();
        if !is_function && second.is_some() {
            return None;
        }
        if of != Expected::Effect {
            return Some("=");
        }
        // What is done after some time is no value.
        let head = second.and_then(<[_]>::first).and_then(Tree::name);
        let is_effect = head.is_some_and(|word| {
            matches!(word, "and" | "not")
                || is_effect_word(word)
                || self.vocabulary.is_predicate(word)
        });
        Some(if is_effect { "after" } else { "assign" })
    }
}
