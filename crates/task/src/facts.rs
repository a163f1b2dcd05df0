//! States in PDDL: the facts that hold, and what changes between two states.

use super::layout::{Variable, VariableKind};
use super::state::State;
use super::symbols::Meaning;
use super::{PredicateId, Task};

/// The facts that hold in a state, in order of the variables.
///
/// A predicate is an atom `(on egg table)`, a function with a value `(= (held chef) egg)`. Left out
/// are false atoms, undefined functions, delayed effects that are not live, idle agents' activities,
/// and the clock.
pub fn facts(task: &Task, state: &State) -> Vec<String> {
    let variables = task.variables.iter();
    variables
        .filter_map(|variable| fact(variable, variable.get(state)))
        .collect()
}

/// The facts that hold in a state, as [`facts`] lists them, of predicates and functions of these names.
pub fn facts_of(task: &Task, state: &State, names: &[String]) -> Vec<String> {
    let variables = task.variables.iter();
    let facts = variables.filter_map(|variable| {
        let value = variable.get(state);
        let predicate = predicate(variable, value)?;
        let is_wanted = names
            .iter()
            .any(|name| name == task.symbols.predicate(predicate));
        fact(variable, value).filter(|_| is_wanted)
    });
    facts.collect()
}

/// Returns true if the state of a task has facts of predicates and functions of these names.
pub fn has_facts_of(task: &Task, names: &[String]) -> bool {
    let is_known = |predicate| {
        names
            .iter()
            .any(|name| name == task.symbols.predicate(predicate))
    };
    task.variables.iter().any(|variable| {
        let mut predicates = (0..variable.size).filter_map(|value| predicate(variable, value));
        predicates.any(is_known)
    })
}

/// The predicate or function that a value of a variable is a fact of.
fn predicate(variable: &Variable, value: u32) -> Option<PredicateId> {
    match (&variable.of, &variable.values.get(value as usize)?.meaning) {
        (Some(of), _) => Some(of.predicate),
        (None, Meaning::Fact(fact)) => Some(fact.predicate),
        (None, _) => None,
    }
}

/// The facts of `after` that did not hold in `before`, and those that no longer hold.
pub fn changes(task: &Task, before: &State, after: &State) -> (Vec<String>, Vec<String>) {
    let mut added = Vec::new();
    let mut removed = Vec::new();
    for variable in &task.variables {
        let (old, new) = (variable.get(before), variable.get(after));
        if old != new {
            added.extend(fact(variable, new));
            removed.extend(fact(variable, old));
        }
    }
    (added, removed)
}

/// Returns true if a fact holds where a variable has a value, as [`facts`] lists them.
pub fn is_fact(variable: &Variable, value: u32) -> bool {
    fact(variable, value).is_some()
}

/// The fact that holds where a variable has a value, as [`facts`] lists it; `None` where that lists nothing.
pub fn fact(variable: &Variable, value: u32) -> Option<String> {
    let value = variable.values.get(value as usize)?;
    match (&value.meaning, variable.kind) {
        (Meaning::Nothing, _)
        | (_, VariableKind::Clock)
        | (Meaning::Number(0), VariableKind::Timer) => None,
        (Meaning::Fact(_), _) => Some(value.name.clone()),
        _ => Some(format!("(= {} {value})", variable.name)),
    }
}
