//! The truth of conditions, and what they read, where a fact holds.

use super::facts::{Permanent, Variables};
use brigade_task::Fact;
use brigade_task::cond::{Cond, Expr};

/// A fact that holds, if there is one, as far as it decides conditions.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub(super) fact: Option<Permanent>,
}

impl Given {
    pub(super) fn truth_of_fact(self, fact: Fact) -> Option<bool> {
        let given = self.fact?;
        (given.variable == fact.variable).then_some(given.value == fact.value)
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
            Cond::Fact(fact) => self.truth_of_fact(*fact),
            Cond::Facts(facts) => all(&mut facts.iter().map(|&fact| self.truth_of_fact(fact))),
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
        let see = |fact: &Fact, read: &mut Variables| {
            if self.truth_of_fact(*fact).is_none() {
                read.insert(fact.variable);
            }
        };
        match cond {
            Cond::True | Cond::False => {}
            Cond::Fact(fact) => see(fact, read),
            Cond::Facts(facts) => facts.iter().for_each(|fact| see(fact, read)),
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
