//! Conditions, expressions and effects as JSON.

use super::{Fact, JsonCandidate, JsonCase, JsonCond, JsonEffect, JsonExpr};
use crate::cond::{Comparison, Cond, Expr};
use crate::effect::{Candidate, Effect};
use crate::{LogEntry, VarId};

pub(super) const fn fact(fact: crate::Fact) -> Fact {
    (fact.variable.0, fact.value)
}

pub(super) fn cond(written: &Cond) -> JsonCond {
    let all = |conds: &[Cond]| conds.iter().map(cond).collect();
    match written {
        Cond::True => JsonCond::True,
        Cond::False => JsonCond::False,
        Cond::Fact(only) => JsonCond::Facts(vec![fact(*only)]),
        Cond::Facts(facts) => JsonCond::Facts(facts.iter().copied().map(fact).collect()),
        Cond::Not(inner) => JsonCond::Not(Box::new(cond(inner))),
        Cond::And(conds) => JsonCond::And(all(conds)),
        Cond::Or(conds) => JsonCond::Or(all(conds)),
        Cond::Compare(comparison, left, right) => JsonCond::Compare {
            left: expr(left),
            comparison: match comparison {
                Comparison::Equal => "=",
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
            },
            right: expr(right),
        },
        Cond::Same(left, right, table) => JsonCond::Same {
            left: left.0,
            right: right.0,
            table: table.to_vec(),
        },
    }
}

pub(super) fn expr(written: &Expr) -> JsonExpr {
    let all = |exprs: &[Expr]| exprs.iter().map(expr).collect();
    match written {
        Expr::Constant(constant) => JsonExpr::Constant(*constant),
        Expr::Variable(VarId(variable)) => JsonExpr::Variable(*variable),
        Expr::Table(variable, values) => JsonExpr::Table {
            variable: variable.0,
            values: values.to_vec(),
        },
        Expr::Truth(inner) => JsonExpr::Truth(Box::new(cond(inner))),
        Expr::Add(exprs) => JsonExpr::Add(all(exprs)),
        Expr::Subtract(pair) => JsonExpr::Subtract(all(&pair[..])),
        Expr::Multiply(exprs) => JsonExpr::Multiply(all(exprs)),
        Expr::Abs(inner) => JsonExpr::Abs(Box::new(expr(inner))),
        Expr::Min(exprs) => JsonExpr::Min(all(exprs)),
        Expr::Max(exprs) => JsonExpr::Max(all(exprs)),
        Expr::Case(cases) => JsonExpr::Case(
            cases
                .iter()
                .map(|(when, then)| JsonCase {
                    condition: cond(when),
                    then: expr(then),
                })
                .collect(),
        ),
    }
}

pub(super) fn effect(written: &Effect) -> JsonEffect {
    let all = |effects: &[Effect]| effects.iter().map(effect).collect();
    match written {
        Effect::Nothing => JsonEffect::Nothing,
        Effect::Set(made) => JsonEffect::Set(fact(*made)),
        Effect::Clear(held, made) => JsonEffect::Clear {
            condition: fact(*held),
            set: fact(*made),
        },
        Effect::Number(variable, to) => JsonEffect::Number {
            variable: variable.0,
            to: expr(to),
        },
        Effect::Increase(variable, by) => JsonEffect::Increase {
            variable: variable.0,
            by: expr(by),
        },
        Effect::Copy(to, from, table) => JsonEffect::Copy {
            variable: to.0,
            from: from.0,
            table: table.to_vec(),
        },
        Effect::Block { effects, snapshot } => JsonEffect::Block {
            effects: all(effects),
            snapshot: *snapshot,
        },
        Effect::Seq(effects) => JsonEffect::Seq(all(effects)),
        Effect::When(when, then) => JsonEffect::When(Box::new(case(when, then))),
        Effect::Case(cases, otherwise) => JsonEffect::Case {
            cases: cases.iter().map(|(when, then)| case(when, then)).collect(),
            otherwise: Box::new(effect(otherwise)),
        },
        Effect::Switch(variable, effects) => JsonEffect::Switch {
            variable: variable.0,
            effects: all(effects),
        },
        Effect::Choose(candidates, otherwise) => JsonEffect::Choose {
            candidates: candidates.iter().map(candidate).collect(),
            otherwise: Box::new(effect(otherwise)),
        },
        Effect::Log(LogEntry { agent, label }) => JsonEffect::Log {
            agent: *agent,
            label: label.0,
        },
        Effect::Enlist(entry) => JsonEffect::Enlist(entry.value - 1),
        Effect::Cost(cost) => JsonEffect::Cost(expr(cost)),
        Effect::Total(total, amount) => JsonEffect::Total {
            total: total.0,
            amount: expr(amount),
        },
    }
}

fn case(when: &Cond, then: &Effect) -> JsonCase<JsonEffect> {
    JsonCase {
        condition: cond(when),
        then: effect(then),
    }
}

fn candidate(candidate: &Candidate) -> JsonCandidate {
    JsonCandidate {
        condition: cond(&candidate.cond),
        keys: candidate.keys.iter().map(expr).collect(),
        then: effect(&candidate.effect),
    }
}
