//! The operators of an agent: its actions, waiting, and going on.

use super::activities::by_activity;
use crate::ground::encoder::Encoder;
use crate::ground::formula::Cond;
use crate::ground::naming::action;
use crate::ground::operators::ground_name;
use crate::ground::reachable::Operator;
use crate::ground::restricted::Ground;
use crate::ground::slots::SlotKey;
use crate::sema::model::Model;
use brigade_task::cond as conds;
use brigade_task::effect as effects;
use brigade_task::observation::Knowledge;
use brigade_task::{self as task, OperatorId, OperatorKind, Requirement};

impl Encoder {
    /// That an agent has started nothing that it has not finished.
    fn idle(&self, ground: &Ground, agent: usize) -> conds::Cond {
        ground
            .activity(agent)
            .map_or(conds::Cond::True, |slot| self.cond(&Cond::Holds(slot, 0)))
    }

    /// That one of these actions applies, whatever its weight.
    pub(super) fn can_act(&self, own: &[Operator]) -> conds::Cond {
        conds::Cond::any(own.iter().map(|operator| self.cond(&operator.cond)))
    }

    /// Adds what agents can do in any domain: wait where it is idle, unless it must act, one of nature
    /// only where it is `unable` to do anything else; go on where it is busy. `wait` comes before all
    /// else, so that of equal plans one is found that does nothing needless.
    pub(super) fn housekeeping(
        &self,
        model: &Model,
        ground: &Ground,
        (agent, unable): (usize, Option<conds::Cond>),
        operators: &mut Vec<task::Operator>,
    ) -> Option<OperatorId> {
        model.agents.get(agent)?;
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        let mut add = |name: &str, kind, cond: conds::Cond, effect| {
            let (facts, guard) = cond.split();
            operators.push(task::Operator {
                name: name.to_owned(),
                action: None,
                agent: agent as u16,
                kind,
                facts,
                guard,
                weight: None,
                effect,
                requirements: Vec::new(),
                text: name.to_owned(),
            });
            OperatorId(operators.len() as u32 - 1)
        };
        let wait = model.may_wait(agent).then(|| {
            let unable = unable.unwrap_or(conds::Cond::True);
            let cond = conds::Cond::all([turn.clone(), idle.clone(), unable]);
            add("wait", OperatorKind::Wait, cond, effects::Effect::Nothing)
        });
        if let Some(slot) = ground.activity(agent) {
            let activities = &ground.activities[agent];
            let policies = by_activity(slot, activities, |activity| activity.policy.clone());
            let busy = conds::Cond::all([turn, idle.negated()]);
            let effect = self.effect(&policies);
            add("continue", OperatorKind::Continue, busy, effect);
        }
        wait
    }

    /// Adds the instances of an agent's actions, options and durative actions.
    pub(super) fn choices(
        &self,
        model: &Model,
        ground: &Ground,
        (agent, own): (usize, Vec<Operator>),
        operators: &mut Vec<task::Operator>,
        knowledge: &mut Knowledge,
    ) {
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        operators.reserve(own.len());
        for operator in own {
            let own_cond = self.cond(&operator.cond);
            let weight = operator.weight.as_ref().map(|weight| self.expr(weight));
            let is_drawn = weight.as_ref().map_or(conds::Cond::True, is_not_zero);
            let cond = conds::Cond::all([turn.clone(), idle.clone(), own_cond, is_drawn]);
            if cond == conds::Cond::False {
                continue;
            }
            let schema = &model.actions[operator.action.index()];
            let name = ground_name(model, &schema.name, &operator.args);
            let action = action(operator.action, &operator.args);
            let id = OperatorId(operators.len() as u32);
            if operator.requirements.iter().any(|it| it.as_known.is_some()) {
                let own = operator.requirements.iter();
                let own = own.map(|it| self.cond(it.as_known.as_ref().unwrap_or(&it.cond)));
                let parts = [turn.clone(), idle.clone()].into_iter().chain(own);
                knowledge.legal.insert(id, conds::Cond::all(parts));
            }
            if let Some(learners) = &operator.learners {
                let learners = learners.iter().map(|cond| self.cond(cond));
                knowledge.learners.insert(id, learners.collect());
            }
            let requirements = operator.requirements.into_iter();
            let requirements = requirements.map(|needed| Requirement {
                cond: self.cond(&needed.cond),
                as_known: needed.as_known.map(|cond| self.cond(&cond)),
                reason: needed.reason,
            });
            let requirements = requirements.collect();
            let (facts, guard) = cond.split();
            let effect = self.effect(&operator.effect);
            let text = ground.texts.get(&(operator.action.0, operator.args));
            operators.push(task::Operator {
                text: text.cloned().unwrap_or_else(|| name.clone()),
                name,
                action: Some(action),
                agent: agent as u16,
                kind: OperatorKind::Start,
                facts,
                guard,
                weight,
                effect,
                requirements,
            });
        }
    }

    fn turn(&self, ground: &Ground, agent: usize) -> conds::Cond {
        ground
            .slot(&SlotKey::Turn)
            .map_or(conds::Cond::True, |slot| {
                self.cond(&Cond::Holds(slot, agent as u32))
            })
    }
}

/// That nature may draw what has this weight.
fn is_not_zero(weight: &conds::Expr) -> conds::Cond {
    if let conds::Expr::Constant(weight) = weight {
        return if *weight == 0 {
            conds::Cond::False
        } else {
            conds::Cond::True
        };
    }
    let zero = conds::Expr::Constant(0);
    conds::Cond::Compare(
        conds::Comparison::Equal,
        Box::new(weight.clone()),
        Box::new(zero),
    )
    .negated()
}
