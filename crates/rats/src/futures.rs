//! The DAG of plans with operators and ticks forgotten: nodes with the same futures are one.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::alphabet::{Alphabet, END, Symbol};
use super::diagram::{DONE, Store};
use super::limits::LimitReached;
use brigade_search::dag::{NodeId, PlanDag};

/// The labels that one edge records: ordered by agent, and for each agent in the order recorded. The interleaving of
/// different agents' labels is of no account here.
type Log = Box<[(u16, Symbol)]>;

/// Index of the log that records nothing.
const SILENT: u32 = 0;

/// The node at which plans end.
const FINAL: u32 = 0;

/// An acyclic graph whose paths record the same tuples of words as the optimal plans do.
#[derive(Clone, Debug)]
pub(super) struct Futures {
    logs: Vec<Log>,
    first: Vec<u32>,
    /// Log and target, grouped by source; targets have smaller indices than their source.
    edges: Vec<(u32, u32)>,
    /// `None` where there is no plan.
    root: Option<u32>,
}

/// Builds the graph from the end of plans to their start.
struct Builder {
    logs: IndexSet<Log, FxBuildHasher>,
    nodes: HashMap<Box<[(u32, u32)]>, u32, FxBuildHasher>,
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Builder {
    fn new() -> Self {
        let mut logs = IndexSet::default();
        logs.insert(Log::default());
        Self {
            logs,
            nodes: HashMap::default(),
            first: vec![0, 0],
            edges: Vec::new(),
        }
    }

    fn log(&mut self, mut entries: Vec<(u16, Symbol)>) -> u32 {
        entries.sort_by_key(|&(agent, _)| agent);
        self.logs.insert_full(entries.into_boxed_slice()).0 as u32
    }

    /// The node with these edges.
    fn node(&mut self, mut edges: Vec<(u32, u32)>) -> u32 {
        edges.sort_unstable();
        edges.dedup();
        if let [(SILENT, target)] = edges[..] {
            return target;
        }
        let Self {
            nodes,
            first,
            edges: all,
            ..
        } = self;
        *nodes
            .entry(edges.into_boxed_slice())
            .or_insert_with_key(|edges| {
                all.extend_from_slice(edges);
                first.push(all.len() as u32);
                first.len() as u32 - 2
            })
    }

    fn finish(self, root: Option<u32>) -> Futures {
        Futures {
            logs: self.logs.into_iter().collect(),
            first: self.first,
            edges: self.edges,
            root,
        }
    }
}

impl Futures {
    /// The node at which plans end.
    pub(super) const FINAL: u32 = FINAL;

    /// Merges the nodes of a DAG.
    pub(super) fn of(dag: &PlanDag, alphabet: &Alphabet) -> Self {
        let mut builder = Builder::new();
        let mut nodes = vec![FINAL; dag.nodes.len()];
        for (index, node) in dag.nodes.iter().enumerate().rev() {
            if node.is_final {
                continue;
            }
            let edges = dag
                .edges_from(NodeId(index as u32))
                .iter()
                .map(|edge| {
                    let log = edge.log.iter();
                    let log = log.map(|entry| (entry.agent, alphabet.symbol(entry.label)));
                    (builder.log(log.collect()), nodes[edge.target.index()])
                })
                .collect();
            nodes[index] = builder.node(edges);
        }
        let root = nodes.first().copied();
        builder.finish(root)
    }

    fn nodes(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The node at which plans start, the one with the greatest index; `None` without plans.
    pub(super) fn root(&self) -> Option<u32> {
        self.root
    }

    /// Returns the labels that an edge records.
    pub(super) fn log(&self, log: u32) -> &[(u16, Symbol)] {
        &self.logs[log as usize]
    }

    /// The edges that leave a node: log, and target, which has a smaller index.
    pub(super) fn edges_from(&self, node: u32) -> &[(u32, u32)] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Copies the logs to another builder without those entries that are not kept.
    fn filter_logs(&self, builder: &mut Builder, keep: impl Fn(u16) -> bool) -> Vec<u32> {
        let kept = |log: &Log| {
            let entries = log.iter().copied();
            entries.filter(|&(agent, _)| keep(agent)).collect()
        };
        self.logs.iter().map(|log| builder.log(kept(log))).collect()
    }

    /// The graph that records one agent's labels only.
    pub(super) fn of_agent(&self, agent: u16) -> Self {
        let mut builder = Builder::new();
        let logs = self.filter_logs(&mut builder, |other| other == agent);
        let mut nodes = vec![FINAL; self.nodes() as usize];
        for node in FINAL + 1..self.nodes() {
            let edges = self.edges_from(node).iter();
            let edges = edges.map(|&(log, target)| (logs[log as usize], nodes[target as usize]));
            nodes[node as usize] = builder.node(edges.collect());
        }
        let root = self.root.map(|root| nodes[root as usize]);
        builder.finish(root)
    }

    /// The graph of the plans in which an agent's word is the given one, without that agent.
    ///
    /// Takes time proportional to the edges and to the number of prefixes of the word that can be
    /// recorded on the way to a node.
    pub(super) fn restrict(&self, agent: u16, word: &[Symbol]) -> Self {
        let mut builder = Builder::new();
        let logs = self.filter_logs(&mut builder, |other| other != agent);
        let Some(root) = self.root else {
            return builder.finish(None);
        };
        let own: Vec<Vec<Symbol>> = self
            .logs
            .iter()
            .map(|log| {
                let own = log.iter().filter(|entry| entry.0 == agent);
                own.map(|entry| entry.1).collect()
            })
            .collect();
        // How much of the word may have been recorded when a plan comes to a node.
        let mut recorded = vec![BTreeSet::new(); self.nodes() as usize];
        recorded[root as usize].insert(0);
        for node in (FINAL + 1..=root).rev() {
            let here = std::mem::take(&mut recorded[node as usize]);
            for &(log, target) in self.edges_from(node) {
                let own = &own[log as usize];
                let there = &mut recorded[target as usize];
                there.extend(
                    here.iter()
                        .filter(|&&before| word[before..].starts_with(own))
                        .map(|before| before + own.len()),
                );
            }
            recorded[node as usize] = here;
        }
        // Node by node the positions from which the rest of the word can be recorded.
        let mut nodes: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.nodes() as usize];
        if recorded[FINAL as usize].contains(&word.len()) {
            nodes[FINAL as usize].push((word.len(), FINAL));
        }
        for node in FINAL + 1..=root {
            for &before in &recorded[node as usize] {
                let mut edges = Vec::new();
                for &(log, target) in self.edges_from(node) {
                    let own = &own[log as usize];
                    let after = before + own.len();
                    let there = &nodes[target as usize];
                    if let Ok(found) = there.binary_search_by_key(&after, |entry| entry.0)
                        && word[before..].starts_with(own)
                    {
                        edges.push((logs[log as usize], there[found].1));
                    }
                }
                if !edges.is_empty() {
                    nodes[node as usize].push((before, builder.node(edges)));
                }
            }
        }
        let root = nodes[root as usize].first().map(|&(_, node)| node);
        builder.finish(root)
    }

    /// Returns true if no plan is left.
    pub(super) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The set of recorded tuples of words, as a state of the store.
    pub(super) fn tuples(
        &self,
        agents: &[u16],
        store: &mut Store<'_>,
    ) -> Result<Option<u32>, LimitReached> {
        let Some(root) = self.root else {
            return Ok(None);
        };
        let words: Vec<Vec<Vec<Symbol>>> = self
            .logs
            .iter()
            .map(|log| {
                let of = |agent: u16| log.iter().filter(move |entry| entry.0 == agent);
                let words = agents.iter();
                words
                    .map(|&agent| of(agent).map(|entry| entry.1).collect())
                    .collect()
            })
            .collect();
        let mut sets = vec![DONE; self.nodes() as usize];
        sets[FINAL as usize] = store.prepend(&vec![END; agents.len()], DONE)?;
        let mut parts = Vec::new();
        for node in FINAL + 1..=root {
            parts.clear();
            for &(log, target) in self.edges_from(node) {
                parts.push(store.prepend_to_each(&words[log as usize], sets[target as usize])?);
            }
            if let Some(set) = store.union(&parts)? {
                sets[node as usize] = set;
            }
        }
        Ok(Some(sets[root as usize]))
    }

    /// One agent's labels, at most one on each edge.
    pub(super) fn projection(&self, agent: u16) -> Projection {
        let source = self.of_agent(agent);
        let mut projection = Projection {
            first: vec![0, 0],
            edges: Vec::new(),
            root: None,
        };
        let mut nodes = vec![FINAL; source.nodes() as usize];
        for node in FINAL + 1..source.nodes() {
            let mut edges = Vec::new();
            for &(log, target) in source.edges_from(node) {
                let mut target = nodes[target as usize];
                let mut symbol = END;
                for (later, &(_, earlier)) in source.logs[log as usize].iter().rev().enumerate() {
                    if later > 0 {
                        target = projection.push(&[(symbol, target)]);
                    }
                    symbol = earlier;
                }
                edges.push((symbol, target));
            }
            nodes[node as usize] = projection.push(&edges);
        }
        projection.root = source.root.map(|root| nodes[root as usize]);
        projection
    }
}

/// An acyclic nondeterministic automaton of one agent's words.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    first: Vec<u32>,
    /// Symbol, [`END`] on silent edges, and target, which has a smaller index than the source.
    edges: Vec<(Symbol, u32)>,
    pub(super) root: Option<u32>,
}

impl Projection {
    /// The node at which words end.
    pub(super) const FINAL: u32 = FINAL;

    fn push(&mut self, edges: &[(Symbol, u32)]) -> u32 {
        self.edges.extend_from_slice(edges);
        self.first.push(self.edges.len() as u32);
        self.first.len() as u32 - 2
    }

    pub(super) fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// The edges that leave a node: symbol, [`END`] if silent, and target.
    pub(super) fn edges_from(&self, node: u32) -> &[(Symbol, u32)] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// For each node, the lengths of the shortest and of the longest word from it.
    pub(super) fn lengths(&self) -> Vec<(u32, u32)> {
        let mut lengths = vec![(0, 0); self.nodes()];
        for node in 1..self.nodes() {
            let mut best = (u32::MAX, 0);
            for &(symbol, target) in self.edges_from(node as u32) {
                let (shortest, longest) = lengths[target as usize];
                let step = u32::from(symbol != END);
                best = (best.0.min(shortest + step), best.1.max(longest + step));
            }
            lengths[node] = best;
        }
        lengths
    }
}
