//! A path through a part of a step: what has to hold before it, what it writes, and what it costs.

use std::collections::BTreeMap;

use super::values::Values;
use brigade_task::cond::Expr;
use brigade_task::cost_range::{Range, add, join, of_expr};
use brigade_task::layout::VariableKind;
use brigade_task::{Task, VarId};

/// Integers with more values count by their number, not value by value.
pub(super) const MOST_VALUES_OF_SMALL: u32 = 8;

/// A write of a path to a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Write {
    /// Gives it one of these values.
    One(Values),
    /// Adds an amount to it.
    Add {
        /// The range of the amount.
        by: Range,
        /// The range of the change, which is less at the bounds.
        change: Range,
    },
    /// Gives it any value.
    Unknown,
}

/// The state in which a condition is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    Now,
    /// The state before the block.
    Snapshot,
}

/// A way that a part of a step can go.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// For each variable of which something is known the values that it may have before.
    pub(super) before: BTreeMap<u32, Values>,
    pub(super) writes: BTreeMap<u32, Write>,
    /// The writes before the block that is being followed.
    pub(super) snapshot: BTreeMap<u32, Write>,
    /// The range of what it adds to the cost.
    pub(super) cost: Range,
}

/// The variables of a task.
#[derive(Clone, Copy)]
pub(super) struct Space<'t>(pub(super) &'t Task);

impl Space<'_> {
    pub(super) fn size(self, variable: u32) -> u32 {
        self.0.variables[variable as usize].size
    }

    pub(super) fn is_derived(self, variable: u32) -> bool {
        self.0.variables[variable as usize].kind == VariableKind::Derived
    }

    /// Returns true for an integer that counts by its number.
    pub(super) fn is_counter(self, variable: u32) -> bool {
        let variable = &self.0.variables[variable as usize];
        matches!(variable.kind, VariableKind::Integer { .. })
            && variable.size > MOST_VALUES_OF_SMALL
    }

    /// The values that a variable may have where a path reads it; `None` where nothing is known.
    pub(super) fn values(self, path: &Path, read: Read, variable: u32) -> Option<&Values> {
        if self.is_derived(variable) {
            return None;
        }
        let written = match read {
            Read::Now => &path.writes,
            Read::Snapshot => &path.snapshot,
        };
        match written.get(&variable) {
            Some(Write::One(values)) => Some(values),
            Some(_) => None,
            None => path.before.get(&variable),
        }
    }

    /// The same, all values where nothing is known.
    pub(super) fn all_values(self, path: &Path, read: Read, variable: u32) -> Values {
        let known = self.values(path, read, variable).cloned();
        known.unwrap_or_else(|| Values::all(self.size(variable)))
    }

    /// Leaves these values to a variable that a path reads; returns whether one is left.
    pub(super) fn restrict(self, path: &mut Path, read: Read, variable: u32, to: &Values) -> bool {
        if self.is_derived(variable) {
            return true;
        }
        let written = match read {
            Read::Now => &path.writes,
            Read::Snapshot => &path.snapshot,
        };
        match written.get(&variable) {
            Some(Write::One(values)) => values.meets(to),
            Some(_) => true,
            None => {
                let size = self.size(variable);
                let before = path.before.entry(variable);
                let before = before.or_insert_with(|| Values::all(size));
                before.meet(to);
                !before.is_empty()
            }
        }
    }

    /// The range of an expression where a path reads it.
    pub(super) fn range(
        self,
        path: &Path,
        read: Read,
        expr: &Expr,
        truth: &dyn Fn(&brigade_task::cond::Cond) -> Option<bool>,
    ) -> Option<Range> {
        let of = |expr: &Expr| self.range(path, read, expr, truth);
        let numbers = |variable: VarId, number: &dyn Fn(u32) -> i64| {
            let values = self.all_values(path, read, variable.0);
            let numbers = values.iter().map(|value| (number(value), number(value)));
            numbers.reduce(join)
        };
        match expr {
            Expr::Variable(variable) => {
                let low = self.0.variables[variable.index()].low();
                numbers(*variable, &|value| low + i64::from(value))
            }
            Expr::Table(variable, table) => numbers(*variable, &|value| table[value as usize]),
            Expr::Truth(cond) => Some(truth(cond).map_or((0, 1), |is| (is.into(), is.into()))),
            Expr::Add(parts) => (parts.iter()).try_fold((0, 0), |sum, part| add(sum, of(part)?)),
            Expr::Subtract(parts) => {
                let (left, right) = (of(&parts[0])?, of(&parts[1])?);
                Some((left.0.checked_sub(right.1)?, left.1.checked_sub(right.0)?))
            }
            other => of_expr(self.0, other),
        }
    }
}
