//! Facts and the goal in words, the agents who observe them, and the forms of commands.

mod observation;

use std::rc::Rc;

use super::bindings::Bindings;
use super::error::{GroundError, Schema};
use super::forms::{self, Commands};
use super::formula::Cond;
use super::instantiate::Instantiator;
use super::never::{Never, never};
use super::reachable::{ObservationRule, Reachable};
use super::slots::{SlotId, SlotKey};
use crate::sema::model::{FluentId, Model, ObjectId, Value};

/// The facts and the goal in words, and the forms of commands.
#[derive(Debug, Default)]
pub(super) struct Descriptions {
    facts: Vec<TextOfFact>,
    goal: Option<String>,
    commands: Commands,
    /// The commands that agents can never give.
    never: Vec<Never>,
}

#[derive(Debug)]
struct TextOfFact {
    fluent: FluentId,
    args: Vec<ObjectId>,
    known: Known,
    /// The object that it is about.
    of: Option<ObjectId>,
    /// The words; between two parts of them stands the value of the function.
    words: Vec<String>,
    /// For each agent the condition under which it observes the fact; `None`: all always do.
    observers: Option<Rc<[Cond]>>,
}

/// Where the value of a fluent is found.
#[derive(Clone, Debug)]
enum Known {
    /// In the state.
    Slot(SlotId),
    /// It is always that of the initial state.
    Fixed(Value),
    /// It is true where this holds.
    Rule(Cond),
}

impl Descriptions {
    /// The texts of all facts that are known by now, in the order of the predicates and functions, then of
    /// the arguments.
    ///
    /// `reasons` says whether commands that can never be given are to have reasons.
    pub(super) fn new<'m>(
        model: &'m Model,
        reachable: &mut Reachable<'m>,
        reasons: bool,
    ) -> Result<Self, GroundError> {
        let mut descriptions = Self {
            commands: forms::of_agents(reachable),
            ..Self::default()
        };
        let rules = std::mem::take(&mut reachable.observation_rules);
        let instantiator = &mut reachable.instantiator;
        for (fluent, args, known) in known_facts(model, instantiator, rules) {
            let at: Bindings = args.iter().copied().map(Some).collect();
            let viewers = viewers(model, instantiator, fluent, &args);
            for text in &model.fluents[fluent.index()].texts {
                let words = instantiator.within(&text.variables, |this| {
                    let words = text.words.iter();
                    words.map(|part| this.text(part, &mut at.clone())).collect()
                });
                descriptions.facts.push(TextOfFact {
                    fluent,
                    args: args.clone(),
                    known: known.clone(),
                    of: text.of.map(|of| args[of]),
                    words,
                    observers: viewers.clone(),
                });
            }
        }
        descriptions.goal = model.goal_text.as_ref().map(|template| {
            let mut at = Bindings::default();
            instantiator.within(&[], |this| this.text(template, &mut at))
        });
        instantiator.check(|| Schema::described("what is told in words"))?;
        if reasons {
            descriptions.never = never(model, instantiator, &reachable.operators);
        }
        Ok(descriptions)
    }
}

/// The facts that have words.
fn known_facts(
    model: &Model,
    instantiator: &Instantiator<'_>,
    rules: Vec<ObservationRule>,
) -> Vec<(FluentId, Vec<ObjectId>, Known)> {
    let changing = instantiator.slots.iter();
    let changing = changing.filter_map(|(slot, entry)| match &entry.key {
        SlotKey::Fluent(fluent, args) => Some((*fluent, args.clone(), Known::Slot(slot))),
        _ => None,
    });
    let fixed = instantiator.static_facts();
    let fixed = fixed.map(|(fluent, args, value)| (fluent, args.to_vec(), Known::Fixed(value)));
    let mut facts: Vec<(FluentId, Vec<ObjectId>, Known)> = changing
        .chain(fixed)
        .filter(|(fluent, ..)| !model.fluents[fluent.index()].texts.is_empty())
        .collect();
    // Several rules may give one fact; they are sorted by it.
    for rule in rules {
        match facts.last_mut() {
            Some((fluent, args, Known::Rule(body)))
                if *fluent == rule.fluent && *args == rule.args =>
            {
                let first = std::mem::replace(body, Cond::False);
                *body = Cond::any([first, rule.body]);
            }
            _ => facts.push((rule.fluent, rule.args, Known::Rule(rule.body))),
        }
    }
    facts.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    facts
}

/// For each agent when it observes a fact; `None`: everyone always does.
pub(super) fn viewers<'m>(
    model: &'m Model,
    instantiator: &mut Instantiator<'m>,
    fluent: FluentId,
    args: &[ObjectId],
) -> Option<Rc<[Cond]>> {
    let observers = model.fluents[fluent.index()].observers.as_ref()?;
    let viewer = &observers.variables[args.len()];
    let conds = model.agents.iter().map(|&agent| {
        if !model.is_a(agent, &viewer.types) {
            return Cond::False;
        }
        let mut at: Bindings = args.iter().chain([&agent]).copied().map(Some).collect();
        at.resize(observers.variables.len(), None);
        instantiator.within(&observers.variables, |this| {
            this.cond(&observers.cond, &mut at)
        })
    });
    Some(conds.collect())
}
