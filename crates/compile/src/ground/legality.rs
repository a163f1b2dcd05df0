//! The preconditions of actions as their agents know them, where not everyone observes all facts.
//!
//! A part of a precondition is evaluated as Kleene's strong logic has it: a fact that the agent does not
//! observe in the state is unknown, and what does not depend on it stays known. What is found is the
//! condition that the part *may* hold as far as the agent knows; it reads facts that the agent does not
//! observe only to no effect.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::formula::Cond;
use super::reachable::{Reachable, Rule};
use super::slots::{SlotId, SlotKey};
use super::words::viewers;
use crate::sema::model::Model;

/// The observers of the facts that preconditions depend on.
struct Sight {
    /// By slot, for each agent when it observes it; none of those that everyone observes.
    seen: BTreeMap<SlotId, Rc<[Cond]>>,
    /// By slot of a derived fact that has no observers of its own: the slots that it depends on.
    derived: BTreeMap<SlotId, BTreeSet<SlotId>>,
}

/// Finds for each part of a precondition what its agent knows of it.
pub(super) fn of_agents<'m>(model: &'m Model, reachable: &mut Reachable<'m>) {
    if model
        .fluents
        .iter()
        .all(|fluent| fluent.observers.is_none())
    {
        return;
    }
    let sight = Sight::new(model, reachable);
    reachable.settle();
    for operator in &mut reachable.operators {
        for needed in &mut operator.requirements {
            let mut read = Vec::new();
            needed.cond.slots(&mut read);
            let agent = usize::from(operator.agent);
            let is_open = |slot: &SlotId| !sight.unseen(*slot, agent).is_empty();
            if read.iter().any(is_open) {
                needed.as_known = Some(sight.possible(&needed.cond, true, agent));
            }
        }
    }
}

impl Sight {
    fn new<'m>(model: &'m Model, reachable: &mut Reachable<'m>) -> Self {
        let mut sight = Self {
            seen: BTreeMap::new(),
            derived: BTreeMap::new(),
        };
        let mut open = Vec::new();
        for needed in reachable.operators.iter().flat_map(|it| &it.requirements) {
            needed.cond.slots(&mut open);
        }
        let by_head = bodies(&reachable.rules);
        let mut met: BTreeSet<SlotId> = BTreeSet::new();
        while let Some(slot) = open.pop() {
            if !met.insert(slot) {
                continue;
            }
            let entry = reachable.instantiator.slots.get(slot);
            let SlotKey::Fluent(fluent, args) = &entry.key else {
                continue;
            };
            let (fluent, args) = (*fluent, args.clone());
            if let Some(conds) = viewers(model, &mut reachable.instantiator, fluent, &args) {
                sight.seen.insert(slot, conds);
            } else if let Some(body) = by_head.get(&slot) {
                open.extend(body);
                sight.derived.insert(slot, body.clone());
            }
        }
        sight
    }

    /// The conditions under which an agent does not observe a slot: one for each that it depends on.
    fn unseen(&self, slot: SlotId, agent: usize) -> Vec<Cond> {
        let mut conds = Vec::new();
        let mut met = BTreeSet::new();
        let mut open = vec![slot];
        while let Some(slot) = open.pop() {
            if !met.insert(slot) {
                continue;
            }
            if let Some(seen) = self.seen.get(&slot) {
                let unseen = seen[agent].clone().negated();
                if unseen != Cond::False && !conds.contains(&unseen) {
                    conds.push(unseen);
                }
            } else if let Some(body) = self.derived.get(&slot) {
                open.extend(body);
            }
        }
        conds
    }

    /// That a condition may hold, or may not hold, as far as an agent knows.
    fn possible(&self, cond: &Cond, positive: bool, agent: usize) -> Cond {
        let each = |conds: &[Cond]| -> Vec<Cond> {
            let conds = conds.iter();
            conds
                .map(|cond| self.possible(cond, positive, agent))
                .collect()
        };
        match (cond, positive) {
            (Cond::Not(cond), _) => self.possible(cond, !positive, agent),
            (Cond::And(conds), true) | (Cond::Or(conds), false) => Cond::all(each(conds)),
            (Cond::And(conds), false) | (Cond::Or(conds), true) => Cond::any(each(conds)),
            _ => {
                let mut read = Vec::new();
                cond.slots(&mut read);
                let unseen = read.iter().flat_map(|slot| self.unseen(*slot, agent));
                let literal = cond.clone();
                let literal = if positive { literal } else { literal.negated() };
                Cond::any(std::iter::once(literal).chain(unseen))
            }
        }
    }
}

/// By derived slot all slots that its rules read.
fn bodies(rules: &[Rule]) -> BTreeMap<SlotId, BTreeSet<SlotId>> {
    let mut bodies: BTreeMap<SlotId, BTreeSet<SlotId>> = BTreeMap::new();
    for rule in rules {
        let mut read = Vec::new();
        rule.body.slots(&mut read);
        bodies.entry(rule.head).or_default().extend(read);
    }
    bodies
}
