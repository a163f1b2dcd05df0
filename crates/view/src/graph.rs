//! Automata of references as graphs, with the number of words through each part.

use std::collections::BTreeSet;

use brigade_rats::References;
use brigade_rats::alphabet::{END, Symbol};
use brigade_rats::automaton::Automaton;
use brigade_rats::orbits::Orbits;
use num_bigint::BigUint;

use crate::document::{Edge, Graph, Node};

/// The most states of an automaton that is drawn.
pub const MOST_STATES: usize = 5_000;

/// The automata of references that are known and not too large: of each agent, and of the joint words where there are
/// several agents. Beside them the titles of those that are left out, with the reason. With orbits the words are one
/// of each.
pub fn graphs(references: &References, orbits: Option<&Orbits>) -> (Vec<Graph>, Vec<String>) {
    let (mut graphs, mut left_out) = (Vec::new(), Vec::new());
    let mut add = |title: &str, automaton: Result<&Automaton, String>, name: &Naming<'_>| {
        let automaton = automaton.and_then(|automaton| match automaton.states() {
            states if states > MOST_STATES => Err(format!("it has {states} states")),
            _ => Ok(automaton),
        });
        match automaton {
            Ok(automaton) => graphs.push(graph(title, automaton, name)),
            Err(reason) => {
                left_out.push(format!("the automaton of {title} is not drawn: {reason}"));
            }
        }
    };
    for (index, agent) in references.agents.iter().enumerate() {
        let name = |symbol| {
            (
                agent.name.clone(),
                references.alphabet.text(symbol).to_owned(),
            )
        };
        let automaton = agent.automaton.as_ref().map_err(ToString::to_string);
        let represented = orbits.and_then(|orbits| orbits.words[index].as_ref());
        add(shown(&agent.name), represented.map_or(automaton, Ok), &name);
    }
    if references.agents.len() > 1 {
        let name = |symbol: Symbol| {
            let letter = references.joint.as_ref().ok();
            let letter = letter.and_then(|joint| joint.letters.get(symbol as usize - 1));
            letter.map_or_else(Default::default, |&(agent, symbol)| {
                let agent = references.agents[usize::from(agent)].name.clone();
                (agent, references.alphabet.text(symbol).to_owned())
            })
        };
        let joint = references.joint.as_ref().map(|joint| &joint.automaton);
        let joint = joint.map_err(ToString::to_string);
        let represented = orbits.and_then(|orbits| orbits.joint.as_ref());
        add("all agents", represented.map_or(joint, Ok), &name);
    }
    (graphs, left_out)
}

/// From a symbol to the agent that records it, and its text.
type Naming<'a> = dyn Fn(Symbol) -> (String, String) + 'a;

/// The name of an agent in titles.
pub(crate) fn shown(agent: &str) -> &str {
    if agent.is_empty() { "the agent" } else { agent }
}

/// An automaton of plain words as a graph.
fn graph(title: &str, automaton: &Automaton, name: &Naming<'_>) -> Graph {
    let states = (0..automaton.states() as u32).map(|state| {
        let transitions = automaton.transitions(state).iter();
        let labelled = transitions.filter(|(symbol, _)| *symbol != END);
        State {
            accepts: automaton.accepts(state),
            transitions: labelled
                .map(|&(symbol, to)| (name(symbol), to as usize))
                .collect(),
        }
    });
    counted(title, states.collect())
}

/// A state of an acyclic automaton.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// True if a word may end in it.
    pub(crate) accepts: bool,
    /// The agent and the text of each label that it reads, and the state reached.
    pub(crate) transitions: Vec<((String, String), usize)>,
}

/// A graph of states in topological order, with the number of words through each part.
pub(crate) fn counted(title: &str, states: Vec<State>) -> Graph {
    let mut ranks = vec![0_u32; states.len()];
    // Words up to a state, and from it.
    let mut up_to = vec![BigUint::ZERO; states.len()];
    let mut from = up_to.clone();
    if let Some(start) = up_to.first_mut() {
        *start = BigUint::from(1_u32);
    }
    for (index, state) in states.iter().enumerate() {
        for &(_, to) in &state.transitions {
            ranks[to] = ranks[to].max(ranks[index] + 1);
            let words = up_to[index].clone();
            up_to[to] += words;
        }
    }
    for (index, state) in states.iter().enumerate().rev() {
        let through: BigUint = state.transitions.iter().map(|&(_, to)| &from[to]).sum();
        from[index] = through + u32::from(state.accepts);
    }
    let nodes = states.iter().enumerate().map(|(index, state)| Node {
        id: index as u32,
        rank: ranks[index],
        accepts: state.accepts,
        ways: (&up_to[index] * &from[index]).to_string(),
    });
    let nodes = nodes.collect();
    let mut agents = BTreeSet::new();
    let mut edges = Vec::new();
    for (index, state) in states.into_iter().enumerate() {
        for ((agent, text), to) in state.transitions {
            agents.insert(agent.clone());
            edges.push(Edge {
                from: index as u32,
                to: to as u32,
                text,
                agent,
                ways: (&up_to[index] * &from[to]).to_string(),
            });
        }
    }
    Graph {
        title: title.to_owned(),
        agents: agents.into_iter().collect(),
        nodes,
        edges,
    }
}
