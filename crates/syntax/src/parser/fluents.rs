//! Declarations of predicates and functions.

use std::collections::BTreeSet;

use super::super::ast::{FluentDecl, Name, TypeExpr, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::fluent_clauses::{FluentClauses, first_clause};
use super::loose::written;
use super::ranges::Values;
use super::typed::MAX_DECLARED;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

/// In which section fluents are declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FluentSection {
    Predicates,
    /// A type holds for all declarations before it that have none yet.
    Functions,
    /// Predicates and functions mixed: a type holds for the one declaration before it.
    Transient,
}

impl<'d> Context<'d> {
    /// The declarations of `:predicates`, `:functions` or `:transient`.
    pub(super) fn fluents(
        &mut self,
        items: &[Tree<'_>],
        section: FluentSection,
        fluents: &mut Vec<FluentDecl>,
    ) {
        let first = fluents.len();
        let mut untyped = first;
        // Whether what stands before could not be read.
        let mut is_lost = false;
        // Those that are meant as predicates.
        let mut truths = BTreeSet::new();
        let mut typed_predicates = Vec::new();
        let mut rest = items.iter();
        while let Some(item) = rest.next() {
            if !item.is_name("-") {
                if fluents.len() >= MAX_DECLARED {
                    self.too_many(MAX_DECLARED, "predicates and functions", item.mark());
                    break;
                }
                if item.keyword().is_some() {
                    self.clause_outside(item, &mut rest);
                    continue;
                }
                if section == FluentSection::Functions
                    && untyped < fluents.len()
                    && let Some(range) = self.without_dash(item)
                {
                    for fluent in &mut fluents[untyped..] {
                        fluent.range = Some(range.clone());
                    }
                    untyped = fluents.len();
                    continue;
                }
                let declared = self.bare_fluent(item, &mut rest, section);
                let fluent = self.fluent(declared.as_ref().unwrap_or(item), section);
                is_lost = fluent.is_none();
                fluents.extend(fluent);
                continue;
            }
            let ty = self.after_dash(item, &mut rest);
            if section == FluentSection::Predicates {
                let span = ty.map_or(item.span, |ty| item.span.to(ty.span));
                typed_predicates.push(span);
                // Read as the function that it is.
                let values = ty.map(|ty| self.values(ty, &mut rest));
                if let (Some(Values::Of(range)), Some(last)) = (values, fluents.last_mut()) {
                    last.range = Some(range);
                }
                continue;
            }
            let Some(ty) = ty else {
                let message = "no type follows this `-`";
                self.error(Code::MalformedDeclaration, item.span, message, "");
                break;
            };
            if is_declaration(ty) {
                let message = "no type follows this `-`";
                let diagnostic = self.at(Code::MalformedDeclaration, item.span, message, "");
                self.push(diagnostic.help("write it: `- number`").mended());
                let from = fluents.get(untyped).map_or(item.span, |fluent| fluent.span);
                self.diagnostics.doubt(self.source, from.to(item.span));
                untyped = fluents.len();
                fluents.extend(self.fluent(ty, section));
                continue;
            }
            if untyped == fluents.len() && !is_lost {
                let message = "this `-` has no function before it";
                self.error(Code::MalformedDeclaration, item.span, message, "");
            }
            if section == FluentSection::Transient {
                untyped = fluents.len().saturating_sub(1).max(untyped);
            }
            let range = match self.values(ty, &mut rest) {
                Values::Of(range) => Some(range),
                Values::Truth => {
                    // Predicates, whatever section they stand in.
                    let from = std::mem::replace(&mut untyped, fluents.len());
                    truths.extend(from..untyped);
                    continue;
                }
                Values::Unknown => {
                    let start = fluents.get(untyped).map_or(ty.span, |fluent| fluent.span);
                    self.diagnostics.doubt(self.source, start.to(ty.span));
                    Some(TypeExpr::Number(ty.span))
                }
            };
            for fluent in &mut fluents[untyped..] {
                fluent.range.clone_from(&range);
            }
            untyped = fluents.len();
        }
        let help = "declare what has a value in `(:functions …)`";
        let said = ("a predicate has no type", "");
        self.report_places(Code::MalformedDeclaration, &typed_predicates, said, help);
        if section == FluentSection::Functions {
            for (at, fluent) in fluents.iter_mut().enumerate().skip(first) {
                let span = fluent.span;
                if !truths.contains(&at) {
                    fluent.range.get_or_insert(TypeExpr::Number(span));
                }
            }
        }
    }

    /// Reports a clause of a declaration that stands after it.
    fn clause_outside(&mut self, key: &Tree<'_>, rest: &mut std::slice::Iter<'_, Tree<'_>>) {
        let word = key.keyword().unwrap_or_default();
        let message = format!("`:{word}` stands outside of its declaration");
        let diagnostic = self.at(Code::MalformedDeclaration, key.span, message, "");
        let help = format!("write it within the parentheses: `(name ?x :{word} …)`");
        self.push(diagnostic.help(help).mended());
        let is_word = |tree: &Tree<'_>| tree.items().is_none();
        while rest.as_slice().first().is_some_and(is_word) {
            rest.next();
        }
    }

    /// A declaration without its parentheses, or with its name before them.
    fn bare_fluent<'x>(
        &mut self,
        item: &Tree<'x>,
        rest: &mut std::slice::Iter<'_, Tree<'x>>,
        section: FluentSection,
    ) -> Option<Tree<'x>>
    where
        'd: 'x,
    {
        let name = item.name()?;
        let after = rest.as_slice();
        let is_variable = |tree: &Tree<'_>| matches!(tree.node, Node::Variable(_));
        let params = after.first().and_then(Tree::items);
        let params = params.filter(|items| items.first().is_some_and(is_variable));
        let mut items = vec![*item];
        let used = if let Some(params) = params {
            items.extend_from_slice(params);
            1
        } else {
            let mut used = 0;
            loop {
                match &after[used..] {
                    [variable, ..] if is_variable(variable) => used += 1,
                    // The last type of a function is that of its values.
                    [dash, ty, next @ ..]
                        if used > 0
                            && dash.is_name("-")
                            && ty.name().is_some()
                            && (section == FluentSection::Predicates
                                || next.first().is_some_and(|next| {
                                    next.is_name("-") || is_variable(next)
                                })) =>
                    {
                        used += 2;
                    }
                    _ => break,
                }
            }
            items.extend_from_slice(&after[..used]);
            used
        };
        if used > 0 {
            rest.nth(used - 1);
        }
        let declared = self.list(&items);
        let (message, help) = (
            format!("`{name}` stands without its parentheses"),
            format!("write `{}`", written(&declared)),
        );
        let diagnostic = self.at(Code::MalformedDeclaration, declared.span, message, "");
        self.push(diagnostic.help(help).mended());
        Some(declared)
    }

    /// `(p ?x - t …)`.
    fn fluent(&mut self, tree: &Tree<'_>, section: FluentSection) -> Option<FluentDecl> {
        let what = match section {
            FluentSection::Predicates => "a predicate `(name ?x …)`",
            FluentSection::Functions => "a function `(name ?x …)`",
            FluentSection::Transient => "a predicate or function `(name ?x …)`",
        };
        let Some((head, params)) = tree.items().and_then(<[_]>::split_first) else {
            let help = tree.name().map(|name| format!("write `({name})`"));
            let help = help.unwrap_or_default();
            self.unexpected_help(Code::MalformedDeclaration, tree, what, &help);
            return None;
        };
        let name = self.name(head, "the name of a predicate or function")?;
        self.warn_of_construct(&name);
        let params = self.undoubled(Some(head), params, Code::MalformedDeclaration);
        let (params, clauses) = params.split_at(first_clause(params));
        let params = self.typed_list(params, Entry::Variable);
        let FluentClauses { texts, observers } = self.fluent_clauses(clauses);
        Some(FluentDecl {
            name,
            params,
            range: None,
            transient: section == FluentSection::Transient,
            texts,
            observers,
            span: tree.span,
        })
    }

    fn warn_of_construct(&mut self, name: &Name) {
        let Some(construct) = self.vocabulary.hides(&name.text) else {
            return;
        };
        let message = format!("`{}` is also a construct of this domain", name.text);
        let diagnostic = self.at(Code::NameOfConstruct, name.span, message, "declared here");
        self.push(diagnostic.help(format!(
            "with `:{}`, `({} …)` is read as the construct wherever that may stand; rename this",
            construct.keys[0], construct.name
        )));
    }

    /// A declaration of a derived predicate: its name and parameters.
    pub(super) fn signature(&mut self, tree: &Tree<'_>) -> Option<(Name, Vec<Typed>, Span)> {
        let Some((head, params)) = tree.items().and_then(<[_]>::split_first) else {
            self.unexpected(
                Code::MalformedDeclaration,
                tree,
                "a predicate `(name ?x …)`",
            );
            return None;
        };
        let name = self.name(head, "the name of a predicate")?;
        let params = self.undoubled(Some(head), params, Code::MalformedDeclaration);
        Some((name, self.typed_list(params, Entry::Variable), tree.span))
    }
}

/// Is it a declaration where a type is needed?
fn is_declaration(tree: &Tree<'_>) -> bool {
    let head = tree.items().and_then(<[_]>::first).and_then(Tree::name);
    let parts = tree.items().and_then(|items| items.get(1..));
    let is_range = parts.is_some_and(|parts| {
        let is_number = |tree: &Tree<'_>| matches!(tree.node, Node::Number(_));
        parts.len() == 2 && parts.iter().all(is_number)
    });
    !is_range
        && head.is_some_and(|head| {
            !["either", "int", "number"]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(head) || suggest(head, [*word]).is_some())
        })
}
