//! The sizes of written-out formulas, computed before they are written out: too large ones are refused before memory is
//! spent on them.
//!
//! All bindings of quantifiers are enumerated as they will be, and the parts that will be written out for certain are
//! counted. Nothing is made, so that takes no memory, and some nanoseconds for each part.

use super::bindings::Bindings;
use super::bindings::bindings;
use super::conditions::named;
use super::error::{GroundError, Schema};
use super::instantiate::Instantiator;
use super::split::Split;
use super::written_out::{Most, conditions, effect};
use crate::sema::model::{
    self, ActionId, Binding, Choice, ClosedCond, FluentId, Model, ObjectId, Term,
};

/// Where at most this share of the parts that are left can be made, they are not counted beforehand.
const NEGLIGIBLE: u128 = 8;

/// The truth of a condition that is not written out, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    True,
    False,
    /// It depends on the state.
    Open,
    /// Not known.
    Unknown,
}

impl Known {
    const fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    const fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            other => other,
        }
    }
}

/// Which part of the instances of a schema is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Condition,
    /// Only the effects.
    Effect,
    /// The conditions, and the effects where they can apply.
    All,
}

/// Refuses instances of a schema that are too large, all together.
pub(super) fn foresee<'m, I: AsRef<[ObjectId]>>(
    instantiator: &mut Instantiator<'m>,
    most: &mut Most<'m>,
    index: usize,
    part: Part,
    instances: &[I],
) -> Result<(), GroundError> {
    let model = instantiator.model;
    let mut size = 0_u128;
    if part != Part::Effect {
        size = size.saturating_add(most.of_condition(index));
    }
    if part != Part::Condition {
        size = size.saturating_add(most.of_effect(index));
    }
    let all = size.saturating_mul(instances.len() as u128);
    if is_negligible(instantiator, all) {
        return Ok(());
    }
    let (conds, variables) = conditions(model, index);
    // A rule may be for more types than its predicate.
    let before = model.actions.len() + model.events.len();
    let head = index
        .checked_sub(before)
        .map(|axiom| model.axioms[axiom].fluent);
    let left = instantiator.parts_left() as u64;
    let is_too_large = instantiator.within(variables, |this| {
        let mut foresight = Foresight { this, left };
        for objects in instances {
            let objects = objects.as_ref();
            if head.is_some_and(|head| !foresight.this.are_arguments(head, objects)) {
                continue;
            }
            let at = &mut bindings(objects, variables.len());
            let mut applies = true;
            if part != Part::Effect {
                // All of them are written out, whatever comes of the first.
                let known: Vec<Known> = conds.iter().map(|cond| foresight.cond(cond, at)).collect();
                applies = known
                    .iter()
                    .all(|it| matches!(it, Known::True | Known::Open));
            }
            if applies
                && part != Part::Condition
                && let Some((effect, _)) = effect(model, index)
            {
                foresight.effect(effect, at);
            }
            if foresight.left == 0 {
                return true;
            }
        }
        false
    });
    refuse(instantiator, is_too_large, instances.len(), || {
        Schema::of(model, index)
    })
}

/// Refuses a condition with variables of its own that is too large.
pub(super) fn foresee_closed<'m>(
    instantiator: &mut Instantiator<'m>,
    most: &Most<'m>,
    closed: &'m ClosedCond,
    schema: &str,
) -> Result<(), GroundError> {
    if is_negligible(instantiator, most.of_closed(closed)) {
        return Ok(());
    }
    let left = instantiator.parts_left() as u64;
    let is_too_large = instantiator.within(&closed.variables, |this| {
        let mut foresight = Foresight { this, left };
        foresight.cond(&closed.cond, &mut vec![None; closed.variables.len()]);
        foresight.left == 0
    });
    refuse(instantiator, is_too_large, 1, || Schema::described(schema))
}

fn is_negligible(instantiator: &Instantiator<'_>, size: u128) -> bool {
    size <= instantiator.parts_left() as u128 / NEGLIGIBLE
}

fn refuse(
    instantiator: &Instantiator<'_>,
    is_too_large: bool,
    instances: usize,
    schema: impl Fn() -> Schema,
) -> Result<(), GroundError> {
    if is_too_large {
        instantiator.check_work(&schema)?;
        return Err(instantiator.too_many_parts(instances, schema()));
    }
    Ok(())
}

#[cfg(test)]
mod tests;

/// Counts what is written out for certain.
struct Foresight<'i, 'm> {
    this: &'i mut Instantiator<'m>,
    /// The number of parts that may still be made.
    left: u64,
}

impl<'m> Foresight<'_, 'm> {
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        if !self.this.goes_on(1) {
            self.left = 0;
        }
        self.left > 0
    }

    /// Counts parts that take no time to be counted.
    fn add(&mut self, parts: u128) {
        let parts = u64::try_from(parts).unwrap_or(u64::MAX);
        self.left = self.left.saturating_sub(parts);
    }

    /// The values of a term.
    fn values(&mut self, term: &Term, at: &Bindings) -> Split {
        let (split, _) = self.this.split_term(term, None, at);
        self.add(split.parts);
        split
    }

    /// The arguments of a fluent.
    fn tuples(&mut self, fluent: FluentId, args: &[Term], at: &Bindings) -> Split {
        let split = self.this.split(fluent, args, at);
        self.add(split.parts);
        split
    }

    /// Compares the two sides of a comparison of objects.
    fn same(&mut self, left: &Term, right: &Term, at: &Bindings) -> Known {
        match (self.this.is_plain(left, at), self.this.is_plain(right, at)) {
            (true, true) => {}
            (true, false) => _ = self.values(right, at),
            (false, true) => _ = self.values(left, at),
            (false, false) => {
                let [left, right] = [left, right].map(|term| self.values(term, at));
                self.add(left.all.saturating_mul(right.all));
            }
        }
        Known::Unknown
    }

    fn cond(&mut self, cond: &model::Cond, at: &mut Bindings) -> Known {
        if !self.spend() {
            return Known::Unknown;
        }
        match cond {
            model::Cond::True => Known::True,
            model::Cond::False => Known::False,
            model::Cond::Atom(fluent, args) => self.atom(*fluent, args, at),
            model::Cond::Same(left, right) => {
                if [left, right]
                    .iter()
                    .any(|term| matches!(term, Term::Fluent(..)))
                {
                    return self.same(left, right, at);
                }
                self.add(1);
                Known::constant(named(left, at) == named(right, at))
            }
            model::Cond::Compare(_, left, right) => {
                self.expr(left, at);
                self.expr(right, at);
                Known::Unknown
            }
            model::Cond::Not(cond) => self.cond(cond, at).negated(),
            model::Cond::And(conds) => self.list(conds, Known::False, at),
            model::Cond::Or(conds) => self.list(conds, Known::True, at),
            model::Cond::Forall(variables, body) => {
                self.quantified(variables, body, Known::False, at)
            }
            model::Cond::Exists(variables, body) => {
                self.quantified(variables, body, Known::True, at)
            }
        }
    }

    fn atom(&mut self, fluent: FluentId, args: &[Term], at: &Bindings) -> Known {
        if args.iter().any(|term| matches!(term, Term::Fluent(..))) {
            let split = self.tuples(fluent, args, at);
            return if split.fit > 0 && !self.this.is_static(fluent) {
                Known::Open
            } else {
                Known::Unknown
            };
        }
        let params = self.this.params(fluent);
        let mut typed = args.iter().zip(&*params);
        if !typed.all(|(arg, param)| named(arg, at).is_some_and(|object| param.contains(object))) {
            return Known::False;
        }
        if !self.this.is_static(fluent) {
            return Known::Open;
        }
        let args = args.iter().filter_map(|arg| named(arg, at)).collect();
        let value = self.this.statics.get(&(fluent, args));
        Known::constant(value == Some(&model::Value::Boolean(true)))
    }

    /// A conjunction or a disjunction, which is decided by one part that is `deciding`.
    fn list(&mut self, conds: &[model::Cond], deciding: Known, at: &mut Bindings) -> Known {
        let mut result = deciding.negated();
        for cond in conds {
            match self.cond(cond, at) {
                Known::Open => result = Known::Open,
                // Whether the others are written out is not known.
                Known::Unknown => return Known::Unknown,
                known if known == deciding => return deciding,
                _ => {}
            }
        }
        result
    }

    fn quantified(
        &mut self,
        variables: &[Binding],
        body: &model::Cond,
        deciding: Known,
        at: &mut Bindings,
    ) -> Known {
        let mut result = deciding.negated();
        self.each(variables, at, &mut |this, at| {
            match this.cond(body, at) {
                Known::Open => result = Known::Open,
                known if known == deciding || known == Known::Unknown => {
                    result = known;
                    return false;
                }
                _ => {}
            }
            true
        });
        if self.left == 0 {
            Known::Unknown
        } else {
            result
        }
    }

    /// As [`Instantiator::each`].
    fn each(
        &mut self,
        variables: &[Binding],
        at: &mut Bindings,
        body: &mut dyn FnMut(&mut Self, &mut Bindings) -> bool,
    ) {
        let Some((mut turns, outer)) = self.this.enter(variables, at) else {
            return;
        };
        while self.spend() && body(self, at) && turns.next(at) {}
        self.this.leave(turns, outer, at);
    }

    fn expr(&mut self, expr: &model::Expr, at: &mut Bindings) {
        match expr {
            model::Expr::Constant(_) => {}
            model::Expr::Fluent(fluent, args) => _ = self.tuples(*fluent, args, at),
            model::Expr::Add(exprs)
            | model::Expr::Multiply(exprs)
            | model::Expr::Min(exprs)
            | model::Expr::Max(exprs) => {
                for expr in exprs {
                    self.expr(expr, at);
                }
            }
            model::Expr::Subtract(left, right) => {
                self.expr(left, at);
                self.expr(right, at);
            }
            model::Expr::Abs(expr) => self.expr(expr, at),
            model::Expr::Count(variables, cond) => {
                self.each(variables, at, &mut |this, at| {
                    this.cond(cond, at);
                    true
                });
            }
        }
    }

    fn effect(&mut self, effect: &model::Effect, at: &mut Bindings) {
        if !self.spend() {
            return;
        }
        match effect {
            model::Effect::And(effects) | model::Effect::Seq(effects) => {
                for effect in effects {
                    self.effect(effect, at);
                }
            }
            model::Effect::Forall(variables, body) | model::Effect::ForEach(variables, _, body) => {
                self.each(variables, at, &mut |this, at| {
                    this.effect(body, at);
                    true
                });
            }
            model::Effect::When(cond, body) => {
                if matches!(self.cond(cond, at), Known::True | Known::Open) {
                    self.effect(body, at);
                }
            }
            model::Effect::Case(cases, otherwise) => {
                for (cond, body) in cases {
                    match self.cond(cond, at) {
                        Known::False => {}
                        Known::Open => self.effect(body, at),
                        Known::True => {
                            self.effect(body, at);
                            break;
                        }
                        Known::Unknown => break,
                    }
                }
                self.effect(otherwise, at);
            }
            model::Effect::Let(variable, choice, body, otherwise) => {
                self.effect(otherwise, at);
                match choice {
                    Choice::Arg { among, value, .. } => {
                        self.candidates(*variable, (among, value), body, at);
                    }
                    Choice::Term(term) => _ = self.values(term, at),
                }
            }
            model::Effect::Set(fluent, args, _) => _ = self.tuples(*fluent, args, at),
            model::Effect::Assign(fluent, args, value) => {
                let tuples = self.tuples(*fluent, args, at);
                if !self.this.is_plain(value, at) {
                    let values = self.values(value, at);
                    self.add(tuples.fit.saturating_mul(values.all));
                }
            }
            model::Effect::Update(_, fluent, args, expr)
            | model::Effect::Total(fluent, args, expr) => {
                self.expr(expr, at);
                self.tuples(*fluent, args, at);
            }
            model::Effect::Cost(expr) => self.expr(expr, at),
            model::Effect::OnNth(_, body) => self.effect(body, at),
            model::Effect::Do(action, args) => self.performed(*action, args, at),
            // A delayed effect is written out once, wherever it is started.
            model::Effect::After(..) | model::Effect::Maintain(..) | model::Effect::Log(_) => {}
        }
    }

    fn candidates(
        &mut self,
        variable: Binding,
        (among, value): (&model::Cond, &model::Expr),
        body: &model::Effect,
        at: &mut Bindings,
    ) {
        let variables = [variable];
        let Some((mut turns, outer)) = self.this.enter(&variables, at) else {
            return;
        };
        loop {
            if matches!(self.cond(among, at), Known::True | Known::Open) {
                self.expr(value, at);
                self.effect(body, at);
            }
            if self.left == 0 || !turns.next(at) {
                break;
            }
        }
        self.this.leave(turns, outer, at);
    }

    fn performed(&mut self, action: ActionId, args: &[Term], at: &Bindings) {
        let model: &'m Model = self.this.model;
        let action = &model.actions[action.index()];
        let parameters = &action.variables[..action.parameters];
        if args.iter().any(|term| matches!(term, Term::Fluent(..))) {
            let params = parameters.iter().map(|one| self.this.extent(&one.types));
            let params: Vec<_> = params.collect();
            let split = self.this.split_typed(args, &params, at);
            // What is done in each of the cases is not looked at.
            return self.add(split.parts);
        }
        let mut inner = Bindings::with_capacity(action.variables.len());
        for (arg, parameter) in args.iter().zip(parameters) {
            let object = named(arg, at);
            let params = self.this.extent(&parameter.types);
            match object.filter(|&object| params.contains(object)) {
                Some(object) => inner.push(Some(object)),
                None => return,
            }
        }
        inner.resize(action.variables.len(), None);
        let left = self.left;
        self.left = self.this.within(&action.variables, |this| {
            let mut foresight = Foresight { this, left };
            let mut applies = true;
            for needed in &action.precondition {
                let known = foresight.cond(&needed.cond, &mut inner);
                applies &= matches!(known, Known::True | Known::Open);
            }
            if applies {
                foresight.effect(&action.effect, &mut inner);
            }
            foresight.left
        });
    }
}
