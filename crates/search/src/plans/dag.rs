//! The graph of all optimal plans, or of all within bounds: one path from the root to a final node
//! per plan.

use num_bigint::BigUint;

use brigade_task::{LabelId, LogEntry, OperatorId};

/// Index into [`PlanDag::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A point of some of the plans: a state in which one agent is about to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Ticks that have passed.
    pub tick: u32,
    /// Index of the agent whose choice comes next.
    pub agent: u16,
    /// True if the goal has been reached: plans end here, and no edge leaves.
    pub is_final: bool,
}

/// One agent's choice on some of the plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The node in which it starts.
    pub source: NodeId,
    /// The node to which it leads, which has a greater index.
    pub target: NodeId,
    /// The agent that chooses.
    pub agent: u16,
    /// The operator that it chooses.
    pub operator: OperatorId,
    /// The labels recorded as it is taken, in order, each with the agent it belongs to. Where all
    /// agents act at once, the labels of the whole step are on the edge of its last choice.
    pub log: Box<[LogEntry]>,
}

/// All optimal plans of a task, or all within bounds.
///
/// Node 0 is the root; nodes are in topological order; every node is on a path from the root to a
/// final node; edges are sorted by source, then agent, then operator. Two different paths have
/// different operator sequences, so the number of plans is the number of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanDag {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges, grouped by source.
    pub edges: Vec<Edge>,
    /// For each node the start of its edges in `edges`, and one past the last: `nodes.len() + 1`
    /// entries.
    pub first_edge: Vec<u32>,
    /// True if interchangeable objects may have changed places between an edge and those before it.
    /// The number of plans is right then, and so are ticks, agents and numbers of labels; operators
    /// and labels along a path name some object of the right class.
    pub is_up_to_symmetry: bool,
}

impl PlanDag {
    /// The one plan that is empty.
    pub(crate) fn of_the_empty_plan() -> Self {
        let end = Node {
            tick: 0,
            agent: 0,
            is_final: true,
        };
        Self::from_backward(vec![end], Vec::new())
    }

    /// From nodes and edges numbered backwards: the root has the greatest number, and every node a
    /// greater one than its successors.
    pub(crate) fn from_backward(mut nodes: Vec<Node>, mut edges: Vec<Edge>) -> Self {
        nodes.reverse();
        let greatest = (nodes.len() as u32).saturating_sub(1);
        for edge in &mut edges {
            edge.source = NodeId(greatest - edge.source.0);
            edge.target = NodeId(greatest - edge.target.0);
        }
        edges.sort_unstable_by_key(|edge| (edge.source, edge.agent, edge.operator));
        let mut first_edge = vec![0; nodes.len() + 1];
        for edge in &edges {
            first_edge[edge.source.index() + 1] += 1;
        }
        for index in 1..first_edge.len() {
            first_edge[index] += first_edge[index - 1];
        }
        Self {
            nodes,
            edges,
            first_edge,
            is_up_to_symmetry: false,
        }
    }

    /// The edges that leave a node.
    pub fn edges_from(&self, node: NodeId) -> &[Edge] {
        let range = self.first_edge[node.index()]..self.first_edge[node.index() + 1];
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The number of plans: of paths from the root to a final node.
    pub fn count(&self) -> BigUint {
        self.counts().into_iter().next().unwrap_or_default()
    }

    /// For each node, the number of paths from it to a final node.
    pub fn counts(&self) -> Vec<BigUint> {
        let mut counts = vec![BigUint::default(); self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            counts[index] = if self.nodes[index].is_final {
                BigUint::from(1_u32)
            } else {
                self.edges_from(NodeId(index as u32))
                    .iter()
                    .map(|edge| &counts[edge.target.index()])
                    .sum()
            };
        }
        counts
    }

    /// Every label that occurs, in order of id.
    pub fn labels(&self) -> Vec<LabelId> {
        let mut labels: Vec<_> = self
            .edges
            .iter()
            .flat_map(|edge| edge.log.iter().map(|entry| entry.label))
            .collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}
