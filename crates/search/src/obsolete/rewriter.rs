//! The task with obsolete variables made 0: by what makes the fact hold under which they are obsolete, and
//! by what would write them later.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::each_leaf;
use super::facts::{Guards, Permanent};
use super::fields::Fields;
use super::given::Given;
use brigade_task::cond::{Cond, Test};
use brigade_task::effect::{Effect, Write, disturbs};
use brigade_task::{Phase, Task, VarId};

/// Makes what is written to variables depend on what they are obsolete under.
pub(super) struct Rewriter<'t> {
    fields: Fields<'t>,
    guards: Guards,
    /// What is obsolete under each fact.
    obsolete: BTreeMap<Permanent, Vec<VarId>>,
}

impl<'t> Rewriter<'t> {
    pub(super) fn new(fields: Fields<'t>, guards: Guards) -> Self {
        let mut obsolete: BTreeMap<Permanent, Vec<VarId>> = BTreeMap::new();
        for (id, facts) in &guards {
            for fact in facts {
                obsolete.entry(*fact).or_default().push(*id);
            }
        }
        Self {
            fields,
            guards,
            obsolete,
        }
    }

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
            operator.effect = self.whole(&operator.effect, &never);
        }
        for timer in &mut task.timers {
            timer.effect = self.whole(&timer.effect, &|_| false);
        }
        for phase in &mut task.tick {
            if let Phase::Effect { effect, .. } = phase {
                *effect = self.whole(effect, &|_| false);
            }
        }
        // They hold of states in which the variables are written.
        let is_kept =
            |facts: &Vec<Permanent>| facts.iter().all(|it| !self.guards.contains_key(&it.0));
        task.mutexes.retain(is_kept);
        task
    }

    /// The same effect of an operator, a delayed effect or a phase, which may read at its end what is
    /// obsolete only after it; some facts never hold where it applies.
    fn whole(&self, effect: &Effect, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let mut facts: BTreeSet<Permanent> = BTreeSet::new();
        each_leaf(effect, &mut |leaf| {
            if let Effect::Write(write) | Effect::Clear(_, write) = leaf {
                let written = self.fields.written(*write);
                facts.extend(written.filter(|fact| self.obsolete.contains_key(fact)));
            }
        });
        let effect = self.effect(effect, never);
        if facts.is_empty() {
            return effect;
        }
        let clear = |fact: &Permanent| {
            let same = self.obsolete[fact].iter().map(|&id| self.same(id));
            let same = Effect::Block {
                effects: same.collect(),
                snapshot: false,
            };
            Effect::When(Cond::Fact(self.holds(*fact)), same.into())
        };
        Effect::Seq(
            [effect]
                .into_iter()
                .chain(facts.iter().map(clear))
                .collect(),
        )
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
            Effect::Nothing | Effect::Total(..) => Effect::Nothing,
            Effect::Enlist(_) | Effect::Log(_) | Effect::Cost(_) => effect.clone(),
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
        let mut conds: Vec<Cond> = facts.map(|it| Cond::Fact(self.holds(*it))).collect();
        let cond = match conds.len() {
            0 => return None,
            1 => conds.remove(0),
            _ => Cond::Or(conds.into()),
        };
        Some(Effect::Case([(cond, self.same(id))].into(), effect.into()))
    }

    fn holds(&self, (id, value): Permanent) -> Test {
        Test::fact(&self.fields.task.variables[id.index()], value)
    }

    /// What makes a variable the same in all states.
    fn same(&self, id: VarId) -> Effect {
        let variables = &self.fields.task.variables;
        Effect::Write(Write::fact(&variables[id.index()], 0))
    }
}
