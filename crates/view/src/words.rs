//! The minimal automaton of listed words, for references that come as a list.

use std::collections::BTreeMap;

use crate::document::{Edge, Graph, Node};

/// The least automaton that reads these words of an agent and no others, as a graph.
///
/// Words are merged from their ends: states with the same rest are one.
pub fn graph(agent: &str, words: &[Vec<String>]) -> Graph {
    let mut sorted: Vec<&[String]> = words.iter().map(Vec::as_slice).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut states = States::default();
    let root = states.of(&sorted);
    states.into_graph(agent, root)
}

/// A state: whether a word may end in it, and its transitions.
type State = (bool, Vec<(String, usize)>);

#[derive(Default)]
struct States {
    known: BTreeMap<State, usize>,
    states: Vec<State>,
}

impl States {
    /// The state from which exactly these words, which are sorted, can be read.
    fn of(&mut self, words: &[&[String]]) -> usize {
        let accepts = words.first().is_some_and(|word| word.is_empty());
        let rest = &words[usize::from(accepts)..];
        let mut transitions = Vec::new();
        for group in rest.chunk_by(|one, next| one[0] == next[0]) {
            let tails: Vec<&[String]> = group.iter().map(|word| &word[1..]).collect();
            transitions.push((group[0][0].clone(), self.of(&tails)));
        }
        let state = (accepts, transitions);
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        self.states.push(state.clone());
        self.known.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    /// The graph with its states in topological order. Targets were made before their sources.
    fn into_graph(self, agent: &str, root: usize) -> Graph {
        let number = |state: usize| (root - state) as u32;
        let mut ranks = vec![0_u32; root + 1];
        let mut up_to = vec![0_u128; root + 1];
        let mut from = vec![0_u128; root + 1];
        up_to[root] = 1;
        for state in (0..=root).rev() {
            for &(_, to) in &self.states[state].1 {
                ranks[to] = ranks[to].max(ranks[state] + 1);
                up_to[to] += up_to[state];
            }
        }
        for state in 0..=root {
            let (accepts, transitions) = &self.states[state];
            let through: u128 = transitions.iter().map(|&(_, to)| from[to]).sum();
            from[state] = through + u128::from(*accepts);
        }
        let node = |state: usize| Node {
            id: number(state),
            rank: ranks[state],
            accepts: self.states[state].0,
            ways: (up_to[state] * from[state]).to_string(),
        };
        let edges = (0..=root).rev().flat_map(|state| {
            let (up_to, from) = (&up_to, &from);
            self.states[state].1.iter().map(move |(text, to)| Edge {
                from: number(state),
                to: number(*to),
                text: text.clone(),
                agent: agent.to_owned(),
                ways: (up_to[state] * from[*to]).to_string(),
            })
        });
        Graph {
            title: if agent.is_empty() { "the agent" } else { agent }.to_owned(),
            agents: vec![agent.to_owned()],
            edges: edges.collect(),
            nodes: (0..=root).rev().map(node).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::graph;

    /// The words of a graph, read from it.
    fn read(graph: &crate::document::Graph, state: u32, so_far: &str, words: &mut Vec<String>) {
        if graph.nodes[state as usize].accepts {
            words.push(so_far.trim().to_owned());
        }
        for edge in graph.edges.iter().filter(|edge| edge.from == state) {
            read(graph, edge.to, &format!("{so_far} {}", edge.text), words);
        }
    }

    #[test]
    fn the_graph_reads_exactly_the_words_and_merges_their_ends() {
        let given = ["cut fry plate", "fry cut plate", "fry", "cut fry plate"];
        let words: Vec<Vec<String>> = given
            .iter()
            .map(|word| word.split(' ').map(str::to_owned).collect())
            .collect();
        let graph = graph("chef", &words);
        let mut found = Vec::new();
        read(&graph, 0, "", &mut found);
        found.sort();
        assert_eq!(found, ["cut fry plate", "fry", "fry cut plate"]);
        // Start, after `cut`, after `fry`, before `plate`, the end.
        assert_eq!(graph.nodes.len(), 5);
        assert_eq!(graph.nodes[0].ways, "3");
        assert_eq!(graph.nodes.last().map(|node| node.rank), Some(3));
    }
}
