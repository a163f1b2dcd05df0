//! Object terms, conditions and expressions under a binding.

use std::rc::Rc;

use super::bindings::{Bindings, Extent};
use super::error::GroundError;
use super::formula::{Cond, Expr};
use super::instantiate::Instantiator;
use super::slots::{SlotId, object_code};
use crate::sema::model::{self, Binding, FluentId, ObjectId, Range, Term, Value};
use brigade_task::cond::Comparison;

/// An object term's possible values, each with the condition under which it has it; `None` is
/// "undefined".
pub(super) type Alternatives = Vec<(Cond, Option<ObjectId>)>;

/// The argument tuples that terms may denote, each with the condition under which they do; `None`
/// where one of them is undefined, or not of the type of its parameter.
pub(super) type Tuples = Vec<(Cond, Option<Vec<ObjectId>>)>;

/// The arguments that terms denote.
pub(super) enum Arguments {
    /// These, whatever the state.
    Known(Vec<ObjectId>),
    /// One is undefined, or not of the type of its parameter, whatever the state.
    Unfit,
    /// One depends on the state.
    Open,
}

/// A comparison of the model as one of the task.
pub const fn ground_comparison(comparison: model::Comparison) -> Comparison {
    match comparison {
        model::Comparison::Equal => Comparison::Equal,
        model::Comparison::Less => Comparison::Less,
        model::Comparison::LessOrEqual => Comparison::LessOrEqual,
        model::Comparison::Greater => Comparison::Greater,
        model::Comparison::GreaterOrEqual => Comparison::GreaterOrEqual,
    }
}

impl Instantiator<'_> {
    /// The arguments of a fluent that terms denote, as long as none of them reads the state.
    pub(super) fn arguments(
        &mut self,
        fluent: FluentId,
        terms: &[Term],
        at: &Bindings,
    ) -> Arguments {
        if terms.iter().any(|term| matches!(term, Term::Fluent(..))) {
            return Arguments::Open;
        }
        let params = self.params(fluent);
        let fitting = terms
            .iter()
            .zip(&*params)
            .map(|(term, param)| named(term, at).filter(|&object| param.contains(object)));
        fitting
            .collect::<Option<_>>()
            .map_or(Arguments::Unfit, Arguments::Known)
    }

    /// The values an object term may have.
    pub(super) fn alternatives(&mut self, term: &Term, at: &Bindings) -> Alternatives {
        let Term::Fluent(fluent, args) = term else {
            return vec![(Cond::True, named(term, at))];
        };
        let mut result = Alternatives::new();
        for (guard, args) in self.tuples(*fluent, args, at) {
            let Some(args) = args else {
                result.push((guard, None));
                continue;
            };
            if self.is_static(*fluent) {
                let value = match self.statics.get(&(*fluent, args)) {
                    Some(Value::Object(object)) => Some(*object),
                    _ => None,
                };
                result.push((guard, value));
                continue;
            }
            let objects = match &self.model.fluents[fluent.index()].range {
                Range::Object(types) => self.extent(types),
                _ => self.extent(&[]),
            };
            let objects = &objects.objects;
            if !self.spend(objects.len()) {
                return Alternatives::new();
            }
            let slot = self.slot(*fluent, args);
            result.push((Cond::all([guard.clone(), Cond::Holds(slot, 0)]), None));
            for &object in objects {
                let holds = Cond::Holds(slot, object_code(object));
                result.push((Cond::all([guard.clone(), holds]), Some(object)));
            }
        }
        result
    }

    /// The argument tuples of a fluent that terms may denote; `None` where one of them is
    /// undefined, or not of the type of its parameter.
    pub(super) fn tuples(&mut self, fluent: FluentId, terms: &[Term], at: &Bindings) -> Tuples {
        let params = self.params(fluent);
        self.typed_tuples(terms, &params, at)
    }

    pub(super) fn typed_tuples(
        &mut self,
        terms: &[Term],
        params: &[Rc<Extent>],
        at: &Bindings,
    ) -> Tuples {
        let mut result = vec![(Cond::True, Some(Vec::with_capacity(terms.len())))];
        for (term, param) in terms.iter().zip(params) {
            let fits = |&object: &ObjectId| param.contains(object);
            let mut alternatives = Alternatives::new();
            let only = if let Term::Fluent(..) = term {
                alternatives = self.alternatives(term, at);
                for (_, object) in &mut alternatives {
                    *object = object.filter(fits);
                }
                match alternatives[..] {
                    [(Cond::True, object)] => Some(object),
                    _ => None,
                }
            } else {
                Some(named(term, at).filter(fits))
            };
            if let Some(object) = only {
                for (_, tuple) in &mut result {
                    match (object, &mut *tuple) {
                        (Some(object), Some(tuple)) => tuple.push(object),
                        _ => *tuple = None,
                    }
                }
                continue;
            }
            if !self.spend(result.len().saturating_mul(alternatives.len())) {
                return Vec::new();
            }
            let mut next = Vec::with_capacity(result.len() * alternatives.len());
            for (guard, tuple) in &result {
                for (holds, object) in &alternatives {
                    let tuple = tuple.clone().zip(*object).map(|(mut tuple, object)| {
                        tuple.push(object);
                        tuple
                    });
                    next.push((Cond::all([guard.clone(), holds.clone()]), tuple));
                }
            }
            result = next;
        }
        result
    }

    /// The ground precondition of an action.
    pub(super) fn precondition(&mut self, action: &model::Action, at: &mut Bindings) -> Cond {
        let requirements = action.precondition.iter();
        let conds = requirements.map(|requirement| self.cond(&requirement.cond, at));
        Cond::all_of(conds.collect())
    }

    /// A ground condition.
    pub(super) fn cond(&mut self, cond: &model::Cond, at: &mut Bindings) -> Cond {
        if !self.spend(1) {
            return Cond::False;
        }
        match cond {
            model::Cond::True => Cond::True,
            model::Cond::False => Cond::False,
            model::Cond::Atom(fluent, args) => {
                match self.arguments(*fluent, args, at) {
                    Arguments::Known(args) => return self.atom(*fluent, args),
                    Arguments::Unfit => return Cond::False,
                    Arguments::Open => {}
                }
                let tuples = self.tuples(*fluent, args, at);
                Cond::any(
                    tuples
                        .into_iter()
                        .map(|(guard, args)| match args {
                            None => Cond::False,
                            Some(args) => Cond::all([guard, self.atom(*fluent, args)]),
                        })
                        .collect::<Vec<_>>(),
                )
            }
            model::Cond::Same(left, right) => self.same(left, right, at),
            model::Cond::Compare(comparison, left, right) => {
                let left = self.expr(left, at);
                let right = self.expr(right, at);
                Cond::compare(ground_comparison(*comparison), left, right)
            }
            model::Cond::Not(cond) => self.cond(cond, at).negated(),
            model::Cond::And(conds) => {
                let mut parts = Vec::with_capacity(conds.len());
                for cond in conds {
                    match self.cond(cond, at) {
                        Cond::False => return Cond::False,
                        part => parts.push(part),
                    }
                }
                Cond::all_of(parts)
            }
            model::Cond::Or(conds) => {
                let mut parts = Vec::with_capacity(conds.len());
                for cond in conds {
                    match self.cond(cond, at) {
                        Cond::True => return Cond::True,
                        part => parts.push(part),
                    }
                }
                Cond::any(parts)
            }
            model::Cond::Forall(..) | model::Cond::Exists(..) => {
                let (variables, body, all) = match cond {
                    model::Cond::Forall(variables, body) => (variables, body, true),
                    model::Cond::Exists(variables, body) => (variables, body, false),
                    _ => return Cond::False,
                };
                let mut parts = Vec::new();
                self.each(variables, at, &mut |this, at| {
                    let part = this.cond(body, at);
                    let decided = part == Cond::constant(!all);
                    if part != Cond::constant(all) {
                        parts.push(part);
                    }
                    !decided
                });
                if all {
                    Cond::all(parts)
                } else {
                    Cond::any(parts)
                }
            }
        }
    }

    fn atom(&mut self, fluent: FluentId, args: Vec<ObjectId>) -> Cond {
        if self.is_static(fluent) {
            Cond::constant(self.statics.get(&(fluent, args)) == Some(&Value::Boolean(true)))
        } else {
            Cond::Holds(self.slot(fluent, args), 1)
        }
    }

    fn same(&mut self, left: &Term, right: &Term, at: &mut Bindings) -> Cond {
        if let (Some(left), Some(right)) = (self.plain_slot(left, at), self.plain_slot(right, at)) {
            return Cond::any([
                Cond::Same(left, right),
                Cond::all([Cond::Holds(left, 0), Cond::Holds(right, 0)]),
            ]);
        }
        for (fluent, value) in [(left, right), (right, left)] {
            if let Some(slot) = self.plain_slot(fluent, at) {
                let values = self.alternatives(value, at).into_iter();
                return Cond::any(values.map(|(guard, object)| {
                    Cond::all([guard, Cond::Holds(slot, object.map_or(0, object_code))])
                }));
            }
        }
        let left = self.alternatives(left, at);
        let right = self.alternatives(right, at);
        if !self.spend(left.len().saturating_mul(right.len())) {
            return Cond::False;
        }
        let mut parts = Vec::new();
        for (guard, left) in &left {
            for (other_guard, right) in &right {
                if left == right {
                    parts.push(Cond::all([guard.clone(), other_guard.clone()]));
                }
            }
        }
        Cond::any(parts)
    }

    /// The slot of an object fluent that changes and whose arguments are known.
    pub(super) fn plain_slot(&mut self, term: &Term, at: &Bindings) -> Option<SlotId> {
        let Term::Fluent(fluent, args) = term else {
            return None;
        };
        if self.is_static(*fluent) {
            return None;
        }
        let params = self.params(*fluent);
        let args: Option<Vec<_>> = args
            .iter()
            .zip(&*params)
            .map(|(arg, param)| {
                let object = match arg {
                    Term::Object(object) => Some(*object),
                    Term::Variable(variable) => at[variable.index()],
                    Term::Fluent(..) | Term::Undefined => None,
                };
                object.filter(|&object| param.contains(object))
            })
            .collect();
        Some(self.slot(*fluent, args?))
    }

    /// Calls `body` for every binding of `variables`, the last one fastest, until it returns false.
    pub(super) fn each(
        &mut self,
        variables: &[Binding],
        at: &mut Bindings,
        body: &mut dyn FnMut(&mut Self, &mut Bindings) -> bool,
    ) {
        let Some((mut turns, outer)) = self.enter(variables, at) else {
            return;
        };
        while self.spend(1) && body(self, at) && turns.next(at) {}
        self.leave(turns, outer, at);
    }

    /// Objects that a variable in scope ranges over.
    pub(super) fn domain_of(&mut self, variable: Binding) -> Rc<Extent> {
        match self.scope.get(variable.index()) {
            Some(variable) => self.extent(&variable.types),
            None => self.extent(&[]),
        }
    }

    /// A ground expression.
    pub(super) fn expr(&mut self, expr: &model::Expr, at: &mut Bindings) -> Expr {
        let ground = match expr {
            model::Expr::Constant(value) => Expr::Constant(*value),
            model::Expr::Fluent(fluent, args) => {
                let mut cases = Vec::new();
                for (guard, args) in self.tuples(*fluent, args, at) {
                    let Some(args) = args else { continue };
                    let value = self.number(*fluent, args);
                    if guard == Cond::True {
                        return value;
                    }
                    if value != Expr::Constant(0) {
                        cases.push((guard, value));
                    }
                }
                Expr::Case(cases)
            }
            model::Expr::Add(exprs) => Expr::Add(self.exprs(exprs, at)),
            model::Expr::Subtract(left, right) => {
                let left = self.expr(left, at);
                let right = self.expr(right, at);
                Expr::Subtract(Box::new([left, right]))
            }
            model::Expr::Multiply(exprs) => Expr::Multiply(self.exprs(exprs, at)),
            model::Expr::Abs(expr) => Expr::Abs(Box::new(self.expr(expr, at))),
            model::Expr::Min(exprs) => Expr::Min(self.exprs(exprs, at)),
            model::Expr::Max(exprs) => Expr::Max(self.exprs(exprs, at)),
            model::Expr::Count(variables, cond) => {
                let mut parts = Vec::new();
                self.each(variables, at, &mut |this, at| {
                    let cond = this.cond(cond, at);
                    parts.push(Expr::Truth(Box::new(cond)).folded());
                    true
                });
                Expr::Add(parts)
            }
        };
        ground.folded()
    }

    fn exprs(&mut self, exprs: &[model::Expr], at: &mut Bindings) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr, at)).collect()
    }

    /// The value of a numeric fluent. A static one without a value is 0.
    fn number(&mut self, fluent: FluentId, args: Vec<ObjectId>) -> Expr {
        if self.is_static(fluent) {
            return Expr::Constant(self.static_number(fluent, args));
        }
        Expr::Slot(self.slot(fluent, args))
    }

    /// The value of a static numeric fluent.
    pub(super) fn static_number(&self, fluent: FluentId, args: Vec<ObjectId>) -> i64 {
        match self.statics.get(&(fluent, args)) {
            Some(Value::Number(value)) => *value,
            _ => self.default_number(fluent),
        }
    }

    fn default_number(&self, fluent: FluentId) -> i64 {
        match self.model.fluents[fluent.index()].range {
            Range::Integer { lo, hi } => 0.clamp(lo.min(hi), hi),
            _ => 0,
        }
    }

    /// A number that must be known now.
    pub(super) fn constant(
        &mut self,
        expr: &model::Expr,
        at: &mut Bindings,
    ) -> Result<i64, GroundError> {
        match self.expr(expr, at) {
            Expr::Constant(value) => Ok(value),
            _ => Err(GroundError::NotConstant {
                schema: self.schema(),
            }),
        }
    }
}

/// The object that a term which is no fluent denotes; `None` for "undefined".
pub(super) fn named(term: &Term, at: &Bindings) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(*object),
        Term::Variable(variable) => at[variable.index()],
        Term::Undefined | Term::Fluent(..) => None,
    }
}
