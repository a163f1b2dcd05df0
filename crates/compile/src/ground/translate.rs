//! Formulas over slots → formulas over facts of variables.

use super::encoder::{Encoder, Place};
use super::formula::{Cond, Effect, Expr};
use super::restricted::Ground;
use super::slots::SlotId;
use brigade_task::cond as conds;
use brigade_task::effect::{self as effects, Entry};
use brigade_task::layout::Variable;
use brigade_task::{Fact, StateBuf, VarId};

impl Encoder {
    pub(super) fn initial(&self, ground: &Ground, words: usize) -> StateBuf {
        let mut state = StateBuf::zeros(words);
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

    pub(super) fn fact(&self, slot: SlotId, code: u32) -> conds::Cond {
        match &self.places[slot.index()] {
            Place::Constant { code: only, .. } => {
                if *only == code {
                    conds::Cond::True
                } else {
                    conds::Cond::False
                }
            }
            &Place::Fact { variable, value } => {
                let holds = conds::Cond::Fact(Fact { variable, value });
                match (code, self.variables[variable.index()].size) {
                    (1, _) => holds,
                    (_, 2) => conds::Cond::Fact(Fact { variable, value: 0 }),
                    _ => holds.negated(),
                }
            }
            Place::Own { variable, codes } => match codes.binary_search(&code) {
                Ok(value) => conds::Cond::Fact(Fact {
                    variable: *variable,
                    value: value as u32,
                }),
                Err(_) => conds::Cond::False,
            },
        }
    }

    pub(super) fn cond(&self, cond: &Cond) -> conds::Cond {
        match cond {
            Cond::True => conds::Cond::True,
            Cond::False => conds::Cond::False,
            Cond::Holds(slot, code) => self.fact(*slot, *code),
            Cond::Same(left, right) => {
                match (&self.places[left.index()], &self.places[right.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: other,
                            codes: other_codes,
                        },
                    ) => conds::Cond::Same(
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
                    _ => conds::Cond::False,
                }
            }
            Cond::Compare(comparison, pair) => self.compare(*comparison, &pair[0], &pair[1]),
            Cond::Not(cond) => self.cond(cond).negated(),
            Cond::And(conds) => conds::Cond::all(conds.iter().map(|cond| self.cond(cond))),
            Cond::Or(conds) => conds::Cond::any(conds.iter().map(|cond| self.cond(cond))),
        }
    }

    /// A comparison; of one integer variable with a constant as a fact where it is one.
    fn compare(&self, comparison: conds::Comparison, left: &Expr, right: &Expr) -> conds::Cond {
        if let (Expr::Slot(slot), &Expr::Constant(value)) = (left, right)
            && let Place::Own { variable, .. } = &self.places[slot.index()]
        {
            let layout = &self.variables[variable.index()];
            if let Some(cond) = compare_with(*variable, layout, comparison, value) {
                return cond;
            }
        }
        conds::Cond::Compare(
            comparison,
            Box::new(self.expr(left)),
            Box::new(self.expr(right)),
        )
    }

    pub(super) fn expr(&self, expr: &Expr) -> conds::Expr {
        let each = |exprs: &[Expr]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(value) => conds::Expr::Constant(*value),
            Expr::Slot(slot) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => conds::Expr::Variable(*variable),
                Place::Fact { .. } => conds::Expr::Truth(Box::new(self.fact(*slot, 1))),
                Place::Constant { number, .. } => conds::Expr::Constant(*number),
            },
            Expr::Truth(cond) => conds::Expr::Truth(Box::new(self.cond(cond))),
            Expr::Add(exprs) => conds::Expr::Add(each(exprs)),
            Expr::Subtract(pair) => {
                conds::Expr::Subtract(Box::new([self.expr(&pair[0]), self.expr(&pair[1])]))
            }
            Expr::Multiply(exprs) => conds::Expr::Multiply(each(exprs)),
            Expr::Abs(expr) => conds::Expr::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => conds::Expr::Min(each(exprs)),
            Expr::Max(exprs) => conds::Expr::Max(each(exprs)),
            Expr::Case(cases) => self.table(cases).unwrap_or_else(|| {
                conds::Expr::Case(
                    cases
                        .iter()
                        .map(|(cond, expr)| (self.cond(cond), self.expr(expr)))
                        .collect(),
                )
            }),
        }
    }

    /// Cases that distinguish the values of one variable, as a table.
    fn table(&self, cases: &[(Cond, Expr)]) -> Option<conds::Expr> {
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
        Some(conds::Expr::Table(*variable, values.collect()))
    }

    fn write(&self, slot: SlotId, code: u32) -> effects::Effect {
        use effects::Effect as Made;
        match &self.places[slot.index()] {
            Place::Constant { .. } => Made::Nothing,
            &Place::Fact { variable, value } => {
                let none = Fact { variable, value: 0 };
                match (code, self.variables[variable.index()].size) {
                    (1, _) => Made::Set(Fact { variable, value }),
                    (_, 2) => Made::Set(none),
                    _ => Made::Clear(Fact { variable, value }, none),
                }
            }
            Place::Own { variable, codes } => {
                codes.binary_search(&code).map_or(Made::Nothing, |value| {
                    Made::Set(Fact {
                        variable: *variable,
                        value: value as u32,
                    })
                })
            }
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> effects::Effect {
        use effects::Effect as Made;
        match effect {
            Effect::Nothing => Made::Nothing,
            Effect::Set(slot, code) => self.write(*slot, *code),
            Effect::Number(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Made::Number(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Made::Nothing,
            },
            Effect::Increase(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Made::Increase(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Made::Nothing,
            },
            Effect::Copy(to, from) => {
                match (&self.places[to.index()], &self.places[from.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: source,
                            codes: from_codes,
                        },
                    ) => Made::Copy(
                        *variable,
                        *source,
                        from_codes
                            .iter()
                            .map(|code| codes.binary_search(code).ok().map(|value| value as u32))
                            .collect(),
                    ),
                    (Place::Own { .. }, Place::Constant { code, .. }) => self.write(*to, *code),
                    _ => Made::Nothing,
                }
            }
            Effect::Block(effects) => self.block(effects),
            Effect::Seq(effects) => match effects.len() {
                0 => Made::Nothing,
                _ => Made::Seq(effects.iter().map(|effect| self.effect(effect)).collect()),
            },
            Effect::When(cond, effect) => match self.cond(cond) {
                conds::Cond::False => Made::Nothing,
                conds::Cond::True => self.effect(effect),
                cond => Made::When(cond, Box::new(self.effect(effect))),
            },
            Effect::Case(cases, otherwise) => Made::Case(
                cases
                    .iter()
                    .map(|(cond, effect)| (self.cond(cond), self.effect(effect)))
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Switch(slot, effects) => match &self.places[slot.index()] {
                Place::Own { variable, codes } => Made::Switch(
                    *variable,
                    codes
                        .iter()
                        .map(|&code| {
                            effects
                                .get(code as usize)
                                .map_or(Made::Nothing, |effect| self.effect(effect))
                        })
                        .collect(),
                ),
                Place::Constant { code, .. } => effects
                    .get(*code as usize)
                    .map_or(Made::Nothing, |effect| self.effect(effect)),
                Place::Fact { .. } => Made::Nothing,
            },
            Effect::Choose(candidates, otherwise) => Made::Choose(
                candidates
                    .iter()
                    .map(|candidate| effects::Candidate {
                        cond: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        effect: self.effect(&candidate.effect),
                    })
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Log(entry) => Made::Log(*entry),
            Effect::Enlist(number) => self.enlist(*number),
            Effect::Cost(expr) => Made::Cost(self.expr(expr)),
            Effect::Total(total, expr) => Made::Total(*total, self.expr(expr)),
        }
    }

    fn enlist(&self, number: usize) -> effects::Effect {
        let list = self.list.as_ref();
        let entry = list.and_then(|list| {
            Some(Entry {
                first: list.first,
                places: list.members,
                value: list.member_of[number]? + 1,
            })
        });
        entry.map_or(effects::Effect::Nothing, effects::Effect::Enlist)
    }
}

/// A comparison of an integer variable with a constant, where all values of the variable satisfy
/// it, or none, or one, or all but one.
fn compare_with(
    id: VarId,
    variable: &Variable,
    comparison: conds::Comparison,
    value: i64,
) -> Option<conds::Cond> {
    use conds::Comparison as C;
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
    let is = |stored: i64| {
        conds::Cond::Fact(Fact {
            variable: id,
            value: stored as u32,
        })
    };
    Some(match (from, to) {
        _ if from >= to => conds::Cond::False,
        _ if to - from == size => conds::Cond::True,
        _ if to - from == 1 => is(from),
        (0, _) if to + 1 == size => is(to).negated(),
        (1, _) if to == size => is(0).negated(),
        _ => return None,
    })
}
