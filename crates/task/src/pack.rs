//! Conditions and effects over facts → the same over masked bits: facts of one word become one test,
//! and constant writes of one word that follow each other in a block one write.

use super::atom::{Atom, Fact, Masked};
use super::cond::{Cond, Expr};
use super::effect::{Candidate, Effect};
use super::layout::Variable;

/// Packs conditions, expressions and effects over these variables.
#[derive(Clone, Copy, Debug)]
pub struct Packer<'v>(pub &'v [Variable]);

impl Packer<'_> {
    /// A fact.
    pub fn fact(self, fact: Fact) -> Masked {
        Masked::new(self.0, fact)
    }

    /// The tests of a conjunction, by word; `None` if it cannot hold.
    pub fn facts(self, facts: &[Fact]) -> Option<Vec<Masked>> {
        let tests: Vec<Masked> = facts.iter().map(|&fact| self.fact(fact)).collect();
        Masked::all(&tests)
    }

    /// A condition.
    pub fn cond(self, cond: &Cond) -> Cond<Masked> {
        let each = |conds: &[Cond]| conds.iter().map(|cond| self.cond(cond)).collect();
        match cond {
            Cond::True => Cond::True,
            Cond::False => Cond::False,
            Cond::Fact(fact) => Cond::Fact(self.fact(*fact)),
            Cond::Facts(facts) => match self.facts(facts) {
                None => Cond::False,
                Some(tests) => match &*tests {
                    [] => Cond::True,
                    [test] => Cond::Fact(*test),
                    _ => Cond::Facts(tests.into()),
                },
            },
            Cond::Not(cond) => Cond::Not(Box::new(self.cond(cond))),
            Cond::And(conds) => Cond::And(each(conds)),
            Cond::Or(conds) => Cond::Or(each(conds)),
            Cond::Compare(comparison, left, right) => Cond::Compare(
                *comparison,
                Box::new(self.expr(left)),
                Box::new(self.expr(right)),
            ),
            Cond::Same(left, right, table) => Cond::Same(*left, *right, table.clone()),
        }
    }

    /// An expression.
    pub fn expr(self, expr: &Expr) -> Expr<Masked> {
        let each = |exprs: &[Expr]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(constant) => Expr::Constant(*constant),
            Expr::Variable(variable) => Expr::Variable(*variable),
            Expr::Table(variable, table) => Expr::Table(*variable, table.clone()),
            Expr::Truth(cond) => Expr::Truth(Box::new(self.cond(cond))),
            Expr::Add(exprs) => Expr::Add(each(exprs)),
            Expr::Subtract(pair) => {
                Expr::Subtract(Box::new([self.expr(&pair[0]), self.expr(&pair[1])]))
            }
            Expr::Multiply(exprs) => Expr::Multiply(each(exprs)),
            Expr::Abs(expr) => Expr::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => Expr::Min(each(exprs)),
            Expr::Max(exprs) => Expr::Max(each(exprs)),
            Expr::Case(cases) => Expr::Case(
                cases
                    .iter()
                    .map(|(cond, expr)| (self.cond(cond), self.expr(expr)))
                    .collect(),
            ),
        }
    }

    /// An effect.
    pub fn effect(self, effect: &Effect) -> Effect<Masked> {
        let each = |effects: &[Effect]| effects.iter().map(|effect| self.effect(effect)).collect();
        match effect {
            Effect::Nothing => Effect::Nothing,
            Effect::Set(fact) => Effect::Set(self.fact(*fact)),
            Effect::Clear(fact, other) => Effect::Clear(self.fact(*fact), self.fact(*other)),
            Effect::Number(variable, expr) => Effect::Number(*variable, self.expr(expr)),
            Effect::Increase(variable, expr) => Effect::Increase(*variable, self.expr(expr)),
            Effect::Copy(to, from, table) => Effect::Copy(*to, *from, table.clone()),
            Effect::Block { effects, snapshot } => self.block(effects, *snapshot),
            Effect::Seq(effects) => Effect::Seq(each(effects)),
            Effect::When(cond, effect) => {
                Effect::When(self.cond(cond), Box::new(self.effect(effect)))
            }
            Effect::Case(cases, otherwise) => Effect::Case(
                cases
                    .iter()
                    .map(|(cond, effect)| (self.cond(cond), self.effect(effect)))
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Switch(variable, effects) => Effect::Switch(*variable, each(effects)),
            Effect::Choose(candidates, otherwise) => Effect::Choose(
                candidates
                    .iter()
                    .map(|candidate| Candidate {
                        cond: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        effect: self.effect(&candidate.effect),
                    })
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Enlist(entry) => Effect::Enlist(*entry),
            Effect::Log(entry) => Effect::Log(*entry),
            Effect::Cost(expr) => Effect::Cost(self.expr(expr)),
            Effect::Total(total, expr) => Effect::Total(*total, self.expr(expr)),
        }
    }

    /// A block: of writes that follow each other, those of one word become one write.
    fn block(self, effects: &[Effect], snapshot: bool) -> Effect<Masked> {
        let mut parts: Vec<Effect<Masked>> = Vec::new();
        for effect in effects {
            match self.effect(effect) {
                Effect::Nothing => {}
                Effect::Set(next) => match last_write(&mut parts, next.word) {
                    Some(write) => {
                        write.value = (write.value & !next.mask) | next.value;
                        write.mask |= next.mask;
                    }
                    None => parts.push(Effect::Set(next)),
                },
                other => parts.push(other),
            }
        }
        match parts.pop() {
            Some(only) if parts.is_empty() && !snapshot => only,
            last => {
                parts.extend(last);
                Effect::Block {
                    effects: parts.into(),
                    snapshot,
                }
            }
        }
    }
}

/// The write of a word among those that end a block, which may stand in any order.
fn last_write(parts: &mut [Effect<Masked>], word: u16) -> Option<&mut Masked> {
    let writes = parts.iter_mut().rev().map_while(|part| match part {
        Effect::Set(write) => Some(write),
        _ => None,
    });
    writes.into_iter().find(|write| write.word == word)
}
