//! A set of bits of the state.

use std::collections::BTreeMap;

use super::layout::Variable;

/// A set of bits of the state: few words of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(BTreeMap<u16, u64>);

impl Bits {
    /// Adds bits of one word.
    pub fn add(&mut self, word: u16, mask: u64) {
        *self.0.entry(word).or_default() |= mask;
    }

    /// Adds the field of a variable.
    pub fn variable(&mut self, variable: &Variable) {
        self.add(variable.word, variable.mask());
    }

    /// Its words that hold any, ascending, with their bits.
    pub fn masks(&self) -> impl Iterator<Item = (u16, u64)> {
        self.0.iter().map(|(&word, &mask)| (word, mask))
    }

    /// Returns true if the two have a bit in common; fast where `other` is small.
    pub fn meets(&self, other: &Self) -> bool {
        let mut others = other.0.iter();
        others.any(|(word, mask)| self.0.get(word).is_some_and(|own| own & mask != 0))
    }
}
