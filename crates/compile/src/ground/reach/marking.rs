//! Marks what becomes reachable: values of slots, first the initial ones, then those that effects write.

use super::Detail;
use super::Fixpoint;
use super::raises::By;
use crate::ground::formula::{Cond, Effect};
use crate::ground::reachable::Operator;
use crate::ground::slots::{SlotId, SlotKey, SlotRange, code, default_code, object_code};
use crate::sema::model::{ActionKind, FluentKind, ObjectId, TurnMode, Value};

impl Fixpoint<'_, '_> {
    pub(super) fn initial_facts(&mut self) {
        for (fluent, args, value) in self.reachable.instantiator.static_facts() {
            self.facts.add_value(fluent, args, value, self.round);
        }
        self.new_slots();
    }

    /// Gives slots that have been made since the last call their initial value.
    pub(super) fn new_slots(&mut self) {
        let model = self.reachable.instantiator.model;
        let known = self.reachable.values.codes.len();
        let new: Vec<(SlotId, u32)> = self
            .reachable
            .instantiator
            .slots
            .iter_from(known)
            .map(|(slot, entry)| (slot, entry.initial))
            .collect();
        for (slot, initial) in new {
            let entry = self.reachable.instantiator.slots.get(slot);
            self.reachable.values.add(entry.range, Vec::new());
            if self.detail == Detail::Values && matches!(entry.key, SlotKey::Fluent(..)) {
                self.reachable.values.high[slot.index()] = 0;
            }
            self.reach(slot, initial);
            let entry = self.reachable.instantiator.slots.get(slot);
            match &entry.key {
                SlotKey::Clock | SlotKey::Turn => self.reach_any(slot),
                // An `over all` condition breaks in the tick, which reachability does not follow.
                SlotKey::Broken => self.reach(slot, 1),
                // Set back to its default after each tick, whatever it is at the start.
                SlotKey::Fluent(fluent, _)
                    if model.fluents[fluent.index()].kind == FluentKind::Transient =>
                {
                    self.reach(slot, default_code(model, *fluent));
                }
                _ => {}
            }
        }
    }

    /// Marks a value as reachable.
    pub(super) fn reach(&mut self, slot: SlotId, code: u32) {
        let codes = &mut self.reachable.values.codes[slot.index()];
        let Err(place) = codes.binary_search(&code) else {
            return;
        };
        codes.insert(place, code);
        self.changed = true;
        self.raise(slot, code);
        let entry = self.reachable.instantiator.slots.get(slot);
        if let SlotKey::Fluent(fluent, args) = &entry.key {
            let (fluent, mut objects) = (*fluent, args.clone());
            match entry.range {
                SlotRange::Boolean if code == 1 => {}
                SlotRange::Object if code > 0 => objects.push(ObjectId(code - 1)),
                // A variable that holds an integer has no gaps.
                SlotRange::Integer { .. } if self.reachable.values.count(slot) > 1 => {
                    self.reach_any(slot);
                    return;
                }
                _ => return,
            }
            debug_assert!(
                entry.range != SlotRange::Object || object_code(objects[objects.len() - 1]) == code
            );
            self.facts.add(fluent, objects.into(), self.round);
        }
    }

    /// Marks every value of an integer slot, up to the greatest that it can have, as reachable.
    pub(super) fn reach_any(&mut self, slot: SlotId) {
        let any = &mut self.reachable.values.any[slot.index()];
        if !std::mem::replace(any, true) {
            self.changed = true;
        }
    }

    /// Applies an effect with all others that are open. If no task is made of it, it is applied at once,
    /// and nothing is kept of it but what may reach more later.
    pub(super) fn open(&mut self, effect: &mut Effect) {
        match self.detail {
            Detail::Task => self.open.push(effect.clone()),
            Detail::Values => {
                let effect = std::mem::replace(effect, Effect::Nothing);
                if !self.apply(&effect) {
                    self.open.push(effect);
                }
            }
        }
    }

    fn may(&self, cond: &Cond) -> bool {
        self.work.spend(cond.size()) && self.reachable.values.may(cond, true)
    }

    pub(super) fn raise_by_operator(&mut self, operator: &Operator) {
        let model = self.reachable.instantiator.model;
        let by = match model.turns {
            TurnMode::Simultaneous if model.agents.len() > 1 => By::Agent(operator.agent),
            _ => By::Itself,
        };
        // A policy is applied again without asking for the precondition.
        let is_option = model.actions[operator.action.index()].kind == ActionKind::Option;
        let cond = (!is_option).then_some(&operator.cond);
        self.raise_by(by, cond, &operator.effect);
    }

    /// Raises the numbers that an effect can raise, `cond` being its condition.
    pub(super) fn raise_by(&mut self, by: By, cond: Option<&Cond>, effect: &Effect) {
        if self.detail != Detail::Values {
            return;
        }
        let values = &self.reachable.values;
        for (slot, most) in self.raises.raised(by, cond, effect, values) {
            let entry = self.reachable.instantiator.slots.get(slot);
            if matches!(entry.key, SlotKey::Fluent(..)) {
                self.raise(slot, code(entry.range, Value::Number(most)));
            }
        }
    }

    /// Marks that an integer slot can have a value as great as this.
    fn raise(&mut self, slot: SlotId, code: u32) {
        let high = &mut self.reachable.values.high[slot.index()];
        if code > *high {
            *high = code;
            self.changed = true;
        }
    }

    /// Reaches what the effect can reach now; false if a part of it may reach more later.
    pub(super) fn apply(&mut self, effect: &Effect) -> bool {
        if !self.work.spend(1) {
            return false;
        }
        match effect {
            Effect::Nothing
            | Effect::Enlist(_)
            | Effect::Log(_)
            | Effect::Cost(_)
            | Effect::Total(..) => true,
            Effect::Set(slot, code) => {
                let entry = self.reachable.instantiator.slots.get(*slot);
                if matches!(entry.key, SlotKey::Timer(_)) {
                    self.reach_any(*slot);
                } else {
                    self.reach(*slot, *code);
                }
                true
            }
            Effect::Number(slot, _) | Effect::Increase(slot, _) => {
                self.reach_any(*slot);
                true
            }
            Effect::Copy(to, from) => {
                let SlotKey::Fluent(fluent, _) = self.reachable.instantiator.slots.get(*to).key
                else {
                    return true;
                };
                for code in self.reachable.values.codes(*from) {
                    // What is not of the function's type is not assigned.
                    let fits = |code| self.reachable.instantiator.is_value(fluent, ObjectId(code));
                    if code.checked_sub(1).is_none_or(fits) {
                        self.reach(*to, code);
                    }
                }
                false
            }
            Effect::Block(effects) | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                let mut done = true;
                for effect in effects {
                    done &= self.apply(effect);
                }
                done
            }
            Effect::When(cond, effect) => self.may(cond) && self.apply(effect),
            Effect::Case(cases, otherwise) => {
                let done = self.apply(otherwise);
                cases.iter().fold(done, |done, (cond, effect)| {
                    self.may(cond) && self.apply(effect) && done
                })
            }
            Effect::Choose(candidates, otherwise) => {
                let done = self.apply(otherwise);
                candidates.iter().fold(done, |done, candidate| {
                    self.may(&candidate.cond) && self.apply(&candidate.effect) && done
                })
            }
        }
    }
}
