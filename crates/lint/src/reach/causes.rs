//! Finds the common causes of what is never enabled: a graph of what each lacks and what would provide that.

use std::collections::{BTreeMap, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::writers::{Need, Owner, Writers};
use brigade_compile::ground::relaxed::Relaxed;

/// The providers of a fact.
struct Provided {
    /// Its node, after those of what lacks facts.
    node: NodeIndex,
    /// The first that would, if nothing but what is never enabled does.
    first: Option<usize>,
    /// True if something that is reached changes it, for other arguments.
    elsewhere: bool,
}

/// The graph of disabled schemas, by number, with the facts that each lacks, and the disabled schemas that would
/// provide these. An edge leads from what provides a fact to the fact, and from the fact to what lacks it.
pub(super) struct Causes {
    graph: DiGraph<(), ()>,
    facts: BTreeMap<Need, Provided>,
    /// By number, true if it lacks a fact that needs the schema itself.
    in_circle: Vec<bool>,
    /// By node, true if it was given by [`Causes::dependents`].
    taken: Vec<bool>,
}

impl Causes {
    /// The owners, each with the fact that it lacks where it lacks but one.
    pub(super) fn new(
        relaxed: &Relaxed<'_>,
        writers: &Writers,
        lacking: &[(Owner, Option<&Need>)],
    ) -> Self {
        let numbers: BTreeMap<Owner, usize> = (0..)
            .zip(lacking)
            .map(|(number, &(owner, _))| (owner, number))
            .collect();
        let mut graph = DiGraph::with_capacity(lacking.len(), lacking.len());
        for _ in lacking {
            graph.add_node(());
        }
        let mut facts: BTreeMap<Need, Provided> = BTreeMap::new();
        for (number, &(_, need)) in lacking.iter().enumerate() {
            let Some(need) = need else { continue };
            if let Some(known) = facts.get(need) {
                graph.add_edge(known.node, NodeIndex::new(number), ());
                continue;
            }
            let node = graph.add_node(());
            let mut provided = Provided {
                node,
                first: None,
                elsewhere: false,
            };
            let found = writers.all(relaxed, need);
            // Past what may be looked at, it is taken for something that is reached.
            let providers = found.and_then(|found| {
                let known = found.iter().map(|writer| numbers.get(&writer.owner));
                known.collect::<Option<Vec<_>>>()
            });
            match providers {
                None => provided.elsewhere = true,
                Some(providers) => {
                    provided.first = providers.first().map(|&&first| first);
                    for &&provider in &providers {
                        graph.add_edge(NodeIndex::new(provider), node, ());
                    }
                }
            }
            graph.add_edge(node, NodeIndex::new(number), ());
            facts.insert(need.clone(), provided);
        }
        let mut in_circle = vec![false; lacking.len()];
        for component in kosaraju_scc(&graph) {
            for node in component.iter().filter(|_| component.len() > 1) {
                if let Some(is_in_circle) = in_circle.get_mut(node.index()) {
                    *is_in_circle = true;
                }
            }
        }
        Self {
            taken: vec![false; graph.node_count()],
            graph,
            facts,
            in_circle,
        }
    }

    /// The first of what would provide a fact, where nothing else does.
    pub(super) fn provider(&self, need: Option<&Need>) -> Option<usize> {
        self.facts.get(need?)?.first
    }

    /// Returns true if something that is reached changes a fact, for other arguments.
    pub(super) fn is_elsewhere(&self, need: Option<&Need>) -> bool {
        need.and_then(|need| self.facts.get(need))
            .is_some_and(|provided| provided.elsewhere)
    }

    /// Returns true if a disabled schema lacks a fact that needs the schema itself.
    pub(super) fn is_in_circle(&self, number: usize) -> bool {
        self.in_circle[number]
    }

    /// Returns true if it was taken as a cause or given as a dependent.
    pub(super) fn is_taken(&self, number: usize) -> bool {
        self.taken[number]
    }

    /// Takes one cause, of which there may be several: gives all but the first of them, and all that
    /// is never enabled because of them and was not given before, in order.
    pub(super) fn dependents(&mut self, causes: &[usize]) -> Vec<usize> {
        let blocked = self.in_circle.len();
        let mut open: VecDeque<NodeIndex> = VecDeque::new();
        for &cause in causes {
            self.taken[cause] = true;
            open.push_back(NodeIndex::new(cause));
        }
        let mut all: Vec<usize> = causes.iter().skip(1).copied().collect();
        while let Some(node) = open.pop_front() {
            for next in self.graph.neighbors(node) {
                if !std::mem::replace(&mut self.taken[next.index()], true) {
                    all.extend(Some(next.index()).filter(|number| *number < blocked));
                    open.push_back(next);
                }
            }
        }
        all.sort_unstable();
        all
    }
}
