//! The values that slots can take, as far as reachability knows.

use super::formula::{Cond, Expr, Values};
use super::slots::{SlotId, SlotRange};

/// The values that slots can take.
#[derive(Debug, Default)]
pub(super) struct SlotValues {
    /// Sorted codes per slot.
    pub(super) codes: Vec<Vec<u32>>,
    /// Integer slots that change: any value from the least of their range to `high`.
    pub(super) any: Vec<bool>,
    /// The greatest code that an integer slot can have.
    pub(super) high: Vec<u32>,
    pub(super) ranges: Vec<SlotRange>,
}

impl SlotValues {
    /// Adds a slot that has these values so far; one that changes may have any value of its range.
    pub(super) fn add(&mut self, range: SlotRange, codes: Vec<u32>) {
        self.high.push(match range {
            SlotRange::Integer { size, .. } => size.saturating_sub(1),
            SlotRange::Boolean | SlotRange::Object => 0,
        });
        self.ranges.push(range);
        self.any.push(false);
        self.codes.push(codes);
    }

    /// The codes of a slot, ascending.
    pub(super) fn codes(&self, slot: SlotId) -> Vec<u32> {
        match self.ranges[slot.index()] {
            SlotRange::Integer { .. } if self.any[slot.index()] => {
                (0..=self.high[slot.index()]).collect()
            }
            _ => self.codes[slot.index()].clone(),
        }
    }

    /// Leaves a slot only one value.
    pub(super) fn freeze(&mut self, slot: SlotId, code: u32) {
        self.codes[slot.index()] = vec![code];
        self.any[slot.index()] = false;
    }

    /// The number of values of a slot.
    pub(super) fn count(&self, slot: SlotId) -> u64 {
        match self.ranges[slot.index()] {
            SlotRange::Integer { .. } if self.any[slot.index()] => {
                u64::from(self.high[slot.index()]) + 1
            }
            _ => self.codes[slot.index()].len() as u64,
        }
    }

    /// Returns true if the condition may be true (or, if not `wanted`, false).
    pub(super) fn may(&self, cond: &Cond, wanted: bool) -> bool {
        match cond {
            Cond::True => wanted,
            Cond::False => !wanted,
            Cond::Holds(slot, code) => {
                if wanted {
                    self.may_be(*slot, *code)
                } else {
                    self.only(*slot) != Some(*code)
                }
            }
            Cond::Same(left, right) => {
                let (left, right) = (self.codes(*left), self.codes(*right));
                let common = |code: &u32| *code != 0 && right.binary_search(code).is_ok();
                if wanted {
                    left.iter().any(common)
                } else {
                    left.len() > 1 || right.len() > 1 || !left.iter().any(common)
                }
            }
            Cond::Compare(comparison, pair) => {
                let (left, right) = (self.bounds(&pair[0]), self.bounds(&pair[1]));
                let may = |comparison: brigade_task::cond::Comparison| {
                    use brigade_task::cond::Comparison as C;
                    match comparison {
                        C::Equal => left.0 <= right.1 && right.0 <= left.1,
                        C::Less => left.0 < right.1,
                        C::LessOrEqual => left.0 <= right.1,
                        C::Greater => left.1 > right.0,
                        C::GreaterOrEqual => left.1 >= right.0,
                    }
                };
                if wanted {
                    may(*comparison)
                } else {
                    let constant = left.0 == left.1 && right.0 == right.1;
                    !(constant && comparison.compares(left.0, right.0))
                }
            }
            Cond::Not(cond) => self.may(cond, !wanted),
            Cond::And(conds) => {
                if wanted {
                    conds.iter().all(|cond| self.may(cond, true))
                } else {
                    conds.iter().any(|cond| self.may(cond, false))
                }
            }
            Cond::Or(conds) => {
                if wanted {
                    conds.iter().any(|cond| self.may(cond, true))
                } else {
                    conds.iter().all(|cond| self.may(cond, false))
                }
            }
        }
    }

    /// Bounds of an expression's value.
    pub(super) fn bounds(&self, expr: &Expr) -> (i64, i64) {
        self.bounds_of(expr, true)
    }

    /// Bounds of an expression's value that hold whatever else becomes reachable.
    pub(super) fn lasting_bounds(&self, expr: &Expr) -> (i64, i64) {
        self.bounds_of(expr, false)
    }

    /// Bounds by the values that are reachable so far, or by ranges alone.
    fn bounds_of(&self, expr: &Expr, so_far: bool) -> (i64, i64) {
        let each = |exprs: &[Expr], fold: fn(i64, i64) -> i64, start: i64| {
            exprs
                .iter()
                .map(|expr| self.bounds_of(expr, so_far))
                .fold((start, start), |(low, high), (a, b)| {
                    (fold(low, a), fold(high, b))
                })
        };
        match expr {
            Expr::Constant(value) => (*value, *value),
            Expr::Slot(slot) if !so_far => self.range(*slot),
            Expr::Slot(slot) => match self.ranges[slot.index()] {
                SlotRange::Integer { lo, .. } if self.any[slot.index()] => {
                    (lo, lo + i64::from(self.high[slot.index()]))
                }
                _ => {
                    let codes = &self.codes[slot.index()];
                    let number =
                        |code: Option<&u32>| code.map_or(0, |&code| self.number(*slot, code));
                    (number(codes.first()), number(codes.last()))
                }
            },
            Expr::Truth(_) if !so_far => (0, 1),
            Expr::Truth(cond) => (
                i64::from(!self.may(cond, false)),
                i64::from(self.may(cond, true)),
            ),
            Expr::Add(exprs) => each(exprs, i64::saturating_add, 0),
            Expr::Subtract(pair) => {
                let (a, b) = (
                    self.bounds_of(&pair[0], so_far),
                    self.bounds_of(&pair[1], so_far),
                );
                (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
            }
            Expr::Multiply(exprs) => {
                exprs
                    .iter()
                    .map(|expr| self.bounds_of(expr, so_far))
                    .fold((1, 1), |a, b| {
                        let products = [
                            a.0.saturating_mul(b.0),
                            a.0.saturating_mul(b.1),
                            a.1.saturating_mul(b.0),
                            a.1.saturating_mul(b.1),
                        ];
                        let low = products.iter().copied().fold(i64::MAX, i64::min);
                        let high = products.iter().copied().fold(i64::MIN, i64::max);
                        (low, high)
                    })
            }
            Expr::Abs(expr) => {
                let (low, high) = self.bounds_of(expr, so_far);
                let least = if low <= 0 && high >= 0 {
                    0
                } else {
                    low.saturating_abs().min(high.saturating_abs())
                };
                (least, low.saturating_abs().max(high.saturating_abs()))
            }
            Expr::Min(exprs) if !exprs.is_empty() => each(exprs, i64::min, i64::MAX),
            Expr::Max(exprs) if !exprs.is_empty() => each(exprs, i64::max, i64::MIN),
            Expr::Min(_) | Expr::Max(_) => (0, 0),
            Expr::Case(cases) => cases
                .iter()
                .map(|(_, expr)| self.bounds_of(expr, so_far))
                .fold((0, 0), |a, b| (a.0.min(b.0), a.1.max(b.1))),
        }
    }

    /// The least and the greatest number in a slot's range.
    fn range(&self, slot: SlotId) -> (i64, i64) {
        match self.ranges[slot.index()] {
            SlotRange::Integer { lo, size } => (lo, lo + i64::from(size) - 1),
            SlotRange::Boolean => (0, 1),
            SlotRange::Object => (0, i64::from(u32::MAX)),
        }
    }
}

impl Values for SlotValues {
    fn may_be(&self, slot: SlotId, code: u32) -> bool {
        match self.ranges[slot.index()] {
            SlotRange::Integer { .. } if self.any[slot.index()] => code <= self.high[slot.index()],
            _ => self.codes[slot.index()].binary_search(&code).is_ok(),
        }
    }

    fn only(&self, slot: SlotId) -> Option<u32> {
        match self.codes[slot.index()][..] {
            [code] if !self.any[slot.index()] => Some(code),
            _ => None,
        }
    }

    fn number(&self, slot: SlotId, code: u32) -> i64 {
        match self.ranges[slot.index()] {
            SlotRange::Integer { lo, .. } => lo + i64::from(code),
            SlotRange::Boolean | SlotRange::Object => i64::from(code),
        }
    }
}
