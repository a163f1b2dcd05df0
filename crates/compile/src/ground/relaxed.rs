//! The delete relaxation, for checks of a model: what it does not reach can never happen.

use super::bindings::bindings;
use super::contradiction::Said;
use super::error::GroundError;
use super::reach::{self, Detail};
use super::reachable::Reachable;
use super::text::{Lifted, filled};
use super::work::Work;
use super::{Options, check_supported};
use crate::sema::model::{self, ActionId, Label, Model, ObjectId, Term, Variable};

/// A ground action that the relaxation reaches.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// Its schema.
    pub action: ActionId,
    /// Its arguments, the agent first where it has one.
    pub args: &'a [ObjectId],
    /// The number of its agent.
    pub agent: usize,
}

/// The fixpoint of the relaxation, to be asked about.
pub struct Relaxed<'m> {
    model: &'m Model,
    reachable: Reachable<'m>,
}

/// Computes what the relaxation reaches and asks `body` about it.
///
/// # Errors
///
/// Where the bounds of `options` are met, or `stop` says so.
pub fn relaxed<T>(
    model: &Model,
    options: &Options,
    stop: &dyn Fn() -> bool,
    body: impl FnOnce(&mut Relaxed<'_>) -> T,
) -> Result<T, GroundError> {
    check_supported(model)?;
    let work = Work::new(options.max_work, stop);
    let reachable = reach::reachable(model, options, Detail::Values, &work)?;
    Ok(body(&mut Relaxed { model, reachable }))
}

impl<'m> Relaxed<'m> {
    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Every ground action that can be reached, by agent, action and arguments.
    pub fn operators(&self) -> impl ExactSizeIterator<Item = Reached<'_>> {
        self.reachable.operators.iter().map(|operator| Reached {
            action: operator.action,
            args: &operator.args,
            agent: usize::from(operator.agent),
        })
    }

    /// The arguments with which an event can fire.
    pub fn fires(&self, event: usize) -> impl ExactSizeIterator<Item = &[ObjectId]> {
        let instances = self.reachable.events[event].instances.iter();
        instances.map(|(args, _, _)| &args[..])
    }

    /// Returns true if a condition may hold in some state, its free variables bound. True also where the budget of
    /// parts is spent: nothing is then known.
    pub fn may_hold(
        &mut self,
        cond: &model::Cond,
        variables: &'m [Variable],
        at: &[Option<ObjectId>],
    ) -> bool {
        self.may(cond, variables, at, true)
    }

    fn may(
        &mut self,
        cond: &model::Cond,
        variables: &'m [Variable],
        at: &[Option<ObjectId>],
        wanted: bool,
    ) -> bool {
        let mut at = at.to_vec();
        at.resize(variables.len(), None);
        let instantiator = &mut self.reachable.instantiator;
        let cond = instantiator.within(variables, |this| this.cond(cond, &mut at));
        if !instantiator.spend(1) {
            return true;
        }
        self.reachable.settle();
        self.reachable.values.may(&cond, wanted)
    }

    /// Returns true if the budget of parts is spent, so that more may seem to hold than does.
    pub fn is_spent(&mut self) -> bool {
        !self.reachable.instantiator.spend(1)
    }

    /// The least and the greatest value of a number in any state, its free variables bound; `None` where
    /// the budget of parts is spent.
    pub fn bounds(
        &mut self,
        expr: &model::Expr,
        variables: &'m [Variable],
        at: &[Option<ObjectId>],
    ) -> Option<(i64, i64)> {
        let mut at = at.to_vec();
        at.resize(variables.len(), None);
        let instantiator = &mut self.reachable.instantiator;
        let expr = instantiator.within(variables, |this| this.expr(expr, &mut at));
        if !instantiator.spend(1) {
            return None;
        }
        self.reachable.settle();
        Some(self.reachable.values.bounds(&expr))
    }

    /// Returns true if any effect or timed fact changes a fluent, or rules derive it of one that changes.
    pub fn changes(&self, fluent: model::FluentId) -> bool {
        !self.reachable.instantiator.is_static(fluent)
    }

    /// The label of an operator, by its position among [`Relaxed::operators`]; `None` for one that is
    /// silent or has its name for a label.
    pub fn label(&mut self, operator: usize) -> Option<String> {
        let operator = &self.reachable.operators[operator];
        let schema = &self.model.actions[operator.action.index()];
        let Label::Text(template) = &schema.label else {
            return None;
        };
        let mut at = bindings(&operator.args, schema.variables.len());
        let instantiator = &mut self.reachable.instantiator;
        Some(instantiator.within(&schema.variables, |this| this.text(template, &mut at)))
    }

    /// Returns true if the conditions of two operators, by their position among [`Relaxed::operators`], plainly
    /// contradict each other.
    pub fn exclude(&self, left: usize, right: usize) -> bool {
        let [left, right] = [left, right].map(|at| &self.reachable.operators[at].cond);
        Said::by(right).denies(left) || Said::by(left).denies(right)
    }

    /// Returns true if a condition may fail in some state, its free variables bound. True also where the budget of
    /// parts is spent: nothing is then known.
    pub fn may_fail(
        &mut self,
        cond: &model::Cond,
        variables: &'m [Variable],
        at: &[Option<ObjectId>],
    ) -> bool {
        self.may(cond, variables, at, false)
    }

    /// A condition in PDDL, with objects for the variables that are bound.
    pub fn text(
        &self,
        cond: &model::Cond,
        variables: &[Variable],
        at: &[Option<ObjectId>],
    ) -> String {
        self.filled(&Lifted::cond(self.model, variables, cond), variables, at)
    }

    /// A number in PDDL, with objects for the variables that are bound.
    pub fn number_text(
        &self,
        expr: &model::Expr,
        variables: &[Variable],
        at: &[Option<ObjectId>],
    ) -> String {
        self.filled(&Lifted::expr(self.model, variables, expr), variables, at)
    }

    fn filled(&self, lifted: &Lifted, variables: &[Variable], at: &[Option<ObjectId>]) -> String {
        let names = lifted.holes.iter().map(|hole| match hole {
            Term::Object(object) => self.model.objects[object.index()].name.to_string(),
            Term::Variable(variable) => match at.get(variable.index()).copied().flatten() {
                Some(object) => self.model.objects[object.index()].name.to_string(),
                None => format!("?{}", variables[variable.index()].name),
            },
            Term::Fluent(..) | Term::Undefined => String::new(),
        });
        let names: Vec<String> = names.collect();
        filled(&lifted.words, names.iter().map(String::as_str))
    }
}
