//! Effects under a binding.

use super::bindings::Bindings;
use super::conditions::{Alternatives, Arguments, Tuples};
use super::delayed::{Delayed, GroundText};
use super::error::GroundError;
use super::formula::{Candidate, Cond, Effect, Expr};
use super::instantiate::Instantiator;
use super::slots::{SlotId, object_code};
use crate::sema::model::{
    self, ActionId, AssignOp, Binding, Choice, DelayGuard, FluentId, ObjectId, Term,
};

/// The effect for one argument tuple.
type ForTuple<'f, 'a> =
    dyn FnMut(&mut Instantiator<'a>, Vec<ObjectId>) -> Result<Effect, GroundError> + 'f;

impl<'a> Instantiator<'a> {
    /// A ground effect.
    pub(super) fn effect(
        &mut self,
        effect: &model::Effect,
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        if !self.spend(1) {
            return Ok(Effect::Nothing);
        }
        Ok(match effect {
            model::Effect::And(effects) => Effect::block_of(self.effects(effects, at)?),
            model::Effect::Seq(effects) => Effect::seq(self.effects(effects, at)?),
            model::Effect::Forall(variables, body) => {
                Effect::block(self.effects_of_each(variables, None, body, at)?)
            }
            model::Effect::ForEach(variables, key, body) => {
                Effect::seq(self.effects_of_each(variables, key.as_ref(), body, at)?)
            }
            model::Effect::When(cond, body) => match self.cond(cond, at) {
                Cond::False => Effect::Nothing,
                cond => Effect::when(cond, self.effect(body, at)?),
            },
            model::Effect::Case(cases, otherwise) => self.case(cases, otherwise, at)?,
            model::Effect::Let(variable, choice, body, otherwise) => {
                self.bind(*variable, choice, body, otherwise, at)?
            }
            model::Effect::Set(fluent, args, value) => {
                let value = u32::from(*value);
                match self.arguments(*fluent, args, at) {
                    Arguments::Known(args) => Effect::Set(self.slot(*fluent, args), value),
                    Arguments::Unfit => Effect::Nothing,
                    Arguments::Open => {
                        let tuples = self.tuples(*fluent, args, at);
                        self.for_tuples(tuples, &mut |this, args| {
                            Ok(Effect::Set(this.slot(*fluent, args), value))
                        })?
                    }
                }
            }
            model::Effect::Assign(fluent, args, value) => self.assign(*fluent, args, value, at)?,
            model::Effect::Update(op, fluent, args, value) => {
                let value = self.expr(value, at);
                let tuples = self.tuples(*fluent, args, at);
                self.for_tuples(tuples, &mut |this, args| {
                    let slot = this.slot(*fluent, args);
                    update(slot, *op, value.clone())
                })?
            }
            model::Effect::Cost(expr) => Effect::Cost(self.expr(expr, at)),
            model::Effect::Total(fluent, args, expr) => {
                let amount = self.expr(expr, at);
                let tuples = self.tuples(*fluent, args, at);
                self.for_tuples(tuples, &mut |this, args| {
                    Ok(this.total(*fluent, args, amount.clone()))
                })?
            }
            model::Effect::After(ticks, guard, body) => {
                let text = self.ground_text(effect, at);
                self.after(text, ticks, guard.as_ref(), body, at)?
            }
            model::Effect::OnNth(count, body) => {
                let text = self.ground_text(effect, at);
                let count = self.ticks(count, at)?;
                let body = self.effect(body, at)?;
                self.count(text, count, body)
            }
            model::Effect::Maintain(cond, kept, body) => {
                self.maintain(effect, cond, kept, body, at)?
            }
            model::Effect::Log(template) => {
                let text = self.text(template, at);
                self.log(text)
            }
            model::Effect::Do(action, args) => self.perform(*action, args, at)?,
        })
    }

    fn effects(
        &mut self,
        effects: &[model::Effect],
        at: &mut Bindings,
    ) -> Result<Vec<Effect>, GroundError> {
        let mut ground = Vec::with_capacity(effects.len());
        for effect in effects {
            ground.push(self.effect(effect, at)?);
        }
        Ok(ground)
    }

    /// The first case whose condition holds. Those behind one that always does are left out.
    fn case(
        &mut self,
        cases: &[(model::Cond, model::Effect)],
        otherwise: &model::Effect,
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let mut ground = Vec::with_capacity(cases.len());
        for (cond, body) in cases {
            match self.cond(cond, at) {
                Cond::False => {}
                cond => {
                    let last = cond == Cond::True;
                    ground.push((cond, self.effect(body, at)?));
                    if last {
                        break;
                    }
                }
            }
        }
        let otherwise = self.effect(otherwise, at)?;
        Ok(Effect::case(ground, otherwise))
    }

    /// Grounds an effect for each object that may be chosen. An option that leads with a choice ends without a target.
    fn bind(
        &mut self,
        variable: Binding,
        choice: &Choice,
        body: &model::Effect,
        otherwise: &model::Effect,
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let leading = self.ends_without_target.take();
        let mut otherwise = self.effect(otherwise, at)?;
        if let Some(activity) = leading {
            otherwise = Effect::block([otherwise, Effect::Set(activity, 0)]);
        }
        let is_leading = matches!(body, model::Effect::Let(..));
        self.choose(variable, choice, otherwise, at, &mut |this, at| {
            this.ends_without_target = leading.filter(|_| is_leading);
            this.effect(body, at)
        })
    }

    /// Gives object fluents a value.
    fn assign(
        &mut self,
        fluent: FluentId,
        args: &[Term],
        value: &Term,
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let from = self.plain_slot(value, at);
        let alternatives = match from {
            Some(_) => Alternatives::new(),
            None => self.alternatives(value, at),
        };
        let tuples = self.tuples(fluent, args, at);
        let fit = tuples.iter().filter(|(_, args)| args.is_some()).count();
        if from.is_none() && !self.spend(fit.saturating_mul(alternatives.len())) {
            return Ok(Effect::Nothing);
        }
        self.for_tuples(tuples, &mut |this, args| {
            let to = this.slot(fluent, args);
            Ok(match from {
                Some(from) => Effect::Copy(to, from),
                None => Effect::block(alternatives.iter().map(|(guard, object)| {
                    if object.is_some_and(|object| !this.is_value(fluent, object)) {
                        return Effect::Nothing;
                    }
                    let code = object.map_or(0, object_code);
                    Effect::when(guard.clone(), Effect::Set(to, code))
                })),
            })
        })
    }

    /// Starts a delayed effect, which its text identifies.
    fn after(
        &mut self,
        text: GroundText,
        ticks: &model::Expr,
        guard: Option<&DelayGuard>,
        body: &model::Effect,
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let ticks = self.ticks(ticks, at)?;
        let (_, start) = self.timer(text, ticks, |this| {
            let effect = this.effect(body, at)?;
            let (runs_while, dropped_when) = match guard {
                None => (Cond::True, Cond::False),
                Some(DelayGuard::While(cond)) => (this.cond(cond, at), Cond::False),
                Some(DelayGuard::Until(cond)) => (Cond::True, this.cond(cond, at)),
            };
            Ok(Delayed {
                ticks,
                runs_while,
                dropped_when,
                effect,
                text: None,
            })
        })?;
        Ok(start)
    }

    /// Applies an action where its precondition holds.
    fn perform(
        &mut self,
        action: ActionId,
        args: &[Term],
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let action = &self.model.actions[action.index()];
        let parameters = action.variables[..action.parameters].iter();
        let params: Vec<_> = parameters.map(|one| self.extent(&one.types)).collect();
        let tuples = self.typed_tuples(args, &params, at);
        self.for_tuples(tuples, &mut |this, args| {
            let mut inner: Bindings = args.into_iter().map(Some).collect();
            inner.resize(action.variables.len(), None);
            this.within(&action.variables, |this| {
                let cond = this.precondition(action, &mut inner);
                if cond == Cond::False {
                    return Ok(Effect::Nothing);
                }
                Ok(Effect::when(cond, this.effect(&action.effect, &mut inner)?))
            })
        })
    }

    /// The effect for each of the argument tuples.
    fn for_tuples(
        &mut self,
        tuples: Tuples,
        body: &mut ForTuple<'_, 'a>,
    ) -> Result<Effect, GroundError> {
        let mut parts = Vec::with_capacity(tuples.len());
        for (guard, args) in tuples {
            if let Some(args) = args
                && guard != Cond::False
            {
                parts.push(Effect::when(guard, body(self, args)?));
            }
        }
        Ok(Effect::block(parts))
    }

    fn effects_of_each(
        &mut self,
        variables: &[Binding],
        key: Option<&model::Expr>,
        body: &model::Effect,
        at: &mut Bindings,
    ) -> Result<Vec<Effect>, GroundError> {
        let mut parts: Vec<(i64, Effect)> = Vec::new();
        let mut error = None;
        self.each(variables, at, &mut |this, at| {
            let part = key
                .map_or(Ok(0), |key| this.constant(key, at))
                .and_then(|key| Ok((key, this.effect(body, at)?)));
            match part {
                Ok(part) => parts.push(part),
                Err(found) => error = Some(found),
            }
            error.is_none()
        });
        if let Some(error) = error {
            return Err(error);
        }
        parts.sort_by_key(|(key, _)| *key);
        Ok(parts.into_iter().map(|(_, effect)| effect).collect())
    }

    fn choose(
        &mut self,
        variable: Binding,
        choice: &Choice,
        otherwise: Effect,
        at: &mut Bindings,
        body: &mut dyn FnMut(&mut Self, &mut Bindings) -> Result<Effect, GroundError>,
    ) -> Result<Effect, GroundError> {
        let outer = at[variable.index()];
        let result = match choice {
            Choice::Term(term) => {
                let mut cases = Vec::new();
                for (guard, object) in self.alternatives(term, at) {
                    if let Some(object) = object {
                        at[variable.index()] = Some(object);
                        cases.push((guard, body(self, at)?));
                    }
                }
                Effect::case(cases, otherwise)
            }
            Choice::Arg {
                maximize,
                among,
                value,
                ties,
            } => {
                let mut candidates = Vec::new();
                for &object in &self.domain_of(variable).objects {
                    at[variable.index()] = Some(object);
                    let cond = self.cond(among, at);
                    if cond == Cond::False {
                        continue;
                    }
                    let mut value = self.expr(value, at);
                    if *maximize {
                        value = Expr::Subtract(Box::new([Expr::Constant(0), value])).folded();
                    }
                    let mut keys = vec![value];
                    if let Some(ties) = ties {
                        keys.push(self.expr(ties, at));
                    }
                    let effect = body(self, at)?;
                    candidates.push(Candidate { cond, keys, effect });
                }
                Effect::Choose(candidates, Box::new(otherwise))
            }
        };
        at[variable.index()] = outer;
        Ok(result)
    }
}

fn update(slot: SlotId, op: AssignOp, value: Expr) -> Result<Effect, GroundError> {
    Ok(match op {
        AssignOp::Assign => Effect::Number(slot, value),
        AssignOp::Increase => Effect::Increase(slot, value),
        AssignOp::Decrease => {
            let negated = Expr::Subtract(Box::new([Expr::Constant(0), value]));
            Effect::Increase(slot, negated.folded())
        }
        AssignOp::ScaleUp => Effect::Number(slot, Expr::Multiply(vec![Expr::Slot(slot), value])),
        AssignOp::ScaleDown => {
            return Err(GroundError::Unsupported {
                what: "`scale-down` of a bounded integer",
            });
        }
    })
}
