//! The next variables of a key: what a diagram takes for granted of a state that does not hold in it.

use super::diagram::Diagram;
use super::expansion::Expansion;
use crate::heuristics::cartesian::facts::exact;
use crate::heuristics::cartesian::progression::Part;
use brigade_task::State;

/// Variables that are not in the key, on which a step depends that a diagram takes from a state within the
/// horizon and that no plan can take, as far as they are wanted; ascending, empty if none is found. `work` grows.
pub(super) fn flaw(
    expansion: &Expansion,
    finest: &Diagram,
    bound: &dyn Fn(&[u64], u32) -> Option<u32>,
    state: &State,
    tick: u32,
    is_wanted: &dyn Fn(u32) -> bool,
    work: &mut u64,
) -> Vec<u32> {
    let domains = &expansion.model.domains;
    let actual = exact(expansion.model, state);
    let Some(row) = finest.node_row(domains, &actual) else {
        return Vec::new();
    };
    if expansion.is_goal(row) != Some(false) {
        let mut open = expansion.open_in_goal(row);
        open.retain(|&variable| is_wanted(variable));
        return open;
    }
    let Ok(parts) = expansion.traced(row, state, work) else {
        return Vec::new();
    };
    let leads_on = |part: &Part| {
        let mut rows = Vec::new();
        let scattered = expansion.scatter(part.row.clone(), 0, &mut rows);
        scattered.is_ok()
            && rows
                .iter()
                .any(|row| expansion.is_goal(row) != Some(false) || bound(row, tick + 1).is_some())
    };
    let open = |part: &Part| {
        let trace = part.trace.as_ref();
        let violated = trace.map_or(Vec::new(), |trace| {
            trace
                .violated
                .iter()
                .map(|&(variable, _)| variable)
                .collect()
        });
        let unclear = trace.map_or(Vec::new(), |trace| trace.unclear.clone());
        let own = |mut variables: Vec<u32>| {
            variables.retain(|&variable| {
                is_wanted(variable) && expansion.key.binary_search(&variable).is_err()
            });
            variables.sort_unstable();
            variables.dedup();
            variables
        };
        let violated = own(violated);
        if violated.is_empty() {
            own(unclear)
        } else {
            violated
        }
    };
    let mut flaws: Vec<(Vec<u32>, &Part)> = parts.iter().map(|part| (open(part), part)).collect();
    flaws.retain(|(variables, _)| !variables.is_empty());
    flaws.sort_by_key(|(variables, _)| variables.len());
    let found = flaws.into_iter().find(|(_, part)| leads_on(part));
    found.map_or_else(Vec::new, |(variables, _)| variables)
}
