//! Parses the words of a predicate or function, and who receives them: `:text` and `:observable-by`.

use super::super::ast::{FluentText, Observers};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::fields::list;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

/// The clauses after the parameters of a declaration.
#[derive(Default)]
pub(super) struct FluentClauses {
    pub(super) texts: Vec<FluentText>,
    pub(super) observers: Option<Observers>,
}

const TEXT: &str = "text";
const OBSERVERS: &str = "observable-by";

/// Returns the index of the first clause of a declaration.
pub(super) fn first_clause(items: &[Tree<'_>]) -> usize {
    let is_clause = |at: &usize| items[*at].keyword().is_some() || is_bare_text(items, *at);
    let mut places = 0..items.len();
    places.find(is_clause).unwrap_or(items.len())
}

/// Is it `:text` without its colon, a text after it?
fn is_bare_text(items: &[Tree<'_>], at: usize) -> bool {
    let is_type = at > 0 && items[at - 1].is_name("-");
    let mut values = items[at + 1..].iter().take(2);
    items[at].is_name(TEXT) && !is_type && values.any(|value| matches!(value.node, Node::Text(_)))
}

impl Context<'_> {
    /// `:text [?x] "…" …` and `:observable-by (?v) condition`, in any order.
    pub(super) fn fluent_clauses(&mut self, items: &[Tree<'_>]) -> FluentClauses {
        let mut clauses = FluentClauses::default();
        let mut rest = items;
        while let Some((key, after)) = rest.split_first() {
            let (values, next) = after.split_at(first_clause(after));
            rest = next;
            let clause = if let Some(word) = key.keyword() {
                self.clause(key, word)
            } else {
                let message = "`text` stands without its colon";
                let diagnostic = self.at(Code::UnknownKeyword, key.span, message, "no keyword");
                self.push(diagnostic.help("write `:text`").mended());
                Some(TEXT)
            };
            let Some(clause) = clause else { continue };
            if clause == TEXT {
                clauses.texts.extend(self.fluent_text(key.span, values));
                continue;
            }
            self.require("partial-observability", key.span, ":observable-by");
            if let Some(first) = &clauses.observers {
                let message = "`:observable-by` stands twice in this declaration";
                let diagnostic = self
                    .at(Code::DuplicateKeyword, key.span, message, "again here")
                    .secondary(self.source, first.span, "first here");
                self.push(diagnostic.help("join the two conditions with `or`"));
                continue;
            }
            clauses.observers = self.observers(key.span, values);
        }
        clauses
    }

    /// Returns the clause that a keyword begins, or is read as.
    fn clause(&mut self, key: &Tree<'_>, word: &str) -> Option<&'static str> {
        let known = [TEXT, OBSERVERS];
        if let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return Some(known);
        }
        let near = suggest(word, known);
        let meant = near.and_then(|near| known.into_iter().find(|known| *known == near));
        let message = format!("`:{word}` is not a keyword of a declaration");
        let diagnostic = self.at(Code::UnknownKeyword, key.span, message, "not known here");
        let help = match meant {
            Some(near) => format!("did you mean `:{near}`?"),
            None => format!("known here are {}", list(&known)),
        };
        self.push(diagnostic.help(help).mended());
        meant
    }

    fn fluent_text(&mut self, key: Span, values: &[Tree<'_>]) -> Option<FluentText> {
        self.require("text", key, ":text");
        let (of, text) = match values {
            [text] => (None, text),
            [of, text] => (self.variable(of, "a parameter"), text),
            _ => {
                let message = "this is not how `:text` is written";
                let diagnostic = self.at(Code::MalformedDeclaration, key, message, "");
                let help = "write `:text \"…\"`, or `:text ?x \"…\"` to tell it of `?x`";
                self.push(diagnostic.help(help));
                return None;
            }
        };
        let text = self.template(text, "a text")?;
        Some(FluentText { of, text })
    }

    pub(super) fn observers(&mut self, key: Span, values: &[Tree<'_>]) -> Option<Observers> {
        if let [viewer, condition] = values
            && viewer.items().is_some()
        {
            let mut viewers = self.variables(viewer);
            if viewers.len() == 1 {
                return Some(Observers {
                    viewer: viewers.remove(0),
                    condition: self.formula(condition),
                    span: key,
                });
            }
        }
        let message = "this is not how `:observable-by` is written";
        let diagnostic = self.at(Code::MalformedDeclaration, key, message, "");
        let help = "write `:observable-by (?v - type) condition`: one variable, for the agent";
        self.push(diagnostic.help(help));
        None
    }
}
