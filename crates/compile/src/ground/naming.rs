//! Slots and their values → the facts, objects and numbers that they stand for, with their names.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::delayed::Identity;
use super::operators::ground_name;
use super::reachable::Activity;
use super::restricted::Ground;
use super::slots::{Slot, SlotKey, SlotRange};
use crate::sema::model::{ActionId, Model, ObjectId, Range, TypeId};
use brigade_task::symbols::{
    GroundAction, GroundFact, Meaning, Object, Predicate, PredicateKind, Symbols, Value,
};
use brigade_task::{self as task, PredicateId, SchemaId};

/// Names slots and their values, and collects the predicates that they are of.
pub(super) struct Namer<'a> {
    model: &'a Model,
    ground: &'a Ground,
    /// The predicates besides those of the model, after these.
    added: IndexMap<(String, PredicateKind), (), FxBuildHasher>,
}

impl<'a> Namer<'a> {
    pub(super) fn new(model: &'a Model, ground: &'a Ground) -> Self {
        Self {
            model,
            ground,
            added: IndexMap::default(),
        }
    }

    /// The symbols of the task.
    pub(super) fn symbols(self) -> Symbols {
        let model = self.model;
        let fluents = model.fluents.iter().map(|fluent| Predicate {
            name: fluent.name.clone(),
            kind: match fluent.range {
                Range::Boolean => PredicateKind::Predicate,
                Range::Object(_) | Range::Integer { .. } | Range::Number => PredicateKind::Function,
            },
        });
        let added = self.added.into_keys();
        let added = added.map(|(name, kind)| Predicate { name, kind });
        let objects = model.objects.iter().map(|object| Object {
            name: object.name.to_string(),
            types: types(model, &object.types),
        });
        Symbols {
            objects: objects.collect(),
            predicates: fluents.chain(added).collect(),
            schemas: (model.actions.iter())
                .map(|action| action.name.clone())
                .collect(),
        }
    }

    /// The name of a slot: `(held chef)`.
    pub(super) fn slot(&self, key: &SlotKey) -> String {
        let model = self.model;
        match key {
            SlotKey::Fluent(fluent, args) => {
                let name = &model.fluents[fluent.index()].name;
                format!("({})", ground_name(model, name, args))
            }
            SlotKey::Activity(index) => {
                let agent = model.agents.get(*index);
                let name = agent.map_or("", |agent| &model.objects[agent.index()].name);
                format!("(activity {name})")
            }
            SlotKey::Timer(index) => format!("(timer {index})"),
            SlotKey::Counter(index) => format!("(counter {})", self.ground.counted[*index].name),
            SlotKey::Broken => "(broken)".to_owned(),
            SlotKey::Turn => "(turn)".to_owned(),
            SlotKey::Clock => "(clock)".to_owned(),
        }
    }

    /// The fact that a slot is, or the function whose value it has.
    pub(super) fn fact(&mut self, key: &SlotKey) -> GroundFact {
        let (model, ground) = (self.model, self.ground);
        match key {
            SlotKey::Fluent(fluent, args) => GroundFact {
                predicate: PredicateId(fluent.0),
                arguments: objects(args),
            },
            SlotKey::Activity(index) => {
                let agent = model.agents.get(*index);
                self.added(
                    "activity",
                    PredicateKind::Activity,
                    agent.map_or(&[], std::slice::from_ref),
                )
            }
            SlotKey::Timer(index) => {
                self.identity(&ground.identities[*index], PredicateKind::Delayed)
            }
            SlotKey::Counter(index) => {
                self.identity(&ground.counted[*index], PredicateKind::Counter)
            }
            SlotKey::Broken => self.added("broken", PredicateKind::Predicate, &[]),
            SlotKey::Turn => self.added("turn", PredicateKind::Time, &[]),
            SlotKey::Clock => self.added("clock", PredicateKind::Time, &[]),
        }
    }

    fn identity(&mut self, identity: &Identity, kind: PredicateKind) -> GroundFact {
        self.added(&identity.pattern, kind, &identity.objects)
    }

    /// A fact of a predicate that the model does not have.
    fn added(&mut self, name: &str, kind: PredicateKind, args: &[ObjectId]) -> GroundFact {
        let (place, _) = self.added.insert_full((name.to_owned(), kind), ());
        GroundFact {
            predicate: PredicateId((self.model.fluents.len() + place) as u32),
            arguments: objects(args),
        }
    }

    /// The value that a code stands for in a slot.
    pub(super) fn value(&self, slot: &Slot, code: u32) -> Value {
        let model = self.model;
        let object = |object: ObjectId| {
            let name = &*model.objects[object.index()].name;
            Value::new(name, Meaning::Object(task::ObjectId(object.0)))
        };
        match (slot.range, &slot.key) {
            (SlotRange::Boolean, _) => Value::number(code),
            (SlotRange::Object, _) => match code.checked_sub(1) {
                None => Value::new("undefined", Meaning::Nothing),
                Some(code) => object(ObjectId(code)),
            },
            (SlotRange::Integer { .. }, SlotKey::Activity(agent)) => match code.checked_sub(1) {
                None => Value::new("idle", Meaning::Nothing),
                Some(activity) => {
                    activity_value(&self.ground.activities[*agent][activity as usize])
                }
            },
            (SlotRange::Integer { .. }, SlotKey::Turn) => object(model.agents[code as usize]),
            (SlotRange::Integer { lo, .. }, _) => Value::number(lo + i64::from(code)),
        }
    }
}

fn activity_value(activity: &Activity) -> Value {
    let action = action(activity.action, &activity.args);
    Value::new(&*activity.name, Meaning::Activity(action))
}

/// An action of the model with its arguments.
pub(super) fn action(action: ActionId, args: &[ObjectId]) -> GroundAction {
    GroundAction {
        schema: SchemaId(action.0),
        arguments: objects(args),
    }
}

fn objects(args: &[ObjectId]) -> Box<[task::ObjectId]> {
    args.iter().map(|arg| task::ObjectId(arg.0)).collect()
}

/// The names of types and all that they are derived from, nearer ones first.
fn types(model: &Model, own: &[TypeId]) -> Vec<String> {
    let mut found = own.to_vec();
    let mut next = 0;
    while let Some(ty) = found.get(next).copied() {
        next += 1;
        for &parent in &model.types[ty.index()].parents {
            if !found.contains(&parent) {
                found.push(parent);
            }
        }
    }
    let names = found.iter().map(|ty| model.types[ty.index()].name.clone());
    names.collect()
}
