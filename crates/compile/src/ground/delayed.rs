//! The identity of a delayed effect, and the order in which delayed effects advance.
//!
//! A delayed effect is identified by its ground text: the effect as it is written, with objects in
//! place of the variables that are bound when it starts, and the agent where it logs. The parts of
//! a `maintain` that are delayed belong to it, each identified by its number.
//!
//! Delayed effects advance in the order in which they are written in the file: actions, then events;
//! within a schema an effect before those inside it. Where several places can read the same, the
//! first counts, whether or not anything ever reaches it, so that the order follows from the file
//! alone. Of one place, the objects of the variables in the text decide, the variable declared first
//! before the others; at last the agent.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::formula::{Cond, Effect};
use super::text::{Lifted, filled};
use crate::sema::model::{
    self, Action, ActionKind, Model, ObjectId, Term, Variable, is_or_performs, performing,
};

/// A delayed effect of the task.
#[derive(Clone, Debug)]
pub(super) struct Delayed {
    /// Ticks to wait; 0 for what applies at every tick while live: the upkeep of a `maintain`, and
    /// the end of an `on-nth` in a list.
    pub(super) ticks: u32,
    pub(super) runs_while: Cond,
    pub(super) dropped_when: Cond,
    pub(super) effect: Effect,
    /// As people read it, where that is not its identity.
    pub(super) text: Option<String>,
}

impl Default for Delayed {
    /// Does nothing at every tick while live.
    fn default() -> Self {
        Self {
            ticks: 0,
            runs_while: Cond::True,
            dropped_when: Cond::False,
            effect: Effect::Nothing,
            text: None,
        }
    }
}

/// A ground text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct GroundText {
    /// The text without its objects, by number.
    words: u32,
    objects: Vec<Option<ObjectId>>,
    /// The part of a `maintain`, from 1; 0 for the whole.
    part: u32,
    agent: Option<u16>,
}

impl GroundText {
    /// A part of this `maintain`.
    pub(super) fn part(&self, part: u32) -> Self {
        Self {
            part,
            ..self.clone()
        }
    }

    /// The text of which this is a part, or itself.
    pub(super) fn whole(&self) -> Self {
        self.part(0)
    }

    /// Returns true if it is no part of another.
    pub(super) const fn is_whole(&self) -> bool {
        self.part == 0
    }
}

/// A ground text in PDDL.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    /// The text.
    pub(super) name: String,
    /// The text with `{}` for each object.
    pub(super) pattern: String,
    /// The objects.
    pub(super) objects: Vec<ObjectId>,
}

/// The place of a delayed effect in the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    position: u32,
    objects: Vec<ObjectId>,
    agent: Option<u16>,
}

/// A place in the file at which a delayed effect is written.
#[derive(Debug)]
struct Place<'m> {
    position: u32,
    /// Of a `maintain`, the positions of its parts; 0 for those that do not wait.
    parts: Vec<u32>,
    variables: &'m [Variable],
    holes: Vec<Term>,
}

/// All places at which delayed effects are written, and the texts of all effects that have an
/// identity.
pub(super) struct Texts<'m> {
    model: &'m Model,
    /// By text without objects, the places that can read so, in the order of the file.
    words: IndexMap<String, Vec<Place<'m>>, FxBuildHasher>,
    /// For each action, whether its effect logs, what it performs included.
    logging: Vec<bool>,
    /// For each action, whether its effect starts delayed effects, what it performs included.
    delaying: Vec<bool>,
}

impl<'m> Texts<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut texts = Self {
            model,
            words: IndexMap::default(),
            logging: performing(&model.actions, is_log),
            delaying: performing(&model.actions, is_delayed),
        };
        let mut position = 0;
        for action in &model.actions {
            texts.survey(&action.effect, &action.variables, &mut position);
            texts.survey(&action.end_effect, &action.variables, &mut position);
            if action.kind == ActionKind::Durative {
                texts.enter(end(action), &action.variables, &mut position);
            }
        }
        for event in &model.events {
            texts.survey(&event.effect, &event.variables, &mut position);
        }
        texts
    }

    /// Numbers the delayed effects of an effect.
    fn survey(&mut self, effect: &'m model::Effect, variables: &'m [Variable], position: &mut u32) {
        match effect {
            model::Effect::After(..) => {
                let text = Lifted::effect(self.model, variables, effect);
                self.enter(text, variables, position);
            }
            model::Effect::Maintain(_, _, body) => {
                let text = Lifted::effect(self.model, variables, effect);
                let (words, at) = self.enter(text, variables, position);
                for part in parts(body) {
                    let mut own = 0;
                    if let model::Effect::After(_, _, body) = part {
                        *position += 1;
                        own = *position;
                        self.survey(body, variables, position);
                    } else {
                        self.survey(part, variables, position);
                    }
                    self.words[words][at].parts.push(own);
                }
                return;
            }
            _ => {}
        }
        for part in effect.parts() {
            self.survey(part, variables, position);
        }
    }

    /// Enters the next place; where it went.
    fn enter(
        &mut self,
        text: Lifted,
        variables: &'m [Variable],
        position: &mut u32,
    ) -> (usize, usize) {
        *position += 1;
        let entry = self.words.entry(text.words);
        let words = entry.index();
        let places = entry.or_default();
        places.push(Place {
            position: *position,
            parts: Vec::new(),
            variables,
            holes: text.holes,
        });
        (words, places.len() - 1)
    }

    /// Returns true if an effect logs.
    pub(super) fn logs(&self, effect: &model::Effect) -> bool {
        is_or_performs(effect, is_log, &self.logging)
    }

    /// Returns true if an effect starts delayed effects.
    pub(super) fn delays(&self, effect: &model::Effect) -> bool {
        is_or_performs(effect, is_delayed, &self.delaying)
    }

    /// The ground text of what is written so, its variables bound.
    pub(super) fn ground(
        &mut self,
        text: Lifted,
        at: &[Option<ObjectId>],
        agent: Option<u16>,
    ) -> GroundText {
        let objects = text.holes.iter().map(|hole| match hole {
            Term::Object(object) => Some(*object),
            Term::Variable(variable) => at.get(variable.index()).copied().flatten(),
            Term::Fluent(..) | Term::Undefined => None,
        });
        let objects = objects.collect();
        let words = match self.words.get_index_of(&text.words) {
            Some(words) => words,
            None => self.words.insert_full(text.words, Vec::new()).0,
        };
        GroundText {
            words: words as u32,
            objects,
            part: 0,
            agent,
        }
    }

    /// The place of a delayed effect in the order.
    pub(super) fn rank(&self, text: &GroundText) -> Rank {
        let places = &self.words[text.words as usize];
        let mut read = places
            .iter()
            .filter_map(|place| Some((place, self.values(place, &text.objects)?)));
        let (position, objects) = match read.next() {
            None => (u32::MAX, text.objects.iter().flatten().copied().collect()),
            Some((place, objects)) => match text.part.checked_sub(1) {
                None => (place.position, objects),
                Some(part) => (place.parts[part as usize], objects),
            },
        };
        Rank {
            position,
            objects,
            agent: text.agent,
        }
    }

    /// The values of the variables that a place mentions, in the order of their declaration, that
    /// make it read so; `None` if none do.
    fn values(&self, place: &Place<'_>, objects: &[Option<ObjectId>]) -> Option<Vec<ObjectId>> {
        let mut values = vec![None; place.variables.len()];
        for (hole, &object) in place.holes.iter().zip(objects) {
            let object = object?;
            match hole {
                Term::Variable(variable) => {
                    let types = &place.variables[variable.index()].types;
                    let value = &mut values[variable.index()];
                    if value.is_some_and(|value| value != object) || !self.model.is_a(object, types)
                    {
                        return None;
                    }
                    *value = Some(object);
                }
                Term::Object(expected) if *expected == object => {}
                Term::Object(_) | Term::Fluent(..) | Term::Undefined => return None,
            }
        }
        Some(values.into_iter().flatten().collect())
    }

    /// The agent whose labels a delayed effect records.
    fn agent(&self, text: &GroundText) -> Option<ObjectId> {
        let agent = usize::from(text.agent?);
        self.model.agents.get(agent).copied()
    }

    /// The agent whose labels a delayed effect records, as the end of its text.
    pub(super) fn by(&self, text: &GroundText) -> String {
        self.agent(text).map_or_else(String::new, |agent| {
            format!(" by {}", self.model.objects[agent.index()].name)
        })
    }

    /// The text in PDDL, as a whole and in parts.
    pub(super) fn identity(&self, text: &GroundText) -> Identity {
        let words = self.words.get_index(text.words as usize);
        let words = words.map_or("", |(words, _)| words);
        let agent = self.agent(text);
        let written = |name: &dyn Fn(ObjectId) -> &'m str| {
            let objects = text.objects.iter();
            let objects = objects.map(|object| object.map_or("", name));
            let mut written = filled(words, objects);
            if text.part > 0 {
                written.push_str(&format!(" part {}", text.part));
            }
            if let Some(agent) = agent {
                written.push_str(&format!(" by {}", name(agent)));
            }
            written
        };
        let model = self.model;
        Identity {
            name: written(&|object| &model.objects[object.index()].name),
            pattern: written(&|_| "{}"),
            objects: text
                .objects
                .iter()
                .copied()
                .flatten()
                .chain(agent)
                .collect(),
        }
    }
}

/// The text of the end of a durative action.
pub(super) fn end(action: &Action) -> Lifted {
    Lifted::applied("at end", &action.name, action.parameters)
}

/// The parts of the body of a `maintain`, its `and`s opened.
pub(super) fn parts(body: &[model::Effect]) -> Vec<&model::Effect> {
    let mut open: Vec<&model::Effect> = body.iter().rev().collect();
    let mut result = Vec::new();
    while let Some(effect) = open.pop() {
        match effect {
            model::Effect::And(effects) => open.extend(effects.iter().rev()),
            other => result.push(other),
        }
    }
    result
}

fn is_log(effect: &model::Effect) -> bool {
    matches!(effect, model::Effect::Log(_))
}

fn is_delayed(effect: &model::Effect) -> bool {
    matches!(
        effect,
        model::Effect::After(..) | model::Effect::Maintain(..)
    )
}
