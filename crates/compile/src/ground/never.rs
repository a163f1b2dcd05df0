//! Instances of actions that can never apply, of those actions that give reasons (`else`): a command that means
//! one of them is refused with its reason, as any other.
//!
//! They are no operators. What is made for them has an allowance of its own, so that a task is grounded
//! or refused as if they were not; where it is used up, those that are left have no reasons. They add no
//! slots either: what is read of a fluent without a slot is its initial value, which nothing changes.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::bindings::bindings;
use super::formula::{Cond, Values};
use super::instantiate::Instantiator;
use super::operators::ground_name;
use super::reachable::Operator;
use super::slots::{SlotId, SlotRange, Slots};
use crate::sema::model::{Action, ActionId, ActionKind, Label, Model, ObjectId, Template};

/// The most parts that are made, for all actions together.
const MOST_PARTS: usize = 400_000;

/// An instance that can never apply.
#[derive(Debug)]
pub(super) struct Never {
    pub(super) agent: u16,
    /// The ways to write it.
    pub(super) forms: Vec<String>,
    /// The parts of the condition, each with what to say where it fails.
    pub(super) requirements: Vec<(Cond, String)>,
}

/// The instances that are not among the reachable ones, in the order of actions and objects.
pub(super) fn never<'m>(
    model: &'m Model,
    instantiator: &mut Instantiator<'m>,
    operators: &[Operator],
) -> Vec<Never> {
    let known = operators.iter().map(|it| (it.action, &it.args[..]));
    let known: HashSet<(ActionId, &[ObjectId]), FxBuildHasher> = known.collect();
    let actions = (0..).map(ActionId).zip(&model.actions);
    let actions: Vec<(ActionId, &Action)> = actions.filter(|(_, it)| gives_reasons(it)).collect();
    let allowance = MOST_PARTS / actions.len().max(1);
    let mut found = Vec::new();
    for (id, action) in actions {
        instantiator.with_parts(allowance, |this| {
            let params = &action.variables[..action.parameters];
            let extents = params.iter().map(|param| this.extent(&param.types));
            let extents: Vec<_> = extents.collect();
            let mut turn = vec![0; extents.len()];
            if extents.iter().any(|extent| extent.objects.is_empty()) {
                return;
            }
            loop {
                let objects = turn.iter().zip(&extents);
                let objects = objects.map(|(&at, extent)| extent.objects[at]);
                let args: Vec<ObjectId> = objects.collect();
                if !this.spend(1) {
                    return;
                }
                if !known.contains(&(id, &args[..])) {
                    found.extend(instance(this, action, &args));
                }
                let next = (0..turn.len()).rev().any(|place| {
                    turn[place] = (turn[place] + 1) % extents[place].objects.len();
                    turn[place] > 0
                });
                if !next {
                    return;
                }
            }
        });
    }
    found
}

/// Returns whether agents choose an action, and the author says why it is refused.
fn gives_reasons(action: &Action) -> bool {
    let mut requirements = action.precondition.iter();
    action.kind != ActionKind::Primitive && requirements.any(|it| it.reason.is_some())
}

/// The instance with these objects. `None` if they are no agent's, or nothing more may be made.
fn instance<'m>(
    this: &mut Instantiator<'m>,
    action: &'m Action,
    args: &[ObjectId],
) -> Option<Never> {
    let model = this.model;
    let agent = if action.has_agent {
        let mut agents = model.agents.iter();
        agents.position(|agent| args.first() == Some(agent))?
    } else {
        0
    };
    let known = this.slots.len();
    let mut at = bindings(args, action.variables.len());
    let (mut forms, requirements) = this.within(&action.variables, |this| {
        let texts = [action.text.as_ref(), label(action)];
        let forms = texts.into_iter().flatten();
        let forms: Vec<String> = forms.map(|text| this.text(text, &mut at)).collect();
        let requirements = action.precondition.iter().map(|requirement| {
            let cond = this.cond(&requirement.cond, &mut at);
            let reason = match &requirement.reason {
                Some(reason) => this.text(reason, &mut at),
                None => this.described(&requirement.cond, &at),
            };
            (cond, reason)
        });
        let requirements: Vec<(Cond, String)> = requirements.collect();
        (forms, requirements)
    });
    let initial = Initial {
        slots: &this.slots,
        known,
    };
    let requirements = requirements.into_iter();
    let requirements = requirements.map(|(cond, reason)| (cond.restricted(&initial), reason));
    let requirements = requirements
        .filter(|(cond, _)| *cond != Cond::True)
        .collect();
    this.slots.truncate(known);
    forms.push(ground_name(model, &action.name, args));
    if action.has_agent {
        forms.push(ground_name(model, &action.name, &args[1..]));
    }
    (this.parts_left() > 0).then_some(Never {
        agent: agent as u16,
        forms,
        requirements,
    })
}

/// The text of an action's label.
fn label(action: &Action) -> Option<&Template> {
    match &action.label {
        Label::Text(template) => Some(template),
        Label::None | Label::GroundName => None,
    }
}

/// The initial values of slots beyond those that are known.
struct Initial<'s> {
    slots: &'s Slots,
    known: usize,
}

impl Values for Initial<'_> {
    fn may_be(&self, slot: SlotId, code: u32) -> bool {
        self.only(slot).is_none_or(|only| only == code)
    }

    fn only(&self, slot: SlotId) -> Option<u32> {
        (slot.index() >= self.known).then(|| self.slots.get(slot).initial)
    }

    fn number(&self, slot: SlotId, code: u32) -> i64 {
        match self.slots.get(slot).range {
            SlotRange::Integer { lo, .. } => lo + i64::from(code),
            SlotRange::Boolean | SlotRange::Object => i64::from(code),
        }
    }
}
