//! The task with what is written to obsolete variables made 0.

use super::fields::Fields;
use super::given::Given;
use super::{Guards, Permanent};
use crate::task::cond::{Cond, Test};
use crate::task::effect::{Effect, Write, disturbs};
use crate::task::{Phase, Task, VarId};

/// Makes what is written to variables depend on what they are obsolete under.
pub(super) struct Rewriter<'t> {
    pub(super) fields: Fields<'t>,
    pub(super) guards: Guards,
}

impl Rewriter<'_> {
    pub(super) fn task(&self) -> Task {
        let mut task = self.fields.task.clone();
        for operator in &mut task.operators {
            let never = |fact: &Permanent| {
                let given = Given {
                    fields: &self.fields,
                    fact: Some(*fact),
                };
                let mut tests = operator.tests.iter();
                tests.any(|&test| given.truth_of_test(test) == Some(false))
            };
            operator.effect = self.effect(&operator.effect, &never);
        }
        for timer in &mut task.timers {
            timer.effect = self.effect(&timer.effect, &|_| false);
        }
        for phase in &mut task.tick {
            if let Phase::Effect { effect, .. } = phase {
                *effect = self.effect(effect, &|_| false);
            }
        }
        // They hold of states in which the variables are written.
        let is_kept =
            |facts: &Vec<Permanent>| facts.iter().all(|it| !self.guards.contains_key(&it.0));
        task.mutexes.retain(is_kept);
        task
    }

    /// The same effect; some facts never hold where it applies.
    fn effect(&self, effect: &Effect, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let same = |effect: &Effect| self.effect(effect, never);
        match effect {
            Effect::Write(write) => self.write(*write, never),
            Effect::Clear(_, write) => {
                let mut written = self.fields.written(*write).map(|it| it.0);
                let guarded = match (written.next(), written.next()) {
                    (Some(only), None) => self.guarded(only, effect.clone(), never),
                    _ => None,
                };
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
                let guarded = self.guarded(*id, effect.clone(), never);
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Block { effects, snapshot } => {
                let effects: Box<[Effect]> = effects.iter().map(same).collect();
                Effect::Block {
                    snapshot: *snapshot || disturbs(&effects, &self.fields.task.variables),
                    effects,
                }
            }
            Effect::Seq(effects) => Effect::Seq(effects.iter().map(same).collect()),
            Effect::When(cond, effect) => Effect::When(cond.clone(), same(effect).into()),
            Effect::Case(cases, otherwise) => {
                let cases = cases
                    .iter()
                    .map(|(cond, effect)| (cond.clone(), same(effect)));
                Effect::Case(cases.collect(), same(otherwise).into())
            }
            Effect::Switch(id, effects) => Effect::Switch(*id, effects.iter().map(same).collect()),
            Effect::Choose(candidates, otherwise) => {
                let mut candidates = candidates.clone();
                for candidate in &mut candidates {
                    candidate.effect = same(&candidate.effect);
                }
                Effect::Choose(candidates, same(otherwise).into())
            }
            Effect::Nothing | Effect::Enlist(_) | Effect::Log(_) | Effect::Cost(_) => {
                effect.clone()
            }
        }
    }

    /// A write whose parts may depend on different facts.
    fn write(&self, write: Write, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let mut parts = Vec::new();
        let mut rest = write;
        for (id, _) in self.fields.written(write) {
            let mask = self.fields.mask(id);
            let part = Effect::Write(Write {
                mask: write.mask & mask,
                value: write.value & mask,
                ..write
            });
            if let Some(part) = self.guarded(id, part, never) {
                rest.mask &= !mask;
                rest.value &= !mask;
                parts.push(part);
            }
        }
        if parts.is_empty() {
            return Effect::Write(write);
        }
        // The rest may write what the others depend on.
        if rest.mask != 0 {
            parts.push(Effect::Write(rest));
        }
        Effect::Block {
            effects: parts.into(),
            snapshot: false,
        }
    }

    /// An effect that writes a variable, or where that is obsolete makes it the same in all states.
    /// `None` where it never is.
    fn guarded(
        &self,
        id: VarId,
        effect: Effect,
        never: &dyn Fn(&Permanent) -> bool,
    ) -> Option<Effect> {
        let facts = self.guards.get(&id)?.iter().filter(|fact| !never(fact));
        let variables = &self.fields.task.variables;
        let fact = |&(id, value): &Permanent| Test::fact(&variables[id.index()], value);
        let mut conds: Vec<Cond> = facts.map(|it| Cond::Fact(fact(it))).collect();
        let cond = match conds.len() {
            0 => return None,
            1 => conds.remove(0),
            _ => Cond::Or(conds.into()),
        };
        let same = Effect::Write(Write::fact(&variables[id.index()], 0));
        Some(Effect::Case([(cond, same)].into(), effect.into()))
    }
}
