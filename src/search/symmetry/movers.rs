//! Which exchanges move which facts: what may have to be exchanged after a step.
//!
//! Whether an exchange makes a state lexicographically less depends only on the facts of the state
//! that it moves. A successor of a state that no exchange lowers is lowered by none but those that
//! move a fact which the step has changed.

use std::collections::BTreeMap;

use super::Exchange;
use crate::task::layout::Field;

/// For each fact the exchanges that move it.
#[derive(Default)]
pub(super) struct Movers {
    /// For each word of a state the variables in it that exchanges move, and the number of the
    /// first fact of each.
    moved: Vec<Vec<(Field, u32)>>,
    /// For each fact its exchanges: so many words, a bit for each.
    sets: Vec<u64>,
    words: usize,
}

impl Movers {
    /// `size` tells how many values a variable has.
    pub(super) fn new(exchanges: &[Exchange], values: &[u32], size: impl Fn(Field) -> u32) -> Self {
        let all = exchanges.iter().flat_map(|exchange| &exchange.moves);
        let mut firsts: BTreeMap<Field, u32> = all.map(|one| (one.to, 0)).collect();
        let mut facts = 0;
        let mut found = Self {
            words: exchanges.len().div_ceil(64),
            ..Self::default()
        };
        for (&field, first) in &mut firsts {
            *first = facts;
            facts += size(field);
            if found.moved.len() <= field.word() {
                found.moved.resize(field.word() + 1, Vec::new());
            }
            found.moved[field.word()].push((field, *first));
        }
        found.sets = vec![0; facts as usize * found.words];
        for (index, exchange) in exchanges.iter().enumerate() {
            for one in &exchange.moves {
                for value in 0..size(one.to) {
                    let image = values[(one.values + value) as usize];
                    if one.from != one.to || image != value {
                        let set = (firsts[&one.to] + value) as usize * found.words;
                        found.sets[set + index / 64] |= 1 << (index % 64);
                    }
                }
            }
        }
        found
    }

    /// The number of words of a set of exchanges.
    pub(super) const fn words(&self) -> usize {
        self.words
    }

    /// Adds the exchanges that move what differs between two states.
    pub(super) fn add_change(&self, before: &[u64], after: &[u64], open: &mut [u64]) {
        for (word, moved) in self.moved.iter().enumerate() {
            if before[word] == after[word] {
                continue;
            }
            for &(field, first) in moved {
                let (old, new) = (field.get(before), field.get(after));
                if old != new {
                    self.add(first + old, open);
                    self.add(first + new, open);
                }
            }
        }
    }

    fn add(&self, fact: u32, open: &mut [u64]) {
        let first = fact as usize * self.words;
        for (open, set) in open.iter_mut().zip(&self.sets[first..first + self.words]) {
            *open |= set;
        }
    }
}
