//! Objects in the texts of a task.
//!
//! A task has no objects any more, but its variables and values are named by ground atoms. Nothing
//! rests on the names: they suggest what is likely to belong together.

use std::collections::BTreeSet;

use crate::heuristics::potentials::builder::Builder;
use crate::reductions::symmetry::words;
use brigade_task::layout::VariableKind;

/// The texts of the values of a variable or group.
pub(crate) fn texts(builder: &Builder, id: u32) -> Vec<String> {
    let variables = &builder.model.task.variables;
    let text = |(variable, value): (u32, u32)| &variables[variable as usize].values[value as usize];
    match builder.groups.facts(id) {
        None => variables[id as usize].values.clone(),
        Some(facts) => {
            let facts = facts.iter().map(|&fact| text(fact).clone());
            facts.chain(["none".to_owned()]).collect()
        }
    }
}

/// The objects that a text names: its words, but for the first of each atom.
pub(crate) fn objects(text: &str) -> impl Iterator<Item = &str> {
    text.split('(')
        .enumerate()
        .flat_map(|(place, atom)| words(atom).skip(usize::from(place > 0)))
}

/// The objects, of some, that a variable or group is about: those that the texts of all its values
/// name, but for the one which means that nothing holds.
pub(crate) fn subjects(builder: &Builder, id: u32, of: &BTreeSet<String>) -> BTreeSet<String> {
    let task = builder.model.task;
    let variable = task.variables.get(id as usize);
    let texts = match variable.filter(|it| !matches!(it.kind, VariableKind::Facts)) {
        None => texts(builder, id),
        Some(variable) => {
            let mut timers = task.timers.iter();
            let timer = timers.find(|it| it.variable.0 == id);
            vec![timer.map_or(&variable.name, |timer| &timer.name).clone()]
        }
    };
    let texts = texts.iter().filter(|text| text.contains('('));
    let named = texts.map(|text| {
        let named = objects(text).filter(|object| of.contains(*object));
        named.map(str::to_owned).collect::<BTreeSet<_>>()
    });
    named.reduce(|all, named| &all & &named).unwrap_or_default()
}

/// All objects that facts name.
pub(crate) fn all(builder: &Builder) -> BTreeSet<String> {
    let variables = builder.model.task.variables.iter();
    let facts = variables.filter(|it| matches!(it.kind, VariableKind::Facts));
    let texts = facts.flat_map(|it| &it.values);
    texts
        .flat_map(|text| objects(text))
        .map(str::to_owned)
        .collect()
}

/// The text of an atom with each object that `is_left_out` replaced by a placeholder.
pub(crate) fn without(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    if !text.contains('(') {
        return text.to_owned();
    }
    let mut result = String::with_capacity(text.len());
    for (place, atom) in text.split('(').enumerate() {
        if place > 0 {
            result.push('(');
        }
        for (number, word) in words(atom).enumerate() {
            let is_object = number > 0 || place == 0;
            result.push_str(if is_object && is_left_out(word) {
                "*"
            } else {
                word
            });
            result.push(' ');
        }
    }
    result
}
