//! Conditions, and preconditions with their `else` reasons.

use super::body::Body;
use super::model::{Comparison, Cond, Requirement, Term};
use super::report::problem;
use super::requirements::Need;
use super::terms::Sort;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Formula, Name, Typed};

impl Body<'_, '_> {
    /// Resolves a condition. What cannot be resolved is reported and taken as true.
    pub(super) fn cond(&mut self, formula: &Formula) -> Cond {
        self.nested(formula.span(), Cond::True, |body| body.cond_inside(formula))
    }

    fn cond_inside(&mut self, formula: &Formula) -> Cond {
        match formula {
            Formula::And(all, _) => and(all.iter().map(|one| self.cond(one)).collect()),
            Formula::Or(all, span) => {
                self.need(Need::Disjunction, *span);
                or(all.iter().map(|one| self.cond(one)).collect())
            }
            Formula::Not(one, span) => {
                if matches!(**one, Formula::Atom(..)) {
                    self.need(Need::Negation, *span);
                }
                not(self.cond(one))
            }
            Formula::Imply(left, right, span) => {
                self.need(Need::Disjunction, *span);
                let left = self.cond(left);
                let right = self.cond(right);
                or(vec![not(left), right])
            }
            Formula::Forall(list, one, span) => {
                self.need(Need::Universal, *span);
                self.quantified(list, one, Cond::Forall)
            }
            Formula::Exists(list, one, span) => {
                self.need(Need::Existential, *span);
                self.quantified(list, one, Cond::Exists)
            }
            Formula::Atom(name, args, span) => {
                let Some(fluent) = self.predicate(name) else {
                    self.unchecked_arguments(args);
                    return Cond::True;
                };
                let args = self.fluent_arguments(fluent, args, *span);
                args.map_or(Cond::True, |args| Cond::Atom(fluent, args))
            }
            Formula::Compare(comparison, sides, span) => {
                self.compare(*comparison, &sides[0], &sides[1], *span)
            }
            Formula::Else(reason, one, span) => {
                let place = self.place(*span);
                self.push(
                    problem(
                        Code::MisplacedElse,
                        "`else` gives the reason why an action is refused",
                        place,
                        "not a conjunct of a precondition",
                    )
                    .help("put it directly into the precondition, or into an `and` that is"),
                );
                self.template(reason, None);
                self.cond(one)
            }
            Formula::Semantics(name, _) => self.semantics(name),
            Formula::Error(_) => {
                self.broken = true;
                Cond::True
            }
        }
    }

    fn quantified(
        &mut self,
        list: &[Typed],
        one: &Formula,
        make: fn(Vec<super::model::Binding>, Box<Cond>) -> Cond,
    ) -> Cond {
        let mark = self.scope.enter();
        let bindings = self.declare(list);
        let one = self.cond(one);
        self.scope.leave(mark);
        if bindings.is_empty() {
            return one;
        }
        make(bindings, Box::new(one))
    }

    /// Resolves the arguments of something unknown, so that their own mistakes are reported too.
    pub(super) fn unchecked_arguments(&mut self, args: &[ast::Term]) {
        for arg in args {
            // A list of conditions whose head is misspelt: what it holds is none of an unknown predicate.
            if let ast::Term::Apply(term) = arg
                && let Some(fluent) = self.cx.symbols.fluent(&term.name)
                && self.cx.symbols.is_predicate(fluent)
            {
                continue;
            }
            match self.sort_of(arg) {
                Sort::Number => {
                    self.number(arg);
                }
                Sort::Object | Sort::Unknown => {
                    self.object_term(arg);
                }
            }
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &ast::Term,
        right: &ast::Term,
        span: Span,
    ) -> Cond {
        let sorts = (self.sort_of(left), self.sort_of(right));
        let numbers = comparison != Comparison::Equal
            || matches!(sorts, (Sort::Number, _) | (_, Sort::Number));
        if numbers && (self.lacks_its_type(left, right) || self.lacks_its_type(right, left)) {
            return Cond::True;
        }
        if numbers {
            let left = self.number(left);
            let right = self.number(right);
            let (Some(left), Some(right)) = (left, right) else {
                return Cond::True;
            };
            let Some((mut exprs, _)) = super::scaled::Scaled::align(vec![left, right]) else {
                self.too_large(span);
                return Cond::True;
            };
            let (Some(right), Some(left)) = (exprs.pop(), exprs.pop()) else {
                return Cond::True;
            };
            return Cond::Compare(comparison, left, right);
        }
        let left = self.object_term(left);
        let right = self.object_term(right);
        let (Some(left), Some(right)) = (left, right) else {
            return Cond::True;
        };
        // Object-valued functions are of no use without `=`, so their key implies it.
        let is_plain = |term: &Term| matches!(term, Term::Variable(_) | Term::Object(_));
        if is_plain(&left.term) && is_plain(&right.term) {
            self.need(Need::Equality, span);
        }
        if right.term != Term::Undefined
            && !self.fits(&left, &right.types)
            && !self.cx.may_be_of_wrong_types(&left.types, &right.types)
        {
            let place = self.place(span);
            let symbols = &self.cx.symbols;
            let (a, b) = (
                symbols.type_names(&left.types),
                symbols.type_names(&right.types),
            );
            self.push(
                problem(
                    Code::AlwaysDistinct,
                    format!("an object of type `{a}` is never one of type `{b}`"),
                    place,
                    "always false",
                )
                .help("compare things of types that have objects in common"),
            );
        }
        Cond::Same(left.term, right.term)
    }

    fn semantics(&mut self, name: &Name) -> Cond {
        let place = self.place(name.span);
        if self.cx.is_chosen(name, place) {
            Cond::True
        } else {
            Cond::False
        }
    }

    /// Splits a precondition into its top-level conjuncts, each with its reason. What always holds
    /// is left out.
    pub(super) fn requirements(&mut self, formula: &Formula, into: &mut Vec<Requirement>) {
        self.nested(formula.span(), (), |body| {
            let (cond, reason) = match formula {
                Formula::And(all, _) => {
                    for one in all {
                        body.requirements(one, into);
                    }
                    return;
                }
                Formula::Else(reason, one, span) => {
                    body.need(Need::Text, *span);
                    let reason = Some(body.template(reason, None));
                    (body.cond(one), reason)
                }
                // Its level is that of the requirement.
                one => (body.cond_inside(one), None),
            };
            if cond != Cond::True {
                into.push(Requirement { cond, reason });
            }
        });
    }
}

/// Conjunction, with constants evaluated.
pub(super) fn and(mut all: Vec<Cond>) -> Cond {
    all.retain(|one| *one != Cond::True);
    if all.contains(&Cond::False) {
        return Cond::False;
    }
    match all.len() {
        0 => Cond::True,
        1 => all.remove(0),
        _ => Cond::And(all),
    }
}

/// Disjunction, with constants evaluated.
pub(super) fn or(mut all: Vec<Cond>) -> Cond {
    all.retain(|one| *one != Cond::False);
    if all.contains(&Cond::True) {
        return Cond::True;
    }
    match all.len() {
        0 => Cond::False,
        1 => all.remove(0),
        _ => Cond::Or(all),
    }
}

/// Negation, with constants evaluated.
pub(super) fn not(one: Cond) -> Cond {
    match one {
        Cond::True => Cond::False,
        Cond::False => Cond::True,
        Cond::Not(inner) => *inner,
        one => Cond::Not(Box::new(one)),
    }
}
