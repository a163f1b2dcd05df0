//! References up to interchangeable objects.
//!
//! Two references are in one *orbit* if a permutation of interchangeable objects, applied to the
//! names in the labels, makes one of the other. Each orbit is represented by the member in which
//! the objects of each class appear in their order: no one before those that precede it (value
//! precedence; Y. C. Law, J. H. M. Lee, "Global Constraints for Integer and Set Value Precedence",
//! CP 2004). There is exactly one, and it is seen from how many of each class have appeared: the
//! automaton of representatives is that of all references with these numbers beside its states.
//!
//! A label may name objects otherwise than by its parameters. So a class counts only if the set of
//! references is seen to be closed under the exchange of its members.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::alphabet::{END, Symbol, key};
use super::automaton::Automaton;
use super::diagram::Store;
use super::limits::{LimitReached, Limits};
use super::{References, Tuple};

/// Objects by name, and those of them that are interchangeable, by class.
#[derive(Clone, Copy, Debug)]
pub struct Interchange<'a> {
    /// The names of all objects.
    pub names: &'a [String],
    /// For each class its members, by their places in `names`.
    pub classes: &'a [Vec<usize>],
}

/// The orbits of references.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// The names of interchangeable objects, by class.
    pub classes: Vec<Vec<String>>,
    /// The representatives.
    pub tuples: Automaton,
    /// Those of each agent's words; `None` where the words were given up.
    pub words: Vec<Option<Automaton>>,
    /// Those of the joint words.
    pub joint: Option<Automaton>,
    mentions: Mentions,
}

/// An object of a class: the class, and its place in it.
type Member = (u16, u16);

/// For each symbol the members of classes that its label names, in the order of its text.
type Mentions = Vec<Box<[Member]>>;

/// The number of members of each class that have appeared.
type Seen = Vec<u16>;

impl References {
    /// Finds the orbits.
    ///
    /// # Errors
    ///
    /// The references were given up, or their representatives were.
    pub fn orbits(
        &self,
        objects: Interchange<'_>,
        limits: &Limits<'_>,
    ) -> Result<Orbits, LimitReached> {
        let all = self.tuples.as_ref().map_err(|&limit| limit)?;
        let kept: Vec<&Vec<usize>> = objects
            .classes
            .iter()
            .filter(|class| self.name_any(objects.names, class))
            .filter(|class| self.are_closed(all, objects.names, class))
            .collect();
        let members: BTreeMap<usize, Member> = (0..)
            .zip(&kept)
            .flat_map(|(class, members)| {
                (0..)
                    .zip(members.iter())
                    .map(move |(place, &object)| (object, (class, place)))
            })
            .collect();
        let mentions: Mentions = (END..=self.alphabet.len() as Symbol)
            .map(|symbol| {
                let named = named(self.alphabet.text(symbol), objects.names);
                let named = named.filter_map(|(_, object)| members.get(&object?).copied());
                named.collect()
            })
            .collect();
        let classes = kept.len();
        let represented = |automaton: &Automaton, of: &dyn Fn(Symbol) -> Symbol| {
            representatives(
                automaton,
                classes,
                &|symbol| &mentions[of(symbol) as usize],
                limits,
            )
        };
        let itself = |symbol| symbol;
        let tuples = represented(all, &itself)?;
        let words = self.agents.iter().map(|agent| {
            let automaton = agent.automaton.as_ref().ok();
            automaton.map(|it| represented(it, &itself)).transpose()
        });
        let words = words.collect::<Result<_, _>>()?;
        let joint = self.joint.as_ref().ok();
        let joint = joint.map(|joint| {
            let label = |letter: Symbol| match letter {
                END => END,
                letter => joint.letters[letter as usize - 1].1,
            };
            represented(&joint.automaton, &label)
        });
        let joint = joint.transpose()?;
        let names = |class: &Vec<usize>| {
            let names = class.iter().map(|&object| objects.names[object].clone());
            names.collect()
        };
        Ok(Orbits {
            classes: kept.into_iter().map(names).collect(),
            tuples,
            words,
            joint,
            mentions,
        })
    }

    /// Returns true if some label names a member of a class.
    fn name_any(&self, names: &[String], class: &[usize]) -> bool {
        (END + 1..=self.alphabet.len() as Symbol).any(|symbol| {
            let mut parts = named(self.alphabet.text(symbol), names);
            parts.any(|(_, object)| object.is_some_and(|object| class.contains(&object)))
        })
    }

    /// Returns true if the exchange of two members of a class makes references of references.
    fn are_closed(&self, all: &Automaton, names: &[String], class: &[usize]) -> bool {
        class.windows(2).all(|pair| {
            let image = |symbol: Symbol| match symbol {
                END => Some(END),
                symbol => {
                    let parts = named(self.alphabet.text(symbol), names);
                    let renamed = parts.map(|(text, object)| match object {
                        Some(object) if object == pair[0] => &*names[pair[1]],
                        Some(object) if object == pair[1] => &*names[pair[0]],
                        _ => text,
                    });
                    self.alphabet.find(&key(&renamed.collect::<String>()))
                }
            };
            let images: Option<Vec<Symbol>> =
                (END..=self.alphabet.len() as Symbol).map(image).collect();
            images.is_some_and(|images| is_closed(all, &images))
        })
    }
}

impl Orbits {
    /// The number of orbits.
    pub fn total(&self) -> BigUint {
        self.tuples.count()
    }

    /// The number of references in the orbit of a reference: the permutations of each class that
    /// change which of its members appear.
    pub fn size(&self, tuple: &Tuple) -> BigUint {
        let symbols = tuple.iter().flatten();
        let named = symbols.flat_map(|&symbol| &self.mentions[symbol as usize]);
        let named: BTreeSet<Member> = named.copied().collect();
        let sizes = (0..).zip(&self.classes).map(|(class, members): (u16, _)| {
            let appear = named.iter().filter(|member| member.0 == class).count();
            let choices = members.len() - appear + 1..=members.len();
            choices.map(BigUint::from).product::<BigUint>()
        });
        sizes.product()
    }
}

/// The parts of a label's text: names of objects, each by its place in `names`, and what stands between
/// them. Of names that begin at one place the longest counts.
fn named<'t>(text: &'t str, names: &'t [String]) -> impl Iterator<Item = (&'t str, Option<usize>)> {
    let starts_word = |rest: &str| rest.starts_with(char::is_alphanumeric);
    let mut rest = text;
    let mut is_within_word = false;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let here = names.iter().enumerate().filter(|(_, name)| {
            let after = rest.strip_prefix(name.as_str());
            !is_within_word && !name.is_empty() && after.is_some_and(|after| !starts_word(after))
        });
        let object = here.max_by_key(|(_, name)| name.len());
        let length = object.map_or(first.len_utf8(), |(_, name)| name.len());
        let (part, after) = rest.split_at(length);
        is_within_word = part.ends_with(char::is_alphanumeric);
        rest = after;
        Some((part, object.map(|(object, _)| object)))
    })
}

/// Returns true if a set has the image of each of its members. The automaton is minimal, so that each of
/// its states has one image or the set is not closed.
fn is_closed(automaton: &Automaton, images: &[Symbol]) -> bool {
    if automaton.is_empty() {
        return true;
    }
    let states = automaton.states() as u32 + 1;
    let mut image_of: Vec<Option<u32>> = vec![None; states as usize];
    image_of[0] = Some(0);
    for state in 0..states {
        let Some(image) = image_of[state as usize] else {
            continue;
        };
        let transitions = automaton.transitions(state).iter();
        let mut renamed: Vec<(Symbol, u32)> = transitions
            .map(|&(symbol, target)| (images[symbol as usize], target))
            .collect();
        renamed.sort_unstable();
        let there = automaton.transitions(image);
        if renamed.len() != there.len() {
            return false;
        }
        for (&(symbol, target), &(same, target_there)) in renamed.iter().zip(there) {
            let known = image_of[target as usize].get_or_insert(target_there);
            if symbol != same || *known != target_there {
                return false;
            }
        }
    }
    true
}

/// The members of a set in which the objects of each class appear in their order.
fn representatives<'m>(
    automaton: &Automaton,
    classes: usize,
    mentions: &dyn Fn(Symbol) -> &'m [Member],
    limits: &Limits<'_>,
) -> Result<Automaton, LimitReached> {
    let mut store = Store::new(limits);
    if automaton.is_empty() {
        return Ok(Automaton::extract(&store, None, automaton.parts()));
    }
    let states = automaton.states() + 1;
    let mut reached: Vec<BTreeSet<Seen>> = vec![BTreeSet::new(); states];
    reached[0].insert(vec![0; classes]);
    let mut found = 0;
    for state in 0..states {
        let here = std::mem::take(&mut reached[state]);
        found += here.len();
        store.budget.check_states(found)?;
        for seen in &here {
            for &(symbol, target) in automaton.transitions(state as u32) {
                store.budget.spend(1 + classes)?;
                if let Some(next) = advance(seen, mentions(symbol)) {
                    reached[target as usize].insert(next);
                }
            }
        }
        reached[state] = here;
    }
    let mut built: Vec<BTreeMap<Seen, u32>> = vec![BTreeMap::new(); states];
    let mut transitions = Vec::new();
    for (state, here) in reached.into_iter().enumerate().rev() {
        for seen in here {
            transitions.clear();
            for &(symbol, target) in automaton.transitions(state as u32) {
                let next = advance(&seen, mentions(symbol));
                let there = next.and_then(|next| built[target as usize].get(&next));
                transitions.extend(there.map(|&there| (symbol, there)));
            }
            let id = store.state(&transitions)?;
            built[state].insert(seen, id);
        }
    }
    let root = built[0].first_key_value().map(|(_, &root)| root);
    Ok(Automaton::extract(&store, root, automaton.parts()))
}

/// The numbers after a label; `None` where one appears before another that precedes it.
fn advance(seen: &Seen, named: &[Member]) -> Option<Seen> {
    let mut seen = seen.clone();
    for &(class, place) in named {
        let count = &mut seen[usize::from(class)];
        if place > *count {
            return None;
        }
        *count += u16::from(place == *count);
    }
    Some(seen)
}
