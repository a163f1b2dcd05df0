//! Lists whose first word is missing, such as `((on ?x) ?y)`, or stands twice: reported once, and read as what they
//! seem to be.

use super::super::tree::{Node, Tree};
use super::construct::{Place, is_effect_word};
use super::context::Context;
use super::loose::{Expected, named, written};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

impl<'d> Context<'d> {
    /// Returns the intended reading of a list that begins with a list or a number; reported.
    pub(super) fn headed<'x>(
        &mut self,
        tree: &Tree<'x>,
        items: &[Tree<'x>],
        of: Expected,
    ) -> Option<Tree<'x>>
    where
        'd: 'x,
    {
        let word = match items {
            [one, other] => self.word_of_two(one, other, of),
            _ => None,
        };
        let word = word.or_else(|| self.word_of_extension(items, of))?;
        let first = items.first()?;
        let start = tree.span.start;
        let head = named(word, Span::new(start, start + 1));
        let meant = self.relisted(tree, head, items);
        let message = "the first word of this list is missing";
        let label = "a list begins with a word";
        let diagnostic = self.at(of.code(), first.mark(), message, label);
        let help = format!("did you mean `{}`?", written(&meant));
        self.push(diagnostic.help(help).mended());
        Some(meant)
    }

    /// A list in the place of `tree`, of other items.
    fn relisted<'x>(&self, tree: &Tree<'x>, head: Tree<'x>, rest: &[Tree<'x>]) -> Tree<'x>
    where
        'd: 'x,
    {
        let all: Vec<Tree<'x>> = std::iter::once(head).chain(rest.iter().copied()).collect();
        Tree {
            span: tree.span,
            ..self.list(&all)
        }
    }

    /// Returns the items after the first word of a list, or after the keyword of a section, without the same again,
    /// which is reported.
    pub(super) fn undoubled<'t, 's>(
        &mut self,
        head: Option<&Tree<'s>>,
        rest: &'t [Tree<'s>],
        code: Code,
    ) -> &'t [Tree<'s>] {
        let (Some(head), Some(next)) = (head, rest.first()) else {
            return rest;
        };
        let copies = rest.iter().take_while(|word| is_same(word, head)).count();
        let word = match head.node {
            Node::Keyword(word) => format!(":{word}"),
            Node::Name(word) => word.to_owned(),
            _ => return rest,
        };
        let (times, help) = match copies {
            0 => return rest,
            1 => ("twice", "remove one of the two"),
            _ => ("several times", "remove all but one of them"),
        };
        let message = format!("`{word}` stands {times} here");
        let diagnostic = self.at(code, next.span, message, "again here");
        self.push(diagnostic.help(help).mended());
        &rest[copies..]
    }

    /// A construct whose word stands twice, as it is meant; reported.
    pub(super) fn with_word_once<'x>(
        &mut self,
        tree: &Tree<'x>,
        head: &Tree<'x>,
        rest: &[Tree<'x>],
        place: Place,
    ) -> Option<Tree<'x>>
    where
        'd: 'x,
    {
        if !is_same(rest.first()?, head) || !self.vocabulary.is_construct(head.name()?, place) {
            return None;
        }
        let code = match place {
            Place::Formula => Code::ExpectedFormula,
            Place::Effect => Code::ExpectedEffect,
            Place::Term => Code::ExpectedTerm,
        };
        let once = self.undoubled(Some(head), rest, code);
        Some(self.relisted(tree, *head, once))
    }

    /// The word that makes a list of these two.
    fn word_of_two(
        &self,
        first: &Tree<'_>,
        second: &Tree<'_>,
        of: Expected,
    ) -> Option<&'static str> {
        if matches!(first.node, Node::Number(_)) && of == Expected::Effect {
            second.items()?;
            return Some("after");
        }
        if matches!(first.node, Node::Text(_)) && of == Expected::Condition {
            second.items()?;
            return Some("else");
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

    /// The word of the extensions that makes an effect of these.
    fn word_of_extension(&self, items: &[Tree<'_>], of: Expected) -> Option<&'static str> {
        let word = match items {
            _ if of != Expected::Effect => return None,
            [action] => action.items()?.first()?.name().map(|_| "do")?,
            [list, _] | [list, _, _, _] if binds(list) => "let",
            branches if branches.iter().all(is_branch) => "case",
            _ => return None,
        };
        let is_enabled = self.vocabulary.is_construct(word, Place::Effect);
        let is_own = |name: &str| {
            self.vocabulary.declares(name) || self.vocabulary.is_construct(name, Place::Effect)
        };
        let name = items.first()?.items()?.first()?.name();
        (is_enabled && !name.is_some_and(is_own)).then_some(word)
    }
}

/// Are these the same name or keyword, in whatever case?
fn is_same(one: &Tree<'_>, other: &Tree<'_>) -> bool {
    match (one.node, other.node) {
        (Node::Name(one), Node::Name(other)) | (Node::Keyword(one), Node::Keyword(other)) => {
            one.eq_ignore_ascii_case(other)
        }
        _ => false,
    }
}

/// Is it `((?x term) …)`?
pub(super) fn binds(tree: &Tree<'_>) -> bool {
    let items = tree.items().unwrap_or_default();
    let is_binding = |item: &Tree<'_>| matches!(item.items(), Some([variable, _]) if matches!(variable.node, Node::Variable(_)));
    !items.is_empty() && items.iter().all(is_binding)
}

/// Is it a branch of a `case`?
fn is_branch(tree: &Tree<'_>) -> bool {
    let Some([condition, effect]) = tree.items() else {
        return false;
    };
    effect.items().is_some() && (condition.items().is_some() || condition.is_name("else"))
}
