//! The ground instances that are reachable, and the values that slots can take.

use super::formula::{Cond, Effect, Expr};
use super::instantiate::Instantiator;
use super::slots::SlotId;
use super::values::SlotValues;
use crate::sema::model::{ActionId, FluentId, ObjectId};

/// A ground action.
#[derive(Debug)]
pub(super) struct Operator {
    pub(super) action: ActionId,
    pub(super) args: Vec<ObjectId>,
    pub(super) agent: u16,
    pub(super) cond: Cond,
    /// The parts of the condition.
    pub(super) requirements: Vec<Needed>,
    /// For each agent when it learns that this was done; `None`: everyone always does.
    pub(super) learners: Option<Vec<Cond>>,
    /// Of an action of nature: its weight, where it is given.
    pub(super) weight: Option<Expr>,
    pub(super) effect: Effect,
}

/// A part of the condition of a ground action.
#[derive(Debug)]
pub(super) struct Needed {
    pub(super) cond: Cond,
    /// The reason to give where it fails.
    pub(super) reason: String,
    /// That it may hold as far as the agent knows, where that is something else.
    pub(super) as_known: Option<Cond>,
}

/// A ground option or durative action, as something an agent is busy with.
#[derive(Debug)]
pub(super) struct Activity {
    pub(super) name: String,
    pub(super) action: ActionId,
    pub(super) args: Vec<ObjectId>,
    /// The effect of each further step.
    pub(super) policy: Effect,
    /// It ends when this holds after the tick (never for a durative action: its timer ends it).
    pub(super) until: Cond,
    /// The effect when it ends.
    pub(super) finish: Effect,
    /// The condition that must hold at every tick while it runs.
    pub(super) over_all: Cond,
}

/// A ground event: all its instances as one effect.
#[derive(Debug, Default)]
pub(super) struct EventInstances {
    pub(super) instances: Vec<(Vec<ObjectId>, Cond, Effect)>,
}

/// A ground axiom.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) body: Cond,
    pub(super) head: SlotId,
}

/// A ground rule for a predicate that exists for observations only.
#[derive(Debug)]
pub(super) struct ObservationRule {
    pub(super) fluent: FluentId,
    pub(super) args: Vec<ObjectId>,
    pub(super) body: Cond,
}

/// The reachable ground model: instances of schemas, and the values of slots.
pub(super) struct Reachable<'a> {
    pub(super) instantiator: Instantiator<'a>,
    pub(super) operators: Vec<Operator>,
    /// Per agent; code `n` of its activity slot is entry `n - 1`.
    pub(super) activities: Vec<Vec<Activity>>,
    pub(super) events: Vec<EventInstances>,
    pub(super) rules: Vec<Rule>,
    /// The instances of rules for predicates that exist for observations only.
    pub(super) observation_rules: Vec<ObservationRule>,
    pub(super) values: SlotValues,
    pub(super) goal: Option<Cond>,
    pub(super) fail: Cond,
    pub(super) end: Cond,
}

impl Reachable<'_> {
    /// Slots that were made after the fixpoint keep their initial value for ever.
    pub(super) fn settle(&mut self) {
        let known = self.values.codes.len();
        for (_, entry) in self.instantiator.slots.iter_from(known) {
            self.values.add(entry.range, vec![entry.initial]);
        }
    }
}
