//! Effects that apply all at once, deletions first, as blocks of effects on variables.

use std::collections::BTreeSet;

use super::encoder::{Encoder, Place};
use super::formula::{Candidate, Effect};
use brigade_task::effect as effects;
use brigade_task::{Fact, VarId};

impl Encoder {
    /// Effects that apply all at once: deletions first, so that an addition wins.
    pub(super) fn block(&self, effects: &[Effect]) -> effects::Effect {
        use effects::Effect as Made;
        let mut deletes = Vec::new();
        let mut others = Vec::new();
        for effect in effects {
            let (delete, other) = self.split(effect);
            deletes.push(delete);
            others.push(other);
        }
        let mut parts: Vec<Made> = Vec::new();
        for effect in deletes.iter().chain(&others) {
            match self.effect(effect) {
                Made::Nothing => {}
                Made::Set(fact) => push_fact(&mut parts, fact),
                other => parts.push(other),
            }
        }
        drop_overwritten(&mut parts);
        if parts.len() < 2 {
            return parts.pop().unwrap_or(Made::Nothing);
        }
        let snapshot = effects::disturbs(&parts);
        Made::Block {
            effects: parts.into(),
            snapshot,
        }
    }

    /// The deletions of predicates in an effect, and the rest.
    fn split(&self, effect: &Effect) -> (Effect, Effect) {
        match effect {
            Effect::Set(slot, 0) if matches!(self.places[slot.index()], Place::Fact { .. }) => {
                (effect.clone(), Effect::Nothing)
            }
            Effect::When(cond, effect) => {
                let (delete, other) = self.split(effect);
                (
                    Effect::when(cond.clone(), delete),
                    Effect::when(cond.clone(), other),
                )
            }
            Effect::Block(effects) => {
                let (deletes, others): (Vec<_>, Vec<_>) =
                    effects.iter().map(|effect| self.split(effect)).unzip();
                (Effect::block(deletes), Effect::block(others))
            }
            Effect::Case(cases, otherwise) => {
                let parts = cases.iter().map(|(_, effect)| self.split(effect));
                let (deletes, others): (Vec<_>, Vec<_>) = parts.unzip();
                let (last_delete, last_other) = self.split(otherwise);
                let conds = || cases.iter().map(|(cond, _)| cond.clone());
                (
                    Effect::case(conds().zip(deletes).collect(), last_delete),
                    Effect::case(conds().zip(others).collect(), last_other),
                )
            }
            Effect::Choose(candidates, otherwise) => {
                let parts = candidates.iter().map(|one| self.split(&one.effect));
                let (deletes, others): (Vec<_>, Vec<_>) = parts.unzip();
                let (last_delete, last_other) = self.split(otherwise);
                let choose = |effects: Vec<Effect>, last| {
                    if last == Effect::Nothing && effects.iter().all(|e| *e == Effect::Nothing) {
                        return Effect::Nothing;
                    }
                    let parts = candidates.iter().zip(effects);
                    let parts = parts.map(|(candidate, effect)| Candidate {
                        effect,
                        ..candidate.clone()
                    });
                    Effect::Choose(parts.collect(), Box::new(last))
                };
                (choose(deletes, last_delete), choose(others, last_other))
            }
            _ => (Effect::Nothing, effect.clone()),
        }
    }
}

/// Adds a fact to those that end the parts: in the order of their variables, and in place of what they make of its
/// variable.
fn push_fact(parts: &mut Vec<effects::Effect>, fact: Fact) {
    let mut at = parts.len();
    while let Some(effects::Effect::Set(last)) = parts[..at].last_mut()
        && last.variable >= fact.variable
    {
        if last.variable == fact.variable {
            *last = fact;
            return;
        }
        at -= 1;
    }
    parts.insert(at, effects::Effect::Set(fact));
}

/// Drops deletions of facts of variables that are written for certain later in the block.
fn drop_overwritten(parts: &mut Vec<effects::Effect>) {
    use effects::Effect as Made;
    let sets = parts.iter().filter_map(|part| match part {
        Made::Set(fact) => Some(fact.variable),
        _ => None,
    });
    let written: BTreeSet<VarId> = sets.collect();
    parts.retain(|part| !matches!(part, Made::Clear(fact, _) if written.contains(&fact.variable)));
}
