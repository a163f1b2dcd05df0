//! Which fluents conditions and terms read.

use super::model::{Cond, Expr, FluentId, Term};

/// All fluents that an expression reads.
pub(crate) fn fluents_of_expr(expr: &Expr, fluents: &mut Vec<FluentId>) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Fluent(fluent, args) => {
            fluents.push(*fluent);
            for arg in args {
                fluents_of_term(arg, fluents);
            }
        }
        Expr::Add(all) | Expr::Multiply(all) | Expr::Min(all) | Expr::Max(all) => {
            for one in all {
                fluents_of_expr(one, fluents);
            }
        }
        Expr::Subtract(a, b) => {
            fluents_of_expr(a, fluents);
            fluents_of_expr(b, fluents);
        }
        Expr::Abs(one) => fluents_of_expr(one, fluents),
        Expr::Count(_, cond) => fluents_of_cond(cond, fluents),
    }
}

/// All fluents that an object term reads.
pub(crate) fn fluents_of_term(term: &Term, fluents: &mut Vec<FluentId>) {
    if let Term::Fluent(fluent, args) = term {
        fluents.push(*fluent);
        for arg in args {
            fluents_of_term(arg, fluents);
        }
    }
}

/// All fluents that a condition reads.
pub(crate) fn fluents_of_cond(cond: &Cond, fluents: &mut Vec<FluentId>) {
    match cond {
        Cond::True | Cond::False => {}
        Cond::Atom(fluent, args) => {
            fluents.push(*fluent);
            for arg in args {
                fluents_of_term(arg, fluents);
            }
        }
        Cond::Same(a, b) => {
            fluents_of_term(a, fluents);
            fluents_of_term(b, fluents);
        }
        Cond::Compare(_, a, b) => {
            fluents_of_expr(a, fluents);
            fluents_of_expr(b, fluents);
        }
        Cond::Not(one) | Cond::Forall(_, one) | Cond::Exists(_, one) => {
            fluents_of_cond(one, fluents);
        }
        Cond::And(all) | Cond::Or(all) => {
            for one in all {
                fluents_of_cond(one, fluents);
            }
        }
    }
}
