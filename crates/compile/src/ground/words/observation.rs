//! The observations of a task: facts and values in words, grouped by object.

use std::sync::Arc;

use super::{Known, TextOfFact};

use crate::ground::encoder::Encoder;
use crate::ground::never::Never;
use crate::ground::restricted::Ground;
use crate::ground::slots::SlotRange;
use crate::sema::model::{FluentId, Model, Value};
use brigade_task::cond::Cond;
use brigade_task::observation::{Knowledge, Line, NeverGiven, Observation, Part};

/// Returns true if not every agent observes all that changes.
fn is_partial(model: &Model, ground: &Ground) -> bool {
    let mut fluents = (0..).map(FluentId).zip(&model.fluents);
    fluents.any(|(id, fluent)| {
        fluent.observers.is_some() && !fluent.texts.is_empty() && ground.changing[id.index()]
    })
}

impl Encoder {
    /// Facts in words, by object: those of no object first, the others in the order in which the
    /// objects are declared.
    pub(in super::super) fn observation(&self, model: &Model, ground: &Ground) -> Observation {
        let mut parts: Vec<Part> = Vec::new();
        let descriptions = &ground.descriptions;
        if !descriptions.facts.is_empty() {
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
        for fact in &descriptions.facts {
            let part = fact.of.map_or(0, |of| of.index() + 1);
            let observers = fact.observers.as_ref().map(|observers| {
                let conds = observers.iter().cloned();
                let conds = conds.map(|cond| self.cond(&cond.restricted(&ground.values)));
                conds.collect::<Arc<[Cond]>>()
            });
            if observers
                .as_ref()
                .is_some_and(|observers| observers.iter().all(|cond| *cond == Cond::False))
            {
                continue;
            }
            let observers =
                observers.filter(|observers| observers.iter().any(|cond| *cond != Cond::True));
            let lines = self.lines(model, ground, fact).into_iter();
            let lines = lines.filter(|(holds, _)| *holds != Cond::False);
            parts[part].lines.extend(lines.map(|(holds, text)| Line {
                holds,
                text,
                observers: observers.clone(),
            }));
        }
        parts.retain(|part| !part.lines.is_empty());
        Observation {
            parts,
            goal: descriptions.goal.clone(),
            forms: descriptions.commands.forms.clone(),
            commands: descriptions.commands.by_operator.clone(),
            never: descriptions
                .never
                .iter()
                .map(|it| self.never(ground, it))
                .collect(),
            is_partial: is_partial(model, ground),
            knowledge: Knowledge::default(),
        }
    }

    /// A command that can never be given.
    fn never(&self, ground: &Ground, never: &Never) -> NeverGiven {
        let requirements = never.requirements.iter();
        let requirements = requirements.map(|(cond, reason)| {
            let cond = cond.clone().restricted(&ground.values);
            (self.cond(&cond), reason.clone())
        });
        NeverGiven {
            agent: never.agent,
            forms: never.forms.clone(),
            requirements: requirements.collect(),
        }
    }

    /// A fact in words: one line, or where its value is shown one for each that it can have. A function that is
    /// undefined has no line.
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
        let shows_value = fact.words.len() > 1;
        let codes = ground.values.codes(slot).into_iter();
        match ground.slots.get(slot).range {
            SlotRange::Boolean => vec![(self.fact(slot, 1), fact.words.concat())],
            SlotRange::Object if !shows_value => {
                vec![(self.fact(slot, 0).negated(), fact.words.concat())]
            }
            SlotRange::Integer { .. } if !shows_value => vec![(Cond::True, fact.words.concat())],
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
