//! Symbols: the objects of a task, and the predicates and schemas that are applied to them.
//!
//! Values of variables and operators refer to objects, predicates and schemas by number, so that nothing
//! has to be read from their names.

use std::fmt;

use super::ids::{ObjectId, PredicateId, SchemaId};

/// The objects, predicates and schemas of a task, in declared order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// All objects and constants, whether or not a fact names them.
    pub objects: Vec<Object>,
    /// The predicates and functions, then what the compiler adds to them.
    pub predicates: Vec<Predicate>,
    /// The names of the schemas of operators.
    pub schemas: Vec<String>,
}

/// An object or constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// The names of all types that it is of, its own before their parents.
    pub types: Vec<String>,
}

/// A predicate, a function, or what else can be said of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name; of a delayed effect or counter, the text of the effect with `{}` for each argument.
    pub name: String,
    /// Its meaning.
    pub kind: PredicateKind,
}

/// The meaning of a [`Predicate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredicateKind {
    /// A predicate of the domain, or the fact that a durative action was broken.
    Predicate,
    /// A function of the domain: its value is an object or a number.
    Function,
    /// The activity that an agent has started and not finished.
    Activity,
    /// The ticks that remain of a delayed effect.
    Delayed,
    /// The number of executions of an effect `on-nth`.
    Counter,
    /// The clock, or whose turn it is.
    Time,
}

/// A predicate or function with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundFact {
    /// Index into [`Symbols::predicates`].
    pub predicate: PredicateId,
    /// Indices into [`Symbols::objects`].
    pub arguments: Box<[ObjectId]>,
}

/// A schema with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundAction {
    /// Index into [`Symbols::schemas`].
    pub schema: SchemaId,
    /// Indices into [`Symbols::objects`].
    pub arguments: Box<[ObjectId]>,
}

/// A value of a variable: its name for people, its meaning for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name: `egg`, `(on egg table)`, `3`.
    pub name: String,
    /// Its meaning.
    pub meaning: Meaning,
}

/// The meaning of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Meaning {
    /// None of the other values: no fact holds, a function is undefined, an agent is idle, a place is empty.
    Nothing,
    /// A fact that holds.
    Fact(GroundFact),
    /// The object that a function gives, or whose turn it is.
    Object(ObjectId),
    /// The number that a function gives, of ticks that remain or have passed, or of executions.
    Number(i64),
    /// An activity of an agent.
    Activity(GroundAction),
    /// The member of the list of live delayed effects, by its index.
    Member(u32),
}

impl Symbols {
    /// An object's name.
    pub fn object(&self, object: ObjectId) -> &str {
        &self.objects[object.index()].name
    }

    /// A predicate's name.
    pub fn predicate(&self, predicate: PredicateId) -> &str {
        &self.predicates[predicate.index()].name
    }

    /// A schema's name.
    pub fn schema(&self, schema: SchemaId) -> &str {
        &self.schemas[schema.index()]
    }
}

impl Value {
    /// A value.
    pub fn new(name: impl Into<String>, meaning: Meaning) -> Self {
        Self {
            name: name.into(),
            meaning,
        }
    }

    /// A number.
    pub fn number(number: impl Into<i64>) -> Self {
        let number = number.into();
        Self::new(number.to_string(), Meaning::Number(number))
    }
}

impl Meaning {
    /// The objects of a fact, an object, or an activity; none of other values.
    pub fn objects(&self) -> &[ObjectId] {
        match self {
            Self::Fact(fact) => &fact.arguments,
            Self::Object(object) => std::slice::from_ref(object),
            Self::Activity(action) => &action.arguments,
            Self::Nothing | Self::Number(_) | Self::Member(_) => &[],
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
