//! Symmetry: states that differ only in which of interchangeable objects is where are one (N.
//! Pochter, A. Zohar, J. S. Rosenschein, "Exploiting Problem Symmetries in State-Based Planners",
//! AAAI 2011).
//!
//! Objects are interchangeable if exchanging their names leaves the whole task as it is, the initial
//! state apart: operators of each agent, events, delayed effects, axioms, goal, losing states and
//! costs. `find` tries pairs of names, `renaming` says what an exchange does to variables and values,
//! `form` compares the task before and after, and `order` says which effects may change places.
//!
//! Such an exchange σ is an automorphism of the state space: s → s' by an operator o if and only if
//! σ(s) → σ(s') by σ(o), at the same cost, with as many labels of the same agents. So a state may be
//! replaced by any σ(s), and a search that does so finds the same optimum and the same number of
//! plans. A state is replaced by one that no exchange of neighbours within a class makes
//! lexicographically less. Where variables mention several objects at once there may be more than
//! one such state for an orbit; that costs time and changes no answer.

mod find;
mod form;
mod order;
mod renaming;

use rustc_hash::FxHashMap;

use super::options::Control;
use crate::task::Task;
use crate::task::layout::{Field, Variable};

/// Where a variable's new value comes from when two objects change places.
#[derive(Clone)]
struct Move {
    /// The variable.
    to: Field,
    /// The one whose value it takes.
    from: Field,
    /// What each value of that one becomes.
    values: Box<[u32]>,
}

/// Two neighbours of a class that change places.
#[derive(Clone)]
struct Exchange {
    /// Their places among all members of classes.
    members: (usize, usize),
    /// In order of the variables.
    moves: Vec<Move>,
}

/// The interchangeable objects of a task.
pub(super) struct Symmetries {
    exchanges: Vec<Exchange>,
    /// The number of members of each class.
    sizes: Vec<usize>,
}

/// What becomes of a value of a variable: the variable and value that take its place.
pub(super) type FactRenaming<'a> = Box<dyn Fn(u32, u32) -> (u32, u32) + 'a>;

/// Which member of a class stands for which: `self.0[member]` is what the member has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permutation(Box<[u16]>);

impl Symmetries {
    /// `None` if no two objects of the task are interchangeable. What is found by the time that
    /// `control` says stop holds.
    pub(super) fn find(task: &Task, control: &dyn Control) -> Option<Self> {
        let mut found = Self {
            exchanges: Vec::new(),
            sizes: Vec::new(),
        };
        let mut members = 0;
        for class in find::classes(task, control) {
            let size = class.exchanges.len() + 1;
            if members + size > usize::from(u16::MAX) {
                break;
            }
            for (index, renaming) in class.exchanges.iter().enumerate() {
                let moves = renaming.moved.iter().map(|&to| {
                    let from = renaming.variable(to);
                    Move {
                        to: task.variables[to as usize].field(),
                        from: task.variables[from as usize].field(),
                        values: renaming.values[&from].clone(),
                    }
                });
                found.exchanges.push(Exchange {
                    members: (members + index, members + index + 1),
                    moves: moves.collect(),
                });
            }
            found.sizes.push(size);
            members += size;
        }
        (!found.exchanges.is_empty()).then_some(found)
    }

    /// How many objects may change places.
    pub(super) fn members(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// For each exchange the two members that change places, the first just before the second.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        self.exchanges.iter().map(|exchange| exchange.members)
    }

    /// For each exchange what becomes of a value of a variable.
    pub(super) fn renamings<'a>(&'a self, variables: &'a [Variable]) -> Vec<FactRenaming<'a>> {
        let ids = variables.iter().zip(0..);
        let ids: FxHashMap<Field, u32> = ids.map(|(variable, id)| (variable.field(), id)).collect();
        let renaming = |exchange: &'a Exchange| {
            let moves = exchange.moves.iter();
            let moves: FxHashMap<u32, (u32, &[u32])> = moves
                .map(|one| (ids[&one.from], (ids[&one.to], &*one.values)))
                .collect();
            let image = move |variable: u32, value: u32| match moves.get(&variable) {
                None => (variable, value),
                Some((to, values)) => (*to, values[value as usize]),
            };
            Box::new(image) as FactRenaming
        };
        self.exchanges.iter().map(renaming).collect()
    }

    /// Every object stands for itself.
    pub(super) fn identity(&self) -> Permutation {
        Permutation((0..self.members() as u16).collect())
    }

    /// The exchanges that leave a state as it is; `None` if there are none.
    pub(super) fn fixing(&self, state: &[u64]) -> Option<Self> {
        let exchanges = self.exchanges.iter().filter(|exchange| {
            let mut moves = exchange.moves.iter();
            moves.all(|one| one.new_value(state) == one.to.get(state))
        });
        let exchanges: Vec<Exchange> = exchanges.cloned().collect();
        (!exchanges.is_empty()).then(|| Self {
            exchanges,
            sizes: self.sizes.clone(),
        })
    }

    /// Replaces a state by one that stands for its orbit. `buffer` is working space.
    pub(super) fn canonicalize(&self, state: &mut [u64], buffer: &mut Vec<u64>) {
        self.lower(state, buffer, |_| {});
    }

    /// The same, with the exchanges that it took noted in a permutation, after those noted before.
    pub(super) fn canonicalize_noting(
        &self,
        state: &mut [u64],
        buffer: &mut Vec<u64>,
        permutation: &mut Permutation,
    ) {
        self.lower(state, buffer, |exchange| {
            let (left, right) = exchange.members;
            for member in &mut permutation.0 {
                if usize::from(*member) == left {
                    *member = right as u16;
                } else if usize::from(*member) == right {
                    *member = left as u16;
                }
            }
        });
    }

    fn lower<'s>(
        &'s self,
        state: &mut [u64],
        buffer: &mut Vec<u64>,
        mut note: impl FnMut(&'s Exchange),
    ) {
        let mut is_lowered = true;
        while is_lowered {
            is_lowered = false;
            for exchange in &self.exchanges {
                if exchange.lowers(state) {
                    exchange.apply(state, buffer);
                    note(exchange);
                    is_lowered = true;
                }
            }
        }
    }

    /// Lets the objects of a state change places as in a permutation.
    pub(super) fn permute(
        &self,
        permutation: &Permutation,
        state: &mut [u64],
        buffer: &mut Vec<u64>,
    ) {
        // Sorting by exchanges of neighbouring places composes the permutation of them, the first
        // exchange first.
        let mut left = permutation.0.clone();
        let mut is_sorted = false;
        while !is_sorted {
            is_sorted = true;
            for exchange in &self.exchanges {
                let (first, second) = exchange.members;
                if left[first] > left[second] {
                    left.swap(first, second);
                    exchange.apply(state, buffer);
                    is_sorted = false;
                }
            }
        }
    }
}

impl Move {
    fn new_value(&self, state: &[u64]) -> u32 {
        self.values[self.from.get(state) as usize]
    }
}

impl Exchange {
    /// Whether the exchange makes a state lexicographically less.
    fn lowers(&self, state: &[u64]) -> bool {
        for one in &self.moves {
            let (old, new) = (one.to.get(state), one.new_value(state));
            if old != new {
                return new < old;
            }
        }
        false
    }

    fn apply(&self, state: &mut [u64], buffer: &mut Vec<u64>) {
        buffer.clear();
        buffer.extend_from_slice(state);
        for one in &self.moves {
            one.to.set(state, one.new_value(buffer));
        }
    }
}
