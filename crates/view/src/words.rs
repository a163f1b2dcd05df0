//! The minimal automaton of listed words, for references that come as a list.

use std::collections::BTreeMap;

use crate::document::Graph;
use crate::graph::{MOST_STATES, State, counted, shown};

/// The least automaton that reads these words of an agent and no others, as a graph.
///
/// Words are merged from their ends: states with the same rest are one.
///
/// # Errors
///
/// It has more states than [`MOST_STATES`]; their number.
pub fn graph(agent: &str, words: &[Vec<String>]) -> Result<Graph, usize> {
    let mut sorted: Vec<&[String]> = words.iter().map(Vec::as_slice).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut states = States::default();
    let root = states.of(&sorted);
    match states.states.len() {
        number if number > MOST_STATES => Err(number),
        _ => Ok(states.into_graph(agent, root)),
    }
}

/// True if a word may end in a state, and its transitions.
type Rest = (bool, Vec<(String, usize)>);

#[derive(Default)]
struct States {
    known: BTreeMap<Rest, usize>,
    states: Vec<Rest>,
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

    /// The states in topological order. Targets were made before their sources.
    fn into_graph(self, agent: &str, root: usize) -> Graph {
        let states = self
            .states
            .into_iter()
            .rev()
            .map(|(accepts, transitions)| State {
                accepts,
                transitions: (transitions.into_iter())
                    .map(|(text, to)| ((agent.to_owned(), text), root - to))
                    .collect(),
            });
        counted(shown(agent), states.collect())
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
        let graph = graph("chef", &words).expect("few states");
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
