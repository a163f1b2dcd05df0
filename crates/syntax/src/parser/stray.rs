//! Sections that lack their parentheses or their keyword: reported once, and read as they are meant.

use std::borrow::Cow;

use super::super::tree::{Node, Tree};
use super::aliases::meant;
use super::context::Context;
use super::loose::written;
use super::present::{DOMAIN_SECTIONS, PROBLEM_SECTIONS, SCHEMAS};
use super::sections::{Section, is_unread};
use brigade_diagnostics::Code;

fn is_section(word: &str) -> bool {
    let mut known = DOMAIN_SECTIONS.iter().chain(PROBLEM_SECTIONS);
    known.any(|key| key.eq_ignore_ascii_case(word))
}

/// Keywords of actions and events, but for those that sections have.
const FIELDS: &[&str] = &[
    "agent",
    "parameters",
    "precondition",
    "duration",
    "condition",
    "weight",
    "effect",
    "policy",
    "until",
    "label",
    "text",
];

impl<'d> Context<'d> {
    /// The sections of a definition, each in parentheses.
    pub(super) fn enclosed<'x>(&mut self, trees: &'x [Tree<'x>]) -> Cow<'x, [Tree<'x>]>
    where
        'd: 'x,
    {
        let is_bare = |tree: &Tree<'_>| tree.keyword().is_some_and(is_section);
        if !trees.iter().any(is_bare) {
            return Cow::Borrowed(trees);
        }
        let begins = |tree: &Tree<'_>| {
            let head = tree.items().and_then(<[_]>::first);
            is_bare(tree) || head.is_some_and(|head| head.keyword().is_some())
        };
        let mut sections = Vec::with_capacity(trees.len());
        let mut rest = trees;
        while let Some((first, after)) = rest.split_first() {
            if !is_bare(first) {
                sections.push(*first);
                rest = after;
                continue;
            }
            let mut length = after.iter().position(begins).unwrap_or(after.len());
            if first.is_keyword("domain") {
                length = length.min(1);
            }
            let section = self.list(&rest[..=length]);
            let key = first.keyword().unwrap_or_default();
            let message = format!("the section `:{key}` stands without its parentheses");
            let diagnostic = self.at(Code::ExpectedSection, first.span, message, "not a section");
            let help = format!("write `{}`", written(&section));
            self.push(diagnostic.help(help).mended());
            sections.push(section);
            rest = &after[length..];
        }
        Cow::Owned(sections)
    }

    /// The items of a schema of which no keyword stands in parentheses with its value.
    pub(super) fn opened<'x>(&mut self, items: &'x [Tree<'x>]) -> &'x [Tree<'x>]
    where
        'd: 'x,
    {
        let field = |item: &Tree<'x>| {
            let inner = item.items()?;
            let key = inner.first()?.keyword()?;
            let is_one = FIELDS.iter().any(|field| field.eq_ignore_ascii_case(key));
            is_one.then_some((key, inner))
        };
        if !items.iter().any(|item| field(item).is_some()) {
            return items;
        }
        let mut opened = Vec::with_capacity(items.len());
        for item in items {
            let Some((key, inner)) = field(item) else {
                opened.push(*item);
                continue;
            };
            let message = format!("`:{key}` stands in parentheses");
            let diagnostic = self.at(Code::MalformedConstruct, item.mark(), message, "");
            let help = format!("remove them: the keyword, then its value, `:{key} …`");
            self.push(diagnostic.help(help).mended());
            opened.extend_from_slice(inner);
        }
        self.arena.alloc_slice_copy(&opened)
    }

    /// Reads a section that has the keywords of an action under the keyword of no schema, or under none.
    pub(super) fn schema<'x>(&mut self, tree: &'x Tree<'x>) -> Option<Section<'x, 'x>>
    where
        'd: 'x,
    {
        const MARKS: &[&str] = &["parameters", "precondition", "effect"];
        let (head, items) = tree.items()?.split_first()?;
        let word = head.keyword().or(head.name())?;
        let is_known = is_section(word) || head.keyword().is_some_and(is_unread);
        if is_known || meant(word, SCHEMAS).is_some() {
            return None;
        }
        let is_field = |item: &Tree<'_>| MARKS.iter().any(|field| item.is_keyword(field));
        if !items.iter().any(is_field) {
            return None;
        }
        let is_named = items.first().is_some_and(|item| item.name().is_some());
        let key = schema_with(items);
        let colon = head.keyword().map_or("", |_| ":");
        let (message, help) = if is_named {
            let message = format!("`{colon}{word}` is not a section of a domain");
            (message, format!("did you mean `:{key}`?"))
        } else {
            let message = format!("`{word}` stands where the keyword of a section is needed");
            (
                message,
                format!("such a section begins with `(:{key} {word}`"),
            )
        };
        let diagnostic = self.at(Code::UnknownSection, head.span, message, "not known here");
        self.push(diagnostic.help(help).mended());
        // Whether it is an event is not known: whose turn it is in is not asked.
        let name = if is_named { items.first() } else { Some(head) };
        if let Some(name) = name {
            self.diagnostics.doubt(self.source, name.span);
        }
        let items = if is_named {
            items
        } else {
            let name = Tree {
                node: Node::Name(word),
                span: head.span,
            };
            let named: Vec<Tree<'x>> = std::iter::once(name).chain(items.iter().copied()).collect();
            self.arena.alloc_slice_copy(&named)
        };
        Some(Section {
            key,
            tree,
            items,
            span: head.span,
        })
    }
}

/// The kind of schema that has such keywords.
fn schema_with(items: &[Tree<'_>]) -> &'static str {
    let has = |key: &str| items.iter().any(|item| item.is_keyword(key));
    if has("policy") || has("until") {
        "option"
    } else if has("duration") {
        "durative-action"
    } else {
        "action"
    }
}
