//! Relaxed reachability: which instances of the schemas can ever apply, and which values each slot
//! can ever take, if values once reached are never lost (the delete relaxation). Of a number that
//! changes that is any value of its range; where no task is made of it, up to what conditions let it
//! grow to (`raises`).
//!
//! There are at most `max_instances` instances, each instantiated once, and at most as many rounds
//! as values. Joins, and looking again in each round at what is not reachable yet, count against
//! the budget of [`Work`].

mod marking;
mod raises;

use std::collections::HashMap;
use std::rc::Rc;

use super::Options;
use super::bindings::bindings;
use super::derived;
use super::error::{GroundError, Schema};
use super::facts::Facts;
use super::foresight::{Part, foresee, foresee_closed};
use super::formula::{Cond, Effect};
use super::instances::{Matcher, instances};
use super::instantiate::Instantiator;
use super::join::Domain;
use super::operators;
use super::patterns::patterns;
use super::ranges::{parameters, ranges};
use super::reachable::{EventInstances, ObservationRule, Operator, Reachable, Rule};
use super::slots::{SlotKey, SlotRange};
use super::values::SlotValues;
use super::work::Work;
use super::written_out::Most;
use crate::sema::model::{
    ActionId, ActionKind, ClosedCond, Model, ObjectId, TimedFact, TurnMode, TypeId, Variable,
};
use raises::{By, Raises};

/// An instance whose condition was not reachable when it was found.
enum Waiting {
    Operator(Operator),
    Event(usize, Vec<ObjectId>, Cond, Effect),
    Rule(Rule),
    ObservationRule(ObservationRule),
}

impl Waiting {
    const fn cond(&self) -> &Cond {
        match self {
            Self::Operator(operator) => &operator.cond,
            Self::Event(_, _, cond, _) => cond,
            Self::Rule(rule) => &rule.body,
            Self::ObservationRule(rule) => &rule.body,
        }
    }
}

/// The purpose of computing reachability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Making a task: slots, labels and delayed effects are numbered in the order of all instances.
    Task,
    /// Queries for the instances and values that are reached: the effect of an instance is instantiated once it can
    /// apply, and not kept.
    Values,
}

struct Fixpoint<'a, 'm> {
    reachable: &'a mut Reachable<'m>,
    facts: Facts,
    round: u32,
    /// With what is wrong with what they do: that counts once they can apply.
    waiting: Vec<(Waiting, Result<(), GroundError>)>,
    /// Effects some part of which is not reachable yet.
    open: Vec<Effect>,
    /// The number of delayed effects that have been looked at.
    delayed: usize,
    changed: bool,
    instances: usize,
    limit: usize,
    /// True if facts are shown in words.
    shows_facts: bool,
    detail: Detail,
    work: &'a Work<'a>,
    /// The number of each agent.
    agents: HashMap<ObjectId, usize>,
    most: Most<'m>,
    raises: Raises,
}

/// Computes what is reachable from the initial state.
pub(super) fn reachable<'m>(
    model: &'m Model,
    options: &Options,
    detail: Detail,
    work: &'m Work<'m>,
) -> Result<Reachable<'m>, GroundError> {
    let mut reachable = Reachable {
        instantiator: Instantiator::new(model, options.max_parts, work),
        operators: Vec::new(),
        activities: (0..model.agents.len().max(1)).map(|_| Vec::new()).collect(),
        events: model
            .events
            .iter()
            .map(|_| EventInstances::default())
            .collect(),
        rules: Vec::new(),
        observation_rules: Vec::new(),
        values: SlotValues::default(),
        goal: None,
        fail: Cond::False,
        end: Cond::False,
    };
    derived::derive(model, &mut reachable.instantiator, options, work)?;
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
        shows_facts: options.keep_irrelevant,
        detail,
        work,
        agents: (0..)
            .zip(&model.agents)
            .map(|(index, &agent)| (agent, index))
            .collect(),
        most: Most::new(model),
        raises: Raises::default(),
        reachable: &mut reachable,
    };
    fixpoint.run(model)?;
    reachable.operators.sort_unstable_by(|a, b| {
        (a.agent, a.action.0, &a.args).cmp(&(b.agent, b.action.0, &b.args))
    });
    for event in &mut reachable.events {
        event.instances.sort_by(|a, b| a.0.cmp(&b.0));
    }
    reachable
        .observation_rules
        .sort_by(|a, b| (a.fluent, &a.args).cmp(&(b.fluent, &b.args)));
    if let Some(goal) = &model.goal {
        reachable.goal = Some(closed(&mut reachable.instantiator, goal, "the goal")?);
    }
    if let Some(fail) = &model.fail {
        reachable.fail = closed(&mut reachable.instantiator, fail, "`:fail`")?;
    }
    if let Some(end) = &model.end {
        reachable.end = closed(&mut reachable.instantiator, end, "`:end`")?;
    }
    reachable.settle();
    Ok(reachable)
}

fn closed<'m>(
    instantiator: &mut Instantiator<'m>,
    closed: &'m ClosedCond,
    name: &str,
) -> Result<Cond, GroundError> {
    foresee_closed(instantiator, &Most::new(instantiator.model), closed, name)?;
    let cond = instantiator.within(&closed.variables, |this| {
        this.cond(&closed.cond, &mut vec![None; closed.variables.len()])
    });
    instantiator.check(|| Schema::described(name))?;
    Ok(cond)
}

/// Makes the slots of the clock and of the turn, where the task needs them.
fn housekeeping(model: &Model, instantiator: &mut Instantiator<'_>) {
    let last_literal = model.timed.iter().map(|literal| literal.tick).max();
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
                patterns: patterns(conds, model, count),
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
        self.initial_facts();
        for TimedFact { fact, .. } in &model.timed {
            let slot = self
                .reachable
                .instantiator
                .slot(fact.fluent, fact.args.clone());
            self.new_slots();
            let range = self.reachable.values.ranges[slot.index()];
            self.reach(slot, super::slots::code(range, fact.value));
        }
        let schemas: Vec<Matcher> = actions.into_iter().chain(events).chain(axioms).collect();
        let mut watching: Vec<Vec<usize>> = vec![Vec::new(); model.fluents.len()];
        for (index, schema) in schemas.iter().enumerate() {
            for fluent in schema.patterns.iter().map(|pattern| pattern.fluent) {
                watching[fluent.index()].push(index);
            }
        }
        let mut made = vec![0; schemas.len()];
        // In the first round all, then those for which there are new facts.
        let mut next: Vec<usize> = (0..schemas.len()).collect();
        self.facts.take_fresh();
        loop {
            let mut found: Vec<(usize, Vec<Vec<ObjectId>>)> = Vec::new();
            for index in next {
                let schema = &schemas[index];
                let mut new = Vec::new();
                if self.is_instantiated(model, index) {
                    let left = self.limit.saturating_sub(self.instances);
                    let (facts, round) = (&self.facts, self.round);
                    let found = instances(facts, schema, round, made[index], left, self.work);
                    self.work.check(|| Schema::of(model, index))?;
                    new = found.map_err(|size| GroundError::TooManyInstances {
                        limit: self.limit,
                        schema: Schema::of(model, index),
                        size: size.to_string(),
                        others: self.instances - made[index],
                        ranges: ranges(model, parameters(model, index), &schema.patterns),
                    })?;
                }
                made[index] += new.len();
                self.instances += new.len();
                found.push((index, new));
            }
            self.round += 1;
            self.changed = false;
            for (index, instances) in found {
                let part = match self.detail {
                    Detail::Task => Part::All,
                    Detail::Values => Part::Condition,
                };
                self.foresee(index, part, &instances)?;
                for objects in instances {
                    self.instantiate(model, index, objects)?;
                }
            }
            loop {
                let before = self.changed;
                self.changed = false;
                self.look_again()?;
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
            let fresh = self.facts.take_fresh().into_iter();
            next = fresh
                .flat_map(|fluent| &watching[fluent.index()])
                .copied()
                .collect();
            next.sort_unstable();
            next.dedup();
        }
    }

    /// Returns true if a schema has instances of its own: a primitive is performed by others, static facts are known,
    /// and predicates that are only observed are not for planning.
    fn is_instantiated(&self, model: &Model, index: usize) -> bool {
        if let Some(action) = model.actions.get(index) {
            return action.kind != ActionKind::Primitive;
        }
        let before = model.actions.len() + model.events.len();
        let axiom = index.checked_sub(before);
        axiom.is_none_or(|axiom| {
            let fluent = model.axioms[axiom].fluent;
            !self.reachable.instantiator.is_static(fluent)
                && (self.shows_facts || !model.fluents[fluent.index()].is_only_observed)
        })
    }

    fn instantiate(
        &mut self,
        model: &'m Model,
        index: usize,
        objects: Vec<ObjectId>,
    ) -> Result<(), GroundError> {
        let events = index.checked_sub(model.actions.len());
        let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
        let instantiator = &mut self.reachable.instantiator;
        instantiator.index = index;
        let mut waiting = if let Some(axiom) = axioms {
            let axiom = &model.axioms[axiom];
            // A rule may be for more types than its predicate.
            if !instantiator.are_arguments(axiom.fluent, &objects) {
                return Ok(());
            }
            let mut at = bindings(&objects, axiom.variables.len());
            instantiator.within(&axiom.variables, |this| {
                let body = this.cond(&axiom.body, &mut at);
                let fluent = axiom.fluent;
                if model.fluents[fluent.index()].is_only_observed {
                    let args = objects;
                    return Ok(Waiting::ObservationRule(ObservationRule {
                        fluent,
                        args,
                        body,
                    }));
                }
                let head = this.slot(axiom.fluent, objects);
                Ok(Waiting::Rule(Rule { body, head }))
            })
        } else if let Some(event) = events {
            let schema = &model.events[event];
            let mut at = bindings(&objects, schema.variables.len());
            let cond = instantiator.within(&schema.variables, |this| {
                this.cond(&schema.precondition, &mut at)
            });
            Ok(Waiting::Event(event, objects, cond, Effect::Nothing))
        } else {
            let agent = if model.actions[index].has_agent {
                let agent = objects.first().and_then(|agent| self.agents.get(agent));
                agent.copied().unwrap_or_default()
            } else {
                0
            };
            let id = ActionId(index as u32);
            let operator = operators::operator(instantiator, id, objects, agent);
            Ok(Waiting::Operator(operator))
        }?;
        if *waiting.cond() != Cond::False {
            let mut done = Ok(());
            if self.detail == Detail::Task {
                done = self.complete(&mut waiting);
            }
            self.waiting.push((waiting, done));
        }
        self.instantiated(|| Schema::of(model, index))
    }

    /// Refuses instances that would be too large.
    fn foresee(
        &mut self,
        index: usize,
        part: Part,
        instances: &[impl AsRef<[ObjectId]>],
    ) -> Result<(), GroundError> {
        foresee(
            &mut self.reachable.instantiator,
            &mut self.most,
            index,
            part,
            instances,
        )
    }

    /// Adds what an instance does.
    fn complete(&mut self, waiting: &mut Waiting) -> Result<(), GroundError> {
        let instantiator = &mut self.reachable.instantiator;
        let labelled = self.detail == Detail::Task;
        match waiting {
            Waiting::Operator(operator) => {
                let activities = &mut self.reachable.activities[usize::from(operator.agent)];
                operator.effect = operators::effect(instantiator, activities, operator, labelled)?;
            }
            Waiting::Event(event, objects, _, effect) => {
                let model = instantiator.model;
                let schema = &model.events[*event];
                instantiator.index = model.actions.len() + *event;
                instantiator.acting = 0;
                let mut at = bindings(objects, schema.variables.len());
                *effect = instantiator.within(&schema.variables, |this| {
                    this.effect(&schema.effect, &mut at)
                })?;
            }
            Waiting::Rule(_) | Waiting::ObservationRule(_) => {}
        }
        Ok(())
    }

    /// The number of the action or event of an instance, and its objects.
    fn schema_of<'w>(&self, waiting: &'w Waiting) -> Option<(usize, &'w [ObjectId])> {
        match waiting {
            Waiting::Operator(operator) => Some((operator.action.index(), &operator.args)),
            Waiting::Event(event, objects, ..) => {
                let actions = self.reachable.instantiator.model.actions.len();
                Some((actions + event, objects))
            }
            Waiting::Rule(_) | Waiting::ObservationRule(_) => None,
        }
    }

    /// After something was instantiated: an error if that was too much.
    fn instantiated(&mut self, schema: impl Fn() -> Schema) -> Result<(), GroundError> {
        self.reachable.instantiator.check(schema)?;
        self.new_slots();
        Ok(())
    }

    /// Enables what has become reachable, and applies it.
    fn look_again(&mut self) -> Result<(), GroundError> {
        for (mut waiting, done) in std::mem::take(&mut self.waiting) {
            if !self.work.spend(waiting.cond().size()) {
                return Ok(());
            }
            if !self.reachable.values.may(waiting.cond(), true) {
                self.waiting.push((waiting, done));
                continue;
            }
            done?;
            if self.detail == Detail::Values {
                if let Some((index, objects)) = self.schema_of(&waiting) {
                    self.foresee(index, Part::Effect, &[objects])?;
                }
                self.complete(&mut waiting)?;
                let model = self.reachable.instantiator.model;
                let index = self.reachable.instantiator.index;
                self.instantiated(|| Schema::of(model, index))?;
            }
            match waiting {
                Waiting::Operator(mut operator) => {
                    self.raise_by_operator(&operator);
                    self.open(&mut operator.effect);
                    self.reachable.operators.push(operator);
                }
                Waiting::Event(event, objects, cond, mut effect) => {
                    self.raise_by(By::Event(event), Some(&cond), &effect);
                    self.open(&mut effect);
                    self.reachable.events[event]
                        .instances
                        .push((objects, cond, effect));
                }
                Waiting::Rule(rule) => {
                    self.reach(rule.head, 1);
                    self.reachable.rules.push(rule);
                }
                Waiting::ObservationRule(rule) => self.reachable.observation_rules.push(rule),
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
        for effect in &new {
            self.raise_by(By::Itself, None, effect);
        }
        self.open.extend(new);
        for effect in std::mem::take(&mut self.open) {
            if !self.apply(&effect) {
                self.open.push(effect);
            }
        }
        Ok(())
    }
}
