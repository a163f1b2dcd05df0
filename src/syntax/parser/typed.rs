//! Typed lists, types, and declarations of predicates and functions.

use super::super::ast::{FluentDecl, Name, TypeExpr, Typed};
use super::super::span::Span;
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::told::{Told, first_clause};
use crate::diagnostics::Code;
use crate::words::counted;

/// How many types an `either` may name. Every entry of a list gets its own copy of the type, so
/// without a limit a file could blow up quadratically.
const MAX_ALTERNATIVES: usize = 32;

/// How many predicates and functions a domain may have; how many actions, events and rules; and how many
/// variables a list. No domain that anyone works with comes near, and each takes some hundred bytes.
pub(super) const MAX_DECLARED: usize = 100_000;

/// What the entries of a typed list are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// `?x`.
    Variable,
    /// Types, constants, objects.
    Name,
}

/// In which section fluents are declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FluentSection {
    Predicates,
    /// A type holds for all declarations before it that have none yet.
    Functions,
    /// Predicates and functions mixed: a type holds for the one declaration before it.
    Transient,
}

impl Context<'_> {
    /// `a b - t c`: in each group up to a type, every entry gets that type.
    pub(super) fn typed_list(&mut self, items: &[Tree<'_>], entry: Entry) -> Vec<Typed> {
        let mut list: Vec<Typed> = Vec::with_capacity(items.len());
        let mut untyped = 0;
        // Whether anything stands before the type, read or not.
        let mut is_empty = true;
        let mut rest = items.iter();
        while let Some(item) = rest.next() {
            if item.is_name("-") {
                if std::mem::replace(&mut is_empty, true) {
                    let message = "this `-` has no names before it";
                    self.error(Code::MalformedTypedList, item.span, message, "");
                }
                let Some(ty) = rest.next() else {
                    let message = "no type follows this `-`";
                    self.error(Code::MalformedTypedList, item.span, message, "");
                    break;
                };
                let ty = self.type_of(ty, &mut rest);
                for typed in &mut list[untyped..] {
                    typed.ty.clone_from(&ty);
                }
                untyped = list.len();
                continue;
            }
            is_empty = false;
            if entry == Entry::Variable && list.len() == MAX_DECLARED {
                self.too_many("variables in one list", item.span);
                break;
            }
            list.extend(
                self.typed_entry(item, entry)
                    .map(|name| Typed { name, ty: None }),
            );
        }
        list.shrink_to_fit();
        list
    }

    fn typed_entry(&mut self, item: &Tree<'_>, entry: Entry) -> Option<Name> {
        match (entry, &item.node) {
            (_, Node::Name(text)) if text.len() > 1 && text.starts_with('-') => {
                let message = format!("`{text}` is read as one word");
                let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
                let help = format!("put a space after the dash: `- {}`", &text[1..]);
                self.push(diagnostic.help(help));
                None
            }
            (Entry::Variable, Node::List(_)) => {
                let help = "a list of variables is flat: `(?x ?y - type)`";
                self.unexpected_help(Code::ExpectedVariable, item, "a variable", help);
                None
            }
            (Entry::Variable, Node::Name(text)) => {
                self.variable(item, "a variable");
                // What was meant is plain: its uses need no reports of their own.
                Some(Name {
                    text: (*text).into(),
                    span: item.span,
                })
            }
            (Entry::Variable, _) => self.variable(item, "a variable"),
            (Entry::Name, _) => self.name(item, "a name"),
        }
    }

    /// Reports that there are more than [`MAX_DECLARED`].
    pub(super) fn too_many(&mut self, what: &str, span: Span) {
        let message = format!("there are more than {MAX_DECLARED} {what}");
        let diagnostic = self.at(Code::SourceTooLarge, span, message, "not read from here on");
        self.push(diagnostic.help("say in a few, with parameters, what many say"));
    }

    /// The parenthesised variables of a quantifier or of `:parameters`.
    pub(super) fn variables(&mut self, tree: &Tree<'_>) -> Vec<Typed> {
        if let Some(items) = tree.items() {
            return self.typed_list(items, Entry::Variable);
        }
        let help = "write the variables in parentheses: `(?x - type)`";
        let what = "a list of variables";
        self.unexpected_help(Code::MalformedTypedList, tree, what, help);
        Vec::new()
    }

    /// A type after `-`, which may be followed by bounds that belong into parentheses with it.
    fn type_of(
        &mut self,
        tree: &Tree<'_>,
        rest: &mut std::slice::Iter<'_, Tree<'_>>,
    ) -> Option<TypeExpr> {
        let bounds = rest.as_slice().iter();
        let bounds: Vec<&str> = bounds
            .map_while(|bound| match bound.node {
                Node::Number(text) => Some(text),
                _ => None,
            })
            .collect();
        if !tree.is_name("int") || bounds.is_empty() {
            return self.type_expr(tree);
        }
        for _ in &bounds {
            rest.next();
        }
        let message = "the bounds of `int` stand outside of it";
        let diagnostic = self.at(Code::MalformedType, tree.span, message, "no type by itself");
        self.push(diagnostic.help(format!("write `(int {})`", bounds.join(" "))));
        let [lo, hi] = [bounds.first(), bounds.last()].map(|bound| bound?.parse().ok());
        Some(TypeExpr::Int {
            lo: lo?,
            hi: hi?,
            span: tree.span,
        })
    }

    /// A type after `-`.
    pub(super) fn type_expr(&mut self, tree: &Tree<'_>) -> Option<TypeExpr> {
        match &tree.node {
            Node::Name(text) if text.eq_ignore_ascii_case("number") => {
                Some(TypeExpr::Number(tree.span))
            }
            Node::Name(text) if *text != "-" => Some(TypeExpr::Named(Name {
                text: (*text).into(),
                span: tree.span,
            })),
            Node::List(items) => match items.split_first() {
                Some((head, types)) if head.is_name("either") => {
                    let names = types.iter().map(|ty| self.name(ty, "the name of a type"));
                    let names: Option<Vec<Name>> = names.collect();
                    if types.is_empty() || types.len() > MAX_ALTERNATIVES {
                        let message = format!("`either` names {}", counted(types.len(), "type"));
                        let label = format!("1 to {MAX_ALTERNATIVES} are possible");
                        self.error(Code::MalformedType, tree.mark(), message, label);
                        return None;
                    }
                    Some(TypeExpr::Either(names?, tree.span))
                }
                Some((head, bounds)) if head.is_name("int") => self.int_type(tree, head, bounds),
                _ => {
                    let help = "a type is a name, `(either t1 t2)`, `(int lo hi)` or `number`";
                    self.unexpected_help(Code::MalformedType, tree, "a type", help);
                    None
                }
            },
            _ => {
                self.unexpected(Code::MalformedType, tree, "a type");
                None
            }
        }
    }

    fn int_type(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        bounds: &[Tree<'_>],
    ) -> Option<TypeExpr> {
        self.require("bounded-numbers", head.span, "int");
        if !self.arity(tree, 2..=2, "(int least greatest)") {
            return None;
        }
        let lo = self.integer(&bounds[0], "the least value");
        let hi = self.integer(&bounds[1], "the greatest value");
        let (lo, hi) = (lo?, hi?);
        if lo > hi {
            let message = format!("no number lies between {lo} and {hi}");
            let diagnostic = self.at(Code::MalformedType, tree.span, message, "an empty range");
            self.push(diagnostic.help(format!("write `(int {hi} {lo})`")));
            return None;
        }
        Some(TypeExpr::Int {
            lo,
            hi,
            span: tree.span,
        })
    }

    /// The declarations of `:predicates`, `:functions` or `:transient`.
    pub(super) fn fluents(
        &mut self,
        items: &[Tree<'_>],
        section: FluentSection,
        fluents: &mut Vec<FluentDecl>,
    ) {
        let first = fluents.len();
        let mut untyped = first;
        let mut rest = items.iter();
        while let Some(item) = rest.next() {
            if !item.is_name("-") {
                if fluents.len() >= MAX_DECLARED {
                    self.too_many("predicates and functions", item.mark());
                    break;
                }
                fluents.extend(self.fluent(item, section));
                continue;
            }
            let ty = rest.next();
            if section == FluentSection::Predicates {
                let span = ty.map_or(item.span, |ty| item.span.to(ty.span));
                let message = "a predicate has no type";
                let diagnostic = self.at(Code::MalformedDeclaration, span, message, "");
                self.push(diagnostic.help("declare what has a value in `(:functions …)`"));
                continue;
            }
            let Some(ty) = ty else {
                let message = "no type follows this `-`";
                self.error(Code::MalformedDeclaration, item.span, message, "");
                break;
            };
            if untyped == fluents.len() {
                let message = "this `-` has no function before it";
                self.error(Code::MalformedDeclaration, item.span, message, "");
            }
            if section == FluentSection::Transient {
                untyped = fluents.len().saturating_sub(1).max(untyped);
            }
            let range = self.type_of(ty, &mut rest);
            for fluent in &mut fluents[untyped..] {
                fluent.range.clone_from(&range);
            }
            untyped = fluents.len();
        }
        if section == FluentSection::Functions {
            for fluent in &mut fluents[first..] {
                let span = fluent.span;
                fluent.range.get_or_insert(TypeExpr::Number(span));
            }
        }
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
        let (params, clauses) = params.split_at(first_clause(params));
        let params = self.typed_list(params, Entry::Variable);
        let Told { texts, observers } = self.told(clauses);
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
        Some((name, self.typed_list(params, Entry::Variable), tree.span))
    }
}
