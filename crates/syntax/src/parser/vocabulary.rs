//! Which words are constructs in this file.
//!
//! The words of standard PDDL are reserved. Those of the extensions are not: `(log ?x)` or
//! `(count a b)` may be atoms of a standard domain. Such a word is a construct where the domain's
//! `:requirements` name its key; without the key it is an atom if a predicate or function of that
//! name is declared, and otherwise the requirement was forgotten.

use std::collections::BTreeSet;

use super::super::tree::{Node, Tree};
use super::domain::MAX_REQUIREMENTS;
use super::formula::is_condition_word;
use super::privacy::private_items;
use super::sections::Present;
use brigade_diagnostics::suggest;

/// Where a construct may stand.
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
const SEMANTICS: &str = "semantics";

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
fn meant_requirement(text: &str) -> String {
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

/// Can no predicate or function have this name, because it begins a condition in whatever domain? Old files
/// declare `=`.
pub fn is_reserved(word: &str) -> bool {
    is_condition_word(word) && word.starts_with(|c: char| c.is_ascii_alphabetic())
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

/// What to write instead of a construct that stands where a fact is needed, such as an effect in a
/// condition or among the facts of `:init`; `None` of another word.
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

/// Whether a word is a construct of the language, with whatever requirements: no good name for a
/// predicate in a file that is to be written.
pub fn is_construct(word: &str) -> bool {
    let names = CONSTRUCTS.iter().map(|construct| construct.name);
    let mut names = names.chain(CONDITIONS.iter().copied());
    names.any(|name| name.eq_ignore_ascii_case(word)) || is_effect_word(word)
}

/// What a word is, where it stands.
pub(super) enum Use {
    Atom,
    Construct(&'static Construct),
    NeedsRequirement(&'static Construct),
}

/// The words of one file.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// The requirements; `None` for a problem, whose domain is not known here: every construct is
    /// then taken for one, and the later stages, which know both, check the requirement.
    requirements: Option<BTreeSet<String>>,
    /// The predicates and functions.
    declared: BTreeSet<String>,
    /// The types that are declared in this file.
    pub(super) types: BTreeSet<String>,
    /// The objects that this file declares with a name that may be a number, such as `3e8`.
    objects: BTreeSet<String>,
    /// Those that are predicates for certain.
    predicates: BTreeSet<String>,
    /// The semantics that the domain names, in lower case, if it has a section for them.
    semantics: Option<BTreeSet<String>>,
    /// Is all that the file may use declared in it?
    pub(super) is_domain: bool,
}

impl Vocabulary {
    /// Looks ahead through the sections of a domain, in whatever order they stand.
    pub(super) fn of_domain(sections: &[Tree<'_>]) -> Self {
        let mut vocabulary = Self::default();
        let mut requirements = BTreeSet::new();
        let mut are_known = true;
        let mut present = Present::in_domain(sections);
        let mut left = MAX_REQUIREMENTS;
        for section in sections {
            let Some(rest) = section.items().and_then(|items| items.get(1..)) else {
                continue;
            };
            match present.meant(section).unwrap_or_default() {
                "requirements" => {
                    let rest = present.bare_requirements(section).unwrap_or(rest);
                    // Those that follow are reported, and not read.
                    let read = &rest[..rest.len().min(left)];
                    left -= read.len();
                    let keys = read.iter().filter_map(|tree| match tree.node {
                        Node::Keyword(text) | Node::Name(text) => Some(meant_requirement(text)),
                        _ => None,
                    });
                    requirements.extend(keys);
                    are_known &= !rest.iter().any(|tree| matches!(tree.node, Node::Junk));
                }
                section @ ("predicates" | "functions" | "transient") => {
                    let items = rest
                        .iter()
                        .flat_map(|tree| private_items(tree).unwrap_or(std::slice::from_ref(tree)));
                    let heads = items.filter_map(|tree| tree.items()?.first()?.name());
                    let heads = heads.filter(|name| !is_reserved(name));
                    let names: Vec<String> = heads.map(str::to_ascii_lowercase).collect();
                    if section == "predicates" {
                        vocabulary.predicates.extend(names.iter().cloned());
                    }
                    vocabulary.declared.extend(names);
                }
                "types" => {
                    let names = rest.iter().filter_map(Tree::name);
                    let names = names.filter(|name| *name != "-");
                    vocabulary.types.extend(names.map(str::to_ascii_lowercase));
                }
                "semantics" => {
                    let names = rest.iter().filter_map(Tree::name);
                    let known = vocabulary.semantics.get_or_insert_default();
                    known.extend(names.map(str::to_ascii_lowercase));
                }
                _ => {}
            }
        }
        vocabulary.requirements = are_known.then_some(requirements);
        vocabulary.is_domain = true;
        vocabulary.note_objects(sections);
        vocabulary
    }

    /// Looks ahead through the sections of a problem.
    pub(super) fn of_problem(sections: &[Tree<'_>]) -> Self {
        let mut vocabulary = Self::default();
        vocabulary.note_objects(sections);
        vocabulary
    }

    fn note_objects(&mut self, sections: &[Tree<'_>]) {
        let sections = sections.iter().filter_map(Tree::items);
        for items in sections {
            let is_of_objects = items.first().is_some_and(|head| {
                matches!(head.node, Node::Keyword(key)
                    if ["objects", "constants"].iter().any(|own| own.eq_ignore_ascii_case(key)))
            });
            if is_of_objects {
                let names = items
                    .iter()
                    .flat_map(|item| private_items(item).unwrap_or(std::slice::from_ref(item)))
                    .filter(|item| item.numeral().is_some());
                let names = names.filter_map(Tree::name).map(str::to_ascii_lowercase);
                self.objects.extend(names);
            }
        }
    }

    /// Does this file declare an object of that name, which may be a number?
    pub(super) fn is_object(&self, name: &str) -> bool {
        self.objects.contains(&name.to_ascii_lowercase())
    }

    /// Is a requirement declared (or is that not known here)?
    pub(super) fn has(&self, key: &str) -> bool {
        self.requirements
            .as_ref()
            .is_none_or(|requirements| requirements.contains(key))
    }

    /// Is a predicate or function of that name declared in this file?
    pub(super) fn declares(&self, name: &str) -> bool {
        self.declared.contains(&name.to_ascii_lowercase())
    }

    /// Is it a predicate that is declared in this file, and no function?
    pub(super) fn is_predicate(&self, name: &str) -> bool {
        self.predicates.contains(&name.to_ascii_lowercase())
    }

    /// The predicates and functions of this file.
    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        self.declared.iter().map(String::as_str)
    }

    /// What a word is at the head of a list that stands in this place.
    pub(super) fn use_of(&self, word: &str, place: Place) -> Use {
        let Some(construct) = CONSTRUCTS
            .iter()
            .find(|c| c.place == place && c.name.eq_ignore_ascii_case(word))
        else {
            return Use::Atom;
        };
        if construct.name == SEMANTICS {
            return if self.semantics.is_some() || !self.declares(word) {
                Use::Construct(construct)
            } else {
                Use::Atom
            };
        }
        if construct.keys.iter().any(|key| self.has(key)) {
            Use::Construct(construct)
        } else if self.declares(word) {
            Use::Atom
        } else {
            Use::NeedsRequirement(construct)
        }
    }

    /// Is it a word of the language in this place, and no name of the author's?
    pub(super) fn is_construct(&self, word: &str, place: Place) -> bool {
        let is_standard = match place {
            Place::Formula => is_condition_word(word),
            Place::Effect => is_condition_word(word) || is_effect_word(word),
            Place::Term => false,
        };
        let is_own = || matches!(self.use_of(word, place), Use::Construct(_));
        !self.declares(word) && (is_standard || is_own())
    }

    /// Does the domain name such a semantics?
    pub(super) fn is_semantics(&self, name: &str) -> bool {
        let named = self.semantics.as_ref();
        named.is_some_and(|names| names.contains(&name.to_ascii_lowercase()))
    }

    /// Does a word that the author declares as a predicate or function lose that meaning
    /// somewhere, because a requirement makes it a construct?
    pub(super) fn hides(&self, word: &str) -> Option<&'static Construct> {
        self.requirements.as_ref()?;
        CONSTRUCTS.iter().find(|construct| {
            construct.name.eq_ignore_ascii_case(word) && construct.keys.iter().any(|k| self.has(k))
        })
    }
}
