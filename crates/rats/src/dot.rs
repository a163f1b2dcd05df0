//! Automata and the DAG of plans as Graphviz graphs.

use petgraph::dot::Dot;
use petgraph::graph::{DiGraph, NodeIndex};
use thiserror::Error;

use super::References;
use super::alphabet::{END, Symbol};
use super::automaton::Automaton;
use super::orbits::Orbits;
use brigade_search::dag::{Edge, PlanDag};

/// The graph has too many nodes to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the graph has {nodes} nodes, more than the limit of {limit}")]
pub struct TooLarge {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Nodes that were allowed.
    pub limit: usize,
}

/// A node's text, and whether something may end there.
type Drawn = (String, bool);

fn check(nodes: usize, limit: usize) -> Result<(), TooLarge> {
    if nodes > limit {
        return Err(TooLarge { nodes, limit });
    }
    Ok(())
}

fn render(graph: &DiGraph<Drawn, String>) -> String {
    let labelled = graph.map(|_, (text, _)| text.as_str(), |_, text| text.as_str());
    let shape = |_, (node, _): (NodeIndex, &&str)| {
        let shape = if graph[node].1 {
            "doublecircle"
        } else {
            "circle"
        };
        format!("shape = {shape}")
    };
    let plain = |_, _| String::new();
    let dot = Dot::with_attr_getters(&labelled, &[], &plain, &shape);
    format!("{dot}")
}

/// An automaton: states by number, accepting ones as double circles, transitions by the text of
/// their symbol. Where members have several parts, `#` goes from one part to the next.
///
/// # Errors
///
/// The graph has more nodes than `limit`.
pub fn automaton(
    automaton: &Automaton,
    text: impl Fn(Symbol) -> String,
    limit: usize,
) -> Result<String, TooLarge> {
    check(automaton.states(), limit)?;
    let mut graph = DiGraph::new();
    let last = automaton.states() as u32;
    let nodes: Vec<NodeIndex> = (0..last)
        .map(|state| {
            let accepts = automaton.transitions(state).contains(&(END, last));
            graph.add_node((state.to_string(), accepts))
        })
        .collect();
    for (state, &node) in (0..last).zip(&nodes) {
        for &(symbol, target) in automaton.transitions(state) {
            if let Some(&target) = nodes.get(target as usize) {
                let text = if symbol == END {
                    "#".to_owned()
                } else {
                    text(symbol)
                };
                graph.add_edge(node, target, text);
            }
        }
    }
    Ok(render(&graph))
}

/// The DAG of plans: nodes by tick and the agent to choose, final ones as double circles, edges by
/// what `name` says of them.
///
/// # Errors
///
/// The graph has more nodes than `limit`.
pub fn plan_dag(
    dag: &PlanDag,
    agents: &[String],
    name: impl Fn(&Edge) -> String,
    limit: usize,
) -> Result<String, TooLarge> {
    check(dag.nodes.len(), limit)?;
    let mut graph = DiGraph::new();
    let nodes: Vec<NodeIndex> = dag
        .nodes
        .iter()
        .map(|node| {
            let agent = agents
                .get(usize::from(node.agent))
                .map_or("", String::as_str);
            let text = if node.is_final {
                node.tick.to_string()
            } else {
                format!("{} {agent}", node.tick).trim_end().to_owned()
            };
            graph.add_node((text, node.is_final))
        })
        .collect();
    for edge in &dag.edges {
        let (source, target) = (nodes[edge.source.index()], nodes[edge.target.index()]);
        graph.add_edge(source, target, name(edge));
    }
    Ok(render(&graph))
}

impl References {
    /// The automaton of one agent's words as a Graphviz graph, or of their representatives; `None` if it
    /// was given up.
    pub fn agent_dot(
        &self,
        agent: usize,
        orbits: Option<&Orbits>,
        limit: usize,
    ) -> Option<Result<String, TooLarge>> {
        let found = match orbits {
            Some(orbits) => orbits.words.get(agent)?.as_ref()?,
            None => self.agents.get(agent)?.automaton.as_ref().ok()?,
        };
        let text = |symbol| self.alphabet.text(symbol).to_owned();
        Some(automaton(found, text, limit))
    }

    /// The automaton of the joint words, or of their representatives, each label after its agent's
    /// name; `None` if it was given up.
    pub fn joint_dot(
        &self,
        orbits: Option<&Orbits>,
        limit: usize,
    ) -> Option<Result<String, TooLarge>> {
        let joint = self.joint.as_ref().ok()?;
        let found = match orbits {
            Some(orbits) => orbits.joint.as_ref()?,
            None => &joint.automaton,
        };
        let text = |symbol: Symbol| {
            let (agent, symbol) = joint.letters[symbol as usize - 1];
            let text = self.alphabet.text(symbol);
            match self.agents[usize::from(agent)].name.as_str() {
                "" => text.to_owned(),
                name => format!("{name}: {text}"),
            }
        };
        Some(automaton(found, text, limit))
    }
}
