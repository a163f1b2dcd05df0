//! Formulas over slots → packed ones.

use std::collections::BTreeMap;

use super::encoder::{Encoder, Place};
use super::formula::{Candidate, Cond, Effect, Expr};
use super::restricted::Ground;
use super::slots::SlotId;
use brigade_task::cond::{self as packed, Test};
use brigade_task::effect::{self as packed_effect, Entry, Write};
use brigade_task::layout::Variable;

impl Encoder {
    pub(super) fn initial(&self, ground: &Ground, words: usize) -> Vec<u64> {
        let mut state = vec![0; words];
        for (slot, entry) in ground.slots.iter() {
            match &self.places[slot.index()] {
                Place::Fact { variable, value } if entry.initial == 1 => {
                    self.variables[variable.index()].set(&mut state, *value);
                }
                Place::Own { variable, codes } => {
                    if let Ok(value) = codes.binary_search(&entry.initial) {
                        self.variables[variable.index()].set(&mut state, value as u32);
                    }
                }
                Place::Fact { .. } | Place::Constant { .. } => {}
            }
        }
        state
    }

    pub(super) fn fact(&self, slot: SlotId, code: u32) -> packed::Cond {
        match &self.places[slot.index()] {
            Place::Constant { code: only, .. } => {
                if *only == code {
                    packed::Cond::True
                } else {
                    packed::Cond::False
                }
            }
            Place::Fact { variable, value } => {
                let variable = &self.variables[variable.index()];
                let holds = packed::Cond::Fact(Test::fact(variable, *value));
                match (code, variable.size) {
                    (1, _) => holds,
                    (_, 2) => packed::Cond::Fact(Test::fact(variable, 0)),
                    _ => holds.negated(),
                }
            }
            Place::Own { variable, codes } => match codes.binary_search(&code) {
                Ok(value) => {
                    packed::Cond::Fact(Test::fact(&self.variables[variable.index()], value as u32))
                }
                Err(_) => packed::Cond::False,
            },
        }
    }

    pub(super) fn cond(&self, cond: &Cond) -> packed::Cond {
        match cond {
            Cond::True => packed::Cond::True,
            Cond::False => packed::Cond::False,
            Cond::Holds(slot, code) => self.fact(*slot, *code),
            Cond::Same(left, right) => {
                match (&self.places[left.index()], &self.places[right.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: other,
                            codes: other_codes,
                        },
                    ) => packed::Cond::Same(
                        *variable,
                        *other,
                        codes
                            .iter()
                            .map(|&code| {
                                (code != 0)
                                    .then(|| other_codes.binary_search(&code).ok())
                                    .flatten()
                                    .map(|value| value as u32)
                            })
                            .collect(),
                    ),
                    (Place::Constant { code, .. }, _) if *code != 0 => self.fact(*right, *code),
                    (_, Place::Constant { code, .. }) if *code != 0 => self.fact(*left, *code),
                    _ => packed::Cond::False,
                }
            }
            Cond::Compare(comparison, pair) => self.compare(*comparison, &pair[0], &pair[1]),
            Cond::Not(cond) => self.cond(cond).negated(),
            Cond::And(conds) => packed::Cond::all(conds.iter().map(|cond| self.cond(cond))),
            Cond::Or(conds) => packed::Cond::any(conds.iter().map(|cond| self.cond(cond))),
        }
    }

    /// A comparison; of one integer variable with a constant as a fact where it is one.
    fn compare(&self, comparison: packed::Comparison, left: &Expr, right: &Expr) -> packed::Cond {
        if let (Expr::Slot(slot), &Expr::Constant(value)) = (left, right)
            && let Place::Own { variable, .. } = &self.places[slot.index()]
        {
            let variable = &self.variables[variable.index()];
            if let Some(cond) = compare_with(variable, comparison, value) {
                return cond;
            }
        }
        packed::Cond::Compare(
            comparison,
            Box::new(self.expr(left)),
            Box::new(self.expr(right)),
        )
    }

    pub(super) fn expr(&self, expr: &Expr) -> packed::Expr {
        let each = |exprs: &[Expr]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(value) => packed::Expr::Constant(*value),
            Expr::Slot(slot) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => packed::Expr::Variable(*variable),
                Place::Fact { .. } => packed::Expr::Truth(Box::new(self.fact(*slot, 1))),
                Place::Constant { number, .. } => packed::Expr::Constant(*number),
            },
            Expr::Truth(cond) => packed::Expr::Truth(Box::new(self.cond(cond))),
            Expr::Add(exprs) => packed::Expr::Add(each(exprs)),
            Expr::Subtract(pair) => {
                packed::Expr::Subtract(Box::new([self.expr(&pair[0]), self.expr(&pair[1])]))
            }
            Expr::Multiply(exprs) => packed::Expr::Multiply(each(exprs)),
            Expr::Abs(expr) => packed::Expr::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => packed::Expr::Min(each(exprs)),
            Expr::Max(exprs) => packed::Expr::Max(each(exprs)),
            Expr::Case(cases) => self.table(cases).unwrap_or_else(|| {
                packed::Expr::Case(
                    cases
                        .iter()
                        .map(|(cond, expr)| (self.cond(cond), self.expr(expr)))
                        .collect(),
                )
            }),
        }
    }

    /// Cases that distinguish the values of one variable, as a table.
    fn table(&self, cases: &[(Cond, Expr)]) -> Option<packed::Expr> {
        let Some((Cond::Holds(slot, _), _)) = cases.first() else {
            return None;
        };
        let Place::Own { variable, codes } = &self.places[slot.index()] else {
            return None;
        };
        let mut table = vec![None; codes.len()];
        for (cond, expr) in cases {
            match (cond, expr) {
                (Cond::Holds(other, code), Expr::Constant(value)) if other == slot => {
                    if let Ok(stored) = codes.binary_search(code) {
                        // The first case that holds counts.
                        table[stored].get_or_insert(*value);
                    }
                }
                _ => return None,
            }
        }
        let values = table.into_iter().map(Option::unwrap_or_default);
        Some(packed::Expr::Table(*variable, values.collect()))
    }

    fn write(&self, slot: SlotId, code: u32) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        match &self.places[slot.index()] {
            Place::Constant { .. } => Packed::Nothing,
            Place::Fact { variable, value } => {
                let variable = &self.variables[variable.index()];
                match (code, variable.size) {
                    (1, _) => Packed::Write(Write::fact(variable, *value)),
                    (_, 2) => Packed::Write(Write::fact(variable, 0)),
                    _ => Packed::Clear(Test::fact(variable, *value), Write::fact(variable, 0)),
                }
            }
            Place::Own { variable, codes } => {
                codes.binary_search(&code).map_or(Packed::Nothing, |value| {
                    Packed::Write(Write::fact(&self.variables[variable.index()], value as u32))
                })
            }
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        match effect {
            Effect::Nothing => Packed::Nothing,
            Effect::Set(slot, code) => self.write(*slot, *code),
            Effect::Number(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Packed::Number(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Increase(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Packed::Increase(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Copy(to, from) => {
                match (&self.places[to.index()], &self.places[from.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: source,
                            codes: from_codes,
                        },
                    ) => Packed::Copy(
                        *variable,
                        *source,
                        from_codes
                            .iter()
                            .map(|code| codes.binary_search(code).ok().map(|value| value as u32))
                            .collect(),
                    ),
                    (Place::Own { .. }, Place::Constant { code, .. }) => self.write(*to, *code),
                    _ => Packed::Nothing,
                }
            }
            Effect::Block(effects) => self.block(effects),
            Effect::Seq(effects) => match effects.len() {
                0 => Packed::Nothing,
                _ => Packed::Seq(effects.iter().map(|effect| self.effect(effect)).collect()),
            },
            Effect::When(cond, effect) => match self.cond(cond) {
                packed::Cond::False => Packed::Nothing,
                packed::Cond::True => self.effect(effect),
                cond => Packed::When(cond, Box::new(self.effect(effect))),
            },
            Effect::Case(cases, otherwise) => Packed::Case(
                cases
                    .iter()
                    .map(|(cond, effect)| (self.cond(cond), self.effect(effect)))
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Switch(slot, effects) => match &self.places[slot.index()] {
                Place::Own { variable, codes } => Packed::Switch(
                    *variable,
                    codes
                        .iter()
                        .map(|&code| {
                            effects
                                .get(code as usize)
                                .map_or(Packed::Nothing, |effect| self.effect(effect))
                        })
                        .collect(),
                ),
                Place::Constant { code, .. } => effects
                    .get(*code as usize)
                    .map_or(Packed::Nothing, |effect| self.effect(effect)),
                Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Choose(candidates, otherwise) => Packed::Choose(
                candidates
                    .iter()
                    .map(|candidate| packed_effect::Candidate {
                        cond: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        effect: self.effect(&candidate.effect),
                    })
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Log(entry) => Packed::Log(*entry),
            Effect::Enlist(number) => self.enlist(*number),
            Effect::Cost(expr) => Packed::Cost(self.expr(expr)),
            Effect::Total(total, expr) => Packed::Total(*total, self.expr(expr)),
        }
    }

    fn enlist(&self, number: usize) -> packed_effect::Effect {
        let list = self.list.as_ref();
        let entry = list.and_then(|list| {
            Some(Entry {
                first: list.first,
                places: list.members,
                value: list.member_of[number]? + 1,
            })
        });
        entry.map_or(
            packed_effect::Effect::Nothing,
            packed_effect::Effect::Enlist,
        )
    }

    /// Effects that apply all at once: deletions first, so that an addition wins.
    fn block(&self, effects: &[Effect]) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        let mut deletes = Vec::new();
        let mut others = Vec::new();
        for effect in effects {
            let (delete, other) = self.split(effect);
            deletes.push(delete);
            others.push(other);
        }
        let mut parts: Vec<Packed> = Vec::new();
        for effect in deletes.iter().chain(&others) {
            match self.effect(effect) {
                Packed::Nothing => {}
                Packed::Write(write) => push_write(&mut parts, write),
                other => parts.push(other),
            }
        }
        drop_overwritten_clears(&mut parts);
        if parts.len() < 2 {
            return parts.pop().unwrap_or(Packed::Nothing);
        }
        let snapshot = packed_effect::disturbs(&parts, &self.variables);
        Packed::Block {
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

/// A comparison of an integer variable with a constant, where all values of the variable satisfy
/// it, or none, or one, or all but one.
fn compare_with(
    variable: &Variable,
    comparison: packed::Comparison,
    value: i64,
) -> Option<packed::Cond> {
    use packed::Comparison as C;
    let size = i64::from(variable.size);
    let value = value.saturating_sub(variable.low());
    let (from, to) = match comparison {
        C::Equal => (value, value.saturating_add(1)),
        C::Less => (0, value),
        C::LessOrEqual => (0, value.saturating_add(1)),
        C::Greater => (value.saturating_add(1), size),
        C::GreaterOrEqual => (value, size),
    };
    let (from, to) = (from.clamp(0, size), to.clamp(0, size));
    let is = |stored: i64| packed::Cond::Fact(Test::fact(variable, stored as u32));
    Some(match (from, to) {
        _ if from >= to => packed::Cond::False,
        _ if to - from == size => packed::Cond::True,
        _ if to - from == 1 => is(from),
        (0, _) if to + 1 == size => is(to).negated(),
        (1, _) if to == size => is(0).negated(),
        _ => return None,
    })
}

/// Joins a constant write to the last one of the same word, if nothing stands between.
fn push_write(parts: &mut Vec<packed_effect::Effect>, write: Write) {
    if let Some(packed_effect::Effect::Write(last)) = parts.last_mut()
        && last.word == write.word
    {
        last.value = (last.value & !write.mask) | write.value;
        last.mask |= write.mask;
        return;
    }
    parts.push(packed_effect::Effect::Write(write));
}

/// A deletion is idle where the same variable is written for certain later in the block.
fn drop_overwritten_clears(parts: &mut Vec<packed_effect::Effect>) {
    let mut written: BTreeMap<u16, u64> = BTreeMap::new();
    for part in parts.iter() {
        if let packed_effect::Effect::Write(write) = part {
            *written.entry(write.word).or_default() |= write.mask;
        }
    }
    parts.retain(|part| match part {
        packed_effect::Effect::Clear(test, _) => {
            let written = written.get(&test.word).copied().unwrap_or_default();
            written & test.mask != test.mask
        }
        _ => true,
    });
}
