//! Conditions and expressions on the state after some effects, as conditions on the one before.

use super::{Cases, State, Writes};
use crate::classical::diagram::{Diagram, Space};
use brigade_task::Fact;
use brigade_task::cond::{Cond, Expr};
use brigade_task::effect::Candidate;

/// A number may have as many values.
const MAX_VALUES: usize = 4096;

impl State<'_> {
    /// All of these facts.
    pub(super) fn facts(&mut self, facts: &[Fact]) -> Diagram {
        let is_as_before = |fact: &Fact| !self.writes.contains_key(&fact.variable.0);
        if facts.iter().all(is_as_before) && !self.is_stale {
            let facts = self.world.facts(facts);
            return self.world.space.within(facts, self.care);
        }
        let facts: Vec<Diagram> = facts
            .iter()
            .map(|fact| self.is(fact.variable.0, fact.value))
            .collect();
        self.world.space.all(facts)
    }

    /// A condition.
    pub(in super::super) fn cond(&mut self, cond: &Cond) -> Diagram {
        if self.is_stopped() {
            return Diagram::FALSE;
        }
        let space = &self.world.space;
        match cond {
            Cond::True => Diagram::TRUE,
            Cond::False => Diagram::FALSE,
            Cond::Fact(fact) => self.facts(std::slice::from_ref(fact)),
            Cond::Facts(facts) => self.facts(facts),
            Cond::Not(one) => space.not(self.cond(one)),
            Cond::And(all) => space.all(all.iter().map(|one| self.cond(one))),
            Cond::Or(any) => space.any(any.iter().map(|one| self.cond(one))),
            Cond::Compare(comparison, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                let pairs = left.iter().map(|(one, cond)| {
                    let holds = right
                        .iter()
                        .filter(|(other, _)| comparison.compares(*one, **other));
                    space.and(*cond, space.any(holds.map(|(_, cond)| *cond)))
                });
                space.any(pairs)
            }
            Cond::Same(left, right, table) => {
                let mut same = Diagram::FALSE;
                for (value, cond) in self.values(left.0) {
                    if let Some(other) = table[value as usize] {
                        let other = self.is(right.0, other);
                        same = space.or(same, space.and(cond, other));
                    }
                }
                same
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Cases<i64> {
        let space = &self.world.space;
        let mut cases = Cases::new();
        match expr {
            Expr::Constant(value) => {
                cases.insert(*value, Diagram::TRUE);
            }
            Expr::Variable(variable) => {
                let low = self.world.task.variables[variable.index()].low();
                for (value, cond) in self.values(variable.0) {
                    add(space, &mut cases, low + i64::from(value), cond);
                }
            }
            Expr::Table(variable, table) => {
                for (value, cond) in self.values(variable.0) {
                    add(space, &mut cases, table[value as usize], cond);
                }
            }
            Expr::Truth(cond) => {
                let cond = self.cond(cond);
                add(space, &mut cases, 0, space.not(cond));
                add(space, &mut cases, 1, cond);
            }
            Expr::Add(exprs) => return self.fold(exprs, Some(0), i64::saturating_add),
            Expr::Multiply(exprs) => return self.fold(exprs, Some(1), i64::saturating_mul),
            Expr::Subtract(pair) => return self.fold(&pair[..], None, i64::saturating_sub),
            Expr::Min(exprs) => return self.fold(exprs, None, i64::min),
            Expr::Max(exprs) => return self.fold(exprs, None, i64::max),
            Expr::Abs(one) => {
                for (value, cond) in self.expr(one) {
                    add(space, &mut cases, value.saturating_abs(), cond);
                }
            }
            Expr::Case(all) => {
                let mut rest = Diagram::TRUE;
                for (cond, expr) in all {
                    let cond = self.cond(cond);
                    let here = space.and(rest, cond);
                    for (value, when) in self.expr(expr) {
                        add(space, &mut cases, value, space.and(here, when));
                    }
                    rest = space.without(rest, cond);
                }
                add(space, &mut cases, 0, rest);
            }
        }
        cases
    }

    /// Joins numbers from the first on; of nothing, 0.
    fn fold(
        &mut self,
        exprs: &[Expr],
        start: Option<i64>,
        join: fn(i64, i64) -> i64,
    ) -> Cases<i64> {
        let mut sum = start.map(|start| Cases::from([(start, Diagram::TRUE)]));
        for expr in exprs {
            let next = self.expr(expr);
            sum = Some(match sum {
                None => next,
                Some(sum) => self.joined(&sum, &next, join),
            });
        }
        sum.unwrap_or_else(|| Cases::from([(0, Diagram::TRUE)]))
    }

    pub(super) fn joined(
        &mut self,
        one: &Cases<i64>,
        other: &Cases<i64>,
        join: fn(i64, i64) -> i64,
    ) -> Cases<i64> {
        let space = &self.world.space;
        let mut joined = Cases::new();
        for (a, when) in one {
            for (b, and) in other {
                if joined.len() > MAX_VALUES || self.is_stopped() {
                    self.stop = self.stop.or(Some(super::Stop::TooLarge));
                    return joined;
                }
                add(space, &mut joined, join(*a, *b), space.and(*when, *and));
            }
        }
        joined
    }

    /// Reads from the state `before` where given.
    pub(super) fn reading<T>(
        &mut self,
        before: Option<&Writes>,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(before) = before else {
            return read(self);
        };
        let now = std::mem::replace(&mut self.writes, before.clone());
        let result = read(self);
        self.writes = now;
        result
    }

    /// For each candidate, when it is picked.
    pub(super) fn chosen(&mut self, candidates: &[Candidate]) -> Vec<Diagram> {
        let mut read: Vec<(Diagram, Vec<Cases<i64>>)> = Vec::new();
        for candidate in candidates {
            let cond = self.cond(&candidate.cond);
            let keys = candidate.keys.iter().map(|key| self.expr(key)).collect();
            read.push((cond, keys));
        }
        let space = &self.world.space;
        let mut chosen = Vec::new();
        for (index, (cond, keys)) in read.iter().enumerate() {
            let mut picked = *cond;
            for (other, (its, its_keys)) in read.iter().enumerate() {
                if other != index && picked != Diagram::FALSE {
                    let beats = less(space, its_keys, keys, other < index);
                    picked = space.without(picked, space.and(*its, beats));
                }
            }
            chosen.push(picked);
        }
        chosen
    }
}

/// When the keys `one` come before those of `other`; of equal ones as `equal` says.
fn less(space: &Space, one: &[Cases<i64>], other: &[Cases<i64>], equal: bool) -> Diagram {
    let (Some((first, one)), Some((second, other))) = (one.split_first(), other.split_first())
    else {
        return if equal { Diagram::TRUE } else { Diagram::FALSE };
    };
    let rest = less(space, one, other, equal);
    let mut found = Diagram::FALSE;
    for (a, when) in first {
        for (b, and) in second {
            let here = match a.cmp(b) {
                std::cmp::Ordering::Less => Diagram::TRUE,
                std::cmp::Ordering::Equal => rest,
                std::cmp::Ordering::Greater => continue,
            };
            let both = space.and(space.and(*when, *and), here);
            found = space.or(found, both);
        }
    }
    found
}

/// Adds a case; of one value, either condition will do.
pub(super) fn add(space: &Space, cases: &mut Cases<i64>, value: i64, cond: Diagram) {
    if cond != Diagram::FALSE {
        let entry = cases.entry(value).or_insert(Diagram::FALSE);
        *entry = space.or(*entry, cond);
    }
}
