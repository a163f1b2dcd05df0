//! The objects that facts, variables and groups of facts are about.

use std::collections::BTreeSet;

use crate::heuristics::potentials::builder::Builder;
use brigade_task::ObjectId;
use brigade_task::layout::VariableKind;
use brigade_task::symbols::{GroundFact, Meaning};

/// Stands for any object.
const ANY: ObjectId = ObjectId(u32::MAX);

/// The meanings of the values of a variable or group.
pub(crate) fn meanings(builder: &Builder, id: u32) -> Vec<Meaning> {
    let variables = &builder.model.task.variables;
    match builder.groups.facts(id) {
        None => {
            let values = variables[id as usize].values.iter();
            values.map(|value| value.meaning.clone()).collect()
        }
        Some(facts) => {
            let meaning = |&(variable, value): &(u32, u32)| {
                let values = &variables[variable as usize].values;
                values[value as usize].meaning.clone()
            };
            facts
                .iter()
                .map(meaning)
                .chain([Meaning::Nothing])
                .collect()
        }
    }
}

/// The objects that a variable or group is about, of some: those of the function whose value it is, or of all facts
/// that are its values.
pub(crate) fn subjects(builder: &Builder, id: u32, of: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    let variable = builder.model.task.variables.get(id as usize);
    let named = |objects: &[ObjectId]| {
        let objects = objects.iter().copied();
        objects.filter(|object| of.contains(object)).collect()
    };
    if let Some(function) = variable.and_then(|variable| variable.of.as_ref()) {
        return named(&function.arguments);
    }
    let facts = meanings(builder, id).into_iter();
    let facts = facts.filter(|meaning| matches!(meaning, Meaning::Fact(_)));
    let named = facts.map(|fact| named(fact.objects()));
    named
        .reduce(|all: BTreeSet<ObjectId>, named| &all & &named)
        .unwrap_or_default()
}

/// All objects of facts.
pub(crate) fn all(builder: &Builder) -> BTreeSet<ObjectId> {
    let variables = builder.model.task.variables.iter();
    let facts = variables.filter(|it| matches!(it.kind, VariableKind::Facts));
    let values = facts.flat_map(|it| &it.values);
    let objects = values.flat_map(|value| value.meaning.objects());
    objects.copied().collect()
}

/// The meaning, of a fact with any object in place of each that `is_left_out`.
pub(crate) fn without(meaning: &Meaning, is_left_out: impl Fn(&ObjectId) -> bool) -> Meaning {
    let Meaning::Fact(fact) = meaning else {
        return meaning.clone();
    };
    let arguments = fact.arguments.iter();
    let arguments = arguments.map(|object| if is_left_out(object) { ANY } else { *object });
    Meaning::Fact(GroundFact {
        predicate: fact.predicate,
        arguments: arguments.collect(),
    })
}
