//! Lifted conditions in PDDL, under a binding: why an operator is refused, where the author gave no
//! reason.

use super::instantiate::Bindings;
use crate::sema::model::{Binding, Comparison, Cond, Expr, FluentId, Model, Term, Variable};

/// Writes conditions of one schema.
pub(super) struct Describe<'a> {
    pub(super) model: &'a Model,
    pub(super) variables: &'a [Variable],
    pub(super) at: &'a Bindings,
}

impl Describe<'_> {
    pub(super) fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::True => "(and)".to_owned(),
            Cond::False => "(or)".to_owned(),
            Cond::Atom(fluent, args) => self.applied(*fluent, args),
            Cond::Same(left, right) => format!("(= {} {})", self.term(left), self.term(right)),
            Cond::Compare(comparison, left, right) => {
                let symbol = match comparison {
                    Comparison::Equal => "=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                };
                format!("({symbol} {} {})", self.expr(left), self.expr(right))
            }
            Cond::Not(cond) => format!("(not {})", self.cond(cond)),
            Cond::And(conds) => self.list("and", conds),
            Cond::Or(conds) => self.list("or", conds),
            Cond::Forall(variables, body) => self.quantified("forall", variables, body),
            Cond::Exists(variables, body) => self.quantified("exists", variables, body),
        }
    }

    fn quantified(&self, word: &str, variables: &[Binding], body: &Cond) -> String {
        let names: Vec<String> = variables
            .iter()
            .map(|variable| format!("?{}", self.variables[variable.index()].name))
            .collect();
        format!("({word} ({}) {})", names.join(" "), self.cond(body))
    }

    fn list(&self, word: &str, conds: &[Cond]) -> String {
        let conds: Vec<String> = conds.iter().map(|cond| self.cond(cond)).collect();
        format!("({word} {})", conds.join(" "))
    }

    fn applied(&self, fluent: FluentId, args: &[Term]) -> String {
        let mut text = format!("({}", self.model.fluents[fluent.index()].name);
        for arg in args {
            text.push(' ');
            text.push_str(&self.term(arg));
        }
        text.push(')');
        text
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Object(object) => self.model.objects[object.index()].name.clone(),
            Term::Variable(variable) => match self.at[variable.index()] {
                Some(object) => self.model.objects[object.index()].name.clone(),
                None => format!("?{}", self.variables[variable.index()].name),
            },
            Term::Fluent(fluent, args) => self.applied(*fluent, args),
            Term::Undefined => "undefined".to_owned(),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let list = |word: &str, exprs: &[Expr]| {
            let exprs: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
            format!("({word} {})", exprs.join(" "))
        };
        match expr {
            Expr::Constant(value) => value.to_string(),
            Expr::Fluent(fluent, args) => self.applied(*fluent, args),
            Expr::Add(exprs) => list("+", exprs),
            Expr::Subtract(left, right) => {
                format!("(- {} {})", self.expr(left), self.expr(right))
            }
            Expr::Multiply(exprs) => list("*", exprs),
            Expr::Abs(expr) => format!("(abs {})", self.expr(expr)),
            Expr::Min(exprs) => list("min", exprs),
            Expr::Max(exprs) => list("max", exprs),
            Expr::Count(variables, body) => self.quantified("count", variables, body),
        }
    }
}
