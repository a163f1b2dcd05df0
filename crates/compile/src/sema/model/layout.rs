//! Where things are drawn. Nothing else depends on it.

use super::ids::{Binding, FluentId, ObjectId, TypeId};

/// The layout of a domain and a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The background, row by row.
    pub rows: Vec<String>,
    /// Where places are, in the order of the files.
    pub cells: Vec<Cell>,
    /// The drawings.
    pub drawings: Vec<Drawing>,
}

impl Layout {
    /// The most rows and columns.
    pub const MAX_SIDE: u32 = 200;
}

/// A cell with an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The object that is there.
    pub place: ObjectId,
    /// Its column, from 0 at the left.
    pub column: u32,
    /// Its row, from 0 at the top.
    pub row: u32,
    /// The text that is shown in it.
    pub text: Option<String>,
}

/// A thing that is drawn where facts hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The types of its variables, of which each is in a fact.
    pub variables: Vec<Vec<TypeId>>,
    /// The facts, each after those whose values are its arguments.
    pub facts: Vec<FactPattern>,
    /// The thing.
    pub thing: Thing,
    /// Where, or how.
    pub at: Target,
}

/// A fact of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactPattern {
    /// Its predicate or function.
    pub fluent: FluentId,
    /// Its arguments.
    pub args: Vec<Argument>,
    /// Its value.
    pub value: FactValue,
}

/// An argument of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A variable.
    Variable(Binding),
    /// An object.
    Object(ObjectId),
    /// The value of the fact at this index.
    ValueOf(usize),
}

/// The value that a fact gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactValue {
    /// That of an argument.
    Argument(Argument),
    /// The predicate holds.
    True,
    /// That number.
    Number(i64),
    /// Any.
    Any,
}

/// A thing that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// An object.
    Object(Argument),
    /// A text, in parts.
    Text(Vec<Word>),
}

/// A part of a text that is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Literal text.
    Text(String),
    /// The name of an object, or a value.
    Argument(Argument),
}

/// Where a thing is drawn, or how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// In the cell of a place, which may itself be drawn somewhere.
    Place(Argument),
    /// In the row of the first place and the column of the second.
    Crossing(Argument, Argument),
    /// Where it is drawn it looks north, south, east or west, by the name.
    Direction(Word),
}
