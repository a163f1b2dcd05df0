//! Typed lists and types.

use super::super::ast::{Name, TypeExpr, Typed};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::variables::Slips;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::words::counted;

/// The most types that an `either` may name. Every entry of a list gets its own copy of the type, so without a limit a
/// file could blow up quadratically.
const MAX_ALTERNATIVES: usize = 32;

/// The most predicates and functions of a domain; the most actions, events and rules; and the most variables of a list.
/// No domain that anyone works with comes near, and each takes some hundred bytes.
pub(super) const MAX_DECLARED: usize = 100_000;

/// Names in one list of objects or types, at most.
const MAX_NAMES: usize = 2_000_000;

impl Context<'_> {
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
}
