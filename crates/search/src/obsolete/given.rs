//! What is known of conditions, and what they read, where a fact holds.

use super::facts::{Permanent, Variables};
use super::fields::Fields;
use brigade_task::cond::{Cond, Expr, Test};

/// What is told of conditions by a fact that holds, if there is one.
#[derive(Clone, Copy)]
pub(super) struct Given<'f, 't> {
    pub(super) fields: &'f Fields<'t>,
    pub(super) fact: Option<Permanent>,
}

impl Given<'_, '_> {
    pub(super) fn truth_of_test(self, test: Test) -> Option<bool> {
        let (id, value) = self.fact?;
        let fact = Test::fact(&self.fields.task.variables[id.index()], value);
        let shared = fact.mask & test.mask;
        if fact.word != test.word || shared == 0 {
            None
        } else if fact.value & shared != test.value & shared {
            Some(false)
        } else {
            fact.implies(test).then_some(true)
        }
    }

    pub(super) fn truth(self, cond: &Cond) -> Option<bool> {
        let all = |truths: &mut dyn Iterator<Item = Option<bool>>| {
            let mut all = Some(true);
            for truth in truths {
                match truth {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => all = None,
                }
            }
            all
        };
        match cond {
            Cond::True => Some(true),
            Cond::False => Some(false),
            Cond::Fact(test) => self.truth_of_test(*test),
            Cond::Facts(tests) => all(&mut tests.iter().map(|&test| self.truth_of_test(test))),
            Cond::Not(cond) => self.truth(cond).map(|truth| !truth),
            Cond::And(conds) => all(&mut conds.iter().map(|cond| self.truth(cond))),
            Cond::Or(conds) => {
                let negated = |cond| self.truth(cond).map(|truth| !truth);
                all(&mut conds.iter().map(negated)).map(|truth| !truth)
            }
            Cond::Compare(..) | Cond::Same(..) => None,
        }
    }

    /// Adds the variables that the truth of a condition depends on.
    pub(super) fn reads(self, cond: &Cond, read: &mut Variables) {
        if self.truth(cond).is_some() {
            return;
        }
        let test = |test: &Test, read: &mut Variables| {
            if self.truth_of_test(*test).is_none() {
                read.extend(self.fields.variables(test.word, test.mask));
            }
        };
        match cond {
            Cond::True | Cond::False => {}
            Cond::Fact(fact) => test(fact, read),
            Cond::Facts(facts) => facts.iter().for_each(|fact| test(fact, read)),
            Cond::Not(cond) => self.reads(cond, read),
            Cond::And(conds) | Cond::Or(conds) => {
                conds.iter().for_each(|cond| self.reads(cond, read));
            }
            Cond::Compare(_, left, right) => {
                self.reads_of(left, read);
                self.reads_of(right, read);
            }
            Cond::Same(left, right, _) => read.extend([*left, *right]),
        }
    }

    /// Adds the variables that a number depends on.
    pub(super) fn reads_of(self, expr: &Expr, read: &mut Variables) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Variable(id) | Expr::Table(id, _) => {
                read.insert(*id);
            }
            Expr::Truth(cond) => self.reads(cond, read),
            Expr::Add(exprs) | Expr::Multiply(exprs) | Expr::Min(exprs) | Expr::Max(exprs) => {
                exprs.iter().for_each(|expr| self.reads_of(expr, read));
            }
            Expr::Subtract(pair) => pair.iter().for_each(|expr| self.reads_of(expr, read)),
            Expr::Abs(expr) => self.reads_of(expr, read),
            Expr::Case(cases) => {
                for (cond, expr) in cases {
                    self.reads(cond, read);
                    self.reads_of(expr, read);
                }
            }
        }
    }
}
