//! Binds the variables of a conjunction: each by an `exists`, as far inside as it can be.
//!
//! A variable that most literals are about is bound first. What is left falls apart into groups that
//! share no variable and are bound beside each other, so that the condition, written out, is as large
//! as the choices that depend on each other, not as the product of all.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::GoalLiteral;
use super::symbols::Symbols;
use super::world::World;
use crate::nodes::{all, any, distinct, name, object, typed, variable};
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Comparison, Formula, Term};

/// The meaning of an argument of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The object at this position of the world.
    Object(usize),
    /// The variable at this position.
    Variable(usize),
    /// Nothing that exists or could.
    Nothing,
}

/// A variable of the goal.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The argument it goes with.
    pub(super) arg: String,
    pub(super) id: String,
    /// The objects it may stand for, by position in the world.
    pub(super) candidates: Vec<usize>,
    pub(super) span: Span,
}

/// A literal with the meaning of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Resolved<'f> {
    pub(super) literal: &'f GoalLiteral,
    pub(super) meanings: Vec<Meaning>,
}

/// Binds variables.
pub(super) struct Binder<'a> {
    symbols: &'a Symbols<'a>,
    world: &'a World,
    variables: &'a [Variable],
    /// Facts of one object at the start, by predicate.
    facts: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        symbols: &'a Symbols<'a>,
        world: &'a World,
        variables: &'a [Variable],
    ) -> Self {
        let mut facts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for fact in &world.facts {
            if let [arg] = &fact.args[..] {
                facts.entry(&fact.predicate).or_default().insert(arg);
            }
        }
        Self {
            symbols,
            world,
            variables,
            facts,
        }
    }

    /// A conjunction with all its variables bound.
    pub(super) fn bound(&self, literals: &[Resolved<'_>]) -> Vec<Formula> {
        let meanings = literals.iter().flat_map(|literal| &literal.meanings);
        let used: BTreeSet<usize> = meanings
            .filter_map(|meaning| match meaning {
                Meaning::Variable(variable) => Some(*variable),
                _ => None,
            })
            .collect();
        let open: Vec<usize> = used.into_iter().collect();
        let literals: Vec<&Resolved<'_>> = literals.iter().collect();
        self.bind(&open, &literals, &mut Vec::new())
    }

    /// Binds variables and asserts the literals that are about them or about nothing open. `bound` are
    /// the variables that are bound around.
    fn bind(
        &self,
        open: &[usize],
        literals: &[&Resolved<'_>],
        bound: &mut Vec<usize>,
    ) -> Vec<Formula> {
        let opens = |literal: &Resolved<'_>| -> Vec<usize> {
            let meanings = literal.meanings.iter();
            let variables = meanings.filter_map(|meaning| match meaning {
                Meaning::Variable(variable) if open.contains(variable) => Some(*variable),
                _ => None,
            });
            variables.collect()
        };
        let mut result = Vec::new();
        let mut rest: Vec<&Resolved<'_>> = Vec::new();
        for literal in literals {
            if opens(literal).is_empty() {
                result.push(self.atom(literal));
            } else {
                rest.push(literal);
            }
        }
        // Variables that no literal and no difference joins are bound beside each other.
        let mut left: BTreeSet<usize> = open.iter().copied().collect();
        for &first in open {
            if !left.remove(&first) {
                continue;
            }
            let mut group = vec![first];
            let mut at = 0;
            while let Some(&variable) = group.get(at) {
                at += 1;
                let joined = |other: &usize| {
                    let mut open = rest.iter().map(|literal| opens(literal));
                    open.any(|open| open.contains(&variable) && open.contains(other))
                        || self.variables[variable].arg == self.variables[*other].arg
                };
                let more: Vec<usize> = left.iter().copied().filter(joined).collect();
                for variable in more {
                    left.remove(&variable);
                    group.push(variable);
                }
            }
            result.push(self.exists(&group, &rest, bound));
        }
        result
    }

    /// Binds the variable of a group that most literals are about, and the others within.
    fn exists(
        &self,
        group: &[usize],
        literals: &[&Resolved<'_>],
        bound: &mut Vec<usize>,
    ) -> Formula {
        let is_about = |literal: &Resolved<'_>, variable: usize| {
            literal.meanings.contains(&Meaning::Variable(variable))
        };
        let count = |variable: usize| {
            let about = literals
                .iter()
                .filter(|literal| is_about(literal, variable));
            about.count()
        };
        // Of equals the first: `max_by_key` takes the last.
        let chosen = group
            .iter()
            .rev()
            .copied()
            .max_by_key(|&variable| count(variable));
        let chosen = chosen.unwrap_or_default();
        let own = &self.variables[chosen];
        let span = own.span;
        let of = own
            .candidates
            .first()
            .map_or("object", |&first| &self.world.objects[first].of);
        let mut parts: Vec<Formula> = self.guard(own, of).into_iter().collect();
        for &other in bound.iter() {
            let other = &self.variables[other];
            if other.arg == own.arg {
                parts.push(distinct(term(own), term(other), span));
            }
        }
        let about: Vec<&Resolved<'_>> = literals
            .iter()
            .copied()
            .filter(|literal| group.iter().any(|&variable| is_about(literal, variable)))
            .collect();
        let others = group.iter().copied().filter(|&other| other != chosen);
        let open: Vec<usize> = others.collect();
        bound.push(chosen);
        parts.extend(self.bind(&open, &about, bound));
        bound.pop();
        let binding = typed(spelling(own), of, span);
        Formula::Exists(vec![binding], Box::new(all(parts, span)), span)
    }

    /// That the variable is one of its candidates: what they are, where that says it, else which.
    fn guard(&self, variable: &Variable, of: &str) -> Option<Formula> {
        let Variable {
            arg,
            candidates,
            span,
            ..
        } = variable;
        let of_type = self.world.objects.iter().filter(|object| object.of == of);
        if of_type.count() == candidates.len() {
            return None;
        }
        let is = format!("is{arg}");
        let names: BTreeSet<&str> = candidates
            .iter()
            .map(|&candidate| self.world.objects[candidate].name.as_str())
            .collect();
        let is_static = !self.symbols.changed.contains(is.as_str());
        if is_static && self.facts.get(is.as_str()) == Some(&names) {
            return Some(Formula::Atom(name(is, *span), vec![term(variable)], *span));
        }
        let equal = candidates.iter().map(|&candidate| {
            let object = object(&self.world.objects[candidate].name, *span);
            let sides = Box::new([term(variable), object]);
            Formula::Compare(Comparison::Equal, sides, *span)
        });
        Some(any(equal.collect(), *span))
    }

    fn atom(&self, resolved: &Resolved<'_>) -> Formula {
        let literal = resolved.literal;
        let terms = resolved.meanings.iter().zip(&literal.args);
        let terms = terms.map(|(meaning, arg)| match meaning {
            Meaning::Object(at) => object(&self.world.objects[*at].name, arg.span),
            Meaning::Variable(at) => term(&self.variables[*at]),
            Meaning::Nothing => object(&arg.text, arg.span),
        });
        Formula::Atom(
            crate::nodes::written(&literal.predicate),
            terms.collect(),
            literal.span,
        )
    }
}

fn spelling(of: &Variable) -> String {
    format!("{}-{}", of.arg, of.id)
}

fn term(of: &Variable) -> Term {
    variable(&spelling(of), of.span)
}
