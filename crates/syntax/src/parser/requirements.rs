//! The keys of `:requirements`, and those that are meant by others.

use brigade_diagnostics::suggest;

/// The requirements that a definition declares, at most.
pub(super) const MAX_REQUIREMENTS: usize = 1000;

/// The keys that `:requirements` may name.
pub const REQUIREMENTS: &[&str] = &[
    "strips",
    "typing",
    "negative-preconditions",
    "disjunctive-preconditions",
    "equality",
    "existential-preconditions",
    "universal-preconditions",
    "quantified-preconditions",
    "conditional-effects",
    "adl",
    "ucpop",
    "constants",
    "derived-predicates",
    "domain-axioms",
    "axioms",
    "action-costs",
    "numeric-fluents",
    "fluents",
    "object-fluents",
    "durative-actions",
    "timed-initial-literals",
    "multi-agent",
    "delayed-effects",
    "sequential-effects",
    "events",
    "options",
    "bounded-numbers",
    "aggregates",
    "horizon",
    "text",
    "object-pools",
    "probabilistic-effects",
    "non-deterministic",
    "partial-observability",
    "nature",
    "constraints",
    "preferences",
    "duration-inequalities",
    "continuous-effects",
    "timed-effects",
    "time",
    "rewards",
    "mdp",
    "goal-utilities",
    "unfactored-privacy",
    "factored-privacy",
];

/// The key that is meant, in lower case: that a misspelt one is none is reported with the names.
pub(super) fn meant_requirement(text: &str) -> String {
    let key = text.to_ascii_lowercase();
    if REQUIREMENTS.contains(&key.as_str()) {
        return key;
    }
    match suggest_requirement(&key, REQUIREMENTS.iter().copied()) {
        Some(near) => near.to_owned(),
        None => key,
    }
}

/// Requirements of other languages, and what else they are called, with those that say the same.
const REQUIREMENTS_ELSEWHERE: &[(&str, &str)] = &[
    ("agents", "multi-agent"),
    ("ma", "multi-agent"),
    ("delay", "delayed-effects"),
    ("delays", "delayed-effects"),
    ("functions", "fluents"),
    ("numbers", "numeric-fluents"),
    ("numeric", "numeric-fluents"),
    ("costs", "action-costs"),
    ("types", "typing"),
    ("typed", "typing"),
];

/// The requirement that is meant by a key that is none, of some that are known.
pub fn suggest_requirement<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alias = REQUIREMENTS_ELSEWHERE
        .iter()
        .find(|(other, _)| other.eq_ignore_ascii_case(key));
    match alias {
        Some((_, meant)) => Some(meant),
        None => suggest(key, known),
    }
}
