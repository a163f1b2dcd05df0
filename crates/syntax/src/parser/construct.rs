//! The words of the language: those of standard PDDL, and the constructs of its extensions.

/// The place where a construct may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Formula,
    Effect,
    Term,
}

/// A word of an extension.
#[derive(Debug)]
pub(super) struct Construct {
    pub(super) name: &'static str,
    pub(super) place: Place,
    /// The requirements any of which enables it.
    pub(super) keys: &'static [&'static str],
    pub(super) supported: bool,
}

const fn known(name: &'static str, place: Place, keys: &'static [&'static str]) -> Construct {
    Construct {
        name,
        place,
        keys,
        supported: true,
    }
}

const fn later(name: &'static str, place: Place, keys: &'static [&'static str]) -> Construct {
    Construct {
        name,
        place,
        keys,
        supported: false,
    }
}

const STEPS: &[&str] = &["sequential-effects", "options"];

/// The construct that needs a `:semantics` section rather than a requirement.
pub(super) const SEMANTICS: &str = "semantics";

pub(super) const CONSTRUCTS: &[Construct] = &[
    known("else", Place::Formula, &["text"]),
    known(SEMANTICS, Place::Formula, &[]),
    later("preference", Place::Formula, &["preferences"]),
    known("count", Place::Term, &["aggregates"]),
    known("argmin", Place::Term, &["aggregates"]),
    known("argmax", Place::Term, &["aggregates"]),
    known("abs", Place::Term, &["aggregates"]),
    known("min", Place::Term, &["aggregates"]),
    known("max", Place::Term, &["aggregates"]),
    known("after", Place::Effect, &["delayed-effects"]),
    known("on-nth", Place::Effect, &["delayed-effects"]),
    known("maintain", Place::Effect, &["delayed-effects"]),
    known("seq", Place::Effect, &["sequential-effects"]),
    known("for-each", Place::Effect, &["sequential-effects"]),
    known("case", Place::Effect, STEPS),
    known("let", Place::Effect, STEPS),
    known("do", Place::Effect, STEPS),
    known("log", Place::Effect, &["text"]),
    later("probabilistic", Place::Effect, &["probabilistic-effects"]),
    later("uniform", Place::Effect, &["probabilistic-effects"]),
    later("oneof", Place::Effect, &["non-deterministic"]),
    later("create", Place::Effect, &["object-pools"]),
    later("destroy", Place::Effect, &["object-pools"]),
];

/// Can no predicate or function have this name, because it begins a condition in whatever domain? Old files
/// declare `=`.
pub fn is_reserved(word: &str) -> bool {
    is_condition_word(word) && word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Words of standard PDDL that make a condition.
const WORDS: &[&str] = &[
    "and", "or", "not", "imply", "forall", "exists", "=", "<", "<=", ">", ">=",
];

/// Does this word make a condition in standard PDDL?
pub(super) fn is_condition_word(word: &str) -> bool {
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Words of standard PDDL that make an effect and nothing else.
pub(super) const EFFECTS: &[&str] = &[
    "when",
    "assign",
    "increase",
    "decrease",
    "scale-up",
    "scale-down",
];

/// Does this word make an effect, and never a condition, in standard PDDL?
pub(super) fn is_effect_word(word: &str) -> bool {
    EFFECTS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The other constructs of standard PDDL that may stand where a predicate or function may.
pub(super) const CONDITIONS: &[&str] = &["and", "or", "not", "imply", "forall", "exists"];

/// The words that begin conditions and effects: what a misspelt one may have been meant as.
pub fn constructs<'a>() -> impl Iterator<Item = &'a str> {
    let extensions = CONSTRUCTS.iter().filter(|construct| construct.supported);
    CONDITIONS
        .iter()
        .chain(EFFECTS)
        .copied()
        .chain(extensions.map(|construct| construct.name))
}

/// Returns the replacement for a construct that stands where a fact is needed, such as an effect in a condition or
/// among the facts of `:init`; `None` for another word.
pub fn instead_of_construct(word: &str) -> Option<String> {
    let word = constructs().find(|construct| construct.eq_ignore_ascii_case(word))?;
    let own = CONSTRUCTS.iter().find(|construct| construct.name == word);
    let place = match own {
        Some(own) => own.place,
        None if is_effect_word(word) => Place::Effect,
        None => Place::Formula,
    };
    let written = match word {
        "assign" | "increase" | "decrease" | "scale-up" | "scale-down" => {
            "`:init` gives a value as `(= (function) value)`, and a condition compares so"
        }
        "when" => "a condition on another is written `(imply condition condition)`",
        "after" => "a fact that comes later is given as `(at 3 (fact))` in `:init`",
        "seq" => "conditions are joined by `and`",
        _ => "",
    };
    let stands = match place {
        Place::Effect => format!("`{word}` makes an effect, which stands in `:effect`"),
        Place::Term => format!("`{word}` makes a number: compare it, `(= ({word} …) 1)`"),
        Place::Formula => format!("`{word}` makes a condition, and is no fact itself"),
    };
    Some(if written.is_empty() {
        stands
    } else {
        format!("{stands}; {written}")
    })
}

/// Constructs of PDDL 3 about whole plans, and of contingent PDDL about what is not known, with the requirement.
const UNSUPPORTED_ELSEWHERE: &[(&str, Option<&str>)] = &[
    ("always", Some("constraints")),
    ("always-within", Some("constraints")),
    ("at-most-once", Some("constraints")),
    ("hold-after", Some("constraints")),
    ("hold-during", Some("constraints")),
    ("sometime", Some("constraints")),
    ("sometime-after", Some("constraints")),
    ("sometime-before", Some("constraints")),
    ("within", Some("constraints")),
    ("unknown", None),
];

/// The report of a word that is known, but not supported, where no predicate has that name.
pub fn not_supported_word(word: &str) -> Option<String> {
    let is_meant = |name: &str| name.eq_ignore_ascii_case(word);
    let mut own = CONSTRUCTS.iter().filter(|construct| !construct.supported);
    let own = own.find(|construct| is_meant(construct.name));
    let (name, key) = match own {
        Some(construct) => (construct.name, construct.keys.first().copied()),
        None => UNSUPPORTED_ELSEWHERE
            .iter()
            .find(|(name, _)| is_meant(name))
            .copied()?,
    };
    let key = key.map_or_else(String::new, |key| format!(" (requirement `:{key}`)"));
    Some(format!("`{name}` is not supported yet{key}"))
}

/// Returns true if a word is a construct of the language, with whatever requirements: no good name for a predicate in a
/// file that is to be written.
pub fn is_construct(word: &str) -> bool {
    let names = CONSTRUCTS.iter().map(|construct| construct.name);
    let mut names = names.chain(CONDITIONS.iter().copied());
    names.any(|name| name.eq_ignore_ascii_case(word)) || is_effect_word(word)
}
