//! Terms, conditions and texts of a model, over the variables of a schema.

use super::ids::{Binding, FluentId, ObjectId};
use brigade_syntax::ast::Comparison;

/// A term that denotes an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Variable(Binding),
    /// An object.
    Object(ObjectId),
    /// The value of an object fluent.
    Fluent(FluentId, Vec<Term>),
    /// "No object": the value of an object fluent that is undefined (written `undefined`).
    Undefined,
}

/// A term that denotes a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A constant. Fractions are scaled away: see [`Model::cost_scale`](crate::sema::model::Model::cost_scale).
    Constant(i64),
    /// The value of a numeric fluent.
    Fluent(FluentId, Vec<Term>),
    /// Sum.
    Add(Vec<Expr>),
    /// Difference; `0 - x` for a negation.
    Subtract(Box<Expr>, Box<Expr>),
    /// Product.
    Multiply(Vec<Expr>),
    /// Absolute value.
    Abs(Box<Expr>),
    /// Least.
    Min(Vec<Expr>),
    /// Greatest.
    Max(Vec<Expr>),
    /// Number of bindings for which the condition holds.
    Count(Vec<Binding>, Box<Cond>),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Always.
    True,
    /// Never.
    False,
    /// A predicate holds.
    Atom(FluentId, Vec<Term>),
    /// Two object terms denote the same object.
    Same(Term, Term),
    /// Two numbers compare so.
    Compare(Comparison, Expr, Expr),
    /// Negation.
    Not(Box<Cond>),
    /// Conjunction.
    And(Vec<Cond>),
    /// Disjunction.
    Or(Vec<Cond>),
    /// For all bindings.
    Forall(Vec<Binding>, Box<Cond>),
    /// For some binding.
    Exists(Vec<Binding>, Box<Cond>),
}

/// A text with slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(pub Vec<TemplatePart>);

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// The name of the object that a term denotes. In a label it must be known at grounding
    /// (variables, objects, static fluents); a fluent is allowed in an `else` reason.
    Object(Term),
    /// A number, likewise.
    Number(Expr),
}

/// One requirement of an operator, with the reason given when it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The condition that must hold.
    pub cond: Cond,
    /// The reason of a refusal where it does not hold (from `else`).
    pub reason: Option<Template>,
}
