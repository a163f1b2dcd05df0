//! The part of a formula that is left once it is known which values each slot can take.

use super::{Candidate, Cond, Effect, Expr};
use crate::ground::slots::SlotId;

/// Which values each slot can take, as far as is known.
pub(in crate::ground) trait Values {
    /// Returns true if the slot may have the value with this code.
    fn may_be(&self, slot: SlotId, code: u32) -> bool;
    /// The only code the slot can have, if there is just one.
    fn only(&self, slot: SlotId) -> Option<u32>;
    /// The number that a code of an integer slot stands for.
    fn number(&self, slot: SlotId, code: u32) -> i64;
}

impl Cond {
    /// The rest of the condition where slots take only these values.
    pub(in crate::ground) fn restricted(self, values: &impl Values) -> Self {
        match self {
            Self::Holds(slot, code) => {
                if !values.may_be(slot, code) {
                    Self::False
                } else if values.only(slot).is_some() {
                    Self::True
                } else {
                    Self::Holds(slot, code)
                }
            }
            Self::Same(left, right) => match (values.only(left), values.only(right)) {
                (Some(0), _) | (_, Some(0)) => Self::False,
                (Some(code), _) => Self::Holds(right, code).restricted(values),
                (_, Some(code)) => Self::Holds(left, code).restricted(values),
                (None, None) => Self::Same(left, right),
            },
            Self::Compare(comparison, pair) => {
                let [left, right] = pair.map(|expr| expr.restricted(values));
                Self::compare(comparison, left, right)
            }
            Self::Not(cond) => cond.restricted(values).negated(),
            Self::And(conds) => {
                let conds = conds.into_iter().map(|cond| cond.restricted(values));
                Self::all_of(conds.collect())
            }
            Self::Or(conds) => Self::any(conds.into_iter().map(|cond| cond.restricted(values))),
            Self::True | Self::False => self,
        }
    }
}

impl Expr {
    /// The rest of the expression where slots take only these values.
    pub(in crate::ground) fn restricted(self, values: &impl Values) -> Self {
        let each = |exprs: Vec<Self>| {
            exprs
                .into_iter()
                .map(|expr| expr.restricted(values))
                .collect()
        };
        match self {
            Self::Constant(_) => self,
            Self::Slot(slot) => match values.only(slot) {
                Some(code) => Self::Constant(values.number(slot, code)),
                None => Self::Slot(slot),
            },
            Self::Truth(cond) => Self::Truth(Box::new(cond.restricted(values))),
            Self::Add(exprs) => Self::Add(each(exprs)),
            Self::Subtract(pair) => {
                Self::Subtract(Box::new(pair.map(|expr| expr.restricted(values))))
            }
            Self::Multiply(exprs) => Self::Multiply(each(exprs)),
            Self::Abs(expr) => Self::Abs(Box::new(expr.restricted(values))),
            Self::Min(exprs) => Self::Min(each(exprs)),
            Self::Max(exprs) => Self::Max(each(exprs)),
            Self::Case(cases) => Self::Case(
                cases
                    .into_iter()
                    .map(|(cond, expr)| (cond.restricted(values), expr.restricted(values)))
                    .filter(|(cond, _)| *cond != Cond::False)
                    .collect(),
            ),
        }
        .folded()
    }
}

impl Effect {
    /// The rest of the effect where slots take only these values.
    pub(in crate::ground) fn restricted(self, values: &impl Values) -> Self {
        match self {
            Self::Set(slot, code) => {
                if values.only(slot).is_some() {
                    Self::Nothing
                } else {
                    Self::Set(slot, code)
                }
            }
            Self::Number(slot, expr) => {
                if values.only(slot).is_some() {
                    Self::Nothing
                } else {
                    Self::Number(slot, expr.restricted(values))
                }
            }
            Self::Increase(slot, expr) => match expr.restricted(values) {
                Expr::Constant(0) => Self::Nothing,
                _ if values.only(slot).is_some() => Self::Nothing,
                expr => Self::Increase(slot, expr),
            },
            Self::Copy(to, from) => match (values.only(to), values.only(from)) {
                (Some(_), _) => Self::Nothing,
                (None, Some(code)) => Self::Set(to, code),
                (None, None) => Self::Copy(to, from),
            },
            Self::Block(effects) => {
                let effects = effects.into_iter().map(|effect| effect.restricted(values));
                Self::block_of(effects.collect())
            }
            Self::Seq(effects) => {
                Self::seq(effects.into_iter().map(|effect| effect.restricted(values)))
            }
            Self::When(cond, effect) => {
                Self::when(cond.restricted(values), effect.restricted(values))
            }
            Self::Case(cases, otherwise) => Self::case(
                cases
                    .into_iter()
                    .map(|(cond, effect)| (cond.restricted(values), effect.restricted(values)))
                    .collect(),
                otherwise.restricted(values),
            ),
            Self::Switch(slot, effects) => match values.only(slot) {
                Some(code) => effects
                    .into_iter()
                    .nth(code as usize)
                    .unwrap_or(Self::Nothing)
                    .restricted(values),
                None => Self::Switch(
                    slot,
                    (0..)
                        .zip(effects)
                        .map(|(code, effect)| {
                            if values.may_be(slot, code) {
                                effect.restricted(values)
                            } else {
                                Self::Nothing
                            }
                        })
                        .collect(),
                ),
            },
            Self::Choose(candidates, otherwise) => {
                let candidates: Vec<Candidate> = candidates
                    .into_iter()
                    .map(|candidate| Candidate {
                        cond: candidate.cond.restricted(values),
                        keys: candidate
                            .keys
                            .into_iter()
                            .map(|key| key.restricted(values))
                            .collect(),
                        effect: candidate.effect.restricted(values),
                    })
                    .filter(|candidate| candidate.cond != Cond::False)
                    .collect();
                let otherwise = otherwise.restricted(values);
                match candidates.len() {
                    0 => otherwise,
                    1 => {
                        let only = candidates.into_iter().map(|c| (c.cond, c.effect)).collect();
                        Self::case(only, otherwise)
                    }
                    _ => Self::Choose(candidates, Box::new(otherwise)),
                }
            }
            Self::Cost(expr) => match expr.restricted(values) {
                Expr::Constant(0) => Self::Nothing,
                expr => Self::Cost(expr),
            },
            Self::Total(total, expr) => match expr.restricted(values) {
                Expr::Constant(0) => Self::Nothing,
                expr => Self::Total(total, expr),
            },
            Self::Nothing | Self::Enlist(_) | Self::Log(_) => self,
        }
    }
}
