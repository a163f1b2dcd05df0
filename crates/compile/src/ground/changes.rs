//! The facts that an effect makes true or false, and what it requires for each.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::formula::{Cond, Effect};
use super::slots::SlotId;

/// An effect whose changes of predicates are looked at, and who causes it.
pub(super) struct Change<'a> {
    /// The acting agent, or `None` for a phase of the tick.
    pub(super) agent: Option<u16>,
    pub(super) cond: &'a Cond,
    pub(super) effect: &'a Effect,
}

/// A fact that an operator makes true or false, and what it requires for that.
#[derive(Debug)]
pub(super) struct Leaf<'a> {
    pub(super) slot: SlotId,
    /// Facts that hold whenever the leaf applies, the operator's precondition included; ascending.
    given: Rc<[SlotId]>,
    /// The conditions of the effect alone, to test if one leaf implies another.
    pub(super) conditions: Rc<[&'a Cond]>,
}

impl Leaf<'_> {
    /// Returns true if a fact holds whenever the leaf applies.
    pub(super) fn is_given(&self, slot: SlotId) -> bool {
        self.given.binary_search(&slot).is_ok()
    }
}

/// The facts that an effect makes true and false.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    pub(super) agent: Option<u16>,
    pub(super) adds: Vec<Leaf<'a>>,
    pub(super) deletes: Vec<Leaf<'a>>,
    /// The effect has a part whose changes are not a plain list of leaves.
    pub(super) opaque: BTreeSet<SlotId>,
}

impl<'a> Changes<'a> {
    /// Collects the changes of an effect.
    pub(super) fn of(change: &Change<'a>) -> Self {
        let mut found = Self {
            agent: change.agent,
            ..Self::default()
        };
        let mut given = Vec::new();
        required(change.cond, &mut given);
        given.sort_unstable();
        let (given, conditions) = (given.into(), [].into());
        collect(
            change.effect,
            &given,
            &conditions,
            &mut found,
            Reading::Alone,
        );
        found
    }
}

/// Facts that a condition requires.
fn required(cond: &Cond, facts: &mut Vec<SlotId>) {
    match cond {
        Cond::Holds(slot, 1) => facts.push(*slot),
        Cond::And(conds) => {
            for cond in conds {
                required(cond, facts);
            }
        }
        _ => {}
    }
}

/// The state in which the conditions of an effect are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// In the state in which the operator is chosen, or the phase begins.
    Alone,
    /// The same, with other effects beside it that may apply before a sequence does.
    Beside,
    /// In a state that is not followed.
    Opaque,
}

/// Lists the leaves of an effect.
fn collect<'a>(
    effect: &'a Effect,
    given: &Rc<[SlotId]>,
    conditions: &Rc<[&'a Cond]>,
    changes: &mut Changes<'a>,
    reading: Reading,
) {
    match effect {
        Effect::Set(slot, _) if reading == Reading::Opaque => {
            changes.opaque.insert(*slot);
        }
        Effect::Set(slot, code) => {
            let leaf = Leaf {
                slot: *slot,
                given: Rc::clone(given),
                conditions: Rc::clone(conditions),
            };
            if *code == 1 {
                changes.adds.push(leaf);
            } else {
                changes.deletes.push(leaf);
            }
        }
        Effect::Block(effects) => {
            let reading = match reading {
                Reading::Opaque => Reading::Opaque,
                Reading::Alone | Reading::Beside => Reading::Beside,
            };
            for effect in effects {
                collect(effect, given, conditions, changes, reading);
            }
        }
        Effect::When(cond, effect) => {
            let mut given = given.to_vec();
            required(cond, &mut given);
            given.sort_unstable();
            let mut conditions = conditions.to_vec();
            conditions.push(cond);
            collect(effect, &given.into(), &conditions.into(), changes, reading);
        }
        // The label that an action logs at its end is no change.
        Effect::Seq(effects)
            if reading == Reading::Alone
                && effects.iter().skip(1).all(|effect| {
                    matches!(effect, Effect::Log(_) | Effect::Cost(_) | Effect::Total(..))
                }) =>
        {
            for effect in effects {
                collect(effect, given, conditions, changes, reading);
            }
        }
        Effect::Seq(effects) | Effect::Switch(_, effects) => {
            for effect in effects {
                collect(effect, given, conditions, changes, Reading::Opaque);
            }
        }
        Effect::Case(cases, otherwise) => {
            for (_, effect) in cases {
                collect(effect, given, conditions, changes, Reading::Opaque);
            }
            collect(otherwise, given, conditions, changes, Reading::Opaque);
        }
        Effect::Choose(candidates, otherwise) => {
            for candidate in candidates {
                collect(
                    &candidate.effect,
                    given,
                    conditions,
                    changes,
                    Reading::Opaque,
                );
            }
            collect(otherwise, given, conditions, changes, Reading::Opaque);
        }
        Effect::Nothing
        | Effect::Number(..)
        | Effect::Increase(..)
        | Effect::Copy(..)
        | Effect::Enlist(_)
        | Effect::Log(_)
        | Effect::Cost(_)
        | Effect::Total(..) => {}
    }
}
