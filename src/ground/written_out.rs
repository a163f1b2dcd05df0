//! At most how large conditions and effects become when they are written out, by the ranges of their
//! quantifiers alone: what of that is certain is for [`super::foresight`] to find out.

use crate::sema::model::{self, Binding, Choice, ClosedCond, Model, Variable};

/// At most how many parts the schemas of a model become, for each of their instances: actions, events and
/// rules in one row.
pub(super) struct Most<'m> {
    model: &'m Model,
    /// What each requires and what it does, of those known so far.
    conditions: Vec<Option<u128>>,
    effects: Vec<Option<u128>>,
}

impl<'m> Most<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let schemas = model.actions.len() + model.events.len() + model.axioms.len();
        Self {
            model,
            conditions: vec![None; schemas],
            effects: vec![None; schemas],
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
                self.bindings(variables, scope).saturating_mul(body)
            }
            model::Cond::Compare(_, left, right) => self
                .expr(left, scope)
                .saturating_add(self.expr(right, scope)),
            model::Cond::True
            | model::Cond::False
            | model::Cond::Atom(..)
            | model::Cond::Same(..) => 1,
        }
    }

    fn expr(&self, expr: &model::Expr, scope: &[Variable]) -> u128 {
        let all = |exprs: &[model::Expr]| {
            let sizes = exprs.iter().map(|expr| self.expr(expr, scope));
            sizes.fold(0, u128::saturating_add)
        };
        match expr {
            model::Expr::Constant(_) | model::Expr::Fluent(..) => 0,
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
            model::Effect::Forall(variables, _) | model::Effect::ForEach(variables, ..) => {
                self.bindings(variables, scope).saturating_mul(parts)
            }
            model::Effect::When(cond, _) => parts.saturating_add(self.cond(cond, scope)),
            model::Effect::Case(cases, _) => {
                let conds = cases.iter().map(|(cond, _)| self.cond(cond, scope));
                conds.fold(parts, u128::saturating_add)
            }
            model::Effect::Let(variable, Choice::Arg { among, .. }, ..) => {
                let each = parts.saturating_add(self.cond(among, scope));
                self.bindings(&[*variable], scope).saturating_mul(each)
            }
            model::Effect::Update(_, _, _, expr) | model::Effect::Cost(expr) => {
                parts.saturating_add(self.expr(expr, scope))
            }
            model::Effect::Do(action, _) => {
                let needed = self.of_condition(action.index());
                let done = self.of_effect(action.index());
                parts.saturating_add(needed).saturating_add(done)
            }
            _ => parts,
        }
    }
}

/// What an action, an event or a rule requires, and the variables in it.
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

/// What an action or an event does, and the variables in it.
pub(super) fn effect(model: &Model, index: usize) -> Option<(&model::Effect, &[Variable])> {
    if let Some(action) = model.actions.get(index) {
        return Some((&action.effect, &action.variables));
    }
    let event = model.events.get(index - model.actions.len())?;
    Some((&event.effect, &event.variables))
}
