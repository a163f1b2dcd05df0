//! Facts and values in words, by the objects that they are told of.

use super::instantiate::{Bindings, Instantiator};
use super::pack::Encoder;
use super::restricted::Ground;
use super::slots::{SlotId, SlotKey, SlotRange};
use crate::sema::model::{FluentId, Model, ObjectId, Value};
use crate::task::cond::Cond;
use crate::task::observation::{Observation, Part};

/// What facts say in words, and the goal.
#[derive(Debug, Default)]
pub(super) struct Told {
    facts: Vec<TextOfFact>,
    goal: Option<String>,
}

#[derive(Debug)]
struct TextOfFact {
    known: Known,
    /// The object that it is told of.
    of: Option<ObjectId>,
    /// The words; between two parts of them stands the value of the function.
    words: Vec<String>,
}

/// Where the value of a fluent is found.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// In the state.
    Slot(SlotId),
    /// It is always that of the initial state.
    Fixed(Value),
}

impl Told {
    /// The texts of all facts that are known by now, in the order of the predicates and functions, then of
    /// the arguments.
    pub(super) fn new(model: &Model, instantiator: &mut Instantiator<'_>) -> Self {
        let has_text = |fluent: FluentId| !model.fluents[fluent.index()].texts.is_empty();
        let changing = instantiator.slots.iter();
        let changing = changing.filter_map(|(slot, entry)| match &entry.key {
            SlotKey::Fluent(fluent, args) => Some((*fluent, args.clone(), Known::Slot(slot))),
            _ => None,
        });
        let fixed = instantiator.static_facts();
        let fixed = fixed.map(|(fluent, args, value)| (fluent, args.to_vec(), Known::Fixed(value)));
        let mut facts: Vec<(FluentId, Vec<ObjectId>, Known)> = changing
            .chain(fixed)
            .filter(|(fluent, ..)| has_text(*fluent))
            .collect();
        facts.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let mut told = Self::default();
        for (fluent, args, known) in facts {
            let at: Bindings = args.iter().copied().map(Some).collect();
            for text in &model.fluents[fluent.index()].texts {
                let words = instantiator.within(&text.variables, |this| {
                    let words = text.words.iter();
                    words.map(|part| this.text(part, &mut at.clone())).collect()
                });
                told.facts.push(TextOfFact {
                    known,
                    of: text.of.map(|of| args[of]),
                    words,
                });
            }
        }
        told.goal = model.goal_text.as_ref().map(|template| {
            let mut at = Bindings::default();
            instantiator.within(&[], |this| this.text(template, &mut at))
        });
        told
    }
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
            let lines = self.lines(model, ground, fact).into_iter();
            let lines = lines.filter(|(holds, _)| *holds != Cond::False);
            parts[part].lines.extend(lines);
        }
        parts.retain(|part| !part.lines.is_empty());
        Observation {
            parts,
            goal: told.goal.clone(),
        }
    }

    /// A fact in words: one line, or where its value is told one for each that it can have. Of a function
    /// that is undefined nothing is told.
    fn lines(&self, model: &Model, ground: &Ground, fact: &TextOfFact) -> Vec<(Cond, String)> {
        let name = |object: usize| model.objects[object].name.as_str();
        let slot = match fact.known {
            Known::Slot(slot) => slot,
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
