//! Typed lists, types, and declarations of predicates and functions.

use std::collections::BTreeSet;

use super::super::ast::{FluentDecl, Name, TypeExpr, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::loose::written;
use super::ranges::Values;
use super::told::{Told, first_clause};
use super::variables::Slips;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, suggest};

/// The most types that an `either` may name. Every entry of a list gets its own copy of the type, so without a limit a
/// file could blow up quadratically.
const MAX_ALTERNATIVES: usize = 32;

/// The most predicates and functions of a domain; the most actions, events and rules; and the most variables of a list.
/// No domain that anyone works with comes near, and each takes some hundred bytes.
pub(super) const MAX_DECLARED: usize = 100_000;

/// Names in one list of objects or types, at most.
const MAX_NAMES: usize = 2_000_000;

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
    /// `a b - t c`: in each group up to a type, every entry gets that type.
    pub(super) fn typed_list(&mut self, items: &[Tree<'_>], entry: Entry) -> Vec<Typed> {
        let mut list: Vec<Typed> = Vec::with_capacity(items.len());
        let mut untyped = 0;
        // Whether anything stands before the type, read or not.
        let mut is_empty = true;
        let mut slips = Slips::default();
        // A type that stands before its variables.
        let mut before = None;
        let mut rest = items.iter();
        while let Some(item) = rest.next() {
            if let (false, Some(ty)) = (is_empty, self.glued_type(item)) {
                for typed in &mut list[untyped..] {
                    typed.ty = Some(ty.clone());
                }
                (untyped, is_empty) = (list.len(), true);
                continue;
            }
            if self.is_type(item, entry) {
                let of = list.last().filter(|_| untyped < list.len());
                let next = rest.as_slice().first();
                let next = next.and_then(|next| match next.node {
                    Node::Variable(text) => Some(Name {
                        text: text.into(),
                        span: next.span,
                    }),
                    _ => None,
                });
                let named = of.map(|typed| &typed.name).or(next.as_ref());
                let ty = Self::undashed(&mut slips, item, named);
                if of.is_some() {
                    for typed in &mut list[untyped..] {
                        typed.ty.clone_from(&ty);
                    }
                    (untyped, is_empty) = (list.len(), true);
                } else {
                    before = ty;
                }
                continue;
            }
            if let Some(name) = self.glued_dash(item, rest.as_slice()) {
                list.push(Typed { name, ty: None });
                let ty = rest.next().and_then(|ty| self.type_expr(ty));
                for typed in &mut list[untyped..] {
                    typed.ty.clone_from(&ty);
                }
                (untyped, is_empty) = (list.len(), true);
                continue;
            }
            let is_equals = item.is_name("=") && !is_empty;
            if is_equals && rest.as_slice().first().and_then(Tree::name).is_some() {
                let message = "a type stands after a dash";
                let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
                self.push(diagnostic.help("write `- type`").mended());
            }
            if item.is_name("-") || is_equals {
                if std::mem::replace(&mut is_empty, true) {
                    let message = "this `-` has no names before it";
                    self.error(Code::MalformedTypedList, item.span, message, "");
                }
                let Some(ty) = self.after_dash(item, &mut rest) else {
                    let message = "no type follows this `-`";
                    self.error(Code::MalformedTypedList, item.span, message, "");
                    break;
                };
                let ty = match self.bare_either(ty, &mut rest) {
                    Some(either) => Some(either),
                    None => self.type_expr(ty),
                };
                for typed in &mut list[untyped..] {
                    typed.ty.clone_from(&ty);
                }
                untyped = list.len();
                continue;
            }
            is_empty = false;
            let (most, what) = match entry {
                Entry::Variable => (MAX_DECLARED, "variables in one list"),
                Entry::Name => (MAX_NAMES, "names in one list"),
            };
            if list.len() == most {
                self.too_many(most, what, item.span);
                break;
            }
            if let Some(inner @ [_, ..]) = item.items() {
                self.nested_list(item, entry);
                list.extend(self.typed_list(inner, entry));
                (untyped, is_empty) = (list.len(), true);
                continue;
            }
            let name = self.typed_entry(item, entry, &mut slips);
            list.extend(name.map(|name| Typed {
                name,
                ty: before.clone(),
            }));
            if before.is_some() {
                untyped = list.len();
            }
        }
        self.report_slips(slips);
        list.shrink_to_fit();
        list
    }

    /// Reports a list within a list of names or variables.
    fn nested_list(&mut self, item: &Tree<'_>, entry: Entry) {
        let (code, what, help) = match entry {
            Entry::Variable => (
                Code::ExpectedVariable,
                "a variable",
                "a list of variables is flat: `(?x ?y - type)`",
            ),
            Entry::Name => (
                Code::ExpectedName,
                "a name",
                "the list is flat: `a b - type c - type`",
            ),
        };
        if self.diagnostics.is_full() {
            return self.diagnostics.count(code, self.source, item.mark());
        }
        let message = format!("expected {what}, found a list");
        let label = format!("expected {what}");
        let diagnostic = self.at(code, item.mark(), message, label);
        self.push(diagnostic.help(help).mended());
    }

    fn typed_entry(&mut self, item: &Tree<'_>, entry: Entry, slips: &mut Slips) -> Option<Name> {
        match (entry, &item.node) {
            (_, Node::Name(text)) if text.len() > 1 && text.starts_with('-') => {
                let message = format!("`{text}` is read as one word");
                let diagnostic = self.at(Code::MalformedTypedList, item.span, message, "");
                let help = format!("put a space after the dash: `- {}`", &text[1..]);
                self.push(diagnostic.help(help));
                None
            }
            (Entry::Variable, Node::Name(text)) | (Entry::Name, Node::Variable(text)) => {
                Some(Self::unmarked(slips, item, text, entry))
            }
            (Entry::Variable, _) => self.variable(item, "a variable"),
            (Entry::Name, _) => self.name(item, "a name"),
        }
    }

    /// Reports that there are more of something than are read.
    pub(super) fn too_many(&mut self, most: usize, what: &str, span: Span) {
        let message = format!("there are more than {most} {what}");
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
