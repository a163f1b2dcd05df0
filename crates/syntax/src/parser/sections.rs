//! The sections of a definition: which a list is, or is meant as, and what is said of those that are none.

use std::collections::BTreeMap;

use super::super::tree::{Node, Tree};
use super::aliases::meant;
use super::context::Context;
use super::fields::{Owner, list};
use super::present::{DOMAIN_KEY, Present, REPEATABLE, REQUIREMENTS_KEY, SCHEMAS};
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

/// Sections that are known, but not supported: with their requirement.
const LATER: &[(&str, &str)] = &[
    ("constraints", "constraints"),
    ("process", "continuous-effects"),
    ("private", "partial-observability"),
];

/// Sections of PDDL 1.2 that were dropped from it since, with what takes their place.
const OLD: &[(&str, &str)] = &[
    (
        "axiom",
        "write a rule of PDDL 2.2: `(:derived (predicate ?x) condition)`",
    ),
    (
        "timeless",
        "list its facts in `(:facts …)`, a section of the domain here, or in each `:init`",
    ),
    (
        "situation",
        "list the facts of the situation in `(:init …)`",
    ),
    (
        "extends",
        "copy the sections of the other domain into this one",
    ),
    ("domain-variables", "declare them in `(:functions …)`"),
    ("safety", "say what must not happen in `(:fail condition)`"),
];

/// Sections of other languages, with what takes their place.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "invariant",
        "say what must not happen in `(:fail condition)`",
    ),
    ("deadline", "an end by time is written `(:horizon ticks)`"),
    (
        "agents",
        "agents are objects of the type that the `:agent` of an action names",
    ),
    ("fluents", "declare them in `(:functions …)`"),
    (
        "cost",
        "increase `(total-cost)` in effects, and write `(:metric minimize (total-cost))`",
    ),
];

/// Sections of standard PDDL that give planners hints, and change no plan.
const HINTS: &[&str] = &["length"];

/// A section: its keyword as the tables spell it, the whole, and what follows the keyword.
pub(super) struct Section<'t, 's> {
    pub(super) key: &'static str,
    pub(super) tree: &'t Tree<'s>,
    pub(super) items: &'t [Tree<'s>],
    /// The keyword in the source.
    pub(super) span: Span,
}

impl Section<'_, '_> {
    pub(super) fn owner(&self) -> Owner<'static> {
        Owner {
            key: self.key,
            span: self.span,
            label: "of this section",
        }
    }
}

/// Returns true if it is the keyword of a section that is known, and not read.
pub(super) fn is_unread(word: &str) -> bool {
    let known = LATER.iter().map(|(key, _)| key);
    let mut known = known.chain(OLD.iter().map(|(key, _)| key));
    known.any(|key| key.eq_ignore_ascii_case(word))
}

impl<'d> Context<'d> {
    /// Recognises the sections of a definition. Other parts are reported and left out; a section that is repeated is
    /// reported and kept, so that its content is checked as well.
    pub(super) fn sections<'x>(
        &mut self,
        trees: &'x [Tree<'x>],
        owner: &str,
        known: &'static [&'static str],
        elsewhere: &[&str],
    ) -> Vec<Section<'x, 'x>>
    where
        'd: 'x,
    {
        let mut sections: Vec<Section<'x, 'x>> = Vec::new();
        let mut first: BTreeMap<&str, Span> = BTreeMap::new();
        let present = Present::among(trees, known);
        // Words in a row are one mistake.
        let mut is_stray = false;
        for tree in trees {
            let head = tree.items().and_then(<[_]>::split_first);
            let bare = present.bare(tree);
            let was_stray = std::mem::replace(&mut is_stray, head.is_none());
            if was_stray && is_stray {
                continue;
            }
            if bare.is_none()
                && known.contains(&"action")
                && let Some(section) = self.schema(tree)
            {
                sections.push(section);
                continue;
            }
            if !first.contains_key(DOMAIN_KEY)
                && let Some(section) = self.keyless_domain(tree, &present)
            {
                first.insert(DOMAIN_KEY, section.span);
                sections.push(section);
                continue;
            }
            if let (Some(key), Some((head, _))) = (bare, head) {
                let message = format!("`{key}` stands without its colon");
                let diagnostic = self.at(Code::ExpectedSection, head.span, message, "no keyword");
                let help = format!("a section begins with a keyword: `(:{key}`");
                self.push(diagnostic.help(help).mended());
            }
            let Some((Some(text), span, items)) =
                head.map(|(head, items)| (bare.or(head.keyword()), head.span, items))
            else {
                let is_doubled = head.is_some_and(|(head, _)| {
                    let inner = head.items().and_then(<[_]>::first);
                    inner.is_some_and(|inner| matches!(inner.node, Node::Keyword(_)))
                });
                let help = if is_doubled {
                    "remove one of the two pairs of parentheses around it"
                } else {
                    "a section is a list that begins with a keyword, such as `(:action …)`"
                };
                let found = match head {
                    Some((head, _)) if matches!(head.node, Node::Junk) => head,
                    _ => tree,
                };
                self.unexpected_help(Code::ExpectedSection, found, "a section", help);
                continue;
            };
            if let Some(items) = present.bare_requirements(tree) {
                let message = format!("`:{text}` is a requirement, not a section");
                let diagnostic = self.at(Code::UnknownSection, span, message, "not known here");
                let help = format!("write `(:{REQUIREMENTS_KEY} :{text} …)`");
                self.push(diagnostic.help(help).mended());
                sections.push(Section {
                    key: REQUIREMENTS_KEY,
                    tree,
                    items,
                    span,
                });
                continue;
            }
            let items = self.undoubled(head.map(|(head, _)| head), items, Code::DuplicateKeyword);
            let found = known.iter().find(|key| key.eq_ignore_ascii_case(text));
            let found =
                found.or_else(|| self.unknown_section(text, span, owner, &present, elsewhere));
            let Some(key) = found else { continue };
            let before = *first.entry(*key).or_insert(span);
            if before != span && !REPEATABLE.contains(key) {
                let message = format!("`:{key}` stands twice in this {owner}");
                let diagnostic = self
                    .at(Code::DuplicateSection, span, message, "again here")
                    .secondary(self.source, before, "first here");
                self.push(diagnostic.help("join the two sections"));
            }
            let items = if SCHEMAS.contains(key) {
                self.opened(items)
            } else {
                items
            };
            sections.push(Section {
                key,
                tree,
                items,
                span,
            });
        }
        sections
    }

    /// The `:domain` of a problem without that keyword, which is reported.
    fn keyless_domain<'x>(
        &mut self,
        tree: &'x Tree<'x>,
        present: &Present,
    ) -> Option<Section<'x, 'x>> {
        let items = tree.items()?;
        let [name] = items else { return None };
        let word = name.name()?;
        let is_lacking = present.known.contains(&DOMAIN_KEY) && present.is_free(DOMAIN_KEY);
        if !is_lacking || present.bare(tree).is_some() {
            return None;
        }
        let message = "a name stands without `:domain` before it";
        let diagnostic = self.at(Code::ExpectedSection, name.span, message, "of no keyword");
        let help = format!("write `(:{DOMAIN_KEY} {word})`");
        self.push(diagnostic.help(help).mended());
        Some(Section {
            key: DOMAIN_KEY,
            tree,
            items,
            span: name.span,
        })
    }

    /// Reports a section, and says which is meant, of those that are free.
    fn unknown_section(
        &mut self,
        text: &str,
        span: Span,
        owner: &str,
        present: &Present,
        elsewhere: &[&str],
    ) -> Option<&'static &'static str> {
        let later = LATER.iter().find(|(key, _)| key.eq_ignore_ascii_case(text));
        if let Some((key, requirement)) = later {
            self.not_supported(requirement, span, &format!("`:{key}`"));
            return None;
        }
        if let Some((key, instead)) = OLD.iter().find(|(key, _)| key.eq_ignore_ascii_case(text)) {
            let message = format!("`:{key}` is a section of PDDL 1.2");
            self.outdated(span, &message, instead);
            return None;
        }
        if HINTS.iter().any(|key| key.eq_ignore_ascii_case(text)) {
            let message = format!("`:{text}` is not read");
            let diagnostic = self.at(Code::IgnoredSection, span, message, "a hint for planners");
            self.push(diagnostic);
            return None;
        }
        let known = if self.diagnostics.is_full() {
            &[]
        } else {
            present.known
        };
        let message = format!("`:{text}` is not a section of a {owner}");
        let diagnostic = self.at(Code::UnknownSection, span, message, "not known here");
        let other = match owner {
            "problem" => "domain",
            _ => "problem",
        };
        if elsewhere.iter().any(|key| key.eq_ignore_ascii_case(text)) {
            let here = match text.to_ascii_lowercase().as_str() {
                "objects" => "; objects that a domain names are listed in `(:constants …)`",
                "constants" => "; a problem lists its own in `(:objects …)`",
                "facts" => "; a problem lists its own in `(:init …)`",
                "init" => "; facts of all problems of a domain are listed in `(:facts …)`",
                _ => "",
            };
            self.push(diagnostic.help(format!("it belongs in a {other}{here}")));
            return None;
        }
        let mut foreign = ELSEWHERE.iter();
        if let Some((_, instead)) = foreign.find(|(key, _)| key.eq_ignore_ascii_case(text)) {
            self.push(diagnostic.help(*instead));
            return None;
        }
        let Some(near) = meant(text, known) else {
            let help = format!("the sections of a {owner} are {}", list(known));
            self.push(diagnostic.help(help));
            return None;
        };
        let diagnostic = diagnostic.help(format!("did you mean `:{near}`?"));
        // What is probably meant is read as that, unless it is there as well.
        let meant = known
            .iter()
            .find(|key| **key == near && present.is_free(key));
        self.push(match meant {
            Some(_) => diagnostic.mended(),
            None => diagnostic,
        });
        meant
    }

    /// The one item of a section.
    pub(super) fn only<'t, 's>(&mut self, section: &Section<'t, 's>) -> Option<&'t Tree<'s>> {
        self.one(section.items, &section.owner())
    }
}
