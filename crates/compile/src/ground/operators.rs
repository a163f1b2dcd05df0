//! Ground actions, and what agents are busy with.

use super::bindings::{Bindings, bindings};
use super::error::GroundError;
use super::formula::{Cond, Effect};
use super::instantiate::Instantiator;
use super::reachable::{Activity, Operator};
use super::slots::{SlotId, SlotKey, SlotRange};
use crate::sema::model::{self, Action, ActionId, ActionKind, Label, Model, ObjectId, TimePoint};

/// Makes a ground action, but for what it does.
pub(super) fn operator(
    instantiator: &mut Instantiator<'_>,
    id: ActionId,
    args: Vec<ObjectId>,
    agent: usize,
) -> Operator {
    let action = &instantiator.model.actions[id.index()];
    let mut at = bindings(&args, action.variables.len());
    let is_drawn = instantiator.model.is_of_nature(agent);
    let (cond, weight) = instantiator.within(&action.variables, |this| {
        let cond = this.precondition(action, &mut at);
        let weight = action
            .weight
            .as_ref()
            .filter(|_| is_drawn && cond != Cond::False);
        (cond, weight.map(|weight| this.expr(weight, &mut at)))
    });
    Operator {
        action: id,
        args,
        agent: agent as u16,
        cond,
        requirements: Vec::new(),
        learners: None,
        weight,
        effect: Effect::Nothing,
    }
}

/// Grounds the effect of an action, with its label if `labelled` is true. One that makes its agent busy is added to the
/// agent's activities.
pub(super) fn effect(
    instantiator: &mut Instantiator<'_>,
    activities: &mut Vec<Activity>,
    operator: &Operator,
    labelled: bool,
) -> Result<Effect, GroundError> {
    let model = instantiator.model;
    let action = &model.actions[operator.action.index()];
    let agent = usize::from(operator.agent);
    instantiator.index = operator.action.index();
    instantiator.acting = operator.agent;
    let mut at = bindings(&operator.args, action.variables.len());
    instantiator.within(&action.variables, |this| {
        let name = if labelled {
            ground_name(model, &action.name, &operator.args)
        } else {
            String::new()
        };
        let label = match &action.label {
            _ if !labelled => None,
            Label::None => None,
            Label::GroundName => Some(format!("({name})")),
            Label::Text(template) => Some(this.text(template, &mut at)),
        };
        let log = label.map_or(Effect::Nothing, |label| this.log(label));
        if matches!(action.kind, ActionKind::Instant | ActionKind::Primitive) {
            let effect = this.effect(&action.effect, &mut at)?;
            return Ok(effect.then(log));
        }
        let code = activities.len() as u32 + 1;
        let slot = this.slots.other(
            SlotKey::Activity(agent),
            SlotRange::Integer {
                lo: 0,
                size: u32::MAX,
            },
            0,
        );
        let (activity, effect) = busy(this, operator, name, slot, log, &mut at)?;
        activities.push(activity);
        Ok(Effect::seq([Effect::Set(slot, code), effect]))
    })
}

/// Grounds an option or durative action: the activity of the agent, and the effect of the first step.
fn busy(
    this: &mut Instantiator<'_>,
    operator: &Operator,
    name: String,
    slot: SlotId,
    log: Effect,
    at: &mut Bindings,
) -> Result<(Activity, Effect), GroundError> {
    let action: &Action = &this.model.actions[operator.action.index()];
    if action.kind == ActionKind::Option {
        let has_lets = matches!(action.effect, model::Effect::Let(..));
        this.ends_without_target = has_lets.then_some(slot);
        let policy = this.effect(&action.effect, at);
        this.ends_without_target = None;
        let policy = policy?;
        let activity = Activity {
            name,
            action: operator.action,
            args: operator.args.clone(),
            policy: policy.clone(),
            until: this.cond(&action.until, at),
            finish: log,
            over_all: Cond::True,
        };
        return Ok((activity, policy));
    }
    let ticks = match &action.duration {
        Some(duration) => this.ticks(duration, at)?,
        None => 1,
    };
    let mut conds = |point| {
        Cond::all(
            action
                .conditions
                .iter()
                .filter(|(at, _)| *at == point)
                .map(|(_, cond)| this.cond(cond, at))
                .collect::<Vec<_>>(),
        )
    };
    let at_end = conds(TimePoint::AtEnd);
    let over_all = conds(TimePoint::OverAll);
    // An activity whose conditions hold for ever cannot break.
    let breaks = if at_end == Cond::True && over_all == Cond::True {
        Effect::Nothing
    } else {
        let broken = this.slots.other(SlotKey::Broken, SlotRange::Boolean, 0);
        Effect::when(at_end.negated(), Effect::Set(broken, 1))
    };
    let start = this.effect(&action.effect, at)?;
    let end = this.effect(&action.end_effect, at)?;
    let finish = Effect::seq([breaks, end, Effect::Set(slot, 0), log]);
    let timer = this.start_end(action, ticks, finish, at)?;
    let activity = Activity {
        name,
        action: operator.action,
        args: operator.args.clone(),
        policy: Effect::Nothing,
        until: Cond::False,
        finish: Effect::Nothing,
        over_all,
    };
    Ok((activity, Effect::block([start, timer])))
}

/// `pickup chef egg` without parentheses.
pub(super) fn ground_name(model: &Model, name: &str, args: &[ObjectId]) -> String {
    let mut text = name.to_owned();
    for arg in args {
        text.push(' ');
        text.push_str(&model.objects[arg.index()].name);
    }
    text
}
