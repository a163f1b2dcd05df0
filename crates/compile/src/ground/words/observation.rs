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
            let lines = lines.filter(|line| line.holds != Cond::False);
            parts[part].lines.extend(lines.map(|line| Line {
                observers: observers.clone(),
                ..line
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
    fn lines(&self, model: &Model, ground: &Ground, fact: &TextOfFact) -> Vec<Line> {
        let name = |object: usize| model.objects[object].name.as_str();
        let shows_value = fact.words.len() > 1;
        let line = |holds: Cond, value: Option<&str>| Line {
            holds,
            text: fact.words.join(value.unwrap_or_default()),
            fact: Some(written(model, fact, value)),
            observers: None,
        };
        let hidden = |holds: Cond| Line {
            holds,
            text: fact.words.concat(),
            fact: None,
            observers: None,
        };
        let slot = match &fact.known {
            Known::Slot(slot) => *slot,
            Known::Rule(body) => {
                return vec![line(
                    self.cond(&body.clone().restricted(&ground.values)),
                    None,
                )];
            }
            Known::Fixed(Value::Boolean(_)) => return vec![line(Cond::True, None)],
            Known::Fixed(_) if !shows_value => return vec![hidden(Cond::True)],
            Known::Fixed(Value::Object(object)) => {
                return vec![line(Cond::True, Some(name(object.index())))];
            }
            Known::Fixed(Value::Number(number)) => {
                return vec![line(Cond::True, Some(&number.to_string()))];
            }
        };
        let codes = ground.values.codes(slot).into_iter();
        match ground.slots.get(slot).range {
            SlotRange::Boolean => vec![line(self.fact(slot, 1), None)],
            SlotRange::Object if !shows_value => vec![hidden(self.fact(slot, 0).negated())],
            SlotRange::Integer { .. } if !shows_value => vec![hidden(Cond::True)],
            SlotRange::Object => codes
                .filter(|code| *code > 0)
                .map(|code| line(self.fact(slot, code), Some(name(code as usize - 1))))
                .collect(),
            SlotRange::Integer { lo, .. } => codes
                .map(|code| {
                    let value = (lo + i64::from(code)).to_string();
                    line(self.fact(slot, code), Some(&value))
                })
                .collect(),
        }
    }
}

/// A fact in PDDL.
fn written(model: &Model, fact: &TextOfFact, value: Option<&str>) -> String {
    let mut words = vec![&*model.fluents[fact.fluent.index()].name];
    words.extend(
        fact.args
            .iter()
            .map(|arg| &*model.objects[arg.index()].name),
    );
    let atom = format!("({})", words.join(" "));
    match value {
        None => atom,
        Some(value) => format!("(= {atom} {value})"),
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
