//! Domain files, and what the sections of both kinds of file have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ast::{
    ActionKind, Domain, LiveEffects, LiveEffectsKept, Name, TurnMode, Turns, WaitLimit,
};
use super::super::span::Span;
use super::super::tree::{Node, Tree};
use super::aliases::meant;
use super::context::Context;
use super::fields::{Owner, list};
use super::problem;
use super::typed::{Entry, FluentSection, MAX_DECLARED};
use crate::diagnostics::{Code, Diagnostics, suggest};

/// The sections of a domain.
pub(super) const SECTIONS: &[&str] = &[
    "requirements",
    "types",
    "constants",
    "predicates",
    "functions",
    "transient",
    "derived",
    "action",
    "durative-action",
    "option",
    "event",
    "tick",
    "turns",
    "wait",
    "semantics",
    "live-effects",
    "facts",
    "fail",
];

/// Sections that may stand more than once.
const REPEATABLE: &[&str] = &[
    "derived",
    "action",
    "durative-action",
    "option",
    "event",
    "wait",
    "live-effects",
];

/// Sections that hold one action, event or rule each.
pub(super) const SCHEMAS: &[&str] = &["derived", "action", "durative-action", "option", "event"];

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

/// The requirements that a definition declares, at most.
pub(super) const MAX_REQUIREMENTS: usize = 1000;

/// The semantics that a domain has, at most.
const MAX_SEMANTICS: usize = 100;

/// Sections of standard PDDL that tell planners something, and change no plan.
const HINTS: &[&str] = &["length"];

/// Of how many sections that are not known it is asked which are meant.
const MAX_MEANT: usize = Diagnostics::DEFAULT_LIMIT;

/// The sections that a definition has, to tell which others are meant.
pub(super) struct Present {
    known: &'static [&'static str],
    keys: BTreeSet<&'static str>,
    /// How many more that are not known may be compared with those that are.
    left: usize,
}

impl Present {
    /// Of those that are known, the ones that stand among these lists.
    fn among(sections: &[Tree<'_>], known: &'static [&'static str]) -> Self {
        let heads = sections.iter().filter_map(|tree| tree.items()?.first());
        let keys = heads.filter_map(|head| {
            let text = head.keyword()?;
            known.iter().find(|key| key.eq_ignore_ascii_case(text))
        });
        Self {
            known,
            keys: keys.copied().collect(),
            left: MAX_MEANT,
        }
    }

    /// Those of a domain.
    pub(super) fn in_domain(sections: &[Tree<'_>]) -> Self {
        Self::among(sections, SECTIONS)
    }

    /// May another section of that kind stand among them?
    fn is_free(&self, key: &str) -> bool {
        REPEATABLE.contains(&key) || !self.keys.contains(key)
    }

    /// The section that a list is whose head is the keyword without its colon.
    fn bare(&self, section: &Tree<'_>) -> Option<&'static str> {
        let word = section.items()?.first()?.name()?;
        let mut known = self.known.iter().copied();
        known.find(|key| key.eq_ignore_ascii_case(word) && self.is_free(key))
    }

    /// The section that a list is, or is read as.
    pub(super) fn meant(&mut self, section: &Tree<'_>) -> Option<&'static str> {
        let Some(text) = section.items()?.first()?.keyword() else {
            return self.bare(section);
        };
        let mut known = self.known.iter().copied();
        let exact = known.find(|key| key.eq_ignore_ascii_case(text));
        exact.or_else(|| {
            self.left = self.left.checked_sub(1)?;
            let near = meant(text, self.known)?;
            self.is_free(near).then_some(near)
        })
    }
}

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

impl<'d> Context<'d> {
    pub(super) fn domain(
        &mut self,
        name: Option<Name>,
        sections: &[Tree<'_>],
        span: Span,
    ) -> Domain {
        let mut domain = Domain {
            name,
            span,
            ..Domain::default()
        };
        let mut is_too_large = false;
        for section in self.sections(sections, "domain", SECTIONS, problem::SECTIONS) {
            if SCHEMAS.contains(&section.key) {
                let schemas = domain.actions.len() + domain.events.len() + domain.derived.len();
                if schemas >= MAX_DECLARED {
                    if !std::mem::replace(&mut is_too_large, true) {
                        self.too_many(
                            MAX_DECLARED,
                            "actions, events and rules",
                            section.tree.mark(),
                        );
                    }
                    continue;
                }
                if self.is_too_large(&section) {
                    continue;
                }
            }
            self.domain_section(&mut domain, &section);
        }
        domain
    }

    fn domain_section(&mut self, domain: &mut Domain, section: &Section<'_, '_>) {
        let (tree, items, span) = (section.tree, section.items, section.span);
        match section.key {
            "requirements" => domain.requirements.extend(self.requirements(items)),
            "types" => domain.types.extend(self.typed_list(items, Entry::Name)),
            "constants" => domain.constants.extend(self.typed_list(items, Entry::Name)),
            "predicates" => self.fluents(items, FluentSection::Predicates, &mut domain.fluents),
            "functions" => self.fluents(items, FluentSection::Functions, &mut domain.fluents),
            "transient" => {
                self.require("bounded-numbers", span, ":transient");
                self.fluents(items, FluentSection::Transient, &mut domain.fluents);
            }
            "derived" => domain.derived.extend(self.derived(tree, items)),
            "action" => {
                let action = self.action(tree, items, ActionKind::Instant);
                domain.actions.extend(action);
            }
            "durative-action" => {
                let action = self.action(tree, items, ActionKind::Durative);
                domain.actions.extend(action);
            }
            "option" => {
                self.require("options", span, ":option");
                let action = self.action(tree, items, ActionKind::Option);
                domain.actions.extend(action);
            }
            "event" => {
                self.require("events", span, ":event");
                domain.events.extend(self.event(tree, items));
            }
            "tick" => {
                self.require("events", span, ":tick");
                let phases =
                    self.names(items, "`timers`, `timed-literals` or the name of an event");
                domain.tick = Some((phases, tree.span));
            }
            "turns" => {
                self.require("multi-agent", span, ":turns");
                domain.turns = self.turns(tree, items);
            }
            "wait" => {
                self.require("multi-agent", span, ":wait");
                if let Some(limit) = self.wait_limit(tree, items) {
                    self.add_wait_limit(&mut domain.waits, limit);
                }
            }
            "semantics" => {
                let names = self.names(items, "the name of a semantics");
                domain.semantics.extend(names);
                if domain.semantics.len() > MAX_SEMANTICS {
                    let message = format!("there are more than {MAX_SEMANTICS} semantics");
                    let last = domain.semantics[MAX_SEMANTICS].span;
                    self.error(Code::SourceTooLarge, last, message, "not read from here on");
                    domain.semantics.truncate(MAX_SEMANTICS);
                }
            }
            "live-effects" => {
                self.require("delayed-effects", span, ":live-effects");
                if let Some(kept) = self.live_effects(tree, items) {
                    self.add_live_effects(&mut domain.live_effects, kept);
                }
            }
            "facts" => domain.facts.extend(self.init_items(items)),
            _ => {
                self.require("horizon", span, ":fail");
                domain.fail = self.only_formula(section.items, &section.owner());
            }
        }
    }

    /// Recognises the sections of a definition. What is none is reported and left out; a section
    /// that is repeated is reported and kept, so that its content is checked as well.
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
            sections.push(Section {
                key,
                tree,
                items,
                span,
            });
        }
        sections
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
            self.outdated(key, span, &message, instead);
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
        let other = if owner == "domain" {
            "problem"
        } else {
            "domain"
        };
        if elsewhere.iter().any(|key| key.eq_ignore_ascii_case(text)) {
            self.push(diagnostic.help(format!("it belongs in a {other}")));
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

    pub(super) fn requirements(&mut self, items: &[Tree<'_>]) -> Vec<Name> {
        let mut requirements = Vec::new();
        for item in items {
            if requirements.len() == MAX_REQUIREMENTS {
                let message = format!("there are more than {MAX_REQUIREMENTS} requirements");
                self.error(
                    Code::SourceTooLarge,
                    item.span,
                    message,
                    "not read from here on",
                );
                break;
            }
            match item.node {
                Node::Keyword(text) => requirements.push(Name {
                    text: text.into(),
                    span: item.span,
                }),
                Node::Name(text) => {
                    let help = format!("requirements begin with a colon: `:{text}`");
                    self.unexpected_help(Code::ExpectedName, item, "a requirement", &help);
                    requirements.push(Name {
                        text: text.into(),
                        span: item.span,
                    });
                }
                _ => self.unexpected(Code::ExpectedName, item, "a requirement"),
            }
        }
        requirements
    }

    fn names(&mut self, items: &[Tree<'_>], what: &str) -> Vec<Name> {
        items
            .iter()
            .filter_map(|item| self.name(item, what))
            .collect()
    }

    /// `(:turns sequential [:order any])`.
    fn turns(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> Option<Turns> {
        const SHAPE: &str =
            "write `(:turns sequential|simultaneous|alternate [:order declared|any])`";
        const MODES: &[(&str, TurnMode)] = &[
            ("sequential", TurnMode::Sequential),
            ("simultaneous", TurnMode::Simultaneous),
            ("alternate", TurnMode::Alternate),
        ];
        const ORDERS: &[(&str, bool)] = &[("declared", false), ("any", true)];
        let (mode, order) = match items {
            [mode] => (mode, None),
            [mode, key, order] if key.is_keyword("order") => (mode, Some(order)),
            _ => {
                let message = "this is not how `:turns` is written";
                let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "");
                self.push(diagnostic.help(SHAPE));
                return None;
            }
        };
        let mode = self.one_of(mode, MODES);
        let any_order = match order {
            Some(order) => self.one_of(order, ORDERS)?,
            None => false,
        };
        Some(Turns {
            mode: mode?,
            any_order,
            span: tree.span,
        })
    }

    /// `(:wait :most n [:semantics name])`.
    fn wait_limit(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> Option<WaitLimit> {
        let (most, semantics) = match items {
            [key, most] if key.is_keyword("most") => (most, None),
            [key, most, second, name]
                if key.is_keyword("most") && second.is_keyword("semantics") =>
            {
                (most, Some(name))
            }
            _ => {
                let message = "this is not how `:wait` is written";
                let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "");
                self.push(diagnostic.help("write `(:wait :most timesteps [:semantics name])`"));
                return None;
            }
        };
        let most = self.integer(most, "the longest wait")?;
        let semantics = match semantics {
            Some(name) => Some(self.name(name, "the name of a semantics")?),
            None => None,
        };
        Some(WaitLimit {
            most,
            semantics,
            span: tree.span,
        })
    }

    /// Adds a limit; a second one for the same semantics is reported.
    fn add_wait_limit(&mut self, limits: &mut Vec<WaitLimit>, limit: WaitLimit) {
        if self.are_for_all_semantics(limits.len(), limit.span) {
            return;
        }
        let key = |limit: &WaitLimit| limit.semantics.as_ref().map(Name::key);
        if let Some(first) = limits.iter().find(|other| key(other) == key(&limit)) {
            let message = match &limit.semantics {
                Some(name) => format!("the longest wait under `{}` is given twice", name.text),
                None => "the longest wait is given twice".to_owned(),
            };
            let diagnostic = self
                .at(Code::DuplicateSection, limit.span, message, "again here")
                .secondary(self.source, first.span, "first here");
            self.push(diagnostic.help("keep one for each semantics, and one that names none"));
            return;
        }
        limits.push(limit);
    }

    /// `(:live-effects kind [:semantics name])`.
    fn live_effects(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> Option<LiveEffectsKept> {
        const KINDS: &[(&str, LiveEffects)] = &[
            ("set", LiveEffects::Set),
            ("list", LiveEffects::List),
            ("list-skipping", LiveEffects::ListSkipping),
        ];
        let (kind, semantics) = match items {
            [kind] => (kind, None),
            [kind, second, name] if second.is_keyword("semantics") => (kind, Some(name)),
            _ => {
                let message = "this is not how `:live-effects` is written";
                let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "");
                let help = "write `(:live-effects set|list|list-skipping [:semantics name])`";
                self.push(diagnostic.help(help));
                return None;
            }
        };
        let kind = self.one_of(kind, KINDS)?;
        let semantics = match semantics {
            Some(name) => Some(self.name(name, "the name of a semantics")?),
            None => None,
        };
        Some(LiveEffectsKept {
            kind,
            semantics,
            span: tree.span,
        })
    }

    /// Whether so many sections that each name another semantics, or none, are all that there can be; a
    /// further one is reported.
    fn are_for_all_semantics(&mut self, sections: usize, next: Span) -> bool {
        let are_all = sections > MAX_SEMANTICS;
        if are_all {
            let message = format!("there are more than {MAX_SEMANTICS} semantics");
            self.error(Code::SourceTooLarge, next, message, "not read");
        }
        are_all
    }

    /// Adds a way to keep them; a second one for the same semantics is reported.
    fn add_live_effects(&mut self, ways: &mut Vec<LiveEffectsKept>, way: LiveEffectsKept) {
        if self.are_for_all_semantics(ways.len(), way.span) {
            return;
        }
        let key = |way: &LiveEffectsKept| way.semantics.as_ref().map(Name::key);
        if let Some(first) = ways.iter().find(|other| key(other) == key(&way)) {
            let message = match &way.semantics {
                Some(name) => format!(
                    "how live effects are kept under `{}` is said twice",
                    name.text
                ),
                None => "how live effects are kept is said twice".to_owned(),
            };
            let diagnostic = self
                .at(Code::DuplicateSection, way.span, message, "again here")
                .secondary(self.source, first.span, "first here");
            self.push(diagnostic.help("keep one for each semantics, and one that names none"));
            return;
        }
        ways.push(way);
    }

    /// One of a few words.
    pub(super) fn one_of<T: Copy>(&mut self, tree: &Tree<'_>, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| tree.is_name(word));
        if let Some((_, value)) = found {
            return Some(*value);
        }
        let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let help = match suggest(
            tree.name().unwrap_or_default(),
            words.iter().map(|(word, _)| *word),
        ) {
            Some(near) => format!("did you mean `{near}`?"),
            None => String::new(),
        };
        let what = format!("one of {}", all.join(", "));
        self.unexpected_help(Code::MalformedConstruct, tree, &what, &help);
        None
    }
}
