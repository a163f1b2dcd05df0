//! Counts tuples by reading their words side by side instead of one after another.
//!
//! Written one word after another, a set of tuples needs a state for every first word where the
//! other words depend on it, as when one agent hands on what the other has prepared. Read in rows,
//! the first symbols of all agents, then their second ones, only how far an agent is ahead of the
//! others has to be remembered. [`END`] stands for an agent that has finished, and a row of nothing
//! else closes the tuple, so that tuples and sequences of rows correspond one to one.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::alphabet::{END, Symbol};
use super::automaton::Automaton;
use super::diagram::{DONE, StateId, Store};
use super::futures::Futures;
use super::limits::{LimitReached, Limits};

/// By agent, the recorded symbols that do not yet fill a row.
type Ahead = Vec<Vec<Symbol>>;

/// The number of distinct tuples of the words of at least one agent.
pub(super) fn count(
    futures: &Futures,
    agents: usize,
    limits: &Limits<'_>,
) -> Result<BigUint, LimitReached> {
    let Some(root) = futures.root() else {
        return Ok(BigUint::ZERO);
    };
    let mut store = Store::new(limits);
    let mut ahead: Vec<BTreeSet<Ahead>> = vec![BTreeSet::new(); root as usize + 1];
    ahead[root as usize].insert(vec![Vec::new(); agents]);
    let mut found = 0;
    for node in (0..=root).rev() {
        let here = std::mem::take(&mut ahead[node as usize]);
        found += here.len();
        store.budget.check_states(found)?;
        for before in &here {
            for &(log, target) in futures.edges_from(node) {
                let log = futures.log(log);
                store.budget.spend(1 + log.len())?;
                ahead[target as usize].insert(advance(before, log).1);
            }
        }
        ahead[node as usize] = here;
    }

    let mut sets: Vec<BTreeMap<Ahead, StateId>> = vec![BTreeMap::new(); root as usize + 1];
    let mut parts = Vec::new();
    for (node, here) in ahead.into_iter().enumerate() {
        for before in here {
            parts.clear();
            if node as u32 == Futures::FINAL {
                parts.push(store.prepend(&close(&before), DONE)?);
            }
            for &(log, target) in futures.edges_from(node as u32) {
                let (rows, after) = advance(&before, futures.log(log));
                if let Some(&set) = sets[target as usize].get(&after) {
                    parts.push(store.prepend(&rows, set)?);
                }
            }
            if let Some(set) = store.union(&parts)? {
                sets[node].insert(before, set);
            }
        }
    }
    let set = sets[root as usize].first_key_value().map(|(_, &set)| set);
    Ok(Automaton::extract(&store, set, 1).count())
}

/// Records more: the rows that are complete now, and what is left.
fn advance(ahead: &Ahead, log: &[(u16, Symbol)]) -> (Vec<Symbol>, Ahead) {
    let mut ahead = ahead.clone();
    for &(agent, symbol) in log {
        ahead[usize::from(agent)].push(symbol);
    }
    let complete = ahead.iter().map(Vec::len).min().unwrap_or(0);
    let rows = (0..complete)
        .flat_map(|row| ahead.iter().map(move |word| word[row]))
        .collect();
    for word in &mut ahead {
        word.drain(..complete);
    }
    (rows, ahead)
}

/// The last rows, which agents that have finished fill with [`END`], and the closing one.
fn close(ahead: &Ahead) -> Vec<Symbol> {
    let rows = ahead.iter().map(Vec::len).max().unwrap_or(0) + 1;
    (0..rows)
        .flat_map(|row| {
            let words = ahead.iter();
            words.map(move |word| word.get(row).copied().unwrap_or(END))
        })
        .collect()
}
