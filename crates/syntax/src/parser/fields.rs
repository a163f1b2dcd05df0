//! Definitions of the form `(:action name :key value :key value …)`.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::super::tree::{Node, Tree};
use super::aliases::meant;
use super::context::Context;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

/// A keyword with what follows it up to the next.
pub(super) struct Field<'t, 's> {
    /// The keyword as the tables spell it.
    pub(super) key: &'static str,
    /// The keyword in the source.
    pub(super) span: Span,
    pub(super) values: &'t [Tree<'s>],
}

/// The keyword of a field or section that has one value.
pub(super) struct Owner<'o> {
    /// As the tables spell it.
    pub(super) key: &'o str,
    /// In the source.
    pub(super) span: Span,
    /// The label of the report where it has more values.
    pub(super) label: &'o str,
}

impl Field<'_, '_> {
    pub(super) fn owner(&self) -> Owner<'static> {
        Owner {
            key: self.key,
            span: self.span,
            label: "of this keyword",
        }
    }
}

/// A keyword that is known, but not supported: with its requirement.
const LATER: &[(&str, &str)] = &[("private", "partial-observability")];

impl Context<'_> {
    /// Splits a definition at its keywords. Unknown and repeated ones are reported and left out.
    pub(super) fn fields<'t, 's>(
        &mut self,
        items: &'t [Tree<'s>],
        owner: &str,
        known: &'static [&'static str],
    ) -> Vec<Field<'t, 's>> {
        let mut fields: Vec<Field<'t, 's>> = Vec::new();
        let is_agent_type = self.vocabulary.types.contains("agent");
        // A keyword without its colon is none that a value could be, but for a type.
        let bare = |at: usize| {
            let word = items[at].name()?;
            let before = at.checked_sub(1).map(|before| &items[before]);
            // The type of an agent stands in the place of its variable.
            let is_type = before.is_some_and(|before| {
                before.is_name("-")
                    || before.is_keyword("agent") && items[at].is_name("agent") && is_agent_type
            });
            let mut known = known.iter().copied();
            known.find(|key| !is_type && key.eq_ignore_ascii_case(word))
        };
        let is_keyword = |at: &usize| items[*at].keyword().is_some() || bare(*at).is_some();
        let keywords: Vec<usize> = (0..items.len()).filter(is_keyword).collect();
        let present = OnceCell::new();
        let first = keywords.first().copied().unwrap_or(items.len());
        if let Some(stray) = items[..first].first() {
            let inner = stray.items().and_then(<[_]>::first).map(|head| &head.node);
            let help = if let Some(Node::Keyword(key)) = inner {
                format!("a keyword stands without parentheses, its value after it: `:{key} …`")
            } else {
                let near = stray.name().and_then(|word| meant(word, known));
                near.map_or_else(String::new, |key| format!("did you mean `:{key}`?"))
            };
            self.unexpected_help(Code::MalformedConstruct, stray, "a keyword", &help);
        }
        for (number, &at) in keywords.iter().enumerate() {
            let end = keywords.get(number + 1).copied().unwrap_or(items.len());
            let (head, values) = (&items[at], &items[at + 1..end]);
            if let (Some(text), Some(next)) = (head.keyword(), items.get(at + 1))
                && next.is_keyword(text)
            {
                let message = format!("`:{text}` stands twice in this {owner}");
                let diagnostic = self.at(Code::DuplicateKeyword, next.span, message, "again here");
                let diagnostic = diagnostic.secondary(self.source, head.span, "first here");
                self.push(diagnostic.help("remove one of the two").mended());
                continue;
            }
            if let Some(key) = bare(at) {
                let message = format!("`{key}` stands without its colon");
                let diagnostic = self.at(Code::UnknownKeyword, head.span, message, "no keyword");
                self.push(diagnostic.help(format!("write `:{key}`")).mended());
            }
            let Some(text) = bare(at).or(head.keyword()) else {
                continue;
            };
            let found = known.iter().copied();
            let Some(key) = found.clone().find(|key| key.eq_ignore_ascii_case(text)) else {
                // What is probably meant is read as that, unless it is there as well.
                let present = present.get_or_init(|| among(items, known));
                let near = found.filter(|near| !present.contains(near));
                let read = self.unknown_keyword(text, (head.span, values), owner, known, near);
                if let Some(key) = read {
                    fields.push(Field {
                        key,
                        span: head.span,
                        values,
                    });
                }
                continue;
            };
            if let Some(first) = fields.iter().find(|field| field.key == key) {
                let before = first.span;
                let message = format!("`:{key}` stands twice in this {owner}");
                let diagnostic = self
                    .at(Code::DuplicateKeyword, head.span, message, "again here")
                    .secondary(self.source, before, "first here");
                self.push(diagnostic.help("join the two, for example with `and`"));
                continue;
            }
            fields.push(Field {
                key,
                span: head.span,
                values: self.detached(key, head.span, values),
            });
        }
        fields
    }

    /// The values of a keyword without a variable that is glued to it, as in `:effect?x (…)`, which is
    /// reported.
    fn detached<'t, 's>(
        &mut self,
        key: &str,
        span: Span,
        values: &'t [Tree<'s>],
    ) -> &'t [Tree<'s>] {
        let [first, rest @ ..] = values else {
            return values;
        };
        let Node::Variable(name) = first.node else {
            return values;
        };
        let is_glued = first.span.start == span.end && !rest.is_empty();
        if !is_glued || matches!(key, "agent" | "parameters") {
            return values;
        }
        let message = format!("`:{key}?{name}` is no keyword");
        let diagnostic = self.at(
            Code::UnknownKeyword,
            span.to(first.span),
            message,
            "no keyword",
        );
        self.push(diagnostic.help(format!("did you mean `:{key}`?")).mended());
        rest
    }

    /// Reports a keyword, and says which of those that are `free` is meant.
    fn unknown_keyword(
        &mut self,
        text: &str,
        (span, values): (Span, &[Tree<'_>]),
        owner: &str,
        known: &'static [&'static str],
        free: impl Iterator<Item = &'static str>,
    ) -> Option<&'static str> {
        let later = LATER.iter().find(|(key, _)| key.eq_ignore_ascii_case(text));
        if let Some((key, requirement)) = later {
            self.not_supported(requirement, span, &format!("`:{key}` of this {owner}"));
            return None;
        }
        if text.eq_ignore_ascii_case("vars") {
            let message = "`:vars` is a keyword of PDDL 1.2";
            self.outdated(span, message, "list the variables in `:parameters`");
            return None;
        }
        let known = if self.diagnostics.is_full() {
            &[]
        } else {
            known
        };
        let message = format!("`:{text}` is not a keyword of this {owner}");
        let diagnostic = self.at(Code::UnknownKeyword, span, message, "not known here");
        let Some(near) = meant(text, known) else {
            let diagnostic = diagnostic.help(format!("known here are {}", list(known)));
            self.push(if may_declare(values) {
                diagnostic
            } else {
                diagnostic.mended()
            });
            return None;
        };
        let diagnostic = diagnostic.help(format!("did you mean `:{near}`?"));
        let mut free = free;
        let meant = free.find(|key| *key == near);
        self.push(match meant {
            Some(_) => diagnostic.mended(),
            None => diagnostic,
        });
        meant
    }

    /// The one value of a field.
    pub(super) fn value<'t, 's>(&mut self, field: &Field<'t, 's>) -> Option<&'t Tree<'s>> {
        self.one(field.values, &field.owner())
    }

    /// The first of some values of which there should be one.
    pub(super) fn one<'t, 's>(
        &mut self,
        values: &'t [Tree<'s>],
        owner: &Owner<'_>,
    ) -> Option<&'t Tree<'s>> {
        if let Some(extra) = values.get(1) {
            let message = format!("`:{}` takes one value", owner.key);
            let diagnostic = self
                .at(
                    Code::MalformedConstruct,
                    extra.mark(),
                    message,
                    "one too many",
                )
                .secondary(self.source, owner.span, owner.label);
            let help = match owner.key {
                "parameters" => "list all parameters in one pair of parentheses",
                "let" => "list all bindings in one pair of parentheses",
                "text" | "label" => "write a text in quotes: `\"…\"`",
                "goal" | "fail" | "end" => "join the conditions by `(and …)`",
                "domain" | "horizon" => "keep one of them",
                _ => "several conditions or effects are joined by `(and …)`",
            };
            self.push(diagnostic.help(help));
        }
        let value = values.first();
        if value.is_none() {
            let message = format!("`:{}` has no value", owner.key);
            self.error(
                Code::MissingValue,
                owner.span,
                message,
                "expected a value after this",
            );
        }
        value
    }
}

/// The keywords that stand among some items, of those that are known.
fn among(items: &[Tree<'_>], known: &'static [&'static str]) -> BTreeSet<&'static str> {
    let keywords = items.iter().filter_map(Tree::keyword);
    let found = keywords.filter_map(|text| known.iter().find(|key| key.eq_ignore_ascii_case(text)));
    found.copied().collect()
}

/// `` `:a`, `:b` and `:c` ``.
pub(super) fn list(words: &[&str]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let glue = match i {
            0 => "",
            _ if i + 1 == words.len() => " and ",
            _ => ", ",
        };
        text.push_str(glue);
        text.push_str("`:");
        text.push_str(word);
        text.push('`');
    }
    text
}

/// Returns true if this may be a list of variables.
fn may_declare(values: &[Tree<'_>]) -> bool {
    let Some(first) = values.first() else {
        return false;
    };
    let is_variable = |tree: &Tree<'_>| matches!(tree.node, Node::Variable(_));
    is_variable(first)
        || first
            .items()
            .is_some_and(|items| items.first().is_none_or(is_variable))
}
