//! Permanent facts, and what may become obsolete under them: what is read on the way to writing them.

use std::collections::BTreeMap;

use super::effects::{each_leaf, effects};
use super::facts::{Permanent, Variables};
use super::fields::Fields;
use super::given::Given;
use brigade_task::effect::{Effect, Write};
use brigade_task::{Phase, Task, VarId};

/// For each permanent fact what is read on the way to writing it.
pub(super) fn candidates(fields: &Fields) -> BTreeMap<Permanent, Variables> {
    let task = fields.task;
    let mut found: BTreeMap<Permanent, Variables> = BTreeMap::new();
    let mut note = |effect: &Effect, read: Variables| {
        each_write(fields, effect, &read, &mut |write, read| {
            if read.is_empty() {
                return;
            }
            for fact in fields.written(write) {
                let others = read.iter().copied().filter(|&other| other != fact.0);
                found.entry(fact).or_default().extend(others);
            }
        });
    };
    for operator in &task.operators {
        note(&operator.effect, Variables::new());
    }
    for timer in &task.timers {
        note(&timer.effect, Variables::from([timer.variable]));
    }
    for phase in &task.tick {
        if let Phase::Effect { effect, .. } = phase {
            note(effect, Variables::new());
        }
    }
    if !found.is_empty() {
        let permanent = permanent(fields);
        found.retain(|(id, value), _| permanent.get(id) == Some(value));
        // What others are obsolete under must stay permanent when the effects are changed, and what
        // is written by no effect is read by more than effects.
        let facts = found.keys().map(|fact| fact.0);
        let kept: Variables = facts.chain(written_by_no_effect(task)).collect();
        found.retain(|_, read| {
            read.retain(|id| !kept.contains(id));
            !read.is_empty()
        });
    }
    found
}

/// For each variable that is written the only value that is, if there is one.
fn permanent(fields: &Fields) -> BTreeMap<VarId, u32> {
    let task = fields.task;
    let mut values: BTreeMap<VarId, Option<u32>> = BTreeMap::new();
    let mut note = |id: VarId, value: Option<u32>| {
        let known = values.entry(id).or_insert(value);
        if *known != value {
            *known = None;
        }
    };
    let mut note_leaf = |leaf: &Effect| match leaf {
        Effect::Write(write) | Effect::Clear(_, write) => {
            for (id, value) in fields.written(*write) {
                note(id, Some(value));
            }
        }
        Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => note(*id, None),
        _ => {}
    };
    for effect in effects(task) {
        each_leaf(effect, &mut note_leaf);
    }
    let timers = task.timers.iter().map(|timer| timer.variable);
    for id in timers.chain(written_by_no_effect(task)) {
        note(id, None);
    }
    let values = values.into_iter();
    values
        .filter_map(|(id, value)| Some((id, value?)))
        .collect()
}

/// What the step itself writes: derived variables, the clock, whose turn it is.
fn written_by_no_effect(task: &Task) -> impl Iterator<Item = VarId> {
    let derived = task.axioms.layers.iter().flat_map(|it| &it.variables);
    derived.copied().chain(task.clock).chain(task.turn)
}

/// Calls `each` with every constant write, and with what is read on the way to it. What a choice
/// among candidates leads to is left out.
fn each_write(
    fields: &Fields,
    effect: &Effect,
    read: &Variables,
    each: &mut impl FnMut(Write, &Variables),
) {
    let anything = Given { fields, fact: None };
    match effect {
        Effect::Write(write) | Effect::Clear(_, write) => each(*write, read),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            for effect in effects {
                each_write(fields, effect, read, each);
            }
        }
        Effect::When(cond, effect) => {
            let mut read = read.clone();
            anything.reads(cond, &mut read);
            each_write(fields, effect, &read, each);
        }
        Effect::Case(cases, otherwise) => {
            let mut read = read.clone();
            for (cond, effect) in cases {
                anything.reads(cond, &mut read);
                each_write(fields, effect, &read, each);
            }
            each_write(fields, otherwise, &read, each);
        }
        Effect::Switch(id, effects) => {
            let mut read = read.clone();
            read.insert(*id);
            for effect in effects {
                each_write(fields, effect, &read, each);
            }
        }
        _ => {}
    }
}
