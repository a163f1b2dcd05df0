//! The task with obsolete variables made 0: by what makes the fact hold under which they are
//! obsolete, and by what would write them later.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::each_leaf;
use super::facts::{Guards, Permanent};
use super::given::Given;
use brigade_task::cond::Cond;
use brigade_task::effect::{Effect, disturbs};
use brigade_task::{Fact, PackedTask, Phase, VarId};

/// Makes what is written to variables depend on what they are obsolete under.
pub(super) struct Rewriter<'t> {
    task: &'t PackedTask,
    guards: Guards,
    /// The variables that are obsolete under each fact.
    obsolete: BTreeMap<Permanent, Vec<VarId>>,
}

impl<'t> Rewriter<'t> {
    pub(super) fn new(task: &'t PackedTask, guards: Guards) -> Self {
        let mut obsolete: BTreeMap<Permanent, Vec<VarId>> = BTreeMap::new();
        for (id, facts) in &guards {
            for fact in facts {
                obsolete.entry(*fact).or_default().push(*id);
            }
        }
        Self {
            task,
            guards,
            obsolete,
        }
    }

    pub(super) fn task(&self) -> PackedTask {
        self.task.changed(|task| {
            for operator in &mut task.operators {
                let never = |fact: &Permanent| {
                    let given = Given { fact: Some(*fact) };
                    let mut facts = operator.facts.iter();
                    facts.any(|&fact| given.truth_of_fact(fact) == Some(false))
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
            let is_kept = |facts: &Vec<Fact>| {
                facts
                    .iter()
                    .all(|it| !self.guards.contains_key(&it.variable))
            };
            task.mutexes.retain(is_kept);
        })
    }

    /// The same effect of an operator, a delayed effect or a phase, which may read at its end what
    /// is obsolete only after it; some facts never hold where it applies.
    fn whole(&self, effect: &Effect, never: &dyn Fn(&Permanent) -> bool) -> Effect {
        let mut facts: BTreeSet<Permanent> = BTreeSet::new();
        each_leaf(effect, &mut |leaf| {
            if let Effect::Set(fact) | Effect::Clear(_, fact) = leaf
                && self.obsolete.contains_key(fact)
            {
                facts.insert(*fact);
            }
        });
        let effect = self.effect(effect, never);
        if facts.is_empty() {
            return effect;
        }
        let clear = |fact: &Permanent| {
            let same = self.obsolete[fact].iter().map(|&id| Self::same(id));
            let same = Effect::Block {
                effects: same.collect(),
                snapshot: false,
            };
            Effect::When(Cond::Fact(*fact), same.into())
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
            Effect::Set(fact) | Effect::Clear(_, fact) => {
                let guarded = self.guarded(fact.variable, effect.clone(), never);
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
                let guarded = self.guarded(*id, effect.clone(), never);
                guarded.unwrap_or_else(|| effect.clone())
            }
            Effect::Block { effects, snapshot } => {
                let effects = self.block(effects, never);
                Effect::Block {
                    snapshot: *snapshot || disturbs(&effects),
                    effects: effects.into(),
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

    /// The same effects of a block. Of facts that are written in a row those that depend on nothing
    /// come last: they may be what the others depend on.
    fn block(&self, effects: &[Effect], never: &dyn Fn(&Permanent) -> bool) -> Vec<Effect> {
        let is_fact = |effect: &Effect| matches!(effect, Effect::Set(_));
        let mut made = Vec::with_capacity(effects.len());
        for row in effects.chunk_by(|left, right| is_fact(left) && is_fact(right)) {
            let row = row.iter().map(|effect| self.effect(effect, never));
            let (plain, guarded): (Vec<Effect>, Vec<Effect>) = row.partition(is_fact);
            made.extend(guarded.into_iter().chain(plain));
        }
        made
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
        let mut conds: Vec<Cond> = facts.map(|it| Cond::Fact(*it)).collect();
        let cond = match conds.len() {
            0 => return None,
            1 => conds.remove(0),
            _ => Cond::Or(conds.into()),
        };
        Some(Effect::Case([(cond, Self::same(id))].into(), effect.into()))
    }

    /// The effect that makes a variable the same in all states.
    const fn same(variable: VarId) -> Effect {
        Effect::Set(Fact { variable, value: 0 })
    }
}
