//! Facts in words, by the objects that they are told of.

use super::instantiate::{Bindings, Instantiator};
use super::pack::Encoder;
use super::restricted::Ground;
use super::slots::{SlotId, SlotKey};
use crate::sema::model::{FluentId, Model, ObjectId};
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
    /// Whether it holds; `None` if it always does.
    slot: Option<SlotId>,
    /// The object that it is told of.
    of: Option<ObjectId>,
    text: String,
}

impl Told {
    /// The texts of all facts that are known by now, in the order of the predicates, then of the
    /// arguments.
    pub(super) fn new(model: &Model, instantiator: &mut Instantiator<'_>) -> Self {
        let has_text = |fluent: FluentId| !model.fluents[fluent.index()].texts.is_empty();
        let changing = instantiator.slots.iter();
        let changing = changing.filter_map(|(slot, entry)| match &entry.key {
            SlotKey::Fluent(fluent, args) => Some((*fluent, args.clone(), Some(slot))),
            _ => None,
        });
        let fixed = instantiator.static_facts();
        let fixed = fixed.map(|(fluent, args)| (fluent, args.to_vec(), None));
        let mut facts: Vec<(FluentId, Vec<ObjectId>, Option<SlotId>)> = changing
            .chain(fixed)
            .filter(|(fluent, ..)| has_text(*fluent))
            .collect();
        facts.sort_unstable();
        let mut told = Self::default();
        for (fluent, args, slot) in facts {
            let at: Bindings = args.iter().copied().map(Some).collect();
            for template in &model.fluents[fluent.index()].texts {
                let mut at = at.clone();
                let text = instantiator.within(&template.variables, |this| {
                    this.text(&template.text, &mut at)
                });
                told.facts.push(TextOfFact {
                    slot,
                    of: template.of.map(|of| args[of]),
                    text,
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
            let holds = fact.slot.map_or(Cond::True, |slot| self.fact(slot, 1));
            if holds != Cond::False {
                let part = fact.of.map_or(0, |of| of.index() + 1);
                parts[part].lines.push((holds, fact.text.clone()));
            }
        }
        parts.retain(|part| !part.lines.is_empty());
        Observation {
            parts,
            goal: told.goal.clone(),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
