//! The words that are constructs in this file.
//!
//! The words of standard PDDL are reserved. Those of the extensions are not: `(log ?x)` or
//! `(count a b)` may be atoms of a standard domain. Such a word is a construct where the domain's
//! `:requirements` name its key; without the key it is an atom if a predicate or function of that
//! name is declared, and otherwise the requirement was forgotten.

use std::collections::BTreeSet;

use super::super::tree::{Node, Tree};
use super::construct::{
    CONSTRUCTS, Construct, Place, SEMANTICS, is_condition_word, is_effect_word, is_reserved,
};
use super::present::Present;
use super::private_block::private_items;
use super::requirements::{MAX_REQUIREMENTS, meant_requirement};

/// The use of a word, where it stands.
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

    /// Returns the use of a word at the head of a list that stands in this place.
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
