//! `:requirements`: which keys exist, what they imply, and which a construct needs.

mod check;

use std::collections::BTreeMap;

use super::report::{File, Place};
use brigade_syntax::ast::{Domain, InitItem, Problem};

/// The support of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Supported,
    NotYet,
}

/// Every key, with those it implies.
const KEYS: &[(&str, Status, &[&str])] = &[
    ("strips", Status::Supported, &[]),
    ("typing", Status::Supported, &[]),
    ("negative-preconditions", Status::Supported, &[]),
    ("disjunctive-preconditions", Status::Supported, &[]),
    ("equality", Status::Supported, &[]),
    ("existential-preconditions", Status::Supported, &[]),
    ("universal-preconditions", Status::Supported, &[]),
    (
        "quantified-preconditions",
        Status::Supported,
        &["existential-preconditions", "universal-preconditions"],
    ),
    ("conditional-effects", Status::Supported, &[]),
    (
        "adl",
        Status::Supported,
        &[
            "strips",
            "typing",
            "negative-preconditions",
            "disjunctive-preconditions",
            "equality",
            "existential-preconditions",
            "universal-preconditions",
            "conditional-effects",
        ],
    ),
    (
        "ucpop",
        Status::Supported,
        &[
            "strips",
            "typing",
            "negative-preconditions",
            "disjunctive-preconditions",
            "equality",
            "existential-preconditions",
            "universal-preconditions",
            "conditional-effects",
        ],
    ),
    ("constants", Status::Supported, &[]),
    ("derived-predicates", Status::Supported, &[]),
    ("domain-axioms", Status::Supported, &["derived-predicates"]),
    ("axioms", Status::Supported, &["derived-predicates"]),
    ("action-costs", Status::Supported, &["numeric-fluents"]),
    ("numeric-fluents", Status::Supported, &[]),
    (
        "fluents",
        Status::Supported,
        &["numeric-fluents", "object-fluents"],
    ),
    ("object-fluents", Status::Supported, &[]),
    ("durative-actions", Status::Supported, &[]),
    ("timed-initial-literals", Status::Supported, &[]),
    ("multi-agent", Status::Supported, &[]),
    ("delayed-effects", Status::Supported, &[]),
    ("sequential-effects", Status::Supported, &[]),
    ("events", Status::Supported, &[]),
    ("options", Status::Supported, &[]),
    ("bounded-numbers", Status::Supported, &["numeric-fluents"]),
    ("aggregates", Status::Supported, &[]),
    ("horizon", Status::Supported, &[]),
    ("text", Status::Supported, &[]),
    ("object-pools", Status::NotYet, &[]),
    ("probabilistic-effects", Status::NotYet, &[]),
    ("non-deterministic", Status::NotYet, &[]),
    ("partial-observability", Status::Supported, &[]),
    ("nature", Status::Supported, &[]),
    ("constraints", Status::NotYet, &[]),
    ("preferences", Status::NotYet, &[]),
    ("duration-inequalities", Status::NotYet, &[]),
    ("continuous-effects", Status::NotYet, &[]),
    ("timed-effects", Status::NotYet, &[]),
    ("time", Status::NotYet, &[]),
    ("rewards", Status::NotYet, &[]),
    ("mdp", Status::NotYet, &[]),
    ("goal-utilities", Status::NotYet, &[]),
    ("unfactored-privacy", Status::Supported, &[]),
    ("factored-privacy", Status::Supported, &[]),
];

/// A key that a construct needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Typing,
    Negation,
    Disjunction,
    Equality,
    Existential,
    Universal,
    ConditionalEffects,
    DerivedPredicates,
    Numbers,
    DurativeActions,
    TimedLiterals,
    MultiAgent,
    DelayedEffects,
    Sequence,
    Events,
    Options,
    ObjectFluents,
    BoundedNumbers,
    Aggregates,
    Horizon,
    Text,
    PartialObservability,
    Nature,
}

impl Need {
    fn key(self) -> &'static str {
        match self {
            Self::Typing => "typing",
            Self::Negation => "negative-preconditions",
            Self::Disjunction => "disjunctive-preconditions",
            Self::Equality => "equality",
            Self::Existential => "existential-preconditions",
            Self::Universal => "universal-preconditions",
            Self::ConditionalEffects => "conditional-effects",
            Self::DerivedPredicates => "derived-predicates",
            Self::Numbers => "numeric-fluents",
            Self::DurativeActions => "durative-actions",
            Self::TimedLiterals => "timed-initial-literals",
            Self::MultiAgent => "multi-agent",
            Self::DelayedEffects => "delayed-effects",
            Self::Sequence => "sequential-effects",
            Self::Events => "events",
            Self::Options => "options",
            Self::ObjectFluents => "object-fluents",
            Self::BoundedNumbers => "bounded-numbers",
            Self::Aggregates => "aggregates",
            Self::Horizon => "horizon",
            Self::Text => "text",
            Self::PartialObservability => "partial-observability",
            Self::Nature => "nature",
        }
    }

    /// Returns true for a construct that Brigade adds to PDDL: then a missing key is an error, since another planner
    /// would read the file differently.
    fn is_extension(self) -> bool {
        self >= Self::MultiAgent
    }

    /// Returns true if the reader has checked it. It needs the keys of a domain to distinguish constructs from atoms;
    /// with a problem it cannot know them.
    fn is_checked_by_reader(self, file: File) -> bool {
        file == File::Domain && self.is_extension() && self != Self::ObjectFluents
    }
}

/// The first use, in each file, of what needs a key.
#[derive(Default)]
pub(super) struct Needs(BTreeMap<(File, Need), Place>);

impl Needs {
    pub(super) fn note(&mut self, file: File, need: Need, place: Place) {
        let first = self.0.entry((file, need)).or_insert(place);
        if place.span < first.span {
            *first = place;
        }
    }
}

/// Returns the first extension of PDDL that a domain and a problem declare or use, as it is written. `None` for plain
/// PDDL, object fluents of PDDL 3.1 included.
pub fn beyond_pddl(domain: &Domain, problem: &Problem) -> Option<String> {
    const EXTENSIONS: [Need; 11] = [
        Need::MultiAgent,
        Need::DelayedEffects,
        Need::Sequence,
        Need::Events,
        Need::Options,
        Need::BoundedNumbers,
        Need::Aggregates,
        Need::Horizon,
        Need::Text,
        Need::PartialObservability,
        Need::Nature,
    ];
    let mut declared = domain.requirements.iter().chain(&problem.requirements);
    let extension = declared.find_map(|name| {
        let key = name.key();
        EXTENSIONS
            .iter()
            .map(|need| need.key())
            .find(|known| *known == key)
    });
    let section = || {
        let sections = [
            (!domain.semantics.is_empty(), "semantics"),
            (!domain.facts.is_empty(), "facts"),
            (domain.fail.is_some() || problem.fail.is_some(), "fail"),
            (domain.end.is_some() || problem.end.is_some(), "end"),
            (problem.horizon.is_some(), "horizon"),
            (problem.init.iter().any(is_early), "early"),
            (problem.init.iter().any(is_unannounced), "unannounced"),
        ];
        sections
            .into_iter()
            .find_map(|(used, name)| used.then_some(name))
    };
    extension.or_else(section).map(|name| format!(":{name}"))
}

fn is_early(item: &InitItem) -> bool {
    matches!(item, InitItem::Timed(time, ..) if time.early)
}

fn is_unannounced(item: &InitItem) -> bool {
    matches!(item, InitItem::Timed(time, ..) if time.unannounced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_syntax::REQUIREMENTS;

    #[test]
    fn the_reader_knows_the_same_keys() {
        let known: Vec<&str> = KEYS.iter().map(|(known, ..)| *known).collect();
        assert_eq!(known, REQUIREMENTS);
    }

    #[test]
    fn every_needed_and_implied_key_exists_and_is_supported() {
        let supported = |key: &str| {
            KEYS.iter()
                .any(|(known, status, _)| *known == key && *status == Status::Supported)
        };
        let all = [
            Need::Typing,
            Need::Negation,
            Need::Disjunction,
            Need::Equality,
            Need::Existential,
            Need::Universal,
            Need::ConditionalEffects,
            Need::DerivedPredicates,
            Need::Numbers,
            Need::DurativeActions,
            Need::TimedLiterals,
            Need::MultiAgent,
            Need::DelayedEffects,
            Need::Sequence,
            Need::Events,
            Need::Options,
            Need::ObjectFluents,
            Need::BoundedNumbers,
            Need::Aggregates,
            Need::Horizon,
            Need::Text,
            Need::PartialObservability,
            Need::Nature,
        ];
        for one in all {
            assert!(supported(one.key()), "{}", one.key());
        }
        for (key, _, implied) in KEYS {
            for implied in *implied {
                assert!(supported(implied), "{key} implies {implied}");
            }
        }
    }
}
