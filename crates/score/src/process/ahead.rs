//! Follows an agent's next and later actions on the optimal plans: its labels in the graph of all of them.

use std::collections::BTreeSet;

use brigade_search::dag::{NodeId, PlanDag};
use brigade_task::LabelId;

/// A place where some optimal plans may be: at a node, or after some of an agent's labels of one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Node(NodeId),
    /// The edge, and how many of the agent's labels there are passed.
    Within(u32, usize),
}

/// The optimal plans that are left after an agent has recorded certain labels.
#[derive(Clone, Debug)]
pub(super) struct Ahead<'d> {
    dag: &'d PlanDag,
    agent: u16,
    places: BTreeSet<Place>,
}

impl<'d> Ahead<'d> {
    /// All plans of the graph, for one agent.
    pub(super) fn new(dag: &'d PlanDag, agent: usize) -> Self {
        Self {
            dag,
            agent: agent as u16,
            places: BTreeSet::from([Place::Node(NodeId(0))]),
        }
    }

    /// The plans on which one of these labels is the agent's next; `None` if there are none.
    pub(super) fn after(&self, labels: &[LabelId]) -> Option<Self> {
        let mut places = BTreeSet::new();
        self.visit(false, &mut |label, place| {
            if labels.contains(&label) {
                places.insert(place);
            }
        });
        (!places.is_empty()).then_some(Self { places, ..*self })
    }

    /// Returns true if the agent records one of these labels, sooner or later, on some of the plans.
    pub(super) fn has(&self, labels: &[LabelId]) -> bool {
        let mut found = false;
        self.visit(true, &mut |label, _| found |= labels.contains(&label));
        found
    }

    /// Visits the agent's labels with the places after them: the next on each plan, or all.
    fn visit(&self, all: bool, found: &mut dyn FnMut(LabelId, Place)) {
        let mut seen = vec![false; self.dag.nodes.len()];
        let mut open: Vec<Place> = self.places.iter().copied().collect();
        while let Some(place) = open.pop() {
            match place {
                Place::Node(node) => {
                    if std::mem::replace(&mut seen[node.index()], true) {
                        continue;
                    }
                    let first = self.dag.first_edge[node.index()];
                    let edges = self.dag.edges_from(node).len() as u32;
                    open.extend((first..first + edges).map(|edge| Place::Within(edge, 0)));
                }
                Place::Within(index, passed) => {
                    let edge = &self.dag.edges[index as usize];
                    let own = edge.log.iter().filter(|entry| entry.agent == self.agent);
                    let mut rest = own.skip(passed);
                    let Some(next) = rest.next() else {
                        open.push(Place::Node(edge.target));
                        continue;
                    };
                    let after = match rest.next() {
                        Some(_) => Place::Within(index, passed + 1),
                        None => Place::Node(edge.target),
                    };
                    found(next.label, after);
                    if all {
                        open.push(after);
                    }
                }
            }
        }
    }
}
