//! Minimal acyclic deterministic automata of finite sets of words, or of tuples of words.

use num_bigint::BigUint;

use super::alphabet::{END, Symbol};
use super::diagram::{DONE, StateId, Store};

/// The minimal deterministic automaton of a finite set.
///
/// A member is a tuple of [`Automaton::parts`] words, each followed by [`END`]: a set of plain words
/// has one part, and a state is accepting where an `END` leaves it. States are numbered in
/// topological order from the initial state 0; the last one has no transitions and nothing left
/// to read. Equal sets give equal automata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    parts: usize,
    first: Vec<u32>,
    transitions: Vec<(Symbol, u32)>,
}

impl Automaton {
    /// Copies out of a store what is reachable from a state.
    pub(super) fn extract(store: &Store<'_>, root: Option<StateId>, parts: usize) -> Self {
        let Some(root) = root else {
            return Self {
                parts,
                ..Self::default()
            };
        };
        // Targets have smaller ids: one downward sweep finds what is reachable, in order.
        let mut number = vec![u32::MAX; root as usize + 1];
        number[root as usize] = 0;
        let mut order = Vec::new();
        for state in (DONE..=root).rev() {
            if number[state as usize] == u32::MAX {
                continue;
            }
            number[state as usize] = order.len() as u32;
            order.push(state);
            for &(_, target) in store.transitions(state) {
                number[target as usize] = 0;
            }
        }
        let mut first = vec![0];
        let mut transitions = Vec::new();
        for &state in &order {
            let leaving = store.transitions(state).iter();
            transitions.extend(leaving.map(|&(symbol, target)| (symbol, number[target as usize])));
            first.push(transitions.len() as u32);
        }
        Self {
            parts,
            first,
            transitions,
        }
    }

    /// The number of words in a member.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The number of states, the one after the last [`END`] not counted. 0 for the empty set.
    pub fn states(&self) -> usize {
        self.first.len().saturating_sub(2)
    }

    /// The transitions that leave a state, ascending by symbol: the symbol and the state reached.
    pub fn transitions(&self, state: u32) -> &[(Symbol, u32)] {
        let state = state as usize;
        &self.transitions[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// Returns true if a word may end in a state.
    pub fn accepts(&self, state: u32) -> bool {
        matches!(self.transitions(state).first(), Some((END, _)))
    }

    /// Returns true if the set has no member.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The number of members.
    pub fn count(&self) -> BigUint {
        if self.is_empty() {
            return BigUint::ZERO;
        }
        let states = self.first.len() - 1;
        let mut counts = vec![BigUint::ZERO; states];
        counts[states - 1] = BigUint::from(1_u32);
        for state in (0..states - 1).rev() {
            counts[state] = self
                .transitions(state as u32)
                .iter()
                .map(|&(_, target)| &counts[target as usize])
                .sum();
        }
        counts.swap_remove(0)
    }

    /// The least and the greatest number of symbols in a member, all parts together.
    pub fn lengths(&self) -> Option<(u32, u32)> {
        if self.is_empty() {
            return None;
        }
        let states = self.first.len() - 1;
        let mut lengths = vec![(0, 0); states];
        for state in (0..states - 1).rev() {
            let mut best = (u32::MAX, 0);
            for &(symbol, target) in self.transitions(state as u32) {
                let (shortest, longest) = lengths[target as usize];
                let step = u32::from(symbol != END);
                best = (best.0.min(shortest + step), best.1.max(longest + step));
            }
            lengths[state] = best;
        }
        Some(lengths[0])
    }

    /// The state that a symbol leads to.
    fn next(&self, state: u32, symbol: Symbol) -> Option<u32> {
        let leaving = self.transitions(state);
        let position = leaving.binary_search_by_key(&symbol, |&(symbol, _)| symbol);
        Some(leaving[position.ok()?].1)
    }

    /// Returns true if a tuple of words is a member.
    pub fn contains<W: AsRef<[Symbol]>>(&self, words: &[W]) -> bool {
        if self.is_empty() || words.len() != self.parts {
            return false;
        }
        let mut state = 0;
        for word in words {
            for &symbol in word.as_ref().iter().chain(&[END]) {
                match self.next(state, symbol) {
                    Some(target) => state = target,
                    None => return false,
                }
            }
        }
        true
    }

    /// The members in lexicographic order, first part first.
    pub fn iter(&self) -> Members<'_> {
        Members {
            automaton: self,
            path: Vec::new(),
            started: false,
        }
    }
}

impl<'a> IntoIterator for &'a Automaton {
    type Item = Vec<Vec<Symbol>>;
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

/// The members of an automaton's set in lexicographic order.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    automaton: &'a Automaton,
    /// The transitions taken from the initial state, by their index.
    path: Vec<u32>,
    started: bool,
}

impl Iterator for Members<'_> {
    type Item = Vec<Vec<Symbol>>;

    fn next(&mut self) -> Option<Self::Item> {
        let automaton = self.automaton;
        if automaton.is_empty() {
            return None;
        }
        if self.started {
            // Go back to the last state that has another transition.
            loop {
                let taken = self.path.pop()? + 1;
                let state = self.path.last().map_or(0, |&before| {
                    automaton.transitions[before as usize].1 as usize
                });
                if taken < automaton.first[state + 1] {
                    self.path.push(taken);
                    break;
                }
            }
        }
        self.started = true;
        loop {
            let state = self.path.last().map_or(0, |&before| {
                automaton.transitions[before as usize].1 as usize
            });
            let first = automaton.first[state];
            if first == automaton.first[state + 1] {
                break;
            }
            self.path.push(first);
        }
        let mut words = Vec::with_capacity(automaton.parts);
        let mut word = Vec::new();
        for &taken in &self.path {
            match automaton.transitions[taken as usize].0 {
                END => words.push(std::mem::take(&mut word)),
                symbol => word.push(symbol),
            }
        }
        Some(words)
    }
}
