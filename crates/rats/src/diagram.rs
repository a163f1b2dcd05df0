//! Finite sets of word tuples as minimal automata that share their states.
//!
//! A tuple `(u, v, …)` is written `u # v # … #`, where `#` is [`END`]. A state is the set of
//! what can follow; equal sets are one state, so that every automaton in the store is the minimal
//! deterministic acyclic one of its language (incremental construction as in J. Daciuk et al.,
//! "Incremental Construction of Minimal Acyclic Finite-State Automata", Computational Linguistics
//! 26(1), 2000; with union it is the "sequence binary decision diagram" of E. Loekito, J. Bailey
//! and J. Pei, Knowledge and Information Systems 24, 2010). Building them backward, from the goal
//! to the root, costs one union per node of the DAG; two nodes with the same futures cost one.

use hashbrown::{HashMap, HashTable};
use rustc_hash::{FxBuildHasher, FxHasher};
use std::hash::{Hash, Hasher};

use super::alphabet::{END, Symbol};
use super::limits::{Budget, LimitReached, Limits};

/// A state of the store, which stands for the set of continuations it accepts.
pub(super) type StateId = u32;

/// The set whose one member has nothing left to read.
pub(super) const DONE: StateId = 0;

/// A transition: the symbol read and the state reached.
pub(super) type Transition = (Symbol, StateId);

/// All states that were built; a state's targets have smaller ids than the state.
pub(super) struct Store<'a> {
    /// For each state the start of its transitions, and one past the last.
    first: Vec<usize>,
    /// Transitions grouped by state, each group ascending by symbol.
    transitions: Vec<Transition>,
    index: HashTable<StateId>,
    unions: HashMap<Box<[StateId]>, StateId, FxBuildHasher>,
    pub(super) budget: Budget<'a>,
}

fn hash(transitions: &[Transition]) -> u64 {
    let mut hasher = FxHasher::default();
    transitions.hash(&mut hasher);
    hasher.finish()
}

impl<'a> Store<'a> {
    pub(super) fn new(limits: &Limits<'a>) -> Self {
        let mut index = HashTable::new();
        index.insert_unique(hash(&[]), DONE, |_| 0);
        Self {
            first: vec![0, 0],
            transitions: Vec::new(),
            index,
            unions: HashMap::default(),
            budget: Budget::new(limits),
        }
    }

    /// The transitions of a state.
    pub(super) fn transitions(&self, state: StateId) -> &[Transition] {
        let state = state as usize;
        &self.transitions[self.first[state]..self.first[state + 1]]
    }

    fn states(&self) -> usize {
        self.first.len() - 1
    }

    /// The state with these transitions, which ascend by symbol.
    pub(super) fn state(&mut self, transitions: &[Transition]) -> Result<StateId, LimitReached> {
        self.budget.spend(1 + transitions.len())?;
        let Self {
            first,
            transitions: all,
            index,
            ..
        } = self;
        let of = |state: StateId| &all[first[state as usize]..first[state as usize + 1]];
        let hashed = hash(transitions);
        if let Some(&state) = index.find(hashed, |&state| of(state) == transitions) {
            return Ok(state);
        }
        self.budget.check_states(self.states())?;
        let state = self.states() as StateId;
        self.transitions.extend_from_slice(transitions);
        self.first.push(self.transitions.len());
        let Self {
            first,
            transitions: all,
            index,
            ..
        } = self;
        index.insert_unique(hashed, state, |&state| {
            hash(&all[first[state as usize]..first[state as usize + 1]])
        });
        Ok(state)
    }

    /// The set of words `word · w` for `w` in a set.
    pub(super) fn prepend(
        &mut self,
        word: &[Symbol],
        mut set: StateId,
    ) -> Result<StateId, LimitReached> {
        for &symbol in word.iter().rev() {
            set = self.state(&[(symbol, set)])?;
        }
        Ok(set)
    }

    /// The set of tuples `(words[0] · u, words[1] · v, …)` for `(u, v, …)` in a set.
    pub(super) fn prepend_to_each(
        &mut self,
        words: &[Vec<Symbol>],
        set: StateId,
    ) -> Result<StateId, LimitReached> {
        let Some(last) = words.iter().rposition(|word| !word.is_empty()) else {
            return Ok(set);
        };
        // A state belongs to one component only: the number of ENDs ahead of it shows which.
        let mut changed: HashMap<StateId, StateId, FxBuildHasher> = HashMap::default();
        let mut stack = vec![(set, 0_usize)];
        let mut result = Vec::new();
        while let Some(&(state, part)) = stack.last() {
            if part >= last {
                changed.insert(state, state);
            }
            if changed.contains_key(&state) {
                stack.pop();
                continue;
            }
            let depth = stack.len();
            result.clear();
            for &(symbol, target) in self.transitions(state) {
                match changed.get(&target) {
                    Some(&target) => result.push((symbol, target)),
                    None => stack.push((target, part + usize::from(symbol == END))),
                }
            }
            self.budget.spend(1)?;
            if stack.len() == depth {
                stack.pop();
                // END is the least symbol.
                if let Some((END, target)) = result.first_mut() {
                    *target = self.prepend(&words[part + 1], *target)?;
                }
                let built = self.state(&result)?;
                changed.insert(state, built);
            }
        }
        self.prepend(&words[0], changed[&set])
    }

    /// The union of sets.
    pub(super) fn union(&mut self, sets: &[StateId]) -> Result<Option<StateId>, LimitReached> {
        let mut all = sets.to_vec();
        all.sort_unstable();
        all.dedup();
        let all = all.into_boxed_slice();
        if all.len() <= 1 {
            return Ok(all.first().copied());
        }
        if let Some(&known) = self.unions.get(&all) {
            return Ok(Some(known));
        }
        let mut stack = vec![all.clone()];
        let mut reached: Vec<Transition> = Vec::new();
        let mut result: Vec<Transition> = Vec::new();
        let mut group: Vec<StateId> = Vec::new();
        while let Some(members) = stack.pop() {
            if self.unions.contains_key(&members) {
                continue;
            }
            reached.clear();
            for &member in &members {
                reached.extend_from_slice(self.transitions(member));
            }
            self.budget.spend(members.len() + reached.len())?;
            reached.sort_unstable();
            reached.dedup();
            result.clear();
            let mut missing = Vec::new();
            for same in reached.chunk_by(|a, b| a.0 == b.0) {
                if let [only] = same {
                    result.push(*only);
                    continue;
                }
                group.clear();
                group.extend(same.iter().map(|transition| transition.1));
                match self.unions.get(group.as_slice()) {
                    Some(&known) => result.push((same[0].0, known)),
                    None => missing.push(group.clone().into_boxed_slice()),
                }
            }
            if missing.is_empty() {
                let built = self.state(&result)?;
                self.budget.check_states(self.unions.len())?;
                self.unions.insert(members, built);
            } else {
                stack.push(members);
                stack.append(&mut missing);
            }
        }
        Ok(self.unions.get(&all).copied())
    }
}
