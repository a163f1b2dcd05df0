//! The atoms of conditions and effects: a fact, or several facts of one word as masked bits.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;

use super::ids::VarId;
use super::layout::Variable;
use super::state::State;

/// The smallest part of a condition or an effect: it holds in a state or not, and can be made to hold.
pub trait Atom: Copy + Eq + Hash + fmt::Debug {
    /// Returns whether it holds in a state.
    fn holds(self, variables: &[Variable], state: &State) -> bool;

    /// Makes it hold.
    fn apply(self, variables: &[Variable], state: &mut State);

    /// The fewest atoms that hold together where all of these do, in an order of their own; `None` if two
    /// contradict each other.
    fn all(atoms: &[Self]) -> Option<Vec<Self>>;
}

/// `variable = value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The variable.
    pub variable: VarId,
    /// The number that is stored.
    pub value: u32,
}

impl Fact {
    /// `variable = value`, by the index of the variable.
    pub const fn new(variable: usize, value: u32) -> Self {
        Self {
            variable: VarId(variable as u32),
            value,
        }
    }
}

impl Atom for Fact {
    #[inline]
    fn holds(self, variables: &[Variable], state: &State) -> bool {
        variables[self.variable.index()].get(state) == self.value
    }

    fn apply(self, variables: &[Variable], state: &mut State) {
        variables[self.variable.index()].set(state, self.value);
    }

    /// One fact per variable, by variable.
    fn all(facts: &[Self]) -> Option<Vec<Self>> {
        let mut merged = BTreeMap::new();
        for fact in facts {
            if *merged.entry(fact.variable).or_insert(fact.value) != fact.value {
                return None;
            }
        }
        let facts = merged.into_iter();
        Some(
            facts
                .map(|(variable, value)| Self { variable, value })
                .collect(),
        )
    }
}

/// Facts that share one word of the state: `state[word] & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Masked {
    /// The word.
    pub word: u16,
    /// The bits of the variables.
    pub mask: u64,
    /// Their values, in place.
    pub value: u64,
}

impl Masked {
    /// One fact.
    pub fn new(variables: &[Variable], fact: Fact) -> Self {
        let variable = &variables[fact.variable.index()];
        Self {
            word: variable.word,
            mask: variable.mask(),
            value: u64::from(fact.value) << variable.shift,
        }
    }

    /// Returns whether the other holds wherever it does.
    pub const fn implies(self, other: Self) -> bool {
        self.word == other.word
            && self.mask & other.mask == other.mask
            && self.value & other.mask == other.value
    }

    /// Returns whether it holds in a state.
    #[inline]
    pub fn matches(self, state: &State) -> bool {
        state.words()[self.word as usize] & self.mask == self.value
    }

    /// Makes it hold.
    #[inline]
    pub fn write(self, state: &mut State) {
        let word = &mut state.words_mut()[self.word as usize];
        *word = (*word & !self.mask) | self.value;
    }
}

impl Atom for Masked {
    #[inline]
    fn holds(self, _: &[Variable], state: &State) -> bool {
        self.matches(state)
    }

    #[inline]
    fn apply(self, _: &[Variable], state: &mut State) {
        self.write(state);
    }

    /// One per word, by word.
    fn all(tests: &[Self]) -> Option<Vec<Self>> {
        let mut merged: BTreeMap<u16, Self> = BTreeMap::new();
        for &test in tests {
            let other = merged.entry(test.word).or_insert(test);
            let shared = other.mask & test.mask;
            if other.value & shared != test.value & shared {
                return None;
            }
            other.mask |= test.mask;
            other.value |= test.value;
        }
        Some(merged.into_values().collect())
    }
}
