//! One diagram: its layers, and the ticks that remain from each node at least.

use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use super::expansion::Expansion;
use crate::control::Control;
use crate::heuristics::cartesian::domains::Domains;
use crate::heuristics::cartesian::numbering::TooLarge;
use crate::threads::{Pieces, together};

/// Nodes that a worker takes at a time.
const PIECE: usize = 8;

/// Nodes whose successors are held at a time, before those with the same key are joined, at most.
const BLOCK: usize = 1024;

/// Words of the rows of such nodes, at most. Not tuned.
const BLOCK_WORDS: usize = 1 << 18;

/// Such nodes where rows are long, so that threads have enough to do. Not tuned.
const LEAST_BLOCK: usize = 16;

/// A set of states.
struct Node {
    row: Box<[u64]>,
    layer: u32,
    /// A lower bound on the ticks from any of its states to the goal.
    remaining: u32,
    is_goal: bool,
    /// The nodes that hold the states one timestep on; those out of reach of the horizon are left out.
    successors: Vec<u32>,
}

/// A relaxed decision diagram.
pub(super) struct Diagram {
    key: Vec<u32>,
    nodes: Vec<Node>,
    by_key: FxHashMap<Box<[u32]>, Vec<u32>>,
    edges: usize,
    horizon: u32,
    pub(super) reaches_goal: bool,
}

/// The limits of a diagram, and the work done.
pub(super) struct Budget<'c> {
    pub(super) control: &'c dyn Control,
    pub(super) threads: usize,
    /// Bytes that may still be held.
    pub(super) bytes: usize,
    /// Parts of nodes and states of walks that may still be followed.
    pub(super) work: u64,
}

/// The reason why there is no diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unbuilt {
    /// A node leads to more sets than can be followed.
    TooLarge,
    /// A limit was reached.
    Stopped,
}

impl From<TooLarge> for Unbuilt {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// The rows that a node leads to, and the work that took.
type Expanded = Result<(Vec<Box<[u64]>>, u64), TooLarge>;

impl Diagram {
    /// Builds the diagram of all states that may lie on a plan of at most `horizon` ticks from a row.
    ///
    /// # Errors
    ///
    /// A node leads to too much, or a limit was reached.
    pub(super) fn build(
        expansion: &Expansion,
        start: &[u64],
        coarser: &[&Self],
        horizon: u32,
        budget: &mut Budget,
    ) -> Result<Self, Unbuilt> {
        let mut diagram = Self {
            key: expansion.key.clone(),
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            edges: 0,
            horizon,
            reaches_goal: false,
        };
        let domains = &expansion.model.domains;
        diagram.meet(domains, start.into(), 0, 0);
        let most = (BLOCK_WORDS / domains.row_words().max(1)).clamp(LEAST_BLOCK, BLOCK);
        let mut layer = 0..1;
        for tick in 1..=horizon {
            let first = diagram.nodes.len();
            while !layer.is_empty() {
                let block = layer.start..layer.end.min(layer.start + most);
                layer.start = block.end;
                for (node, rows) in block.clone().zip(diagram.expand(expansion, block, budget)?) {
                    let (rows, work) = rows?;
                    budget.work = budget.work.checked_sub(work).ok_or(Unbuilt::Stopped)?;
                    for row in rows {
                        if lower(coarser, domains, &row, horizon - tick).is_some() {
                            let target = diagram.meet(domains, row, tick, first);
                            diagram.connect(node, target);
                        }
                    }
                }
                if diagram.bytes() > budget.bytes {
                    return Err(Unbuilt::Stopped);
                }
            }
            for node in &mut diagram.nodes[first..] {
                node.is_goal = expansion.is_goal(&node.row) != Some(false);
                diagram.reaches_goal |= node.is_goal;
            }
            layer = first..diagram.nodes.len();
            if layer.is_empty() {
                break;
            }
        }
        diagram.measure();
        Ok(diagram)
    }

    /// The rows that nodes lead to, in order.
    fn expand(
        &self,
        expansion: &Expansion,
        layer: std::ops::Range<usize>,
        budget: &Budget,
    ) -> Result<Vec<Expanded>, Unbuilt> {
        let nodes = &self.nodes[layer];
        let mut results: Vec<Option<Expanded>> = nodes.iter().map(|_| None).collect();
        let pieces = Pieces::new(nodes.chunks(PIECE).zip(results.chunks_mut(PIECE)));
        let is_stopped = AtomicBool::new(false);
        let work = |poll: &dyn Fn() -> bool| {
            while let Some((nodes, results)) = pieces.take() {
                if poll() || is_stopped.load(Ordering::Relaxed) {
                    is_stopped.store(true, Ordering::Relaxed);
                    return;
                }
                for (node, result) in nodes.iter().zip(results) {
                    let mut work = 1;
                    let rows = if expansion.is_goal(&node.row) == Some(true) {
                        Ok(Vec::new())
                    } else {
                        expansion.successors(&node.row, &mut work)
                    };
                    *result = Some(rows.map(|rows| (rows, work)));
                }
            }
        };
        let own = |(): &mut ()| work(&|| budget.control.stop().is_some());
        together(&mut vec![(); budget.threads], |()| work(&|| false), own);
        let results = results.into_iter().collect::<Option<_>>();
        results.ok_or(Unbuilt::Stopped)
    }

    /// The node of a layer, which begins with node `first`, that holds a row with one value of each variable of
    /// the key: one of an earlier layer that holds all of it, else that of its key, which is extended, else a new
    /// one.
    fn meet(&mut self, domains: &Domains, row: Box<[u64]>, layer: u32, first: usize) -> u32 {
        let key = domains.singles(&row, &self.key).unwrap_or_default();
        let same_key = self.by_key.entry(key).or_default();
        for &node in &*same_key {
            let known = &mut self.nodes[node as usize].row;
            if (node as usize) >= first {
                for (word, more) in known.iter_mut().zip(&row) {
                    *word |= more;
                }
                return node;
            }
            if holds(known, &row) {
                return node;
            }
        }
        let node = self.nodes.len() as u32;
        same_key.push(node);
        self.nodes.push(Node {
            row,
            layer,
            remaining: u32::MAX,
            is_goal: false,
            successors: Vec::new(),
        });
        node
    }

    fn connect(&mut self, node: usize, target: u32) {
        let successors = &mut self.nodes[node].successors;
        if !successors.contains(&target) {
            successors.push(target);
            self.edges += 1;
        }
    }

    /// Computes the ticks that remain, backward from the goal. What was left out lies beyond the horizon.
    fn measure(&mut self) {
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (node, from) in self.nodes.iter().zip(0..) {
            for &to in &node.successors {
                predecessors[to as usize].push(from);
            }
        }
        let mut frontier: Vec<u32> = (0..self.nodes.len() as u32)
            .filter(|&node| self.nodes[node as usize].is_goal)
            .collect();
        for ticks in 0.. {
            let mut next = Vec::new();
            for node in frontier {
                let known = &mut self.nodes[node as usize].remaining;
                if *known == u32::MAX {
                    *known = ticks;
                    next.append(&mut predecessors[node as usize]);
                }
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        for node in &mut self.nodes {
            node.remaining = node.remaining.min(self.horizon - node.layer + 1);
        }
    }

    /// A lower bound on the ticks that remain from all states of a row that can be reached; `None` if none of them
    /// lies on a plan within the horizon. Nothing is known of rows with several values of a variable of the
    /// key.
    ///
    /// Every state that lies on such a plan is in some node. So a node that holds the whole row bounds all
    /// its states; and where there is none, all nodes that hold some of it do together. Also those of later
    /// layers: a state that is reached at one tick may be in a node for a set that was met earlier.
    pub(super) fn remaining(&self, domains: &Domains, row: &[u64]) -> Option<u32> {
        let Some(key) = domains.singles(row, &self.key) else {
            return Some(0);
        };
        let nodes = self.by_key.get(&key)?.iter();
        let (mut whole, mut parts) = (None::<u32>, None::<u32>);
        for node in nodes.map(|&node| &self.nodes[node as usize]) {
            if whole.is_some_and(|greatest| node.remaining <= greatest) {
                continue;
            }
            if holds(&node.row, row) {
                whole = Some(node.remaining);
            } else if parts.is_none_or(|least| node.remaining < least)
                && domains.meet(&node.row, row)
            {
                parts = Some(node.remaining);
            }
        }
        whole.or(parts)
    }

    /// The row of the node that shows most for a row.
    pub(super) fn node_row(&self, domains: &Domains, row: &[u64]) -> Option<&[u64]> {
        let key = domains.singles(row, &self.key)?;
        let nodes = self.by_key.get(&key)?.iter();
        let nodes = nodes.map(|&node| &self.nodes[node as usize]);
        let holding = nodes.filter(|node| holds(&node.row, row));
        let node = holding.max_by_key(|node| (node.remaining, node.layer))?;
        Some(&node.row)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let row = self.nodes.first().map_or(0, |node| size_of_val(&*node.row));
        let key = self.key.len() * 4 + 2 * size_of::<Vec<u32>>();
        self.nodes.len() * (row + size_of::<Node>() + key + 4) + self.edges * 4
    }
}

/// The greatest of the bounds of some diagrams, coarse ones first, if it is at most `left`; `None` if a plan through
/// the row takes more ticks, as far as the diagrams show.
pub(super) fn lower(
    diagrams: &[&Diagram],
    domains: &Domains,
    row: &[u64],
    left: u32,
) -> Option<u32> {
    let mut greatest = 0;
    for diagram in diagrams.iter().rev() {
        greatest = greatest.max(diagram.remaining(domains, row)?);
        if greatest > left {
            return None;
        }
    }
    Some(greatest)
}

/// Returns whether a row has all values of another.
fn holds(row: &[u64], other: &[u64]) -> bool {
    row.iter().zip(other).all(|(have, want)| want & !have == 0)
}
