//! Heads of lists that name nothing: what was probably meant, and what the list is then read as.
//!
//! An unknown predicate is found with the other names, later. Here only that is reported which no
//! predicate can be: a list that holds a condition, an effect, variables of its own, a keyword or a
//! text.

use super::super::tree::{Node, Tree};
use super::construct::is_condition_word;
use super::construct::{CONDITIONS, CONSTRUCTS, EFFECTS, Place};
use super::context::Context;
use super::vocabulary::Vocabulary;
use brigade_diagnostics::{Code, suggest};

/// A head that was reported.
pub(super) struct Misspelt {
    /// The construct that the list is read as; its parts have the right number and shape.
    pub(super) read_as: Option<&'static str>,
}

impl Context<'_> {
    /// Reports the head of a list that was probably meant as a construct.
    pub(super) fn misspelt(
        &mut self,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
        place: Place,
    ) -> Option<Misspelt> {
        if self.vocabulary.declares(word) {
            return None;
        }
        let is_certain = holds_a_construct(args, &self.vocabulary);
        let is_likely = is_certain
            || self.holds_a_predicate(args)
            || place == Place::Formula && self.is_a_semantics(args);
        let (read_as, help) = match of_elsewhere(word, args, place, is_likely) {
            Some(found) if self.vocabulary.is_domain || is_certain => found,
            _ if is_likely => self.near(word, args, place),
            _ => return None,
        };
        // Names of functions and predicates are not looked up here.
        if read_as.is_none() && (place == Place::Term || !is_certain) {
            return None;
        }
        let (code, sort) = match place {
            Place::Term => (Code::UnknownFunction, "function"),
            Place::Formula | Place::Effect if self.vocabulary.is_domain => {
                (Code::UnknownPredicate, "predicate")
            }
            Place::Formula | Place::Effect => (Code::UnknownPredicate, "construct"),
        };
        let message = format!("there is no {sort} `{word}`");
        let diagnostic = self.at(code, head.span, message, "not declared");
        self.push(diagnostic.help(help));
        Some(Misspelt { read_as })
    }

    /// The construct of about this name that has such parts.
    fn near(&self, word: &str, args: &[Tree<'_>], place: Place) -> (Option<&'static str>, String) {
        let fitting: Vec<&'static str> = constructs_of(place)
            .filter(|construct| fits(construct, args))
            .collect();
        if let Some(near) = suggest(word, fitting.iter().copied()) {
            let read_as = fitting.iter().copied().find(|construct| *construct == near);
            return (read_as, format!("did you mean `{near}`?"));
        }
        let help = match (suggest(word, self.vocabulary.declared()), place) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Place::Term) => "a function takes objects".to_owned(),
            (None, _) => {
                "a predicate holds objects; conditions are joined by `and`, `or`, `not`, …"
                    .to_owned()
            }
        };
        (None, help)
    }

    /// Are these parts the name of one of the domain's semantics?
    fn is_a_semantics(&self, args: &[Tree<'_>]) -> bool {
        let [only] = args else { return false };
        only.name()
            .is_some_and(|name| self.vocabulary.is_semantics(name))
    }

    /// Do these parts hold a predicate, which is neither object nor value?
    fn holds_a_predicate(&self, args: &[Tree<'_>]) -> bool {
        let mut heads = args.iter().filter_map(|arg| arg.items()?.first()?.name());
        heads.any(|name| self.vocabulary.is_predicate(name))
    }
}

/// Do these parts hold what can stand only within a construct?
fn holds_a_construct(args: &[Tree<'_>], vocabulary: &Vocabulary) -> bool {
    args.iter().any(|arg| match arg.node {
        Node::Keyword(_) | Node::Text(_) => true,
        Node::List(items) => items.first().is_some_and(|head| match head.node {
            Node::Variable(_) | Node::List(_) => true,
            Node::Name(name) => {
                let is_effect = || EFFECTS.iter().any(|word| word.eq_ignore_ascii_case(name));
                // A problem does not say which of the others its domain has for names of its own.
                let is_own = || vocabulary.is_domain && is_own(name);
                !vocabulary.declares(name) && (is_condition_word(name) || is_effect() || is_own())
            }
            _ => false,
        }),
        _ => false,
    })
}

/// Is it a word of the extensions that makes a condition or an effect?
fn is_own(word: &str) -> bool {
    CONSTRUCTS.iter().any(|construct| {
        construct.place != Place::Term && construct.name.eq_ignore_ascii_case(word)
    })
}

/// The constructs that may stand in a place.
fn constructs_of(place: Place) -> impl Iterator<Item = &'static str> {
    let standard: &[&[&'static str]] = match place {
        Place::Formula => &[CONDITIONS],
        Place::Effect => &[&["and", "not", "forall"], EFFECTS],
        Place::Term => &[],
    };
    let own = CONSTRUCTS
        .iter()
        .filter(move |construct| construct.place == place && construct.supported);
    let standard = standard.iter().flat_map(|words| words.iter().copied());
    standard.chain(own.map(|construct| construct.name))
}

/// Words of other languages, and what is written here instead: what the list is read as, and help.
fn of_elsewhere(
    word: &str,
    args: &[Tree<'_>],
    place: Place,
    is_likely: bool,
) -> Option<(Option<&'static str>, String)> {
    let begins_with_number = matches!(args, [first, _] if matches!(first.node, Node::Number(_)));
    let (meant, help) = match (word.to_ascii_lowercase().as_str(), place) {
        ("if", Place::Effect) => ("when", "write `(when condition effect)`"),
        ("if" | "implies", Place::Effect | Place::Formula) => {
            ("imply", "write `(imply condition condition)`")
        }
        ("set", Place::Effect) => (
            "assign",
            "write `(assign (function) value)`, or just the fact",
        ),
        ("delay" | "delayed" | "in" | "later" | "schedule" | "timer" | "wait", Place::Effect)
            if is_likely || begins_with_number =>
        {
            (
                "after",
                "a delayed effect is written `(after ticks effect)`",
            )
        }
        ("==", Place::Formula | Place::Effect) => ("=", "write `(= a b)`"),
        ("!=", Place::Formula | Place::Effect) => ("", "write `(not (= a b))`"),
        _ => return None,
    };
    let is_readable = match meant {
        "" => false,
        "=" => place == Place::Formula && args.len() == 2,
        "assign" => matches!(args, [target, _] if target.items().is_some()),
        meant => fits(meant, args),
    };
    Some((is_readable.then_some(meant), help.to_owned()))
}

/// Does a construct have such parts?
fn fits(construct: &str, args: &[Tree<'_>]) -> bool {
    let is_list = |tree: &Tree<'_>| tree.items().is_some();
    let binds = |tree: &Tree<'_>| {
        let items = tree.items();
        items.is_some_and(
            |items| matches!(items, [first, ..] if matches!(first.node, Node::Variable(_))),
        )
    };
    let is_formula = |tree: &Tree<'_>| is_list(tree) && !binds(tree);
    match construct {
        "and" | "or" | "seq" => args.iter().all(is_formula),
        "not" | "do" => matches!(args, [one] if is_formula(one)),
        "imply" | "when" => matches!(args, [one, other] if is_formula(one) && is_formula(other)),
        "forall" | "exists" | "count" => {
            matches!(args, [list, body] if binds(list) && is_formula(body))
        }
        "argmin" | "argmax" => matches!(args, [list, _, _, ..] if binds(list)),
        "for-each" => matches!(args, [list, .., body] if binds(list) && is_formula(body)),
        "else" => matches!(args, [reason, body]
            if matches!(reason.node, Node::Text(_) | Node::Name(_)) && is_formula(body)),
        "after" => match args {
            [_, body] | [_, _, _, body] => is_formula(body),
            _ => false,
        },
        "on-nth" => matches!(args, [number, body] if !is_list(number) && is_formula(body)),
        "maintain" => args.len() >= 2 && args.iter().all(is_formula),
        "let" => args.len() >= 2 && is_list(&args[0]) && is_list(&args[1]),
        "case" => !args.is_empty() && args.iter().all(is_list),
        "log" => matches!(args, [text] if matches!(text.node, Node::Text(_))),
        "semantics" => matches!(args, [name] if name.name().is_some()),
        "assign" | "increase" | "decrease" | "scale-up" | "scale-down" => {
            matches!(args, [target, _] if !matches!(target.node, Node::Text(_)) && !binds(target))
        }
        _ => false,
    }
}
