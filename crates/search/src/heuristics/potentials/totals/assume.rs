//! Conditions on paths: their truth, and the paths on which they hold or not.

use std::collections::BTreeMap;

use super::path::{Path, Read, Space};
use super::values::Values;
use brigade_task::atom::Fact;
use brigade_task::cond::{Comparison, Cond, Expr};

/// A condition that splits a path into more is left unknown.
const MOST_SPLIT: usize = 24;

/// Returns whether some number of one range compares so to some number of another.
const fn may_compare(comparison: Comparison, left: (i64, i64), right: (i64, i64)) -> bool {
    match comparison {
        Comparison::Equal => left.0 <= right.1 && right.0 <= left.1,
        Comparison::Less => left.0 < right.1,
        Comparison::LessOrEqual => left.0 <= right.1,
        Comparison::Greater => left.1 > right.0,
        Comparison::GreaterOrEqual => left.1 >= right.0,
    }
}

/// Returns whether all numbers of one range compare so to all of another.
const fn must_compare(comparison: Comparison, left: (i64, i64), right: (i64, i64)) -> bool {
    match comparison {
        Comparison::Equal => left.0 == left.1 && right.0 == right.1 && left.0 == right.0,
        Comparison::Less => left.1 < right.0,
        Comparison::LessOrEqual => left.1 <= right.0,
        Comparison::Greater => left.0 > right.1,
        Comparison::GreaterOrEqual => left.0 >= right.1,
    }
}

impl Space<'_> {
    /// The truth of a condition where a path reads it, if that is known.
    pub(super) fn truth(self, path: &Path, read: Read, cond: &Cond) -> Option<bool> {
        let of = |cond: &Cond| self.truth(path, read, cond);
        match cond {
            Cond::True => Some(true),
            Cond::False => Some(false),
            Cond::Fact(fact) => self.truth_of_fact(path, read, *fact),
            Cond::Facts(facts) => {
                all((facts.iter()).map(|&fact| self.truth_of_fact(path, read, fact)))
            }
            Cond::Not(cond) => of(cond).map(|is| !is),
            Cond::And(conds) => all(conds.iter().map(of)),
            Cond::Or(conds) => {
                all(conds.iter().map(|cond| of(cond).map(|is| !is))).map(|none| !none)
            }
            Cond::Compare(comparison, left, right) => {
                let left = self.range(path, read, left, &of)?;
                let right = self.range(path, read, right, &of)?;
                if must_compare(*comparison, left, right) {
                    return Some(true);
                }
                (!may_compare(*comparison, left, right)).then_some(false)
            }
            Cond::Same(..) => None,
        }
    }

    fn truth_of_fact(self, path: &Path, read: Read, fact: Fact) -> Option<bool> {
        let values = self.values(path, read, fact.variable.0)?;
        if !values.contains(fact.value) {
            return Some(false);
        }
        values.single().map(|_| true)
    }

    /// The paths on which a condition holds, or does not; together they hold all such states.
    pub(super) fn assume(self, path: Path, read: Read, cond: &Cond, is: bool) -> Vec<Path> {
        match self.truth(&path, read, cond) {
            Some(known) if known == is => return vec![path],
            Some(_) => return Vec::new(),
            None => {}
        }
        match cond {
            Cond::True | Cond::False | Cond::Same(..) => vec![path],
            Cond::Fact(fact) => self.assume_fact(path, read, *fact, is),
            Cond::Facts(facts) => {
                let conds: Vec<Cond> = facts.iter().map(|&fact| Cond::Fact(fact)).collect();
                self.assume_all(path, read, &conds, true, is)
            }
            Cond::Not(cond) => self.assume(path, read, cond, !is),
            Cond::And(conds) => self.assume_all(path, read, conds, true, is),
            Cond::Or(conds) => self.assume_all(path, read, conds, false, !is),
            Cond::Compare(comparison, left, right) => {
                self.assume_comparison(path, read, (*comparison, left, right), is)
            }
        }
    }

    /// The paths on which all of some conditions are `each`; those on which not all are, if not `is`.
    fn assume_all(self, path: Path, read: Read, conds: &[Cond], each: bool, is: bool) -> Vec<Path> {
        let mut open = vec![path.clone()];
        let mut others = Vec::new();
        for cond in conds {
            let mut next = Vec::new();
            for path in open {
                if !is {
                    others.extend(self.assume(path.clone(), read, cond, !each));
                }
                next.extend(self.assume(path, read, cond, each));
            }
            open = next;
            if open.len() + others.len() > MOST_SPLIT {
                return vec![path];
            }
        }
        if is { open } else { others }
    }

    fn assume_fact(self, mut path: Path, read: Read, fact: Fact, is: bool) -> Vec<Path> {
        let size = self.size(fact.variable.0);
        let values = if is {
            Values::one(size, fact.value)
        } else {
            Values::of(size, (0..size).filter(|&value| value != fact.value))
        };
        let is_left = self.restrict(&mut path, read, fact.variable.0, &values);
        is_left.then_some(path).into_iter().collect()
    }

    /// The paths on which a variable has values of the same number, one for each number. `None` where it has but one,
    /// they are many, or the variable cannot be restricted.
    fn by_number(self, path: &Path, read: Read, variable: u32, table: &[i64]) -> Option<Vec<Path>> {
        let values = self.all_values(path, read, variable);
        let mut groups: BTreeMap<i64, Values> = BTreeMap::new();
        for value in values.iter() {
            let size = self.size(variable);
            let group = groups.entry(table[value as usize]);
            group.or_insert_with(|| Values::none(size)).insert(value);
        }
        if groups.len() < 2 || groups.len() > MOST_SPLIT {
            return None;
        }
        let paths = groups.values().map(|group| {
            let mut path = path.clone();
            self.restrict(&mut path, read, variable, group);
            (self.values(&path, read, variable) == Some(group)).then_some(path)
        });
        paths.collect()
    }

    /// Restricts variables that are compared.
    fn assume_comparison(
        self,
        mut path: Path,
        read: Read,
        (comparison, left, right): (Comparison, &Expr, &Expr),
        is: bool,
    ) -> Vec<Path> {
        let mut tables = [left, right].into_iter().filter_map(|side| match side {
            Expr::Table(variable, table) => self.by_number(&path, read, variable.0, table),
            _ => None,
        });
        if let Some(paths) = tables.next_back() {
            let each = |path| self.assume(path, read, &compared(comparison, left, right), is);
            return paths.into_iter().flat_map(each).collect();
        }
        let sides = [
            (comparison, left, right),
            (comparison.exchanged(), right, left),
        ];
        for (comparison, one, other) in sides {
            let Expr::Variable(variable) = one else {
                continue;
            };
            let truth = |cond: &Cond| self.truth(&path, read, cond);
            let Some(other) = self.range(&path, read, other, &truth) else {
                continue;
            };
            let size = self.size(variable.0);
            let low = self.0.variables[variable.index()].low();
            let may_be = |&value: &u32| {
                let number = low + i64::from(value);
                if is {
                    may_compare(comparison, (number, number), other)
                } else {
                    !must_compare(comparison, (number, number), other)
                }
            };
            let values = Values::of(size, (0..size).filter(may_be));
            if !self.restrict(&mut path, read, variable.0, &values) {
                return Vec::new();
            }
        }
        vec![path]
    }
}

fn compared(comparison: Comparison, left: &Expr, right: &Expr) -> Cond {
    Cond::Compare(comparison, left.clone().into(), right.clone().into())
}

/// The truth of a conjunction.
fn all(mut truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for truth in &mut truths {
        match truth {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}
