//! The nodes on a path and those beside it that are still to be followed, as a stack.

use std::cmp::Reverse;

use crate::heuristics::Estimate;
use brigade_task::State;

/// A node that was met.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) half: usize,
    pub(super) hash: u64,
    /// The cost of the way to it.
    pub(super) so_far: Estimate,
    /// Lower bounds on the rest, and on the whole.
    pub(super) rest: Estimate,
    pub(super) total: Estimate,
}

/// A node on the path.
pub(super) struct Frame {
    /// Itself, and where its successors begin; those that are left are before `next`.
    pub(super) node: usize,
    pub(super) first: usize,
    pub(super) next: usize,
    /// The least total with which a path through it was left.
    pub(super) least: Estimate,
    /// Nodes that were expanded before it.
    pub(super) expanded: u64,
}

/// Nodes with their states, by number.
pub(super) struct Nodes {
    words: usize,
    met: Vec<Node>,
    states: Vec<u64>,
    /// Working space of [`Self::sort`].
    order: Vec<usize>,
    sorted: (Vec<Node>, Vec<u64>),
}

impl Nodes {
    pub(super) const fn new(words: usize) -> Self {
        Self {
            words,
            met: Vec::new(),
            states: Vec::new(),
            order: Vec::new(),
            sorted: (Vec::new(), Vec::new()),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.met.len()
    }

    pub(super) fn push(&mut self, node: Node, state: &State) {
        self.met.push(node);
        self.states.extend_from_slice(state.words());
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.met.truncate(len);
        self.states.truncate(len * self.words);
    }

    pub(super) fn node(&self, number: usize) -> Node {
        self.met[number]
    }

    pub(super) fn set(&mut self, number: usize, node: Node) {
        self.met[number] = node;
    }

    pub(super) fn state(&self, number: usize) -> &State {
        State::from_words(&self.states[number * self.words..][..self.words])
    }

    pub(super) fn bytes(&self) -> usize {
        self.met.capacity() * size_of::<Node>() + self.states.capacity() * size_of::<u64>()
    }

    /// Sorts those from `first` on by their totals; of equal ones the deeper come first, in the
    /// order in which they were met otherwise.
    pub(super) fn sort(&mut self, first: usize) {
        let met = &self.met;
        let key = |&number: &usize| {
            let node = &met[number];
            (node.total, Reverse(node.so_far.makespan))
        };
        self.order.clear();
        self.order.extend(first..met.len());
        if self.order.is_sorted_by_key(key) {
            return;
        }
        self.order.sort_by_key(key);
        let (sorted, states) = &mut self.sorted;
        sorted.clear();
        states.clear();
        for &number in &self.order {
            sorted.push(self.met[number]);
            states.extend_from_slice(&self.states[number * self.words..][..self.words]);
        }
        self.met[first..].copy_from_slice(sorted);
        self.states[first * self.words..].copy_from_slice(states);
    }
}
