//! At most how large conditions and effects become when they are written out, by the ranges of their
//! quantifiers and of the object fluents that are arguments: what of that is certain is for
//! [`super::foresight`] to find out.

use std::cell::OnceCell;

use crate::sema::model::{
    self, Binding, Choice, ClosedCond, DelayGuard, Model, Range, Term, Variable,
};

/// At most how many parts the schemas of a model become, for each of their instances: actions, events and
/// rules in one row.
pub(super) struct Most<'m> {
    model: &'m Model,
    /// The sizes of each one's conditions and of its effect, of those known so far.
    conditions: Vec<Option<u128>>,
    effects: Vec<Option<u128>>,
    /// The number of values that each fluent may have, of those asked for so far.
    objects: Vec<OnceCell<u128>>,
}

/// At most what terms are split into.
#[derive(Clone, Copy)]
struct Cases {
    cases: u128,
    parts: u128,
}

impl<'m> Most<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let schemas = model.actions.len() + model.events.len() + model.axioms.len();
        Self {
            model,
            conditions: vec![None; schemas],
            effects: vec![None; schemas],
            objects: vec![OnceCell::new(); model.fluents.len()],
        }
    }

    /// Of what a schema requires.
    pub(super) fn of_condition(&mut self, index: usize) -> u128 {
        if let Some(size) = self.conditions[index] {
            return size;
        }
        let (conds, variables) = conditions(self.model, index);
        let sizes = conds.iter().map(|cond| self.cond(cond, variables));
        let size = sizes.fold(0, u128::saturating_add);
        self.conditions[index] = Some(size);
        size
    }

    /// Of what it does.
    pub(super) fn of_effect(&mut self, index: usize) -> u128 {
        if let Some(size) = self.effects[index] {
            return size;
        }
        let effect = effect(self.model, index);
        let size = effect.map_or(0, |(effect, variables)| self.effect(effect, variables));
        self.effects[index] = Some(size);
        size
    }

    /// Of a condition with variables of its own.
    pub(super) fn of_closed(&self, closed: &ClosedCond) -> u128 {
        self.cond(&closed.cond, &closed.variables)
    }

    fn bindings(&self, variables: &[Binding], scope: &[Variable]) -> u128 {
        let sizes = variables.iter().map(|variable| {
            let variable = scope.get(variable.index());
            variable.map_or(0, |variable| self.model.objects_of(&variable.types).len())
        });
        sizes.fold(1, |product, size| product.saturating_mul(size as u128))
    }

    /// The tuples that terms may denote.
    fn tuples(&self, terms: &[Term]) -> Cases {
        let mut result = Cases { cases: 1, parts: 0 };
        for term in terms {
            let values = self.values(term);
            result.parts = result.parts.saturating_add(values.parts);
            result.cases = result.cases.saturating_mul(values.cases);
            if values.cases > 1 {
                result.parts = result.parts.saturating_add(result.cases);
            }
        }
        result
    }

    /// The values that a term may have.
    fn values(&self, term: &Term) -> Cases {
        let Term::Fluent(fluent, args) = term else {
            return Cases { cases: 1, parts: 0 };
        };
        let objects = *self.objects[fluent.index()].get_or_init(|| {
            match &self.model.fluents[fluent.index()].range {
                Range::Object(types) => self.model.objects_of(types).len() as u128,
                _ => 0,
            }
        });
        let args = self.tuples(args);
        Cases {
            cases: args.cases.saturating_mul(objects + 1),
            parts: args
                .parts
                .saturating_add(args.cases.saturating_mul(objects)),
        }
    }

    /// The values that a term may have where it need not be split if no argument of it is.
    fn compared(&self, term: &Term) -> Cases {
        let is_split = |arg: &Term| matches!(arg, Term::Fluent(..));
        match term {
            Term::Fluent(_, args) if args.iter().any(is_split) => self.values(term),
            _ => Cases { cases: 1, parts: 0 },
        }
    }

    fn cond(&self, cond: &model::Cond, scope: &[Variable]) -> u128 {
        let all = |conds: &[model::Cond]| {
            let sizes = conds.iter().map(|cond| self.cond(cond, scope));
            sizes.fold(1, u128::saturating_add)
        };
        match cond {
            model::Cond::Not(cond) => self.cond(cond, scope).saturating_add(1),
            model::Cond::And(conds) | model::Cond::Or(conds) => all(conds),
            model::Cond::Forall(variables, body) | model::Cond::Exists(variables, body) => {
                let body = self.cond(body, scope).saturating_add(1);
                let all = self.bindings(variables, scope).saturating_mul(body);
                all.saturating_add(1)
            }
            model::Cond::Compare(_, left, right) => {
                let [left, right] = [left, right].map(|expr| self.expr(expr, scope));
                left.saturating_add(right).saturating_add(1)
            }
            model::Cond::Atom(_, args) => self.tuples(args).parts.saturating_add(1),
            model::Cond::Same(left, right) => {
                let [left, right] = [left, right].map(|term| self.compared(term));
                let both = left.cases.saturating_mul(right.cases).saturating_add(1);
                left.parts.saturating_add(right.parts).saturating_add(both)
            }
            model::Cond::True | model::Cond::False => 1,
        }
    }

    fn expr(&self, expr: &model::Expr, scope: &[Variable]) -> u128 {
        let all = |exprs: &[model::Expr]| {
            let sizes = exprs.iter().map(|expr| self.expr(expr, scope));
            sizes.fold(0, u128::saturating_add)
        };
        match expr {
            model::Expr::Constant(_) => 0,
            model::Expr::Fluent(_, args) => self.tuples(args).parts,
            model::Expr::Add(exprs)
            | model::Expr::Multiply(exprs)
            | model::Expr::Min(exprs)
            | model::Expr::Max(exprs) => all(exprs),
            model::Expr::Subtract(left, right) => self
                .expr(left, scope)
                .saturating_add(self.expr(right, scope)),
            model::Expr::Abs(expr) => self.expr(expr, scope),
            model::Expr::Count(variables, cond) => {
                let body = self.cond(cond, scope).saturating_add(1);
                self.bindings(variables, scope).saturating_mul(body)
            }
        }
    }

    fn effect(&mut self, effect: &model::Effect, scope: &[Variable]) -> u128 {
        let parts = effect.parts();
        let parts = parts.iter().map(|part| self.effect(part, scope));
        let parts = parts.fold(1, u128::saturating_add);
        match effect {
            model::Effect::Forall(variables, _) => {
                let all = self.bindings(variables, scope).saturating_mul(parts);
                all.saturating_add(1)
            }
            model::Effect::ForEach(variables, key, _) => {
                let key = key.as_ref().map_or(0, |key| self.expr(key, scope));
                let each = parts.saturating_add(key);
                let all = self.bindings(variables, scope).saturating_mul(each);
                all.saturating_add(1)
            }
            model::Effect::When(cond, _) | model::Effect::Maintain(cond, ..) => {
                parts.saturating_add(self.cond(cond, scope))
            }
            model::Effect::Case(cases, _) => {
                let conds = cases.iter().map(|(cond, _)| self.cond(cond, scope));
                conds.fold(parts, u128::saturating_add)
            }
            model::Effect::Let(
                variable,
                Choice::Arg {
                    among, value, ties, ..
                },
                ..,
            ) => {
                let keys = [value].into_iter().chain(ties);
                let keys = keys.map(|key| self.expr(key, scope));
                let each = keys.fold(parts, u128::saturating_add);
                let each = each.saturating_add(self.cond(among, scope));
                let all = self.bindings(&[*variable], scope).saturating_mul(each);
                all.saturating_add(parts)
            }
            model::Effect::Let(_, Choice::Term(term), ..) => {
                let values = self.values(term);
                let each = values.cases.saturating_mul(parts);
                values.parts.saturating_add(each)
            }
            model::Effect::After(ticks, guard, _) => {
                let guard = guard.as_ref().map_or(0, |guard| match guard {
                    DelayGuard::While(cond) | DelayGuard::Until(cond) => self.cond(cond, scope),
                });
                let ticks = self.expr(ticks, scope);
                parts.saturating_add(ticks).saturating_add(guard)
            }
            model::Effect::OnNth(count, _) => parts.saturating_add(self.expr(count, scope)),
            model::Effect::Set(_, args, _) => parts.saturating_add(self.tuples(args).parts),
            model::Effect::Assign(_, args, value) => {
                let (tuples, values) = (self.tuples(args), self.compared(value));
                let each = tuples.cases.saturating_mul(values.cases);
                let made = tuples.parts.saturating_add(values.parts);
                parts.saturating_add(made).saturating_add(each)
            }
            model::Effect::Update(_, _, args, expr) | model::Effect::Total(_, args, expr) => {
                let made = self.tuples(args).parts;
                parts
                    .saturating_add(made)
                    .saturating_add(self.expr(expr, scope))
            }
            model::Effect::Cost(expr) => parts.saturating_add(self.expr(expr, scope)),
            model::Effect::Do(action, args) => {
                let needed = self.of_condition(action.index());
                let done = self.of_effect(action.index());
                let tuples = self.tuples(args);
                let each = tuples.cases.saturating_mul(needed.saturating_add(done));
                parts.saturating_add(tuples.parts).saturating_add(each)
            }
            model::Effect::And(_) | model::Effect::Seq(_) | model::Effect::Log(_) => parts,
        }
    }
}

/// The conditions of an action, an event or a rule, and the variables in them.
pub(super) fn conditions(model: &Model, index: usize) -> (Vec<&model::Cond>, &[Variable]) {
    let events = index.checked_sub(model.actions.len());
    let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
    match (events, axioms) {
        (_, Some(axiom)) => {
            let axiom = &model.axioms[axiom];
            (vec![&axiom.body], &axiom.variables)
        }
        (Some(event), None) => {
            let event = &model.events[event];
            (vec![&event.precondition], &event.variables)
        }
        (None, None) => {
            let action = &model.actions[index];
            let conds = action.precondition.iter().map(|needed| &needed.cond);
            (conds.collect(), &action.variables)
        }
    }
}

/// The effect of an action or an event, and the variables in it.
pub(super) fn effect(model: &Model, index: usize) -> Option<(&model::Effect, &[Variable])> {
    if let Some(action) = model.actions.get(index) {
        return Some((&action.effect, &action.variables));
    }
    let event = model.events.get(index - model.actions.len())?;
    Some((&event.effect, &event.variables))
}
