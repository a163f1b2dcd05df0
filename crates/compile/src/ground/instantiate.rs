//! Lifted conditions, expressions and effects under a binding → ground ones over slots: what all of
//! that shares.
//!
//! Static fluents are evaluated away here, quantifiers are expanded, and a fluent used as an
//! argument of another is split by its values. What is made counts against `max_parts`; once that
//! many are made, nothing more is.

use std::rc::Rc;

use hashbrown::HashMap;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::bindings::{Bindings, Extent};
use super::delayed::{Delayed, GroundText, Texts};
use super::error::{GroundError, Schema};
use super::formula::{Cond, Effect, Expr};
use super::slots::{SlotId, Slots};
use super::text::{Lifted, filled};
use super::turns::{Nested, Turns, Widest};
use super::work::Work;
use super::written::written;
use crate::sema::model::{
    self, Binding, FluentId, Model, ObjectId, Range, Template, TemplatePart, Term, TypeId, Value,
    Variable,
};
use brigade_task::{LabelId, LogEntry, TotalId};

/// Makes ground formulas and collects the slots, labels and delayed effects that they use.
pub(super) struct Instantiator<'a> {
    pub(super) model: &'a Model,
    pub(super) slots: Slots,
    pub(super) labels: IndexMap<String, ()>,
    /// The totals along a plan, those without arguments first.
    pub(super) totals: IndexSet<(FluentId, Vec<ObjectId>)>,
    /// Delayed effects by their ground text.
    pub(super) delayed: IndexMap<GroundText, Delayed>,
    pub(super) texts: Texts<'a>,
    /// The number of parts of formulas that may still be made: see [`Options::max_parts`](super::Options). At 0
    /// everything made is unusable.
    parts_left: usize,
    max_parts: usize,
    work: &'a Work<'a>,
    /// The ground texts of the `on-nth`s.
    pub(super) counters: IndexMap<GroundText, ()>,
    /// Per fluent, whether any effect or timed literal writes it, or axioms derive it of such.
    written: Vec<bool>,
    /// The facts of static fluents.
    pub(super) statics: IndexMap<(FluentId, Vec<ObjectId>), Value, FxBuildHasher>,
    /// The number of the schema that is instantiated.
    pub(super) index: usize,
    /// The agent that labels belong to.
    pub(super) acting: u16,
    /// The variables of the schema being instantiated.
    pub(super) scope: &'a [Variable],
    /// Objects by union of types.
    extents: HashMap<Vec<TypeId>, Rc<Extent>, FxBuildHasher>,
    /// The ranges of the parameters of each fluent, of those used so far.
    fluent_params: Vec<Option<Rc<[Rc<Extent>]>>>,
    /// While the leading `let`s of an option's policy are instantiated: the slot of the activity
    /// that ends where one of them has no target.
    pub(super) ends_without_target: Option<SlotId>,
    /// The quantifiers of the schema being instantiated, for what is said if they are too much.
    pub(super) widest: Widest,
    pub(super) nested: Nested,
}

impl<'a> Instantiator<'a> {
    pub(super) fn new(model: &'a Model, max_parts: usize, work: &'a Work<'a>) -> Self {
        let mut instantiator = Self {
            model,
            slots: Slots::default(),
            labels: IndexMap::new(),
            totals: model.totals_without_arguments().collect(),
            delayed: IndexMap::new(),
            texts: Texts::new(model),
            parts_left: max_parts,
            max_parts,
            work,
            counters: IndexMap::new(),
            written: written(model),
            statics: IndexMap::default(),
            index: 0,
            acting: 0,
            scope: &[],
            extents: HashMap::default(),
            fluent_params: vec![None; model.fluents.len()],
            ends_without_target: None,
            widest: Widest::default(),
            nested: Nested::default(),
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

    /// The facts that hold and never change.
    pub(super) fn static_facts(&self) -> impl Iterator<Item = (FluentId, &[ObjectId], Value)> {
        let facts = self.statics.iter();
        let facts = facts.map(|((fluent, args), value)| (*fluent, &args[..], *value));
        facts.filter(|(_, _, value)| *value != Value::Boolean(false))
    }

    /// Returns true if a fluent never changes.
    pub(super) fn is_static(&self, fluent: FluentId) -> bool {
        !self.written[fluent.index()]
    }

    pub(super) fn slot(&mut self, fluent: FluentId, args: Vec<ObjectId>) -> SlotId {
        self.slots.fluent(&self.model.fluents, fluent, args)
    }

    /// Runs `body` with the variables of one schema in scope.
    pub(super) fn within<T>(
        &mut self,
        variables: &'a [Variable],
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.scope.is_empty() {
            self.widest = Widest::default();
            self.nested = Nested::default();
        }
        let outer = std::mem::replace(&mut self.scope, variables);
        let result = body(self);
        self.scope = outer;
        result
    }

    /// Objects of any of `types`.
    pub(super) fn extent(&mut self, types: &[TypeId]) -> Rc<Extent> {
        if let Some(extent) = self.extents.get(types) {
            return Rc::clone(extent);
        }
        let objects = self.model.objects_of(types);
        let extent = Rc::new(Extent::new(objects, self.model.objects.len()));
        self.extents.insert(types.to_vec(), Rc::clone(&extent));
        extent
    }

    /// Binds variables to their first objects. `None` if one has no objects. What they were within comes
    /// back to [`Self::leave`].
    pub(super) fn enter<'v>(
        &mut self,
        variables: &'v [Binding],
        at: &mut Bindings,
    ) -> Option<(Turns<'v>, Nested)> {
        let extents = variables.iter().map(|&v| self.domain_of(v)).collect();
        let turns = Turns::begin(variables, extents, at)?;
        let outer = self.nested;
        self.nested.add(&turns);
        self.widest.note_nested(&self.nested, self.scope);
        Some((turns, outer))
    }

    /// Binds variables to what they were bound to before.
    pub(super) fn leave(&mut self, turns: Turns<'_>, outer: Nested, at: &mut Bindings) {
        self.nested = outer;
        turns.end(at);
    }

    /// The ranges of the parameters of a fluent.
    pub(super) fn params(&mut self, fluent: FluentId) -> Rc<[Rc<Extent>]> {
        if let Some(params) = &self.fluent_params[fluent.index()] {
            return Rc::clone(params);
        }
        let model = self.model;
        let params = model.fluents[fluent.index()].params.iter();
        let params: Rc<[Rc<Extent>]> = params.map(|types| self.extent(types)).collect();
        self.fluent_params[fluent.index()] = Some(Rc::clone(&params));
        params
    }

    /// Returns true if objects are of the types of a fluent's parameters.
    pub(super) fn are_arguments(&mut self, fluent: FluentId, objects: &[ObjectId]) -> bool {
        let params = self.params(fluent);
        let mut typed = params.iter().zip(objects);
        typed.all(|(param, &object)| param.contains(object))
    }

    /// Returns true if an object can be a value of an object fluent.
    pub(super) fn is_value(&mut self, fluent: FluentId, object: ObjectId) -> bool {
        match &self.model.fluents[fluent.index()].range {
            Range::Object(types) => self.extent(types).contains(object),
            Range::Boolean | Range::Integer { .. } | Range::Number => false,
        }
    }

    /// Counts parts that are about to be made; false if they are too many.
    pub(super) fn spend(&mut self, parts: usize) -> bool {
        self.parts_left = self.parts_left.saturating_sub(parts);
        if !self.work.goes_on(parts as u64) {
            self.parts_left = 0;
        }
        self.parts_left > 0
    }

    /// Runs `body` with so many parts of its own, which do not count among all others.
    pub(super) fn with_parts<T>(&mut self, parts: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        let left = std::mem::replace(&mut self.parts_left, parts);
        let result = body(self);
        self.parts_left = left;
        result
    }

    /// The number of parts that may still be made.
    pub(super) const fn parts_left(&self) -> usize {
        self.parts_left
    }

    /// Counts steps that make no parts; false if someone asked to stop.
    pub(super) fn goes_on(&self, steps: u64) -> bool {
        self.work.goes_on(steps)
    }

    /// An error if no more parts may be made.
    pub(super) fn check(&self, schema: impl Fn() -> Schema) -> Result<(), GroundError> {
        self.check_work(&schema)?;
        if self.parts_left == 0 {
            return Err(self.too_many_parts(1, schema()));
        }
        Ok(())
    }

    /// An error if no more steps may be made.
    pub(super) fn check_work(&self, schema: impl FnOnce() -> Schema) -> Result<(), GroundError> {
        self.work.check(schema)
    }

    /// The error for a schema, this many instances of which are too large.
    pub(super) fn too_many_parts(&self, instances: usize, schema: Schema) -> GroundError {
        GroundError::TooManyParts {
            limit: self.max_parts,
            schema,
            ranges: self.widest.described(instances),
        }
    }

    /// Records a label for the acting agent. What nature does has none.
    pub(super) fn log(&mut self, text: String) -> Effect {
        if self.model.is_of_nature(self.acting.into()) {
            return Effect::Nothing;
        }
        let (index, _) = self.labels.insert_full(text, ());
        Effect::Log(LogEntry {
            agent: self.acting,
            label: LabelId(index as u32),
        })
    }

    /// Adds to a total.
    pub(super) fn total(&mut self, fluent: FluentId, args: Vec<ObjectId>, amount: Expr) -> Effect {
        let (index, _) = self.totals.insert_full((fluent, args));
        Effect::Total(TotalId(index as u32), amount)
    }

    /// A condition in PDDL, the variables replaced by their objects.
    pub(super) fn described(&self, cond: &model::Cond, at: &Bindings) -> String {
        self.grounded(&Lifted::cond(self.model, self.scope, cond), at)
    }

    /// A text, the variables replaced by their objects.
    pub(super) fn grounded(&self, text: &Lifted, at: &Bindings) -> String {
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
