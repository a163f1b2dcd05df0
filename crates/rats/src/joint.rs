//! Joint words: what a log of the whole team records, ordered by step, then agent.

use std::collections::BTreeSet;

use super::alphabet::{Alphabet, END, Symbol};
use super::automaton::Automaton;
use super::diagram::{DONE, Store};
use super::limits::{LimitReached, Limits};
use brigade_search::dag::{NodeId, PlanDag};

/// The joint words of all optimal plans.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The labels by agent, ascending: the joint symbol `k + 1` stands for `letters[k]`.
    pub letters: Vec<(u16, Symbol)>,
    /// The set of joint words over those symbols.
    pub automaton: Automaton,
}

impl Joint {
    /// Projects the DAG. The labels of one step are ordered by agent, in declared order, and for
    /// each agent as they were recorded.
    pub(super) fn derive(
        dag: &PlanDag,
        alphabet: &Alphabet,
        limits: &Limits<'_>,
    ) -> Result<Self, LimitReached> {
        let letter = |entry: &brigade_task::LogEntry| (entry.agent, alphabet.symbol(entry.label));
        let mut letters: Vec<_> = dag
            .edges
            .iter()
            .flat_map(|edge| edge.log.iter().map(letter))
            .collect();
        letters.sort_unstable();
        letters.dedup();
        let joint_symbol = |letter: &(u16, Symbol)| -> Symbol {
            letters.partition_point(|other| other < letter) as Symbol + 1
        };

        // Steps start at the root and wherever an edge ends one.
        let ends_step = |source: usize, target: usize| {
            dag.nodes[target].is_final || dag.nodes[target].tick != dag.nodes[source].tick
        };
        let mut starts_step = vec![false; dag.nodes.len()];
        if let Some(root) = starts_step.first_mut() {
            *root = true;
        }
        for edge in &dag.edges {
            if ends_step(edge.source.index(), edge.target.index()) {
                starts_step[edge.target.index()] = true;
            }
        }

        let mut store = Store::new(limits);
        let mut sets = vec![DONE; dag.nodes.len()];
        let mut parts = Vec::new();
        for start in (0..dag.nodes.len()).rev() {
            if !starts_step[start] {
                continue;
            }
            if dag.nodes[start].is_final {
                sets[start] = store.prepend(&[END], DONE)?;
                continue;
            }
            parts.clear();
            let mut open = BTreeSet::from([(start, Vec::new())]);
            let mut done = BTreeSet::new();
            while let Some((node, recorded)) = open.pop_first() {
                for edge in dag.edges_from(NodeId(node as u32)) {
                    store.budget.spend(1 + edge.log.len())?;
                    let mut recorded = recorded.clone();
                    recorded.extend(edge.log.iter().map(letter));
                    recorded.sort_by_key(|&(agent, _)| agent);
                    let target = edge.target.index();
                    if ends_step(node, target) {
                        done.insert((target, recorded));
                    } else {
                        open.insert((target, recorded));
                    }
                }
            }
            for (target, recorded) in done {
                let word: Vec<Symbol> = recorded.iter().map(joint_symbol).collect();
                parts.push(store.prepend(&word, sets[target])?);
            }
            if let Some(set) = store.union(&parts)? {
                sets[start] = set;
            }
        }
        let automaton = Automaton::extract(&store, sets.first().copied(), 1);
        Ok(Self { letters, automaton })
    }

    /// The words in lexicographic order, each a sequence of agent and label.
    pub fn iter(&self) -> impl Iterator<Item = Vec<(u16, Symbol)>> {
        self.automaton.iter().map(|words| {
            let word = words.into_iter().flatten();
            word.map(|symbol| self.letters[symbol as usize - 1])
                .collect()
        })
    }
}
