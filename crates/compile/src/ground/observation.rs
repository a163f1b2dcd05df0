//! Facts and values in words, by the objects that they are told of, and to whom they are told.

use std::rc::Rc;
use std::sync::Arc;

use super::error::{GroundError, Schema};
use super::forms::{self, Commands};
use super::formula::Cond as GroundCond;
use super::instantiate::{Bindings, Instantiator};
use super::pack::Encoder;
use super::reach::{Reachable, ToldRule};
use super::restricted::Ground;
use super::slots::{SlotId, SlotKey, SlotRange};
use crate::sema::model::{FluentId, Model, ObjectId, Value};
use brigade_task::cond::Cond;
use brigade_task::observation::{Line, Observation, Part};

/// What facts say in words, the goal, and how commands are written.
#[derive(Debug, Default)]
pub(super) struct Told {
    facts: Vec<TextOfFact>,
    goal: Option<String>,
    commands: Commands,
}

#[derive(Debug)]
struct TextOfFact {
    known: Known,
    /// The object that it is told of.
    of: Option<ObjectId>,
    /// The words; between two parts of them stands the value of the function.
    words: Vec<String>,
    /// For each agent when it is told; `None`: everyone always is.
    told: Option<Rc<[GroundCond]>>,
}

/// Where the value of a fluent is found.
#[derive(Clone, Debug)]
enum Known {
    /// In the state.
    Slot(SlotId),
    /// It is always that of the initial state.
    Fixed(Value),
    /// It is true where this holds.
    Rule(GroundCond),
}

impl Told {
    /// The texts of all facts that are known by now, in the order of the predicates and functions, then of
    /// the arguments.
    pub(super) fn new<'m>(
        model: &'m Model,
        reachable: &mut Reachable<'m>,
    ) -> Result<Self, GroundError> {
        let mut told = Self {
            commands: forms::of_agents(reachable),
            ..Self::default()
        };
        let rules = std::mem::take(&mut reachable.told);
        let instantiator = &mut reachable.instantiator;
        for (fluent, args, known) in known_facts(model, instantiator, rules) {
            let at: Bindings = args.iter().copied().map(Some).collect();
            let viewers = viewers(model, instantiator, fluent, &args);
            for text in &model.fluents[fluent.index()].texts {
                let words = instantiator.within(&text.variables, |this| {
                    let words = text.words.iter();
                    words.map(|part| this.text(part, &mut at.clone())).collect()
                });
                told.facts.push(TextOfFact {
                    known: known.clone(),
                    of: text.of.map(|of| args[of]),
                    words,
                    told: viewers.clone(),
                });
            }
        }
        told.goal = model.goal_text.as_ref().map(|template| {
            let mut at = Bindings::default();
            instantiator.within(&[], |this| this.text(template, &mut at))
        });
        instantiator.check(|| Schema::described("what is told in words"))?;
        Ok(told)
    }
}

/// The facts that have words.
fn known_facts(
    model: &Model,
    instantiator: &Instantiator<'_>,
    rules: Vec<ToldRule>,
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
                let first = std::mem::replace(body, GroundCond::False);
                *body = GroundCond::any([first, rule.body]);
            }
            _ => facts.push((rule.fluent, rule.args, Known::Rule(rule.body))),
        }
    }
    facts.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    facts
}

/// For each agent when it is told a fact; `None`: everyone always is.
fn viewers<'m>(
    model: &'m Model,
    instantiator: &mut Instantiator<'m>,
    fluent: FluentId,
    args: &[ObjectId],
) -> Option<Rc<[GroundCond]>> {
    let observers = model.fluents[fluent.index()].observers.as_ref()?;
    let viewer = &observers.variables[args.len()];
    let conds = model.agents.iter().map(|&agent| {
        if !model.is_a(agent, &viewer.types) {
            return GroundCond::False;
        }
        let mut at: Bindings = args.iter().chain([&agent]).copied().map(Some).collect();
        at.resize(observers.variables.len(), None);
        instantiator.within(&observers.variables, |this| {
            this.cond(&observers.cond, &mut at)
        })
    });
    Some(conds.collect())
}

/// Whether not every agent is told of all that changes.
fn is_partial(model: &Model, ground: &Ground) -> bool {
    let mut fluents = (0..).map(FluentId).zip(&model.fluents);
    fluents.any(|(id, fluent)| {
        fluent.observers.is_some() && !fluent.texts.is_empty() && ground.changing[id.index()]
    })
}

impl Encoder {
    /// Facts in words, by object: those of no object first, the others in the order in which the
    /// objects are declared.
    pub(super) fn observation(&self, model: &Model, ground: &Ground) -> Observation {
        let mut parts: Vec<Part> = Vec::new();
        let told = &ground.told;
        if !told.facts.is_empty() {
            parts.push(Part::default());
            parts.extend(model.objects.iter().map(|object| {
                let of = object
                    .types
                    .first()
                    .map(|of| &*model.types[of.index()].name);
                Part {
                    title: format!("{} {}:", capitalised(of.unwrap_or("object")), object.name),
                    lines: Vec::new(),
                }
            }));
        }
        for fact in &told.facts {
            let part = fact.of.map_or(0, |of| of.index() + 1);
            let told = fact.told.as_ref().map(|told| {
                let conds = told.iter().cloned();
                let conds = conds.map(|cond| self.cond(&cond.restricted(&ground.values)));
                conds.collect::<Arc<[Cond]>>()
            });
            if told
                .as_ref()
                .is_some_and(|told| told.iter().all(|cond| *cond == Cond::False))
            {
                continue;
            }
            let told = told.filter(|told| told.iter().any(|cond| *cond != Cond::True));
            let lines = self.lines(model, ground, fact).into_iter();
            let lines = lines.filter(|(holds, _)| *holds != Cond::False);
            parts[part].lines.extend(lines.map(|(holds, text)| Line {
                holds,
                text,
                told: told.clone(),
            }));
        }
        parts.retain(|part| !part.lines.is_empty());
        Observation {
            parts,
            goal: told.goal.clone(),
            forms: told.commands.forms.clone(),
            commands: told.commands.by_operator.clone(),
            is_partial: is_partial(model, ground),
        }
    }

    /// A fact in words: one line, or where its value is told one for each that it can have. Of a function
    /// that is undefined nothing is told.
    fn lines(&self, model: &Model, ground: &Ground, fact: &TextOfFact) -> Vec<(Cond, String)> {
        let name = |object: usize| model.objects[object].name.as_str();
        let slot = match &fact.known {
            Known::Slot(slot) => *slot,
            Known::Rule(body) => {
                let holds = self.cond(&body.clone().restricted(&ground.values));
                return vec![(holds, fact.words.concat())];
            }
            Known::Fixed(value) => {
                let value = match value {
                    Value::Boolean(_) => String::new(),
                    Value::Object(object) => name(object.index()).to_owned(),
                    Value::Number(number) => number.to_string(),
                };
                return vec![(Cond::True, fact.words.join(&value))];
            }
        };
        let tells_value = fact.words.len() > 1;
        let codes = ground.values.codes(slot).into_iter();
        match ground.slots.get(slot).range {
            SlotRange::Boolean => vec![(self.fact(slot, 1), fact.words.concat())],
            SlotRange::Object if !tells_value => {
                vec![(self.fact(slot, 0).negated(), fact.words.concat())]
            }
            SlotRange::Integer { .. } if !tells_value => vec![(Cond::True, fact.words.concat())],
            SlotRange::Object => codes
                .filter(|code| *code > 0)
                .map(|code| {
                    let text = fact.words.join(name(code as usize - 1));
                    (self.fact(slot, code), text)
                })
                .collect(),
            SlotRange::Integer { lo, .. } => codes
                .map(|code| {
                    let text = fact.words.join(&(lo + i64::from(code)).to_string());
                    (self.fact(slot, code), text)
                })
                .collect(),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
