//! Conditions over variables, and what they mention.

use brigade_compile::sema::model::{Binding, Cond, Expr, FluentId, ObjectId, Term, Variable};

/// Values of the variables of a schema.
pub(super) type At = Vec<Option<ObjectId>>;

/// Conditions over variables, all of which are to hold together.
#[derive(Clone, Debug)]
pub(super) struct Schema<'m> {
    pub(super) variables: &'m [Variable],
    pub(super) conds: Vec<&'m Cond>,
}

/// The fluents that a condition reads.
pub(super) fn fluents(cond: &Cond) -> Vec<FluentId> {
    let mut names = Names::default();
    names.cond(cond);
    names.fluents
}

/// The conjuncts of a condition.
pub(super) fn conjuncts<'m>(cond: &'m Cond, into: &mut Vec<&'m Cond>) {
    match cond {
        Cond::And(conds) => conds.iter().for_each(|cond| conjuncts(cond, into)),
        Cond::True => {}
        cond => into.push(cond),
    }
}

/// The variables that a condition leaves free, in order of their first mention.
pub(super) fn free(cond: &Cond) -> Vec<Binding> {
    let mut names = Names::default();
    names.cond(cond);
    names.free()
}

/// The variables that an expression leaves free, in order of their first mention.
pub(super) fn free_in(expr: &Expr) -> Vec<Binding> {
    let mut names = Names::default();
    names.expr(expr);
    names.free()
}

#[derive(Default)]
struct Names {
    seen: Vec<Binding>,
    bound: Vec<Binding>,
    fluents: Vec<FluentId>,
}

impl Names {
    fn free(self) -> Vec<Binding> {
        let Self {
            mut seen, bound, ..
        } = self;
        seen.retain(|variable| !bound.contains(variable));
        seen
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::True | Cond::False => {}
            Cond::Atom(fluent, args) => {
                self.fluents.push(*fluent);
                for arg in args {
                    self.term(arg);
                }
            }
            Cond::Same(left, right) => {
                self.term(left);
                self.term(right);
            }
            Cond::Compare(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Cond::Not(cond) => self.cond(cond),
            Cond::And(conds) | Cond::Or(conds) => conds.iter().for_each(|cond| self.cond(cond)),
            Cond::Forall(variables, cond) | Cond::Exists(variables, cond) => {
                self.bound.extend(variables);
                self.cond(cond);
            }
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(variable) if !self.seen.contains(variable) => self.seen.push(*variable),
            Term::Fluent(fluent, args) => {
                self.fluents.push(*fluent);
                for arg in args {
                    self.term(arg);
                }
            }
            Term::Variable(_) | Term::Object(_) | Term::Undefined => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Fluent(fluent, args) => {
                self.fluents.push(*fluent);
                for arg in args {
                    self.term(arg);
                }
            }
            Expr::Add(all) | Expr::Multiply(all) | Expr::Min(all) | Expr::Max(all) => {
                for one in all {
                    self.expr(one);
                }
            }
            Expr::Subtract(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Abs(one) => self.expr(one),
            Expr::Count(variables, cond) => {
                self.bound.extend(variables);
                self.cond(cond);
            }
        }
    }
}
