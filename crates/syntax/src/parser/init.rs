//! Initial facts: `:init`, and a domain's `:facts`.

use super::super::ast::{InitItem, Time};
use super::super::tree::Tree;
use super::construct::is_condition_word;
use super::context::Context;
use super::loose::Expected;
use brigade_diagnostics::Code;

const WHAT: &str = "a fact";

/// The time that is meant by a tick and what stands between it and the fact; `None` if that is no marks.
fn marked(tick: i64, between: &[Tree<'_>]) -> Option<Time> {
    let is = |key: &str| between.iter().any(|mark| mark.is_keyword(key));
    let time = Time {
        tick,
        early: is("early"),
        unannounced: is("unannounced"),
    };
    let marks = usize::from(time.early) + usize::from(time.unannounced);
    (marks == between.len()).then_some(time)
}

impl Context<'_> {
    /// Reads a list of facts; what cannot be read is left out.
    pub(super) fn init_items(&mut self, items: &[Tree<'_>]) -> Vec<InitItem> {
        let items = self.regrouped(items, Expected::Fact);
        let mut list = Vec::with_capacity(items.len());
        list.extend(items.iter().filter_map(|item| self.init_item(item)));
        list
    }

    fn init_item(&mut self, tree: &Tree<'_>) -> Option<InitItem> {
        if let Some(items @ [_, _, ..]) = tree.items()
            && let Some(meant) = self.infix(items, Expected::Fact)
        {
            return self.init_item(&meant);
        }
        match tree.items() {
            Some([head, left, right]) if head.is_name("=") => {
                let (left, right) = (self.term(left), self.term(right));
                Some(InitItem::Value(left?, right?, tree.span))
            }
            Some([head, ..]) if head.is_name("=") => {
                self.arity(tree, 2..=2, "(= (function …) value)");
                None
            }
            Some([head, rest @ ..]) if head.is_name("not") => {
                if !self.arity(tree, 1..=1, "(not (predicate …))") {
                    return None;
                }
                let (name, terms) = self.fact(&rest[0])?;
                Some(InitItem::NotAtom(name, terms, tree.span))
            }
            // `at` is also the most common name of a predicate.
            Some([head, time, marks @ .., fact])
                if head.is_name("at")
                    && time.numeral().is_some()
                    && fact.items().is_some()
                    && marked(0, marks).is_some() =>
            {
                let tick = self.integer(time, "the time of a timed literal");
                let timed = self.init_item(fact)?;
                if matches!(timed, InitItem::Timed(..)) {
                    let message = "a timed literal holds a fact, not another timed literal";
                    let diagnostic = self.at(Code::ExpectedInitItem, fact.mark(), message, "");
                    self.push(diagnostic.help("give each fact one time: `(at ticks fact)`"));
                    return None;
                }
                let time = marked(tick?, marks)?;
                Some(InitItem::Timed(time, Box::new(timed), tree.span))
            }
            _ => {
                let (name, terms) = self.fact(tree)?;
                Some(InitItem::Atom(name, terms, tree.span))
            }
        }
    }

    fn fact(
        &mut self,
        tree: &Tree<'_>,
    ) -> Option<(super::super::ast::Name, Vec<super::super::ast::Term>)> {
        let head = tree.items().and_then(<[_]>::first).and_then(Tree::name);
        if let Some(word) = head.filter(|word| is_condition_word(word)) {
            let message = format!("`{word}` is a condition; only facts can stand here");
            let diagnostic = self.at(Code::ExpectedInitItem, tree.mark(), message, "not a fact");
            let help = match word {
                "and" => "list the facts one after another, without `and`",
                _ => "a fact is `(predicate object …)` or `(= (function object …) value)`",
            };
            self.push(diagnostic.help(help));
            return None;
        }
        if let Some([head, args @ ..]) = tree.items()
            && let Some(word) = head.name()
            && self.is_refused(head, word, args)
        {
            return None;
        }
        self.application(tree, Code::ExpectedInitItem, WHAT)
    }
}
