//! References one after another, in order, without the automaton of all of them.
//!
//! Walks the sets of nodes that a prefix of a word can lead to, one set per symbol of the word at
//! hand. Every node is on a plan, so no prefix is a dead end, and what comes before the next
//! reference is polynomial in the size of the graph, even where the automaton is not.

use std::collections::{BTreeMap, BTreeSet};

use super::alphabet::{END, Symbol};
use super::futures::{Futures, Projection};

/// The distinct words of a projection in lexicographic order.
struct Words {
    projection: Projection,
    /// For each symbol of the word at hand, and for its end, the choices that are left, in
    /// descending order; [`END`] as a choice ends the word.
    choices: Vec<Vec<(Symbol, Vec<u32>)>>,
    word: Vec<Symbol>,
}

impl Words {
    fn new(projection: Projection) -> Self {
        let mut words = Self {
            choices: Vec::new(),
            word: Vec::new(),
            projection,
        };
        if let Some(root) = words.projection.root {
            let choices = words.choices_at(vec![root]);
            words.choices.push(choices);
        }
        words
    }

    /// Returns the symbols that can be read next from a set of nodes, each with the nodes that it leads to.
    fn choices_at(&self, mut nodes: Vec<u32>) -> Vec<(Symbol, Vec<u32>)> {
        let mut choices: BTreeMap<Symbol, Vec<u32>> = BTreeMap::new();
        let mut visited = BTreeSet::new();
        while let Some(node) = nodes.pop() {
            if !visited.insert(node) {
                continue;
            }
            if node == Projection::FINAL {
                choices.insert(END, Vec::new());
            }
            for &(symbol, target) in self.projection.edges_from(node) {
                if symbol == END {
                    nodes.push(target);
                } else {
                    choices.entry(symbol).or_default().push(target);
                }
            }
        }
        choices
            .into_iter()
            .rev()
            .map(|(symbol, mut targets)| {
                targets.sort_unstable();
                targets.dedup();
                (symbol, targets)
            })
            .collect()
    }
}

impl Iterator for Words {
    type Item = Vec<Symbol>;

    fn next(&mut self) -> Option<Vec<Symbol>> {
        loop {
            let choices = self.choices.last_mut()?;
            match choices.pop() {
                None => {
                    self.choices.pop();
                    self.word.pop();
                }
                Some((END, _)) => return Some(self.word.clone()),
                Some((symbol, targets)) => {
                    self.word.push(symbol);
                    let next = self.choices_at(targets);
                    self.choices.push(next);
                }
            }
        }
    }
}

/// The distinct tuples of words of a graph in lexicographic order, first agent first.
pub(super) struct Tuples<'a> {
    futures: &'a Futures,
    agents: usize,
    /// For each agent so far its words that go with the words chosen before it.
    open: Vec<(Futures, Words)>,
    chosen: Vec<Vec<Symbol>>,
    started: bool,
}

impl<'a> Tuples<'a> {
    pub(super) fn new(futures: &'a Futures, agents: usize) -> Self {
        Self {
            futures,
            agents,
            open: Vec::new(),
            chosen: Vec::new(),
            started: false,
        }
    }

    fn open(&mut self, futures: Futures) {
        let words = Words::new(futures.projection(self.open.len() as u16));
        self.open.push((futures, words));
    }
}

impl Iterator for Tuples<'_> {
    type Item = Vec<Vec<Symbol>>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            self.started = true;
            if self.agents == 0 {
                return (!self.futures.is_empty()).then(Vec::new);
            }
            self.open(self.futures.clone());
        }
        loop {
            let agent = self.open.len().checked_sub(1)?;
            self.chosen.truncate(agent);
            let (futures, words) = &mut self.open[agent];
            let Some(word) = words.next() else {
                self.open.pop();
                continue;
            };
            if agent + 1 == self.agents {
                let mut tuple = self.chosen.clone();
                tuple.push(word);
                return Some(tuple);
            }
            let rest = futures.restrict(agent as u16, &word);
            self.chosen.push(word);
            self.open(rest);
        }
    }
}
