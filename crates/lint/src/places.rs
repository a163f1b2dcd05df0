//! Finds the place of a resolved condition in the text: the model has no places, the AST has.

use brigade_compile::sema::model::{self, Cond, Model, Variable};
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Action, Comparison, Effect, Formula, Term};

/// The place of a condition within a formula; of what cannot be found, the formula's.
pub(super) fn within(
    formula: &Formula,
    cond: &Cond,
    model: &Model,
    variables: &[Variable],
) -> Option<Span> {
    let matcher = Matcher { model, variables };
    matcher.find(formula, cond)
}

/// The place of a condition in what an action asks for, conditional effects included.
pub(super) fn of_action(
    action: &Action,
    cond: &Cond,
    model: &Model,
    variables: &[Variable],
) -> Option<Span> {
    let matcher = Matcher { model, variables };
    let conditions = action.conditions.iter().map(|(_, formula)| formula);
    let mut formulas = action.precondition.iter().chain(conditions);
    formulas
        .find_map(|formula| matcher.find(formula, cond))
        .or_else(|| {
            let effects = action.effects.iter().map(|(_, effect)| effect);
            let mut effects = action.effect.iter().chain(effects);
            effects.find_map(|effect| matcher.find_in_effect(effect, cond))
        })
}

/// The same for an effect.
pub(super) fn in_effect(
    effect: &Effect,
    cond: &Cond,
    model: &Model,
    variables: &[Variable],
) -> Option<Span> {
    Matcher { model, variables }.find_in_effect(effect, cond)
}

struct Matcher<'m> {
    model: &'m Model,
    variables: &'m [Variable],
}

impl Matcher<'_> {
    fn find(&self, formula: &Formula, cond: &Cond) -> Option<Span> {
        if self.is(formula, cond) {
            return Some(formula.span());
        }
        match formula {
            Formula::And(all, _) | Formula::Or(all, _) => {
                all.iter().find_map(|one| self.find(one, cond))
            }
            Formula::Not(one, _)
            | Formula::Forall(_, one, _)
            | Formula::Exists(_, one, _)
            | Formula::Else(_, one, _) => self.find(one, cond),
            Formula::Imply(left, right, _) => {
                self.find(left, cond).or_else(|| self.find(right, cond))
            }
            _ => None,
        }
    }

    fn find_in_effect(&self, effect: &Effect, cond: &Cond) -> Option<Span> {
        match effect {
            Effect::And(all, _) | Effect::Seq(all, _) => {
                all.iter().find_map(|one| self.find_in_effect(one, cond))
            }
            Effect::When(formula, one, _) => self
                .find(formula, cond)
                .or_else(|| self.find_in_effect(one, cond)),
            Effect::Forall(_, one, _)
            | Effect::ForEach(_, _, one, _)
            | Effect::OnNth(_, one, _) => self.find_in_effect(one, cond),
            Effect::Case(cases, otherwise, _) => cases
                .iter()
                .find_map(|(formula, one)| {
                    self.find(formula, cond)
                        .or_else(|| self.find_in_effect(one, cond))
                })
                .or_else(|| self.find_in_effect(otherwise.as_ref()?, cond)),
            Effect::Let(_, one, otherwise, _) => self
                .find_in_effect(one, cond)
                .or_else(|| self.find_in_effect(otherwise.as_ref()?, cond)),
            Effect::After(_, guard, one, _) => {
                use brigade_syntax::ast::DelayGuard::{Until, While};
                let guard = guard.as_ref();
                let guard = guard.map(|(While(formula) | Until(formula))| formula);
                guard
                    .and_then(|formula| self.find(formula, cond))
                    .or_else(|| self.find_in_effect(one, cond))
            }
            Effect::Maintain(formula, _, rest, _) => self
                .find(formula, cond)
                .or_else(|| rest.iter().find_map(|one| self.find_in_effect(one, cond))),
            _ => None,
        }
    }

    fn is(&self, formula: &Formula, cond: &Cond) -> bool {
        match (formula, cond) {
            (Formula::Atom(name, args, _), Cond::Atom(fluent, terms)) => {
                self.fluent_is(name, *fluent) && self.terms_are(args, terms)
            }
            (Formula::Compare(Comparison::Equal, sides, _), Cond::Same(a, b)) => {
                self.term_is(&sides[0], a) && self.term_is(&sides[1], b)
            }
            (Formula::Compare(comparison, sides, _), Cond::Compare(other, a, b)) => {
                comparison == other && self.number_is(&sides[0], a) && self.number_is(&sides[1], b)
            }
            (Formula::Not(formula, _), Cond::Not(cond))
            | (Formula::Forall(_, formula, _), Cond::Forall(_, cond))
            | (Formula::Exists(_, formula, _), Cond::Exists(_, cond)) => self.is(formula, cond),
            (Formula::Or(formulas, _), Cond::Or(conds))
            | (Formula::And(formulas, _), Cond::And(conds)) => {
                formulas.len() == conds.len()
                    && formulas
                        .iter()
                        .zip(conds)
                        .all(|(formula, cond)| self.is(formula, cond))
            }
            (Formula::Imply(left, right, _), Cond::Or(conds)) => match &conds[..] {
                [Cond::Not(a), b] => self.is(left, a) && self.is(right, b),
                _ => false,
            },
            _ => false,
        }
    }

    fn fluent_is(&self, name: &brigade_syntax::ast::Name, fluent: model::FluentId) -> bool {
        let known = &self.model.fluents[fluent.index()].name;
        known.eq_ignore_ascii_case(&name.text)
    }

    fn terms_are(&self, args: &[Term], terms: &[model::Term]) -> bool {
        args.len() == terms.len()
            && args
                .iter()
                .zip(terms)
                .all(|(arg, term)| self.term_is(arg, term))
    }

    fn term_is(&self, arg: &Term, term: &model::Term) -> bool {
        match (arg, term) {
            (Term::Variable(name), model::Term::Variable(variable)) => self.variables
                [variable.index()]
            .name
            .eq_ignore_ascii_case(&name.text),
            (Term::Name(name), model::Term::Object(object)) => self.model.objects[object.index()]
                .name
                .eq_ignore_ascii_case(&name.text),
            (Term::Name(name), model::Term::Undefined) => {
                name.text.eq_ignore_ascii_case("undefined")
            }
            (Term::Name(name), model::Term::Fluent(fluent, _)) => self.fluent_is(name, *fluent),
            (Term::Apply(term), model::Term::Fluent(fluent, terms)) => {
                self.fluent_is(&term.name, *fluent) && self.terms_are(&term.args, terms)
            }
            _ => false,
        }
    }

    /// Returns true if a number in the text may be this one in the model: only fluents are compared in full.
    fn number_is(&self, term: &Term, expr: &model::Expr) -> bool {
        match (term, expr) {
            (Term::Apply(term), model::Expr::Fluent(fluent, terms)) => {
                self.fluent_is(&term.name, *fluent) && self.terms_are(&term.args, terms)
            }
            (Term::Name(name), model::Expr::Fluent(fluent, _)) => self.fluent_is(name, *fluent),
            (Term::Number(..), model::Expr::Constant(_))
            | (Term::Count(..), model::Expr::Count(..))
            | (Term::Arithmetic(..), _) => true,
            _ => false,
        }
    }
}
