//! Automata of references as graphs, with the number of words through each part.

use brigade_rats::References;
use brigade_rats::alphabet::{END, Symbol};
use brigade_rats::automaton::Automaton;
use num_bigint::BigUint;

use crate::document::{Edge, Graph, Node};

/// The most states of an automaton that is drawn.
pub const MOST_STATES: usize = 5_000;

/// The automata of references that are known and not too large: of each agent, and of the joint words where there are
/// several agents. Beside them the titles of those that are left out, with the reason.
pub fn graphs(references: &References) -> (Vec<Graph>, Vec<String>) {
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
    for agent in &references.agents {
        let name = |symbol| {
            (
                agent.name.clone(),
                references.alphabet.text(symbol).to_owned(),
            )
        };
        let automaton = agent.automaton.as_ref().map_err(ToString::to_string);
        add(shown(&agent.name), automaton, &name);
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
        add("all agents", joint.map_err(ToString::to_string), &name);
    }
    (graphs, left_out)
}

/// From a symbol to the agent that records it, and its text.
type Naming<'a> = dyn Fn(Symbol) -> (String, String) + 'a;

fn shown(agent: &str) -> &str {
    if agent.is_empty() { "the agent" } else { agent }
}

/// An automaton of plain words as a graph.
fn graph(title: &str, automaton: &Automaton, name: &Naming<'_>) -> Graph {
    let states = automaton.states();
    let mut ranks = vec![0_u32; states];
    // Words up to a state, and from it.
    let mut up_to = vec![BigUint::ZERO; states];
    let mut from = vec![BigUint::ZERO; states];
    if let Some(start) = up_to.first_mut() {
        *start = BigUint::from(1_u32);
    }
    let labelled = |state: usize| {
        let transitions = automaton.transitions(state as u32).iter();
        transitions
            .filter(|(symbol, _)| *symbol != END)
            .map(|&(symbol, to)| (symbol, to as usize))
    };
    for state in 0..states {
        for (_, to) in labelled(state) {
            ranks[to] = ranks[to].max(ranks[state] + 1);
            let words = up_to[state].clone();
            up_to[to] += words;
        }
    }
    for state in (0..states).rev() {
        let ends = BigUint::from(u32::from(automaton.accepts(state as u32)));
        from[state] = labelled(state)
            .map(|(_, to)| from[to].clone())
            .sum::<BigUint>()
            + ends;
    }
    let mut edges = Vec::new();
    let mut agents: Vec<String> = Vec::new();
    for (state, words) in up_to.iter().enumerate() {
        for (symbol, to) in labelled(state) {
            let (agent, text) = name(symbol);
            if !agents.contains(&agent) {
                agents.push(agent.clone());
            }
            edges.push(Edge {
                from: state as u32,
                to: to as u32,
                text,
                agent,
                ways: (words * &from[to]).to_string(),
            });
        }
    }
    agents.sort_unstable();
    let node = |state: usize| Node {
        id: state as u32,
        rank: ranks[state],
        accepts: automaton.accepts(state as u32),
        ways: (&up_to[state] * &from[state]).to_string(),
    };
    Graph {
        title: title.to_owned(),
        agents,
        nodes: (0..states).map(node).collect(),
        edges,
    }
}
