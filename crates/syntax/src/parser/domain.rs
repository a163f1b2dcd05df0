//! Domain files, section by section.

use super::super::ast::{
    ActionKind, Domain, LiveEffects, LiveEffectsKept, MustAct, Name, Nature, TurnMode, Turns,
    WaitLimit,
};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::entry::Entry;
use super::fluents::FluentSection;
use super::present::{DOMAIN_SECTIONS, PROBLEM_SECTIONS, SCHEMAS};
use super::requirements::MAX_REQUIREMENTS;
use super::sections::Section;
use super::typed::MAX_DECLARED;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

/// The semantics that a domain has, at most.
const MAX_SEMANTICS: usize = 100;

/// The types of agents that must act, and those of agents of nature, at most.
const MAX_TYPES_OF_AGENTS: usize = 100;

impl Context<'_> {
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
        for section in self.sections(sections, "domain", DOMAIN_SECTIONS, PROBLEM_SECTIONS) {
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
            "constants" => {
                let (all, private) = (&mut domain.constants, &mut domain.private_constants);
                self.objects(items, all, private);
            }
            "predicates" => {
                let (all, private) = (&mut domain.fluents, &mut domain.private_fluents);
                self.fluents_of(items, FluentSection::Predicates, all, private);
            }
            "functions" => {
                let (all, private) = (&mut domain.fluents, &mut domain.private_fluents);
                self.fluents_of(items, FluentSection::Functions, all, private);
            }
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
                let phases = self.names(
                    items,
                    "`timers`, `timed-literals`, `early-literals` or an event",
                );
                domain.tick = Some((phases, tree.span));
            }
            "turns" => {
                self.require("multi-agent", span, ":turns");
                domain.turns = self.turns(tree, items);
            }
            "wait" => {
                self.require("multi-agent", span, ":wait");
                if let [none, dash, ty] = items
                    && none.is_name("none")
                    && dash.is_name("-")
                {
                    self.add_must_act(&mut domain.must_act, tree, ty);
                } else if let Some(limit) = self.wait_limit(tree, items) {
                    self.add_wait_limit(&mut domain.waits, limit);
                }
            }
            "role" => {
                self.require("nature", span, ":role");
                self.add_nature(&mut domain.nature, tree, items);
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
            "layout" => domain.layout.extend(self.layout(items)),
            "end" => {
                self.require("horizon", span, ":end");
                domain.end = self.only_formula(section.items, &section.owner());
            }
            _ => {
                self.require("horizon", span, ":fail");
                domain.fail = self.only_formula(section.items, &section.owner());
            }
        }
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
                self.push(diagnostic.help(
                    "write `(:wait :most timesteps [:semantics name])`, or `(:wait none - type)`",
                ));
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

    /// `(:wait none - type)`; the same type a second time is reported.
    fn add_must_act(&mut self, all: &mut Vec<MustAct>, tree: &Tree<'_>, ty: &Tree<'_>) {
        let Some(ty) = self.name(ty, "the type of agents that must act") else {
            return;
        };
        if let Some(first) = all.iter().find(|other| other.ty.key() == ty.key()) {
            let message = format!(
                "that agents of the type `{}` must act is said twice",
                ty.text
            );
            let diagnostic = self
                .at(Code::DuplicateSection, tree.span, message, "again here")
                .secondary(self.source, first.span, "first here");
            self.push(diagnostic.help("remove one of the two"));
            return;
        }
        if all.len() < MAX_TYPES_OF_AGENTS {
            let span = tree.span;
            all.push(MustAct { ty, span });
        } else {
            let message = format!("more than {MAX_TYPES_OF_AGENTS} types of agents must act");
            self.error(
                Code::SourceTooLarge,
                tree.span,
                message,
                "not read from here on",
            );
        }
    }

    /// `(:role type nature)`; the same type a second time is reported.
    fn add_nature(&mut self, all: &mut Vec<Nature>, tree: &Tree<'_>, items: &[Tree<'_>]) {
        let [ty, role] = items else {
            let message = "this is not how `:role` is written";
            let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "");
            self.push(diagnostic.help("write `(:role type nature)`"));
            return;
        };
        let ty = self.name(ty, "the type of the agents");
        let (Some(ty), Some(())) = (ty, self.one_of(role, &[("nature", ())])) else {
            return;
        };
        let span = tree.span;
        if let Some(first) = all.iter().find(|other| other.ty.key() == ty.key()) {
            let message = format!("the role of the type `{}` is given twice", ty.text);
            let diagnostic = self
                .at(Code::DuplicateSection, span, message, "again here")
                .secondary(self.source, first.span, "first here");
            self.push(diagnostic.help("remove one of the two"));
        } else if all.len() < MAX_TYPES_OF_AGENTS {
            all.push(Nature { ty, span });
        } else {
            let message = format!("more than {MAX_TYPES_OF_AGENTS} types of agents have a role");
            self.error(Code::SourceTooLarge, span, message, "not read from here on");
        }
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

    /// Returns true if so many sections that each name another semantics, or none, are all that there can be; a further
    /// one is reported.
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
        let word = tree.name().or(tree.keyword());
        let help = match suggest(
            word.unwrap_or_default(),
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
