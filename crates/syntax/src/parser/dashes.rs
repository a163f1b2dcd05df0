//! Dashes and types in lists that stand twice, are glued to a word, or are left out: reported, and read as
//! what they are meant for.

use super::super::ast::{Name, TypeExpr};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::ranges::Values;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

impl Context<'_> {
    /// Returns the item that follows a dash. A second dash is reported.
    pub(super) fn after_dash<'t, 's>(
        &mut self,
        dash: &Tree<'_>,
        rest: &mut std::slice::Iter<'t, Tree<'s>>,
    ) -> Option<&'t Tree<'s>> {
        let mut after = rest.next()?;
        if after.is_name("-") && !rest.as_slice().is_empty() {
            let span = dash.span.to(after.span);
            let message = "one dash stands before a type";
            let diagnostic = self.at(Code::MalformedTypedList, span, message, "two dashes");
            self.push(diagnostic.help("remove one").mended());
        }
        while after.is_name("-") {
            let Some(next) = rest.next() else { break };
            after = next;
        }
        Some(after)
    }

    /// `either` and types after it without the parentheses around them, which is reported.
    pub(super) fn bare_either(
        &mut self,
        word: &Tree<'_>,
        rest: &mut std::slice::Iter<'_, Tree<'_>>,
    ) -> Option<TypeExpr> {
        if !word.is_name("either") {
            return None;
        }
        let is_type = |tree: &&Tree<'_>| {
            let types = &self.vocabulary.types;
            tree.name()
                .is_some_and(|name| types.contains(&name.to_ascii_lowercase()))
        };
        let types: Vec<Name> = rest
            .as_slice()
            .iter()
            .take_while(is_type)
            .map(|tree| Name {
                text: tree.name().unwrap_or_default().into(),
                span: tree.span,
            })
            .collect();
        let last = types.last()?.span;
        rest.nth(types.len() - 1);
        let span = word.span.to(last);
        let message = "`either` stands without its parentheses";
        let diagnostic = self.at(Code::MalformedType, span, message, "");
        let names: Vec<&str> = types.iter().map(|name| name.text.as_str()).collect();
        let help = format!("write `(either {})`", names.join(" "));
        self.push(diagnostic.help(help).mended());
        Some(TypeExpr::Either(types, span))
    }

    /// A type after a dash without a blank between them.
    pub(super) fn glued_type(&mut self, item: &Tree<'_>) -> Option<TypeExpr> {
        let word = item.name()?.strip_prefix('-')?;
        if word.is_empty() {
            return None;
        }
        let message = "a dash and a type are read as one word";
        let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
        let help = format!("put a space after the dash: `- {word}`");
        self.push(diagnostic.help(help).mended());
        Some(TypeExpr::Named(Name {
            text: word.into(),
            span: Span::new(item.span.start + 1, item.span.end),
        }))
    }

    /// A variable before a dash without a blank between them, with a type after it; of a name only where that
    /// type can be nothing else, for names may end in a dash, and which types there are is not known here.
    pub(super) fn glued_dash(&mut self, item: &Tree<'_>, after: &[Tree<'_>]) -> Option<Name> {
        let ty = after.first()?;
        let is_either = ty
            .items()
            .and_then(<[_]>::first)
            .is_some_and(|head| head.is_name("either"));
        let (sign, text, is_type) = match item.node {
            Node::Name(text) => ("", text, is_either),
            Node::Variable(text) => {
                let is_name = ty.name().is_some_and(|name| !name.starts_with('-'));
                ("?", text, is_either || is_name)
            }
            _ => return None,
        };
        let word = text.strip_suffix('-').filter(|word| !word.is_empty())?;
        if !is_type {
            return None;
        }
        let message = "a name and a dash are read as one word";
        let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
        let help = format!("put a space before the dash: `{sign}{word} -`");
        self.push(diagnostic.help(help).mended());
        Some(Name {
            text: word.into(),
            span: item.span,
        })
    }

    /// The type after functions whose dash is missing, which is reported.
    pub(super) fn without_dash(&mut self, item: &Tree<'_>) -> Option<TypeExpr> {
        let name = item.name()?.to_owned();
        if !self.vocabulary.types.contains(&name.to_ascii_lowercase()) {
            return None;
        }
        let message = format!("the type `{name}` stands after its functions without a dash");
        let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
        self.push(diagnostic.help(format!("write `- {name}`")).mended());
        let mut rest = std::slice::Iter::default();
        match self.values(item, &mut rest) {
            Values::Of(range) => Some(range),
            Values::Truth | Values::Unknown => None,
        }
    }
}
