//! Plain contradictions of two conditions: by the values of slots that they name, and by the constants that they
//! compare a number with.

use super::formula::{Cond, Expr};
use super::slots::SlotId;
use brigade_task::cond::Comparison;

/// The literals and bounds that a conjunction implies.
#[derive(Debug, Default)]
pub(super) struct Said<'c> {
    /// A slot, a code, and whether it has that code.
    literals: Vec<(SlotId, u32, bool)>,
    /// Numbers that are at least and at most these.
    numbers: Vec<(&'c Expr, i64, i64)>,
}

impl<'c> Said<'c> {
    /// Collects those that a condition implies whatever its disjunctions leave open.
    pub(super) fn by(cond: &'c Cond) -> Self {
        let mut said = Self::default();
        said.add(cond);
        said
    }

    fn add(&mut self, cond: &'c Cond) {
        match cond {
            Cond::And(conds) => conds.iter().for_each(|cond| self.add(cond)),
            cond => {
                self.literals.extend(literal(cond));
                self.numbers.extend(bounds(cond));
            }
        }
    }

    /// Returns true if a condition cannot hold together with them.
    pub(super) fn denies(&self, cond: &Cond) -> bool {
        match cond {
            Cond::False => true,
            Cond::And(conds) => conds.iter().any(|cond| self.denies(cond)),
            Cond::Or(conds) => conds.iter().all(|cond| self.denies(cond)),
            cond => {
                literal(cond)
                    .is_some_and(|(slot, code, holds)| self.denies_value(slot, code, holds))
                    || bounds(cond).is_some_and(|(number, least, most)| {
                        let mut others = self.numbers.iter();
                        others.any(|(other, low, high)| {
                            *other == number && (most < *low || *high < least)
                        })
                    })
            }
        }
    }

    fn denies_value(&self, slot: SlotId, code: u32, holds: bool) -> bool {
        let mut others = self.literals.iter();
        others.any(|&(other, value, too)| {
            slot == other
                && match (holds, too) {
                    (true, true) => code != value,
                    (true, false) | (false, true) => code == value,
                    (false, false) => false,
                }
        })
    }
}

/// A slot, a code, and whether it has to have that code.
fn literal(cond: &Cond) -> Option<(SlotId, u32, bool)> {
    match cond {
        Cond::Holds(slot, code) => Some((*slot, *code, true)),
        Cond::Not(cond) => match **cond {
            Cond::Holds(slot, code) => Some((slot, code, false)),
            _ => None,
        },
        _ => None,
    }
}

/// A number that is compared with a constant, and what it must be at least and at most.
fn bounds(cond: &Cond) -> Option<(&Expr, i64, i64)> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    let (cond, negated) = match cond {
        Cond::Not(cond) => (&**cond, true),
        cond => (cond, false),
    };
    let Cond::Compare(comparison, sides) = cond else {
        return None;
    };
    let (number, constant, comparison) = match &**sides {
        [number, Expr::Constant(constant)] => (number, *constant, *comparison),
        [Expr::Constant(constant), number] => {
            let turned = match comparison {
                Equal => Equal,
                Less => Greater,
                LessOrEqual => GreaterOrEqual,
                Greater => Less,
                GreaterOrEqual => LessOrEqual,
            };
            (number, *constant, turned)
        }
        _ => return None,
    };
    let comparison = match (comparison, negated) {
        (comparison, false) => comparison,
        (Equal, true) => return None,
        (Less, true) => GreaterOrEqual,
        (LessOrEqual, true) => Greater,
        (Greater, true) => LessOrEqual,
        (GreaterOrEqual, true) => Less,
    };
    Some(match comparison {
        Equal => (number, constant, constant),
        Less => (number, i64::MIN, constant.saturating_sub(1)),
        LessOrEqual => (number, i64::MIN, constant),
        Greater => (number, constant.saturating_add(1), i64::MAX),
        GreaterOrEqual => (number, constant, i64::MAX),
    })
}
