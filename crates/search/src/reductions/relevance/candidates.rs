//! Permanent facts, and what may become obsolete under them: what is read on the way to writing
//! them.

use std::collections::BTreeMap;

use super::effects::{each_leaf, effects};
use super::facts::{Permanent, Variables};
use super::given::Given;
use brigade_task::effect::Effect;
use brigade_task::{Fact, Phase, Task, VarId};

/// For each permanent fact what is read on the way to writing it.
pub(super) fn candidates(task: &Task) -> BTreeMap<Permanent, Variables> {
    let mut found: BTreeMap<Permanent, Variables> = BTreeMap::new();
    let mut note = |effect: &Effect, read: Variables| {
        each_fact(effect, &read, &mut |fact, read| {
            if read.is_empty() {
                return;
            }
            let others = read.iter().copied();
            let others = others.filter(|&other| other != fact.variable);
            found.entry(fact).or_default().extend(others);
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
        let permanent = permanent(task);
        found.retain(|fact, _| permanent.get(&fact.variable) == Some(&fact.value));
        // What others are obsolete under must stay permanent when the effects are changed, and what
        // is written by no effect is read by more than effects.
        let facts = found.keys().map(|fact| fact.variable);
        let kept: Variables = facts.chain(written_by_no_effect(task)).collect();
        found.retain(|_, read| {
            read.retain(|id| !kept.contains(id));
            !read.is_empty()
        });
    }
    found
}

/// For each variable that is written the only value that is, if there is one.
fn permanent(task: &Task) -> BTreeMap<VarId, u32> {
    let mut values: BTreeMap<VarId, Option<u32>> = BTreeMap::new();
    let mut note = |id: VarId, value: Option<u32>| {
        let known = values.entry(id).or_insert(value);
        if *known != value {
            *known = None;
        }
    };
    let mut note_leaf = |leaf: &Effect| match leaf {
        Effect::Set(fact) | Effect::Clear(_, fact) => note(fact.variable, Some(fact.value)),
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

/// The variables that the step itself writes: derived variables, the clock, whose turn it is.
fn written_by_no_effect(task: &Task) -> impl Iterator<Item = VarId> {
    let derived = task.axioms.layers.iter().flat_map(|it| &it.variables);
    derived.copied().chain(task.clock).chain(task.turn)
}

/// Calls `each` with every fact that is written, and with what is read on the way to it. What a
/// choice among candidates leads to is left out.
fn each_fact(effect: &Effect, read: &Variables, each: &mut impl FnMut(Fact, &Variables)) {
    let anything = Given { fact: None };
    match effect {
        Effect::Set(fact) | Effect::Clear(_, fact) => each(*fact, read),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            for effect in effects {
                each_fact(effect, read, each);
            }
        }
        Effect::When(cond, effect) => {
            let mut read = read.clone();
            anything.reads(cond, &mut read);
            each_fact(effect, &read, each);
        }
        Effect::Case(cases, otherwise) => {
            let mut read = read.clone();
            for (cond, effect) in cases {
                anything.reads(cond, &mut read);
                each_fact(effect, &read, each);
            }
            each_fact(otherwise, &read, each);
        }
        Effect::Switch(id, effects) => {
            let mut read = read.clone();
            read.insert(*id);
            for effect in effects {
                each_fact(effect, &read, each);
            }
        }
        _ => {}
    }
}
