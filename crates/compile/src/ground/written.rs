//! The fluents that something writes, and those derived of such.

use crate::sema::model::{self, Axiom, FluentId, FluentKind, Model};
use crate::sema::reads::fluents_of_cond;

/// Per fluent, whether any effect or timed literal writes it, or axioms derive it of such.
pub(super) fn written(model: &Model) -> Vec<bool> {
    let mut written = vec![false; model.fluents.len()];
    for action in &model.actions {
        mark_written(&action.effect, &mut written);
        mark_written(&action.end_effect, &mut written);
    }
    for event in &model.events {
        mark_written(&event.effect, &mut written);
    }
    for literal in &model.timed {
        written[literal.fact.fluent.index()] = true;
    }
    // The first tick resets what is true of a transient at the start.
    for fact in &model.init {
        written[fact.fluent.index()] |=
            model.fluents[fact.fluent.index()].kind == FluentKind::Transient;
    }
    mark_changing(model, &mut written);
    written
}

/// Marks the fluents that an effect writes.
fn mark_written(effect: &model::Effect, written: &mut [bool]) {
    effect.any(&mut |effect| {
        if let model::Effect::Set(fluent, ..)
        | model::Effect::Assign(fluent, ..)
        | model::Effect::Update(_, fluent, ..) = effect
        {
            written[fluent.index()] = true;
        }
        false
    });
}

/// Marks, among the fluents that something writes, the derived predicates that read one of them.
fn mark_changing(model: &Model, written: &mut [bool]) {
    let mut readers: Vec<Vec<FluentId>> = vec![Vec::new(); model.fluents.len()];
    for axiom in &model.axioms {
        for read in read_by(axiom) {
            readers[read.index()].push(axiom.fluent);
        }
    }
    let mut open: Vec<usize> = (0..written.len()).filter(|&it| written[it]).collect();
    while let Some(fluent) = open.pop() {
        for reader in std::mem::take(&mut readers[fluent]) {
            if !std::mem::replace(&mut written[reader.index()], true) {
                open.push(reader.index());
            }
        }
    }
}

/// The fluents that a rule reads.
pub(super) fn read_by(axiom: &Axiom) -> Vec<FluentId> {
    let mut read = Vec::new();
    fluents_of_cond(&axiom.body, &mut read);
    read
}
