//! Open nodes of searches for plans.

use std::collections::{BTreeMap, VecDeque};

/// A half-step, and the number of a node in it.
pub(super) type Node = (usize, u32);

/// Open nodes in order of priority, the least first; of equal ones the first comes first.
pub(super) struct Queue<P> {
    buckets: BTreeMap<P, VecDeque<Node>>,
    /// The nodes that the buckets have room for.
    room: usize,
}

impl<P: Ord + Copy> Queue<P> {
    pub(super) const fn new() -> Self {
        Self {
            buckets: BTreeMap::new(),
            room: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    pub(super) fn push(&mut self, priority: P, node: Node) {
        let bucket = self.buckets.entry(priority).or_default();
        self.room -= bucket.capacity();
        bucket.push_back(node);
        self.room += bucket.capacity();
    }

    /// The first node, and its priority.
    pub(super) fn pop(&mut self) -> Option<(P, Node)> {
        let mut bucket = self.buckets.first_entry()?;
        let priority = *bucket.key();
        let node = bucket.get_mut().pop_front();
        if bucket.get().is_empty() {
            self.room -= bucket.remove().capacity();
        }
        Some((priority, node?))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let bucket = size_of::<(P, VecDeque<Node>)>();
        self.room * size_of::<Node>() + self.buckets.len() * bucket
    }
}
