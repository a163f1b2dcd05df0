//! Lifted conditions, expressions and effects under a binding → ground ones over slots.
//!
//! Static fluents are evaluated away here, quantifiers are expanded, and a fluent used as an
//! argument of another is split by its values. What is made counts against `max_parts`; once that
//! many are made, nothing more is.

use std::rc::Rc;

use hashbrown::HashMap;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::delayed::{Delayed, GroundText, Texts, end, parts};
use super::error::{GroundError, Schema};
use super::formula::{Candidate, Cond, Effect, Expr};
use super::slots::{SlotId, SlotKey, SlotRange, Slots, object_code};
use super::text::{Lifted, filled};
use super::work::Work;
use crate::sema::model::{
    self, AssignOp, Binding, Choice, DelayGuard, FluentId, FluentKind, Model, ObjectId, Range,
    Template, TemplatePart, Term, TypeId, Value, Variable,
};
use crate::task::{LabelId, LogEntry};

/// Values of a schema's variables.
pub(super) type Bindings = Vec<Option<ObjectId>>;

/// The objects of a union of types.
#[derive(Debug)]
struct Extent {
    /// In declared order.
    objects: Vec<ObjectId>,
    contains: Vec<bool>,
}

impl Extent {
    fn contains(&self, object: ObjectId) -> bool {
        self.contains[object.index()]
    }
}

/// An object term's possible values, each with the condition under which it has it; `None` is
/// "undefined".
type Alternatives = Vec<(Cond, Option<ObjectId>)>;

/// The effect for one argument tuple.
type ForTuple<'f, 'a> =
    dyn FnMut(&mut Instantiator<'a>, Vec<ObjectId>) -> Result<Effect, GroundError> + 'f;

/// Makes ground formulas and collects the slots, labels and delayed effects that they use.
pub(super) struct Instantiator<'a> {
    pub(super) model: &'a Model,
    pub(super) slots: Slots,
    pub(super) labels: IndexMap<String, ()>,
    /// Delayed effects by their ground text.
    pub(super) delayed: IndexMap<GroundText, Delayed>,
    pub(super) texts: Texts<'a>,
    /// How many more parts of formulas may be made: see [`Options::max_parts`](super::Options). At 0
    /// everything made is unusable.
    parts_left: usize,
    max_parts: usize,
    work: &'a Work<'a>,
    /// The ground texts of the `on-nth`s.
    counters: IndexMap<GroundText, ()>,
    /// Per fluent, whether any effect or timed literal writes it, or axioms derive it.
    written: Vec<bool>,
    /// The facts of static fluents.
    statics: IndexMap<(FluentId, Vec<ObjectId>), Value, FxBuildHasher>,
    /// The number of the schema that is instantiated.
    pub(super) index: usize,
    /// The agent that labels belong to.
    pub(super) acting: u16,
    /// The variables of the schema being instantiated.
    scope: Rc<[Variable]>,
    /// Objects by union of types.
    extents: HashMap<Vec<TypeId>, Rc<Extent>, FxBuildHasher>,
    /// What the parameters of each fluent range over, of those used so far.
    fluent_params: HashMap<FluentId, Rc<[Rc<Extent>]>, FxBuildHasher>,
    /// While the leading `let`s of an option's policy are instantiated: the slot of the activity
    /// that ends where one of them has no target.
    pub(super) ends_without_target: Option<SlotId>,
}

impl<'a> Instantiator<'a> {
    pub(super) fn new(model: &'a Model, max_parts: usize, work: &'a Work<'a>) -> Self {
        let mut written = vec![false; model.fluents.len()];
        for action in &model.actions {
            mark_written(&action.effect, &mut written);
            mark_written(&action.end_effect, &mut written);
        }
        for event in &model.events {
            mark_written(&event.effect, &mut written);
        }
        for (_, fact) in &model.timed {
            written[fact.fluent.index()] = true;
        }
        for axiom in &model.axioms {
            written[axiom.fluent.index()] = true;
        }
        // The first tick resets what is true of a transient at the start.
        for fact in &model.init {
            written[fact.fluent.index()] |=
                model.fluents[fact.fluent.index()].kind == FluentKind::Transient;
        }
        let mut instantiator = Self {
            model,
            slots: Slots::default(),
            labels: IndexMap::new(),
            delayed: IndexMap::new(),
            texts: Texts::new(model),
            parts_left: max_parts,
            max_parts,
            work,
            counters: IndexMap::new(),
            written,
            statics: IndexMap::default(),
            index: 0,
            acting: 0,
            scope: Rc::new([]),
            extents: HashMap::default(),
            fluent_params: HashMap::default(),
            ends_without_target: None,
        };
        for fact in &model.init {
            if instantiator.is_static(fact.fluent) {
                instantiator
                    .statics
                    .insert((fact.fluent, fact.args.clone()), fact.value);
            } else {
                instantiator.slots.initialise(
                    &model.fluents,
                    fact.fluent,
                    fact.args.clone(),
                    fact.value,
                );
            }
        }
        instantiator
    }

    /// Whether a fluent never changes.
    pub(super) fn is_static(&self, fluent: FluentId) -> bool {
        !self.written[fluent.index()]
    }

    pub(super) fn slot(&mut self, fluent: FluentId, args: Vec<ObjectId>) -> SlotId {
        self.slots.fluent(&self.model.fluents, fluent, args)
    }

    /// Runs `body` with the variables of one schema in scope.
    pub(super) fn within<T>(
        &mut self,
        variables: &[Variable],
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.scope, variables.into());
        let result = body(self);
        self.scope = outer;
        result
    }

    /// Objects of any of `types`.
    fn extent(&mut self, types: &[TypeId]) -> Rc<Extent> {
        if let Some(extent) = self.extents.get(types) {
            return Rc::clone(extent);
        }
        let objects = self.model.objects_of(types);
        let mut contains = vec![false; self.model.objects.len()];
        for object in &objects {
            contains[object.index()] = true;
        }
        let extent = Rc::new(Extent { objects, contains });
        self.extents.insert(types.to_vec(), Rc::clone(&extent));
        extent
    }

    /// What the parameters of a fluent range over.
    fn params(&mut self, fluent: FluentId) -> Rc<[Rc<Extent>]> {
        if let Some(params) = self.fluent_params.get(&fluent) {
            return Rc::clone(params);
        }
        let model = self.model;
        let params = model.fluents[fluent.index()].params.iter();
        let params: Rc<[Rc<Extent>]> = params.map(|types| self.extent(types)).collect();
        self.fluent_params.insert(fluent, Rc::clone(&params));
        params
    }

    /// Whether an object can be a value of an object fluent.
    pub(super) fn is_value(&mut self, fluent: FluentId, object: ObjectId) -> bool {
        match &self.model.fluents[fluent.index()].range {
            Range::Object(types) => self.extent(types).contains(object),
            Range::Boolean | Range::Integer { .. } | Range::Number => false,
        }
    }

    /// Counts parts that are about to be made; false if they are too many.
    fn spend(&mut self, parts: usize) -> bool {
        self.parts_left = self.parts_left.saturating_sub(parts);
        if !self.work.goes_on(parts as u64) {
            self.parts_left = 0;
        }
        self.parts_left > 0
    }

    /// An error if no more parts may be made.
    pub(super) fn check(&self, schema: impl Fn() -> Schema) -> Result<(), GroundError> {
        self.work.check(&schema)?;
        if self.parts_left == 0 {
            return Err(GroundError::TooManyParts {
                limit: self.max_parts,
                schema: schema(),
            });
        }
        Ok(())
    }

    /// The values an object term may have.
    fn alternatives(&mut self, term: &Term, at: &Bindings) -> Alternatives {
        match term {
            Term::Object(object) => vec![(Cond::True, Some(*object))],
            Term::Undefined => vec![(Cond::True, None)],
            Term::Variable(variable) => vec![(Cond::True, at[variable.index()])],
            Term::Fluent(fluent, args) => {
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
        }
    }

    /// The argument tuples of a fluent that terms may denote; `None` where one of them is
    /// undefined, or not of the type of its parameter.
    fn tuples(
        &mut self,
        fluent: FluentId,
        terms: &[Term],
        at: &Bindings,
    ) -> Vec<(Cond, Option<Vec<ObjectId>>)> {
        let params = self.params(fluent);
        self.typed_tuples(terms, &params, at)
    }

    fn typed_tuples(
        &mut self,
        terms: &[Term],
        params: &[Rc<Extent>],
        at: &Bindings,
    ) -> Vec<(Cond, Option<Vec<ObjectId>>)> {
        let mut result = vec![(Cond::True, Some(Vec::with_capacity(terms.len())))];
        for (term, param) in terms.iter().zip(params) {
            let mut alternatives = self.alternatives(term, at);
            for (_, object) in &mut alternatives {
                *object = object.filter(|&object| param.contains(object));
            }
            if let [(Cond::True, object)] = alternatives[..] {
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

    /// A ground condition.
    pub(super) fn cond(&mut self, cond: &model::Cond, at: &mut Bindings) -> Cond {
        if !self.spend(1) {
            return Cond::False;
        }
        match cond {
            model::Cond::True => Cond::True,
            model::Cond::False => Cond::False,
            model::Cond::Atom(fluent, args) => {
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
                Cond::compare(*comparison, left, right)
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
                Cond::all(parts)
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
                    parts.push(part);
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
    fn plain_slot(&mut self, term: &Term, at: &Bindings) -> Option<SlotId> {
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
    fn each(
        &mut self,
        variables: &[Binding],
        at: &mut Bindings,
        body: &mut dyn FnMut(&mut Self, &mut Bindings) -> bool,
    ) {
        let extents: Vec<Rc<Extent>> = variables.iter().map(|&v| self.domain_of(v)).collect();
        if extents.iter().any(|extent| extent.objects.is_empty()) {
            return;
        }
        let outer: Bindings = variables.iter().map(|v| at[v.index()]).collect();
        let mut next = vec![0; variables.len()];
        for (variable, extent) in variables.iter().zip(&extents) {
            at[variable.index()] = extent.objects.first().copied();
        }
        loop {
            if !self.spend(1) || !body(self, at) {
                break;
            }
            let turned = (0..variables.len()).rev().any(|place| {
                let objects = &extents[place].objects;
                next[place] = (next[place] + 1) % objects.len();
                at[variables[place].index()] = Some(objects[next[place]]);
                next[place] > 0
            });
            if !turned {
                break;
            }
        }
        for (variable, object) in variables.iter().zip(outer) {
            at[variable.index()] = object;
        }
    }

    /// Objects that a variable in scope ranges over.
    fn domain_of(&mut self, variable: Binding) -> Rc<Extent> {
        let scope = Rc::clone(&self.scope);
        match scope.get(variable.index()) {
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
            return Expr::Constant(match self.statics.get(&(fluent, args)) {
                Some(Value::Number(value)) => *value,
                _ => self.default_number(fluent),
            });
        }
        Expr::Slot(self.slot(fluent, args))
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
            model::Effect::And(effects) => {
                let mut parts = Vec::with_capacity(effects.len());
                for effect in effects {
                    parts.push(self.effect(effect, at)?);
                }
                Effect::block(parts)
            }
            model::Effect::Seq(effects) => {
                let mut parts = Vec::with_capacity(effects.len());
                for effect in effects {
                    parts.push(self.effect(effect, at)?);
                }
                Effect::seq(parts)
            }
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
            model::Effect::Case(cases, otherwise) => {
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
                Effect::case(ground, otherwise)
            }
            model::Effect::Let(variable, choice, body, otherwise) => {
                let leading = self.ends_without_target.take();
                let mut otherwise = self.effect(otherwise, at)?;
                if let Some(activity) = leading {
                    otherwise = Effect::block([otherwise, Effect::Set(activity, 0)]);
                }
                let is_leading = matches!(**body, model::Effect::Let(..));
                self.choose(*variable, choice, otherwise, at, &mut |this, at| {
                    this.ends_without_target = leading.filter(|_| is_leading);
                    this.effect(body, at)
                })?
            }
            model::Effect::Set(fluent, args, value) => {
                let tuples = self.tuples(*fluent, args, at);
                self.for_tuples(tuples, &mut |this, args| {
                    Ok(Effect::Set(this.slot(*fluent, args), u32::from(*value)))
                })?
            }
            model::Effect::Assign(fluent, args, value) => {
                let from = self.plain_slot(value, at);
                let alternatives = match from {
                    Some(_) => Alternatives::new(),
                    None => self.alternatives(value, at),
                };
                let tuples = self.tuples(*fluent, args, at);
                self.for_tuples(tuples, &mut |this, args| {
                    let to = this.slot(*fluent, args);
                    Ok(match from {
                        Some(from) => Effect::Copy(to, from),
                        None => Effect::block(alternatives.iter().map(|(guard, object)| {
                            if object.is_some_and(|object| !this.is_value(*fluent, object)) {
                                return Effect::Nothing;
                            }
                            let code = object.map_or(0, object_code);
                            Effect::when(guard.clone(), Effect::Set(to, code))
                        })),
                    })
                })?
            }
            model::Effect::Update(op, fluent, args, value) => {
                let value = self.expr(value, at);
                let tuples = self.tuples(*fluent, args, at);
                self.for_tuples(tuples, &mut |this, args| {
                    let slot = this.slot(*fluent, args);
                    update(slot, *op, value.clone())
                })?
            }
            model::Effect::Cost(expr) => Effect::Cost(self.expr(expr, at)),
            model::Effect::After(ticks, guard, body) => {
                let text = self.ground_text(effect, at);
                let ticks = self.constant(ticks, at)?;
                let ticks = self.positive(ticks)?;
                self.timer(text, ticks, |this| {
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
                    })
                })?
                .1
            }
            model::Effect::OnNth(count, body) => {
                let text = self.ground_text(effect, at);
                let count = self.constant(count, at)?;
                let body = self.effect(body, at)?;
                self.count(text, self.positive(count)?, body)
            }
            model::Effect::Maintain(cond, kept, body) => {
                self.maintain(effect, cond, kept, body, at)?
            }
            model::Effect::Log(template) => {
                let text = self.text(template, at);
                self.log(text)
            }
            model::Effect::Do(action, args) => {
                let action = &self.model.actions[action.index()];
                let parameters = action.variables[..action.parameters].iter();
                let params: Vec<_> = parameters.map(|one| self.extent(&one.types)).collect();
                let tuples = self.typed_tuples(args, &params, at);
                self.for_tuples(tuples, &mut |this, args| {
                    let mut inner: Bindings = args.into_iter().map(Some).collect();
                    inner.resize(action.variables.len(), None);
                    this.within(&action.variables, |this| {
                        let cond = Cond::all(
                            action
                                .precondition
                                .iter()
                                .map(|requirement| this.cond(&requirement.cond, &mut inner))
                                .collect::<Vec<_>>(),
                        );
                        if cond == Cond::False {
                            return Ok(Effect::Nothing);
                        }
                        Ok(Effect::when(cond, this.effect(&action.effect, &mut inner)?))
                    })
                })?
            }
        })
    }

    /// The effect for each of the argument tuples.
    fn for_tuples(
        &mut self,
        tuples: Vec<(Cond, Option<Vec<ObjectId>>)>,
        body: &mut ForTuple<'_, 'a>,
    ) -> Result<Effect, GroundError> {
        let mut parts = Vec::new();
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

    /// The ground text of an effect.
    fn ground_text(&mut self, effect: &model::Effect, at: &Bindings) -> GroundText {
        let text = Lifted::effect(self.model, &self.scope, effect);
        let agent = self.texts.logs(effect).then_some(self.acting);
        self.spend(text.holes.len() + text.words.len() / 16);
        self.texts.ground(text, at, agent)
    }

    /// A number of ticks or executions.
    fn positive(&self, ticks: i64) -> Result<u32, GroundError> {
        u32::try_from(ticks)
            .ok()
            .filter(|&ticks| ticks > 0)
            .ok_or_else(|| GroundError::BadDelay {
                schema: self.schema(),
                ticks,
            })
    }

    /// The schema that is being instantiated.
    fn schema(&self) -> Schema {
        Schema::of(self.model, self.index)
    }

    /// The slot of a delayed effect, made on first use, and the effect that starts it unless it is
    /// live.
    fn timer(
        &mut self,
        text: GroundText,
        ticks: u32,
        make: impl FnOnce(&mut Self) -> Result<Delayed, GroundError>,
    ) -> Result<(SlotId, Effect), GroundError> {
        let number = if let Some(number) = self.delayed.get_index_of(&text) {
            number
        } else {
            let delayed = make(self)?;
            self.delayed.insert_full(text, delayed).0
        };
        self.spend(3);
        let last = ticks.max(1);
        let size = last.saturating_add(1);
        let range = SlotRange::Integer { lo: 0, size };
        let slot = self.slots.other(SlotKey::Timer(number), range, 0);
        let start = Effect::when(Cond::Holds(slot, 0), Effect::Set(slot, size - 1));
        Ok((slot, start))
    }

    /// Starts the end of a durative action.
    pub(super) fn start_end(
        &mut self,
        action: &model::Action,
        ticks: i64,
        effect: Effect,
        at: &Bindings,
    ) -> Result<Effect, GroundError> {
        let ticks = self.positive(ticks)?;
        let text = self.texts.ground(end(action), at, None);
        let delayed = Delayed {
            ticks,
            runs_while: Cond::True,
            dropped_when: Cond::False,
            effect,
        };
        Ok(self.timer(text, ticks, |_| Ok(delayed))?.1)
    }

    fn count(&mut self, text: GroundText, size: u32, body: Effect) -> Effect {
        self.spend(6);
        let (number, _) = self.counters.insert_full(text, ());
        let range = SlotRange::Integer { lo: 0, size };
        let slot = self.slots.other(SlotKey::Counter(number), range, 0);
        let done = Effect::block([Effect::Set(slot, 0), body]);
        let one_more = Expr::Add(vec![Expr::Slot(slot), Expr::Constant(1)]);
        Effect::case(
            vec![(Cond::Holds(slot, size - 1), done)],
            Effect::Number(slot, one_more),
        )
    }

    fn maintain(
        &mut self,
        effect: &model::Effect,
        cond: &model::Cond,
        kept: &model::Effect,
        body: &[model::Effect],
        at: &mut Bindings,
    ) -> Result<Effect, GroundError> {
        let text = self.ground_text(effect, at);
        let cond = self.cond(cond, at);
        let kept = self.effect(kept, at)?;
        let undone = negated(&kept).ok_or(GroundError::Unsupported {
            what: "a `maintain` whose kept effect is not a plain list of atoms",
        })?;
        let keep = Effect::case(vec![(cond.clone(), kept)], undone);
        let delayed = |ticks, effect| Delayed {
            ticks,
            runs_while: cond.clone(),
            dropped_when: Cond::False,
            effect,
        };
        let upkeep = Delayed {
            runs_while: Cond::True,
            ..delayed(0, keep.clone())
        };
        let is_new = !self.delayed.contains_key(&text);
        let (upkeep, start) = self.timer(text.clone(), 0, |_| Ok(upkeep))?;
        let mut effects = vec![start, keep];
        let mut waiting = Vec::new();
        for (number, part) in (1..).zip(parts(body)) {
            match part {
                model::Effect::After(ticks, None, effect) => {
                    let ticks = self.constant(ticks, at)?;
                    let ticks = self.positive(ticks)?;
                    let part = text.part(number);
                    let (slot, start) = self.timer(part.clone(), ticks, |this| {
                        Ok(delayed(ticks, this.effect(effect, at)?))
                    })?;
                    waiting.push((slot, part));
                    effects.push(start);
                }
                other if self.texts.delays(other) => {
                    return Err(GroundError::Unsupported {
                        what: "in a `maintain`, a delayed effect that is not a plain `(after N …)`",
                    });
                }
                other => effects.push(self.effect(other, at)?),
            }
        }
        if is_new {
            self.end_with_last(upkeep, &waiting);
        }
        Ok(Effect::when(Cond::Holds(upkeep, 0), Effect::block(effects)))
    }

    /// Makes the delayed part of a `maintain` that comes due as the last one end it.
    fn end_with_last(&mut self, upkeep: SlotId, waiting: &[(SlotId, GroundText)]) {
        for (slot, text) in waiting {
            let others = waiting.iter().filter(|(other, _)| other != slot);
            let done = Cond::all(others.map(|(other, _)| Cond::Holds(*other, 0)));
            if let Some(delayed) = self.delayed.get_mut(text) {
                let effect = std::mem::replace(&mut delayed.effect, Effect::Nothing);
                let end = Effect::when(done, Effect::Set(upkeep, 0));
                delayed.effect = Effect::block([effect, end]);
            }
        }
    }

    /// Records a label for the acting agent.
    pub(super) fn log(&mut self, text: String) -> Effect {
        let (index, _) = self.labels.insert_full(text, ());
        Effect::Log(LogEntry {
            agent: self.acting,
            label: LabelId(index as u32),
        })
    }

    /// A condition in PDDL, the variables replaced by their objects.
    pub(super) fn described(&self, cond: &model::Cond, at: &Bindings) -> String {
        let text = Lifted::cond(self.model, &self.scope, cond);
        let objects = &self.model.objects;
        let names = text.holes.iter().map(|hole| match hole {
            Term::Object(object) => &*objects[object.index()].name,
            Term::Variable(variable) => match at[variable.index()] {
                Some(object) => &*objects[object.index()].name,
                None => &*self.scope[variable.index()].name,
            },
            Term::Fluent(..) | Term::Undefined => "",
        });
        filled(&text.words, names)
    }

    /// The text of a template; a slot that is not known at grounding shows its term's name.
    pub(super) fn text(&mut self, template: &Template, at: &mut Bindings) -> String {
        let mut text = String::new();
        for part in &template.0 {
            match part {
                TemplatePart::Text(literal) => text.push_str(literal),
                TemplatePart::Object(term) => match self.alternatives(term, at)[..] {
                    [(Cond::True, Some(object))] => {
                        text.push_str(&self.model.objects[object.index()].name);
                    }
                    _ => text.push('…'),
                },
                TemplatePart::Number(expr) => match self.expr(expr, at) {
                    Expr::Constant(value) => text.push_str(&value.to_string()),
                    _ => text.push('…'),
                },
            }
        }
        text
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

/// The effect that makes false what a list of atoms makes true, and the reverse.
fn negated(effect: &Effect) -> Option<Effect> {
    match effect {
        Effect::Set(slot, code @ (0 | 1)) => Some(Effect::Set(*slot, 1 - code)),
        Effect::Nothing => Some(Effect::Nothing),
        // An atom whose arguments depend on the state.
        Effect::When(cond, effect) => Some(Effect::when(cond.clone(), negated(effect)?)),
        Effect::Block(effects) => effects
            .iter()
            .map(negated)
            .collect::<Option<Vec<_>>>()
            .map(Effect::block),
        _ => None,
    }
}

/// Marks the fluents that an effect writes.
fn mark_written(effect: &model::Effect, written: &mut [bool]) {
    effect.any(&mut |effect| {
        if let model::Effect::Set(fluent, ..)
        | model::Effect::Assign(fluent, ..)
        | model::Effect::Update(_, fluent, ..) = effect
        {
            written[fluent.index()] = true;
        }
        false
    });
}
