//! The gains of a task: what its cost can change by in a timestep, and which of these changes can happen a
//! limited number of times only.
//!
//! An order that is open is served once: the event that counts it also closes it, and orders open by themselves
//! at known ticks. So a change of the cost is *limited* if some effect of the tick makes it only where a fact
//! holds, ends this fact by the same condition, and the fact begins to hold at known ticks alone.
//!
//! For example, in
//!
//! ```text
//! (:event serve
//!   :parameters (?o - order)
//!   :precondition (and (waiting ?o) (ready))
//!   :effect (and (not (waiting ?o)) (increase (completed) 1)))
//! ```
//!
//! with `(at 12 (waiting order2))` as the only effect that adds `(waiting order2)`, the order is counted once at
//! most: after tick 12 if it waits then, and never if it does not.

use std::collections::{BTreeMap, BTreeSet};

use super::atom::Fact;
use super::cond::Cond;
use super::cost_range::{self, Range, add, join};
use super::effect::Effect;
use super::layout::VariableKind;
use super::{Phase, Task, VarId};

/// The gains of a task, in units of 1 / [`Task::cost_scale`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains {
    /// The range of what one timestep adds to the cost, limited changes left out.
    pub each_step: Range,
    /// The limited changes.
    pub limited: Vec<Limited>,
}

/// A change of the cost that happens at most once each time that a fact begins to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The fact: it holds before the change, and no longer after it.
    pub fact: Fact,
    /// The range of the change.
    pub amount: Range,
    /// The values of the clock at which the fact may begin to hold, ascending, once for each effect.
    pub begins: Vec<u32>,
}

impl Gains {
    /// The gains of a task; `None` if a range does not fit into 64 bits.
    pub fn new(task: &Task) -> Option<Self> {
        let mut each_step = cost_range::of_choices(task)?;
        for timer in &task.timers {
            each_step = add(
                each_step,
                join((0, 0), cost_range::of_once(task, &timer.effect)?),
            )?;
        }
        let begins = Begins::new(task);
        let mut limited = Vec::new();
        for effect in effects_of_phases(task) {
            let parts = Parts::of(effect);
            for part in &parts.all {
                let Effect::Cost(expr) = part.effect else {
                    let range = cost_range::of_once(task, part.effect)?;
                    each_step = add(each_step, join((0, 0), range))?;
                    continue;
                };
                let amount = cost_range::of_expr(task, expr)?;
                match begins.of_one(parts.ended_with(part)) {
                    Some((fact, begins)) => limited.push(Limited {
                        fact,
                        amount,
                        begins,
                    }),
                    None => each_step = add(each_step, join((0, 0), amount))?,
                }
            }
        }
        Some(Self { each_step, limited })
    }
}

fn effects_of_phases(task: &Task) -> impl Iterator<Item = &Effect> {
    task.tick.iter().filter_map(|phase| match phase {
        Phase::Timers => None,
        Phase::Effect { effect, .. } => Some(effect),
    })
}

/// A part of an effect, under conditions that are tested in the state before the effect.
struct Part<'e> {
    facts: BTreeSet<Fact>,
    others: Vec<&'e Cond>,
    effect: &'e Effect,
}

/// The parts of an effect that all apply to the same state.
#[derive(Default)]
struct Parts<'e> {
    all: Vec<Part<'e>>,
}

impl<'e> Parts<'e> {
    fn of(effect: &'e Effect) -> Self {
        let mut parts = Self::default();
        parts.collect(&BTreeSet::new(), &[], effect);
        parts
    }

    fn collect(&mut self, facts: &BTreeSet<Fact>, others: &[&'e Cond], effect: &'e Effect) {
        match effect {
            Effect::Block { effects, .. } => {
                for effect in effects {
                    self.collect(facts, others, effect);
                }
            }
            // What comes later applies to another state, and is a part as it stands.
            Effect::Seq(effects) => {
                if let Some((first, later)) = effects.split_first() {
                    self.collect(facts, others, first);
                    self.all.extend(later.iter().map(|effect| Part {
                        facts: facts.clone(),
                        others: others.to_vec(),
                        effect,
                    }));
                }
            }
            Effect::When(cond, effect) => {
                let (mut facts, mut others) = (facts.clone(), others.to_vec());
                require(cond, &mut facts, &mut others);
                self.collect(&facts, &others, effect);
            }
            effect => self.all.push(Part {
                facts: facts.clone(),
                others: others.to_vec(),
                effect,
            }),
        }
    }

    /// The facts that a part needs and that another part ends wherever this one applies.
    fn ended_with(&self, part: &Part) -> Vec<Fact> {
        let goes_along = |other: &&Part| {
            other.facts.is_subset(&part.facts)
                && other.others.iter().all(|cond| part.others.contains(cond))
        };
        let others = self.all.iter().filter(goes_along);
        let ended = others.filter_map(|other| match *other.effect {
            Effect::Set(fact) => ends(&part.facts, fact),
            Effect::Clear(before, fact) => ends(&part.facts, fact).filter(|&ended| ended == before),
            _ => None,
        });
        ended.collect()
    }
}

/// The one of some facts that ends where another fact of its variable begins.
fn ends(facts: &BTreeSet<Fact>, begins: Fact) -> Option<Fact> {
    let mut facts = facts.iter().copied();
    facts.find(|fact| fact.variable == begins.variable && fact.value != begins.value)
}

/// Adds what a conjunction requires.
fn require<'e>(cond: &'e Cond, facts: &mut BTreeSet<Fact>, others: &mut Vec<&'e Cond>) {
    match cond {
        Cond::True => {}
        Cond::Fact(fact) => {
            facts.insert(*fact);
        }
        Cond::Facts(all) => facts.extend(all),
        Cond::And(conds) => conds.iter().for_each(|cond| require(cond, facts, others)),
        other => others.push(other),
    }
}

/// The ticks at which facts begin to hold, where all of them are known.
struct Begins<'t> {
    task: &'t Task,
    /// For each fact that some effect adds at a value of the clock: these values.
    at: BTreeMap<Fact, Vec<u32>>,
    /// Variables whose facts may begin to hold at other times too.
    unknown: BTreeSet<VarId>,
    /// Facts that may.
    at_any_time: BTreeSet<Fact>,
}

impl<'t> Begins<'t> {
    fn new(task: &'t Task) -> Self {
        let mut begins = Self {
            task,
            at: BTreeMap::new(),
            unknown: BTreeSet::new(),
            at_any_time: BTreeSet::new(),
        };
        let operators = task.operators.iter().map(|operator| &operator.effect);
        for effect in operators.chain(task.timers.iter().map(|timer| &timer.effect)) {
            begins.note(effect, None);
        }
        for effect in effects_of_phases(task) {
            for part in Parts::of(effect).all {
                let clock = part
                    .facts
                    .iter()
                    .find(|fact| Some(fact.variable) == task.clock);
                begins.note(part.effect, clock.map(|fact| fact.value));
            }
        }
        begins
    }

    /// Notes what an effect adds, at a value of the clock or at any time.
    fn note(&mut self, effect: &Effect, clock: Option<u32>) {
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Cost(_) | Effect::Total(..) => {}
            Effect::Set(fact) | Effect::Clear(_, fact) => match clock {
                Some(clock) => self.at.entry(*fact).or_default().push(clock),
                None => {
                    self.at_any_time.insert(*fact);
                }
            },
            Effect::Number(variable, _)
            | Effect::Increase(variable, _)
            | Effect::Copy(variable, ..) => {
                self.unknown.insert(*variable);
            }
            Effect::Enlist(entry) => {
                let places = entry.first.0..entry.first.0 + entry.places;
                self.unknown.extend(places.map(VarId));
            }
            Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                effects.iter().for_each(|effect| self.note(effect, clock));
            }
            Effect::When(_, effect) => self.note(effect, clock),
            Effect::Case(cases, otherwise) => {
                cases
                    .iter()
                    .for_each(|(_, effect)| self.note(effect, clock));
                self.note(otherwise, clock);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.note(&candidate.effect, clock);
                }
                self.note(otherwise, clock);
            }
        }
    }

    /// The first of some facts that begins to hold at known ticks alone, and these.
    fn of_one(&self, facts: Vec<Fact>) -> Option<(Fact, Vec<u32>)> {
        let is_known = |fact: &Fact| {
            let kind = self.task.variables[fact.variable.index()].kind;
            matches!(kind, VariableKind::Facts | VariableKind::Object)
                && !self.unknown.contains(&fact.variable)
                && !self.at_any_time.contains(fact)
        };
        let fact = facts.into_iter().find(is_known)?;
        let mut begins = self.at.get(&fact).cloned().unwrap_or_default();
        begins.sort_unstable();
        Some((fact, begins))
    }
}
