//! Relaxed reachability: which instances of the schemas can ever apply, and which values each slot
//! can ever take, if values once reached are never lost (the delete relaxation).
//!
//! There are at most `max_instances` instances, each instantiated once, and at most as many rounds
//! as values. Joins, and looking again in each round at what is not reachable yet, count against
//! the budget of [`Work`].

use std::collections::HashMap;
use std::rc::Rc;

use super::Options;
use super::error::{GroundError, Schema};
use super::facts::{self, Domain, Facts, Pattern};
use super::formula::{Cond, Effect, Expr, Values};
use super::instantiate::{Bindings, Instantiator};
use super::slots::{SlotId, SlotKey, SlotRange, default_code, object_code};
use super::work::Work;
use crate::sema::model::{
    Action, ActionId, ActionKind, ClosedCond, FluentId, FluentKind, Model, ObjectId, TimePoint,
    TurnMode, TypeId, Value, Variable,
};

/// A ground action.
#[derive(Debug)]
pub(super) struct Operator {
    pub(super) action: ActionId,
    pub(super) args: Vec<ObjectId>,
    pub(super) agent: u16,
    pub(super) cond: Cond,
    pub(super) effect: Effect,
}

/// A ground option or durative action, as something an agent is busy with.
#[derive(Debug)]
pub(super) struct Activity {
    pub(super) name: String,
    /// What happens at each further step.
    pub(super) policy: Effect,
    /// It ends when this holds after the tick (never for a durative action: its timer ends it).
    pub(super) until: Cond,
    /// What happens when it ends.
    pub(super) finish: Effect,
    /// What must hold at every tick while it runs.
    pub(super) over_all: Cond,
}

/// A ground event: all its instances as one effect.
#[derive(Debug, Default)]
pub(super) struct EventInstances {
    pub(super) instances: Vec<(Vec<ObjectId>, Cond, Effect)>,
}

/// A ground axiom.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) body: Cond,
    pub(super) head: SlotId,
}

/// What is reachable.
pub(super) struct Reachable<'a> {
    pub(super) instantiator: Instantiator<'a>,
    pub(super) operators: Vec<Operator>,
    /// Per agent; code `n` of its activity slot is entry `n - 1`.
    pub(super) activities: Vec<Vec<Activity>>,
    pub(super) events: Vec<EventInstances>,
    pub(super) rules: Vec<Rule>,
    pub(super) values: SlotValues,
    pub(super) goal: Option<Cond>,
    pub(super) fail: Cond,
}

impl Reachable<'_> {
    /// Slots that were made after the fixpoint keep their initial value for ever.
    pub(super) fn settle(&mut self) {
        let known = self.values.codes.len();
        for (_, entry) in self.instantiator.slots.iter_from(known) {
            self.values.ranges.push(entry.range);
            self.values.any.push(false);
            self.values.codes.push(vec![entry.initial]);
        }
    }
}

/// The values that slots can take.
#[derive(Debug, Default)]
pub(super) struct SlotValues {
    /// Sorted codes per slot.
    codes: Vec<Vec<u32>>,
    /// Integer slots that change: any value within their range.
    any: Vec<bool>,
    ranges: Vec<SlotRange>,
}

impl SlotValues {
    /// The codes of a slot, ascending.
    pub(super) fn codes(&self, slot: SlotId) -> Vec<u32> {
        match self.ranges[slot.index()] {
            SlotRange::Integer { size, .. } if self.any[slot.index()] => (0..size).collect(),
            _ => self.codes[slot.index()].clone(),
        }
    }

    /// Leaves a slot only one value.
    pub(super) fn freeze(&mut self, slot: SlotId, code: u32) {
        self.codes[slot.index()] = vec![code];
        self.any[slot.index()] = false;
    }

    /// How many values a slot has.
    pub(super) fn count(&self, slot: SlotId) -> u64 {
        match self.ranges[slot.index()] {
            SlotRange::Integer { size, .. } if self.any[slot.index()] => size.into(),
            _ => self.codes[slot.index()].len() as u64,
        }
    }

    /// Whether the condition may be true (or, if not `wanted`, false).
    fn may(&self, cond: &Cond, wanted: bool) -> bool {
        match cond {
            Cond::True => wanted,
            Cond::False => !wanted,
            Cond::Holds(slot, code) => {
                if wanted {
                    self.may_be(*slot, *code)
                } else {
                    self.only(*slot) != Some(*code)
                }
            }
            Cond::Same(left, right) => {
                let (left, right) = (self.codes(*left), self.codes(*right));
                let common = |code: &u32| *code != 0 && right.binary_search(code).is_ok();
                if wanted {
                    left.iter().any(common)
                } else {
                    left.len() > 1 || right.len() > 1 || !left.iter().any(common)
                }
            }
            Cond::Compare(comparison, left, right) => {
                let (left, right) = (self.bounds(left), self.bounds(right));
                let may = |comparison: crate::syntax::ast::Comparison| {
                    use crate::syntax::ast::Comparison as C;
                    match comparison {
                        C::Equal => left.0 <= right.1 && right.0 <= left.1,
                        C::Less => left.0 < right.1,
                        C::LessOrEqual => left.0 <= right.1,
                        C::Greater => left.1 > right.0,
                        C::GreaterOrEqual => left.1 >= right.0,
                    }
                };
                if wanted {
                    may(*comparison)
                } else {
                    let constant = left.0 == left.1 && right.0 == right.1;
                    !(constant && comparison.compares(left.0, right.0))
                }
            }
            Cond::Not(cond) => self.may(cond, !wanted),
            Cond::And(conds) => {
                if wanted {
                    conds.iter().all(|cond| self.may(cond, true))
                } else {
                    conds.iter().any(|cond| self.may(cond, false))
                }
            }
            Cond::Or(conds) => {
                if wanted {
                    conds.iter().any(|cond| self.may(cond, true))
                } else {
                    conds.iter().all(|cond| self.may(cond, false))
                }
            }
        }
    }

    /// Bounds of an expression's value.
    fn bounds(&self, expr: &Expr) -> (i64, i64) {
        let each = |exprs: &[Expr], fold: fn(i64, i64) -> i64, start: i64| {
            exprs
                .iter()
                .map(|expr| self.bounds(expr))
                .fold((start, start), |(low, high), (a, b)| {
                    (fold(low, a), fold(high, b))
                })
        };
        match expr {
            Expr::Constant(value) => (*value, *value),
            Expr::Slot(slot) => match self.ranges[slot.index()] {
                SlotRange::Integer { lo, size } if self.any[slot.index()] => {
                    (lo, lo + i64::from(size) - 1)
                }
                _ => {
                    let codes = &self.codes[slot.index()];
                    let number =
                        |code: Option<&u32>| code.map_or(0, |&code| self.number(*slot, code));
                    (number(codes.first()), number(codes.last()))
                }
            },
            Expr::Truth(cond) => (
                i64::from(!self.may(cond, false)),
                i64::from(self.may(cond, true)),
            ),
            Expr::Add(exprs) => each(exprs, i64::saturating_add, 0),
            Expr::Subtract(pair) => {
                let (a, b) = (self.bounds(&pair[0]), self.bounds(&pair[1]));
                (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0))
            }
            Expr::Multiply(exprs) => {
                exprs
                    .iter()
                    .map(|expr| self.bounds(expr))
                    .fold((1, 1), |a, b| {
                        let products = [
                            a.0.saturating_mul(b.0),
                            a.0.saturating_mul(b.1),
                            a.1.saturating_mul(b.0),
                            a.1.saturating_mul(b.1),
                        ];
                        let low = products.iter().copied().fold(i64::MAX, i64::min);
                        let high = products.iter().copied().fold(i64::MIN, i64::max);
                        (low, high)
                    })
            }
            Expr::Abs(expr) => {
                let (low, high) = self.bounds(expr);
                let least = if low <= 0 && high >= 0 {
                    0
                } else {
                    low.saturating_abs().min(high.saturating_abs())
                };
                (least, low.saturating_abs().max(high.saturating_abs()))
            }
            Expr::Min(exprs) if !exprs.is_empty() => each(exprs, i64::min, i64::MAX),
            Expr::Max(exprs) if !exprs.is_empty() => each(exprs, i64::max, i64::MIN),
            Expr::Min(_) | Expr::Max(_) => (0, 0),
            Expr::Case(cases) => cases
                .iter()
                .map(|(_, expr)| self.bounds(expr))
                .fold((0, 0), |a, b| (a.0.min(b.0), a.1.max(b.1))),
        }
    }
}

impl Values for SlotValues {
    fn may_be(&self, slot: SlotId, code: u32) -> bool {
        match self.ranges[slot.index()] {
            SlotRange::Integer { size, .. } if self.any[slot.index()] => code < size,
            _ => self.codes[slot.index()].binary_search(&code).is_ok(),
        }
    }

    fn only(&self, slot: SlotId) -> Option<u32> {
        match self.codes[slot.index()][..] {
            [code] if !self.any[slot.index()] => Some(code),
            _ => None,
        }
    }

    fn number(&self, slot: SlotId, code: u32) -> i64 {
        match self.ranges[slot.index()] {
            SlotRange::Integer { lo, .. } => lo + i64::from(code),
            SlotRange::Boolean | SlotRange::Object => i64::from(code),
        }
    }
}

/// An instance whose condition was not reachable when it was found.
enum Waiting {
    Operator(Operator),
    Event(usize, Vec<ObjectId>, Cond, Effect),
    Rule(Rule),
}

impl Waiting {
    const fn cond(&self) -> &Cond {
        match self {
            Self::Operator(operator) => &operator.cond,
            Self::Event(_, _, cond, _) => cond,
            Self::Rule(rule) => &rule.body,
        }
    }
}

/// What the instances of a schema must match.
struct Matcher {
    patterns: Vec<Pattern>,
    domains: Vec<Rc<Domain>>,
}

struct Fixpoint<'a, 'm> {
    reachable: &'a mut Reachable<'m>,
    facts: Facts,
    round: u32,
    waiting: Vec<Waiting>,
    /// Effects some part of which is not reachable yet.
    open: Vec<Effect>,
    /// How many delayed effects have been looked at.
    delayed: usize,
    changed: bool,
    instances: usize,
    limit: usize,
    work: &'a Work<'a>,
}

/// Computes what is reachable from the initial state.
pub(super) fn reachable<'m>(
    model: &'m Model,
    options: &Options,
    work: &'m Work<'m>,
) -> Result<Reachable<'m>, GroundError> {
    let mut reachable = Reachable {
        instantiator: Instantiator::new(model, options.max_parts, work),
        operators: Vec::new(),
        activities: model.agents.iter().map(|_| Vec::new()).collect(),
        events: model
            .events
            .iter()
            .map(|_| EventInstances::default())
            .collect(),
        rules: Vec::new(),
        values: SlotValues::default(),
        goal: None,
        fail: Cond::False,
    };
    housekeeping(model, &mut reachable.instantiator);
    let mut fixpoint = Fixpoint {
        facts: Facts::new(model.fluents.len()),
        round: 0,
        waiting: Vec::new(),
        open: Vec::new(),
        delayed: 0,
        changed: false,
        instances: 0,
        limit: options.max_instances,
        work,
        reachable: &mut reachable,
    };
    fixpoint.run(model)?;
    reachable
        .operators
        .sort_by(|a, b| (a.agent, a.action.0, &a.args).cmp(&(b.agent, b.action.0, &b.args)));
    for event in &mut reachable.events {
        event.instances.sort_by(|a, b| a.0.cmp(&b.0));
    }
    reachable.goal = model
        .goal
        .as_ref()
        .map(|goal| closed(&mut reachable.instantiator, goal));
    if let Some(fail) = &model.fail {
        reachable.fail = closed(&mut reachable.instantiator, fail);
    }
    reachable
        .instantiator
        .check(|| Schema::described("the goal or `:fail`"))?;
    reachable.settle();
    Ok(reachable)
}

fn closed(instantiator: &mut Instantiator<'_>, cond: &ClosedCond) -> Cond {
    instantiator.within(&cond.variables, |this| {
        this.cond(&cond.cond, &mut vec![None; cond.variables.len()])
    })
}

/// Makes the slots of the clock and of the turn, where the task needs them.
fn housekeeping(model: &Model, instantiator: &mut Instantiator<'_>) {
    let last_literal = model.timed.iter().map(|(tick, _)| *tick).max();
    if let Some(last) = last_literal.max(model.horizon) {
        let size = last.saturating_add(1);
        let range = SlotRange::Integer { lo: 0, size };
        instantiator.slots.other(SlotKey::Clock, range, 0);
    }
    if model.turns == TurnMode::Alternate && model.agents.len() > 1 {
        let size = model.agents.len() as u32;
        let range = SlotRange::Integer { lo: 0, size };
        instantiator.slots.other(SlotKey::Turn, range, 0);
    }
}

impl<'m> Fixpoint<'_, 'm> {
    fn run(&mut self, model: &'m Model) -> Result<(), GroundError> {
        let mut domains: HashMap<Vec<TypeId>, Rc<Domain>> = HashMap::new();
        let mut domain = |variable: &Variable| {
            let known = domains.entry(variable.types.clone());
            Rc::clone(known.or_insert_with(|| Rc::new(Domain::new(model, variable))))
        };
        let mut schema =
            |conds: Vec<&crate::sema::model::Cond>, variables: &[Variable], count| Matcher {
                patterns: facts::patterns(conds, model, count),
                domains: variables[..count].iter().map(&mut domain).collect(),
            };
        let actions: Vec<Matcher> = model
            .actions
            .iter()
            .map(|action| {
                let conds = action.precondition.iter().map(|r| &r.cond).collect();
                schema(conds, &action.variables, action.parameters)
            })
            .collect();
        let events: Vec<Matcher> = model
            .events
            .iter()
            .map(|event| {
                schema(
                    vec![&event.precondition],
                    &event.variables,
                    event.parameters,
                )
            })
            .collect();
        let axioms: Vec<Matcher> = model
            .axioms
            .iter()
            .map(|axiom| schema(vec![&axiom.body], &axiom.variables, axiom.parameters))
            .collect();
        self.initial_facts(model);
        for (_, fact) in &model.timed {
            let slot = self
                .reachable
                .instantiator
                .slot(fact.fluent, fact.args.clone());
            self.new_slots();
            let range = self.reachable.values.ranges[slot.index()];
            self.reach(slot, super::slots::code(range, fact.value));
        }
        loop {
            let mut found: Vec<Vec<Vec<ObjectId>>> = Vec::new();
            let mut left = self.limit.saturating_sub(self.instances);
            let schemas = actions.iter().chain(&events).chain(&axioms);
            for (index, schema) in schemas.enumerate() {
                let primitive = model
                    .actions
                    .get(index)
                    .is_some_and(|action| action.kind == ActionKind::Primitive);
                let mut instances = Vec::new();
                if !primitive {
                    facts::join(
                        &self.facts,
                        &schema.patterns,
                        &schema.domains,
                        self.round,
                        self.work,
                        &mut |objects| {
                            instances.push(objects.to_vec());
                            left = left.saturating_sub(1);
                            left > 0
                        },
                    );
                }
                self.work.check(|| Schema::of(model, index))?;
                if left == 0 {
                    return Err(GroundError::TooManyInstances {
                        limit: self.limit,
                        schema: Schema::of(model, index),
                    });
                }
                self.instances += instances.len();
                found.push(instances);
            }
            self.round += 1;
            self.changed = false;
            for (index, instances) in found.into_iter().enumerate() {
                for objects in instances {
                    self.instantiate(model, index, objects)?;
                }
            }
            loop {
                let before = self.changed;
                self.changed = false;
                self.look_again();
                self.work
                    .check(|| Schema::described("all actions, events and rules"))?;
                if !self.changed {
                    self.changed = before;
                    break;
                }
            }
            if !self.changed {
                return Ok(());
            }
        }
    }

    fn initial_facts(&mut self, model: &Model) {
        for fact in &model.init {
            if self.reachable.instantiator.is_static(fact.fluent) {
                self.add_fact(fact.fluent, &fact.args, fact.value);
            }
        }
        self.new_slots();
    }

    fn add_fact(&mut self, fluent: FluentId, args: &[ObjectId], value: Value) {
        let mut objects = args.to_vec();
        match value {
            Value::Boolean(true) => {}
            Value::Object(object) => objects.push(object),
            Value::Boolean(false) | Value::Number(_) => return,
        }
        self.facts.add(fluent, objects.into(), self.round);
    }

    /// Gives slots that have been made since the last call their initial value.
    fn new_slots(&mut self) {
        let model = self.reachable.instantiator.model;
        let known = self.reachable.values.codes.len();
        let new: Vec<(SlotId, u32)> = self
            .reachable
            .instantiator
            .slots
            .iter_from(known)
            .map(|(slot, entry)| (slot, entry.initial))
            .collect();
        for (slot, initial) in new {
            let range = self.reachable.instantiator.slots.get(slot).range;
            self.reachable.values.ranges.push(range);
            self.reachable.values.any.push(false);
            self.reachable.values.codes.push(Vec::new());
            self.reach(slot, initial);
            let entry = self.reachable.instantiator.slots.get(slot);
            match &entry.key {
                SlotKey::Clock | SlotKey::Turn => self.reach_any(slot),
                // An `over all` condition breaks in the tick, which reachability does not follow.
                SlotKey::Broken => self.reach(slot, 1),
                // Set back to its default after each tick, whatever it is at the start.
                SlotKey::Fluent(fluent, _)
                    if model.fluents[fluent.index()].kind == FluentKind::Transient =>
                {
                    self.reach(slot, default_code(model, *fluent));
                }
                _ => {}
            }
        }
    }

    /// Marks a value as reachable.
    fn reach(&mut self, slot: SlotId, code: u32) {
        let codes = &mut self.reachable.values.codes[slot.index()];
        let Err(place) = codes.binary_search(&code) else {
            return;
        };
        codes.insert(place, code);
        self.changed = true;
        let entry = self.reachable.instantiator.slots.get(slot);
        if let SlotKey::Fluent(fluent, args) = &entry.key {
            let (fluent, mut objects) = (*fluent, args.clone());
            match entry.range {
                SlotRange::Boolean if code == 1 => {}
                SlotRange::Object if code > 0 => objects.push(ObjectId(code - 1)),
                // A variable that holds an integer has no gaps.
                SlotRange::Integer { .. } if self.reachable.values.count(slot) > 1 => {
                    self.reach_any(slot);
                    return;
                }
                _ => return,
            }
            debug_assert!(
                entry.range != SlotRange::Object || object_code(objects[objects.len() - 1]) == code
            );
            self.facts.add(fluent, objects.into(), self.round);
        }
    }

    /// Marks every value of an integer slot as reachable.
    fn reach_any(&mut self, slot: SlotId) {
        let any = &mut self.reachable.values.any[slot.index()];
        if !std::mem::replace(any, true) {
            self.changed = true;
        }
    }

    fn instantiate(
        &mut self,
        model: &'m Model,
        index: usize,
        objects: Vec<ObjectId>,
    ) -> Result<(), GroundError> {
        let events = index.checked_sub(model.actions.len());
        let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
        let at: Bindings = objects.iter().copied().map(Some).collect();
        let instantiator = &mut self.reachable.instantiator;
        instantiator.index = index;
        let waiting = if let Some(axiom) = axioms {
            let axiom = &model.axioms[axiom];
            instantiator.within(&axiom.variables, |this| {
                let mut at = at;
                at.resize(axiom.variables.len(), None);
                let body = this.cond(&axiom.body, &mut at);
                let head = this.slot(axiom.fluent, objects);
                Ok(Waiting::Rule(Rule { body, head }))
            })
        } else if let Some(event) = events {
            let schema = &model.events[event];
            instantiator.acting = 0;
            instantiator.within(&schema.variables, |this| {
                let mut at = at;
                at.resize(schema.variables.len(), None);
                let cond = this.cond(&schema.precondition, &mut at);
                if cond == Cond::False {
                    return Ok(Waiting::Event(event, objects, cond, Effect::Nothing));
                }
                let effect = this.effect(&schema.effect, &mut at)?;
                Ok(Waiting::Event(event, objects, cond, effect))
            })
        } else {
            let action = ActionId(index as u32);
            self.operator(model, action, &objects, at)
        }?;
        let instantiator = &self.reachable.instantiator;
        instantiator.check(|| Schema::of(model, index))?;
        self.new_slots();
        if *waiting.cond() != Cond::False {
            self.waiting.push(waiting);
        }
        Ok(())
    }

    fn operator(
        &mut self,
        model: &'m Model,
        id: ActionId,
        args: &[ObjectId],
        mut at: Bindings,
    ) -> Result<Waiting, GroundError> {
        let action = &model.actions[id.index()];
        let agent = if action.has_agent {
            let agent = model.agents.iter().position(|&agent| agent == args[0]);
            agent.unwrap_or_default()
        } else {
            0
        };
        let activities = &mut self.reachable.activities;
        let instantiator = &mut self.reachable.instantiator;
        instantiator.acting = agent as u16;
        at.resize(action.variables.len(), None);
        instantiator.within(&action.variables, |this| {
            let cond = Cond::all(
                action
                    .precondition
                    .iter()
                    .map(|requirement| this.cond(&requirement.cond, &mut at))
                    .collect::<Vec<_>>(),
            );
            let operator = |cond, effect| {
                Waiting::Operator(Operator {
                    action: id,
                    args: args.to_vec(),
                    agent: agent as u16,
                    cond,
                    effect,
                })
            };
            if cond == Cond::False {
                return Ok(operator(cond, Effect::Nothing));
            }
            let name = ground_name(model, &action.name, args);
            let label = match &action.label {
                crate::sema::model::Label::None => None,
                crate::sema::model::Label::GroundName => Some(format!("({name})")),
                crate::sema::model::Label::Text(template) => Some(this.text(template, &mut at)),
            };
            let log = label.map_or(Effect::Nothing, |label| this.log(label));
            if matches!(action.kind, ActionKind::Instant | ActionKind::Primitive) {
                let effect = this.effect(&action.effect, &mut at)?;
                return Ok(operator(cond, effect.then(log)));
            }
            let code = activities[agent].len() as u32 + 1;
            let slot = this.slots.other(
                SlotKey::Activity(agent),
                SlotRange::Integer {
                    lo: 0,
                    size: u32::MAX,
                },
                0,
            );
            let (activity, effect) = busy(this, action, name, slot, log, &mut at)?;
            activities[agent].push(activity);
            let start = Effect::seq([Effect::Set(slot, code), effect]);
            Ok(operator(cond, start))
        })
    }

    /// Enables what has become reachable, and applies it.
    fn look_again(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            if !self.work.spend(waiting.cond().size()) {
                return;
            }
            if !self.reachable.values.may(waiting.cond(), true) {
                self.waiting.push(waiting);
                continue;
            }
            match waiting {
                Waiting::Operator(operator) => {
                    self.open.push(operator.effect.clone());
                    self.reachable.operators.push(operator);
                }
                Waiting::Event(event, objects, cond, effect) => {
                    self.open.push(effect.clone());
                    self.reachable.events[event]
                        .instances
                        .push((objects, cond, effect));
                }
                Waiting::Rule(rule) => {
                    self.reach(rule.head, 1);
                    self.reachable.rules.push(rule);
                }
            }
            self.changed = true;
        }
        let delayed = &self.reachable.instantiator.delayed;
        let new: Vec<Effect> = delayed
            .values()
            .skip(self.delayed)
            .map(|delayed| delayed.effect.clone())
            .collect();
        self.delayed += new.len();
        self.open.extend(new);
        for effect in std::mem::take(&mut self.open) {
            if !self.apply(&effect) {
                self.open.push(effect);
            }
        }
    }

    fn may(&self, cond: &Cond) -> bool {
        self.work.spend(cond.size()) && self.reachable.values.may(cond, true)
    }

    /// Reaches what the effect can reach now; false if a part of it may reach more later.
    fn apply(&mut self, effect: &Effect) -> bool {
        if !self.work.spend(1) {
            return false;
        }
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Cost(_) => true,
            Effect::Set(slot, code) => {
                let entry = self.reachable.instantiator.slots.get(*slot);
                if matches!(entry.key, SlotKey::Timer(_)) {
                    self.reach_any(*slot);
                } else {
                    self.reach(*slot, *code);
                }
                true
            }
            Effect::Number(slot, _) | Effect::Increase(slot, _) => {
                self.reach_any(*slot);
                true
            }
            Effect::Copy(to, from) => {
                let SlotKey::Fluent(fluent, _) = self.reachable.instantiator.slots.get(*to).key
                else {
                    return true;
                };
                for code in self.reachable.values.codes(*from) {
                    // What is not of the function's type is not assigned.
                    let fits = |code| self.reachable.instantiator.is_value(fluent, ObjectId(code));
                    if code.checked_sub(1).is_none_or(fits) {
                        self.reach(*to, code);
                    }
                }
                false
            }
            Effect::Block(effects) | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                let mut done = true;
                for effect in effects {
                    done &= self.apply(effect);
                }
                done
            }
            Effect::When(cond, effect) => self.may(cond) && self.apply(effect),
            Effect::Case(cases, otherwise) => {
                let done = self.apply(otherwise);
                cases.iter().fold(done, |done, (cond, effect)| {
                    self.may(cond) && self.apply(effect) && done
                })
            }
            Effect::Choose(candidates, otherwise) => {
                let done = self.apply(otherwise);
                candidates.iter().fold(done, |done, candidate| {
                    self.may(&candidate.cond) && self.apply(&candidate.effect) && done
                })
            }
        }
    }
}

/// What an agent does from the start of an option or durative action on: the activity, and the
/// effect of the first step.
fn busy(
    this: &mut Instantiator<'_>,
    action: &Action,
    name: String,
    slot: SlotId,
    log: Effect,
    at: &mut Bindings,
) -> Result<(Activity, Effect), GroundError> {
    if action.kind == ActionKind::Option {
        let has_lets = matches!(action.effect, crate::sema::model::Effect::Let(..));
        this.ends_without_target = has_lets.then_some(slot);
        let policy = this.effect(&action.effect, at);
        this.ends_without_target = None;
        let policy = policy?;
        let activity = Activity {
            name,
            policy: policy.clone(),
            until: this.cond(&action.until, at),
            finish: log,
            over_all: Cond::True,
        };
        return Ok((activity, policy));
    }
    let ticks = match &action.duration {
        Some(duration) => this.constant(duration, at)?,
        None => 1,
    };
    let mut conds = |point| {
        Cond::all(
            action
                .conditions
                .iter()
                .filter(|(at, _)| *at == point)
                .map(|(_, cond)| this.cond(cond, at))
                .collect::<Vec<_>>(),
        )
    };
    let at_end = conds(TimePoint::AtEnd);
    let over_all = conds(TimePoint::OverAll);
    // An activity whose conditions hold for ever cannot break.
    let breaks = if at_end == Cond::True && over_all == Cond::True {
        Effect::Nothing
    } else {
        let broken = this.slots.other(SlotKey::Broken, SlotRange::Boolean, 0);
        Effect::when(at_end.negated(), Effect::Set(broken, 1))
    };
    let start = this.effect(&action.effect, at)?;
    let end = this.effect(&action.end_effect, at)?;
    let finish = Effect::seq([breaks, end, Effect::Set(slot, 0), log]);
    let timer = this.start_end(action, ticks, finish, at)?;
    let activity = Activity {
        name,
        policy: Effect::Nothing,
        until: Cond::False,
        finish: Effect::Nothing,
        over_all,
    };
    Ok((activity, Effect::block([start, timer])))
}

/// `pickup chef egg` without parentheses.
pub(super) fn ground_name(model: &Model, name: &str, args: &[ObjectId]) -> String {
    let mut text = name.to_owned();
    for arg in args {
        text.push(' ');
        text.push_str(&model.objects[arg.index()].name);
    }
    text
}
