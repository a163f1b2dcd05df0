//! The references of one task that another does not have, counted without listing them.
//!
//! Both sets are minimal automata of tuples of words. A pair of states, one of each, stands for what
//! can still be read from both; beyond a symbol that the other automaton does not know there is a state
//! of the first alone, and all that follows it is missing there. The pairs form an acyclic graph, over
//! which the members of the difference are counted and, along pairs with any, listed in order.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::alphabet::{END, Symbol};
use super::automaton::Automaton;
use super::limits::LimitReached;
use super::{References, Tuple};

/// References that another task does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of tuples.
    pub count: BigUint,
    /// The first of them, in order.
    pub first: Vec<Tuple>,
}

/// A state of the one automaton, and of the other if that is not left behind.
type Pair = (u32, Option<u32>);

/// The references of `one` that are none of `other`, by the texts of their labels without spaces, and
/// the first `listed` of them. Agents are compared by position. An error says that an automaton was
/// given up, or that there would be more than `most` pairs of states.
pub fn difference(
    one: &References,
    other: &References,
    listed: usize,
    most: usize,
) -> Result<Difference, LimitReached> {
    let (a, b) = (
        one.tuples.as_ref().map_err(|&limit| limit)?,
        other.tuples.as_ref().map_err(|&limit| limit)?,
    );
    let symbols = (0..=one.alphabet.len() as Symbol).map(|symbol| match symbol {
        END => Some(END),
        symbol => other.alphabet.find(one.alphabet.text(symbol)),
    });
    let walk = Walk {
        a,
        b,
        symbols: symbols.collect(),
    };
    walk.difference(listed, most)
}

/// Two automata side by side.
struct Walk<'a> {
    a: &'a Automaton,
    b: &'a Automaton,
    /// For each symbol of the first the one of the second that means the same.
    symbols: Vec<Option<Symbol>>,
}

impl Walk<'_> {
    fn difference(&self, listed: usize, most: usize) -> Result<Difference, LimitReached> {
        if self.a.is_empty() {
            return Ok(Difference {
                count: BigUint::ZERO,
                first: Vec::new(),
            });
        }
        let root = (0, (!self.b.is_empty()).then_some(0));
        // Targets have greater numbers than their sources: pairs in order are in topological order.
        let mut counts: BTreeMap<Pair, BigUint> = BTreeMap::from([(root, BigUint::ZERO)]);
        let mut at = Some(root);
        while let Some(pair) = at {
            for (_, target) in self.next(pair) {
                counts.entry(target).or_default();
            }
            if counts.len() > most {
                return Err(LimitReached::States);
            }
            let after = (std::ops::Bound::Excluded(pair), std::ops::Bound::Unbounded);
            at = counts.range(after).next().map(|(&pair, _)| pair);
        }
        let pairs: Vec<Pair> = counts.keys().rev().copied().collect();
        for pair in pairs {
            let count = if self.a.transitions(pair.0).is_empty() {
                // All words are read. So has the other, unless it was left behind or wants more.
                let is_member = |b: u32| self.b.transitions(b).is_empty();
                BigUint::from(u32::from(!pair.1.is_some_and(is_member)))
            } else {
                let targets = self.next(pair);
                targets.map(|(_, target)| &counts[&target]).sum()
            };
            counts.insert(pair, count);
        }
        let first = self.first(root, &counts, listed);
        let count = counts.remove(&root).unwrap_or_default();
        Ok(Difference { count, first })
    }

    /// Returns the successors of a pair, with the symbols that lead there, ascending by symbol.
    fn next(&self, (a, b): Pair) -> impl Iterator<Item = (Symbol, Pair)> + '_ {
        let transitions = self.a.transitions(a).iter();
        transitions.map(move |&(symbol, target)| {
            let there = b.and_then(|b| {
                let symbol = self.symbols[symbol as usize]?;
                let leaving = self.b.transitions(b);
                let at = leaving.binary_search_by_key(&symbol, |&(symbol, _)| symbol);
                Some(leaving[at.ok()?].1)
            });
            (symbol, (target, there))
        })
    }

    /// The first members of the difference, in order.
    fn first(&self, root: Pair, counts: &BTreeMap<Pair, BigUint>, listed: usize) -> Vec<Tuple> {
        let mut found = Vec::new();
        let mut word: Vec<Symbol> = Vec::new();
        // What is still to be tried at each symbol of the word, in descending order.
        let mut choices = vec![self.promising(root, counts)];
        if counts[&root] == BigUint::ZERO {
            return found;
        }
        while found.len() < listed {
            let Some(open) = choices.last_mut() else {
                break;
            };
            let Some((symbol, pair)) = open.pop() else {
                choices.pop();
                word.pop();
                continue;
            };
            word.push(symbol);
            if self.a.transitions(pair.0).is_empty() {
                found.push(tuple(&word));
                word.pop();
            } else {
                choices.push(self.promising(pair, counts));
            }
        }
        found
    }

    /// The symbols after which there is a member, in descending order.
    fn promising(&self, pair: Pair, counts: &BTreeMap<Pair, BigUint>) -> Vec<(Symbol, Pair)> {
        let next = self.next(pair);
        let mut promising: Vec<(Symbol, Pair)> = next
            .filter(|(_, target)| counts[target] != BigUint::ZERO)
            .collect();
        promising.reverse();
        promising
    }
}

/// Words that each end with [`END`].
fn tuple(symbols: &[Symbol]) -> Tuple {
    let words = symbols.split_inclusive(|&symbol| symbol == END);
    words.map(|word| word[..word.len() - 1].to_vec()).collect()
}
