//! What a predicate or function says in words, and to whom: `:text` and `:observable-by`.

use super::super::ast::{FluentText, Observers};
use super::super::span::Span;
use super::super::tree::Tree;
use super::context::Context;
use crate::diagnostics::Code;

/// The clauses after the parameters of a declaration.
#[derive(Default)]
pub(super) struct Told {
    pub(super) texts: Vec<FluentText>,
    pub(super) observers: Option<Observers>,
}

const TEXT: &str = "text";
const OBSERVERS: &str = "observable-by";

/// Where the clauses of a declaration begin.
pub(super) fn first_clause(items: &[Tree<'_>]) -> usize {
    let is_clause = |tree: &Tree<'_>| tree.is_keyword(TEXT) || tree.is_keyword(OBSERVERS);
    items.iter().position(is_clause).unwrap_or(items.len())
}

impl Context<'_> {
    /// `:text [?x] "…" …` and `:observable-by (?v) condition`, in any order.
    pub(super) fn told(&mut self, items: &[Tree<'_>]) -> Told {
        let mut told = Told::default();
        let mut rest = items;
        while let Some((key, after)) = rest.split_first() {
            let (values, next) = after.split_at(first_clause(after));
            rest = next;
            if key.is_keyword(TEXT) {
                told.texts.extend(self.fluent_text(key.span, values));
                continue;
            }
            self.require("partial-observability", key.span, ":observable-by");
            if let Some(first) = &told.observers {
                let message = "`:observable-by` stands twice in this declaration";
                let diagnostic = self
                    .at(Code::DuplicateKeyword, key.span, message, "again here")
                    .secondary(self.source, first.span, "first here");
                self.push(diagnostic.help("join the two conditions with `or`"));
                continue;
            }
            told.observers = self.observers(key.span, values);
        }
        told
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

    fn observers(&mut self, key: Span, values: &[Tree<'_>]) -> Option<Observers> {
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
