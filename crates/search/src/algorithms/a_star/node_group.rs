//! Groups of nodes that are expanded at once: their successors, and the estimates asked for.

use std::cmp::Reverse;

use brigade_task::State;
use rustc_hash::FxHashMap;

use crate::heuristics::{Answer, Estimate};
use crate::measure::Key;
use crate::space::batch::Met;
use crate::space::node_kind::NodeKind;
use crate::space::open_list::Priority;

/// A lower bound on the worth of a plan through a successor.
#[derive(Clone, Copy)]
pub(super) enum Worth {
    /// It ends there.
    Final,
    /// By the answer of this index.
    Asked(usize),
    /// As much as one through the node before it. An earlier group that is still pending asks about
    /// it.
    AskedBefore,
    /// As much as one through the node before it.
    Inherited,
}

/// A successor that is to be met.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) hash: u64,
    pub(super) key: Key,
    pub(super) labels: u32,
    pub(super) half: usize,
    /// The number of the node before it.
    pub(super) parent: u32,
    pub(super) worth: Worth,
}

/// States of which it is asked whether a plan through them is worth more than is known.
#[derive(Default)]
pub(super) struct Asked {
    /// The words of all.
    pub(super) states: Vec<u64>,
    /// The most that the cost-to-go may be, to change nothing.
    pub(super) most: Vec<Estimate>,
    pub(super) answers: Vec<Answer>,
}

/// Nodes that are expanded, or estimated again, at once.
pub(super) struct NodeGroup {
    pub(super) priority: Priority,
    pub(super) nodes: Vec<u32>,
    /// Their successors.
    pub(super) arrivals: Vec<Arrival>,
    /// The words of all successors.
    pub(super) states: Vec<u64>,
    /// By hash, a successor about which it is asked.
    known: FxHashMap<u64, usize>,
    pub(super) asked: Asked,
}

impl Asked {
    /// Asks whether a plan through a state that was reached so is worth more than `total`.
    pub(super) fn push(&mut self, state: &State, (key, labels): (Key, u32), total: Estimate) {
        self.states.extend_from_slice(state.words());
        self.most.push(Estimate {
            first: total.first.saturating_sub(key.0),
            makespan: total.makespan.saturating_sub(key.1),
            labels: total.labels.saturating_sub(labels),
        });
    }
}

impl Default for NodeGroup {
    fn default() -> Self {
        Self {
            priority: (Estimate::ZERO, Reverse(0), Reverse(0), false),
            nodes: Vec::new(),
            arrivals: Vec::new(),
            states: Vec::new(),
            known: FxHashMap::default(),
            asked: Asked::default(),
        }
    }
}

impl NodeGroup {
    /// Forgets everything; the next nodes have this priority.
    pub(super) fn clear(&mut self, priority: Priority) {
        self.priority = priority;
        self.nodes.clear();
        self.arrivals.clear();
        self.states.clear();
        self.known.clear();
        self.asked.states.clear();
        self.asked.most.clear();
        self.asked.answers.clear();
    }

    /// Returns whether the nodes are estimated, rather than their successors.
    pub(super) const fn asks_about_nodes(&self) -> bool {
        self.priority.3
    }

    /// The half-step of the nodes.
    pub(super) const fn half(&self) -> usize {
        self.priority.2.0
    }

    /// Adds a successor; about each state it is asked once, also where it `is_asked` in groups
    /// before.
    pub(super) fn push(&mut self, met: &Met, kind: NodeKind, is_asked: bool) {
        let worth = if kind == NodeKind::Final {
            Worth::Final
        } else if !met.is_ticked {
            Worth::Inherited
        } else if is_asked {
            Worth::AskedBefore
        } else if let Some(same) = self.asked_about(met) {
            self.arrivals[same].worth
        } else {
            self.known.insert(met.hash, self.arrivals.len());
            (self.asked).push(met.state, (met.key, met.labels), self.priority.0);
            Worth::Asked(self.asked.most.len() - 1)
        };
        self.states.extend_from_slice(met.state.words());
        self.arrivals.push(Arrival {
            hash: met.hash,
            key: met.key,
            labels: met.labels,
            half: met.half,
            parent: met.source.node.id,
            worth,
        });
    }

    pub(super) fn is_asked_about(&self, met: &Met) -> bool {
        self.asked_about(met).is_some()
    }

    /// The number of a successor of the same state about which it is asked.
    fn asked_about(&self, met: &Met) -> Option<usize> {
        let words = met.state.words().len();
        let known = *self.known.get(&met.hash)?;
        let state = &self.states[known * words..][..words];
        (state == met.state.words()).then_some(known)
    }
}

/// The worth of a plan through a state that was reached so, at least, and true if it may turn out
/// to be more, by the answer of its comparison with `total`; `None` if no goal can be reached.
pub(super) fn worth(answer: Answer, so_far: Estimate, total: Estimate) -> Option<(Estimate, bool)> {
    let with = |rest: Estimate| rest.plus(so_far.first, so_far.makespan, so_far.labels);
    match answer {
        Answer::AtMost => Some((total.max(so_far), false)),
        Answer::Exactly(Estimate::DEAD) => None,
        Answer::Exactly(rest) => Some((with(rest), false)),
        Answer::AtLeast(rest) => Some((with(rest), with(rest) > total)),
    }
}
