//! Terms, conditions, effects and texts with slots.

use super::name::{Name, Typed};
use brigade_diagnostics::span::Span;

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// Arithmetic operators; `Subtract` with one operand negates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` (only exact division of constants is accepted later).
    Divide,
    /// `(abs e)`
    Abs,
    /// `(min e …)`
    Min,
    /// `(max e …)`
    Max,
}

/// A term: something that denotes an object or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An object, or a nullary function written without parentheses.
    Name(Name),
    /// `?x`.
    Variable(Name),
    /// A number, in thousandths so that `1.5` is exact; whole numbers are multiples of 1000.
    Number(i64, Span),
    /// `(f t …)`.
    Apply(Box<Application>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<[Term]>, Span),
    /// `(count (?x - t …) φ)`.
    Count(Box<CountTerm>),
    /// `(argmin (?x - t) φ value [:ties key])` or `argmax`.
    Arg(Box<ArgTerm>),
}

/// `(f t …)`: a function of some terms. Apart from [`Term`], of which large files have millions, most of
/// them words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The function.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<Term>,
    /// The whole term.
    pub span: Span,
}

/// `(count (?x - t …) φ)`: for how many values of the variables the condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountTerm {
    /// The variables ranged over.
    pub variables: Vec<Typed>,
    /// The condition on the values that count.
    pub among: Formula,
    /// The whole term.
    pub span: Span,
}

/// `(argmin …)` / `(argmax …)`: the object for which `value` is least or greatest among those for
/// which `among` holds; ties go to the least `ties`, then to the first declared object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgTerm {
    /// `argmax` rather than `argmin`.
    pub maximize: bool,
    /// The variable ranged over.
    pub variable: Typed,
    /// The condition on the candidates that count.
    pub among: Formula,
    /// The term to optimise.
    pub value: Term,
    /// The tie-breaking key.
    pub ties: Option<Term>,
    /// The whole term.
    pub span: Span,
}

impl Term {
    /// Returns the place of the term.
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) | Self::Variable(name) => name.span,
            Self::Number(_, span) | Self::Arithmetic(_, _, span) => *span,
            Self::Apply(term) => term.span,
            Self::Count(term) => term.span,
            Self::Arg(arg) => arg.span,
        }
    }

    /// The function that it is, with its arguments. A name may be a function without any.
    pub fn function(&self) -> Option<(&Name, &[Self])> {
        match self {
            Self::Name(name) => Some((name, &[])),
            Self::Apply(term) => Some((&term.name, &term.args)),
            _ => None,
        }
    }

    /// Returns true if it is a single word, with nothing in it.
    pub fn is_word(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Variable(_) | Self::Number(..))
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `(and φ …)`; `()` is an empty one.
    And(Vec<Formula>, Span),
    /// `(or φ …)`.
    Or(Vec<Formula>, Span),
    /// `(not φ)`.
    Not(Box<Formula>, Span),
    /// `(imply φ ψ)`.
    Imply(Box<Formula>, Box<Formula>, Span),
    /// `(forall (…) φ)`.
    Forall(Vec<Typed>, Box<Formula>, Span),
    /// `(exists (…) φ)`.
    Exists(Vec<Typed>, Box<Formula>, Span),
    /// `(p t …)`.
    Atom(Name, Vec<Term>, Span),
    /// `(= a b)`, `(< a b)`, ….
    Compare(Comparison, Box<[Term; 2]>, Span),
    /// `(else "reason" φ)` or `(else code φ)`: φ, with the reason given when it fails.
    Else(Template, Box<Formula>, Span),
    /// `(semantics name)`: holds when the task is compiled under that named semantics.
    Semantics(Name, Span),
    /// A formula that could not be read; already reported.
    Error(Span),
}

impl Formula {
    /// Returns the place of the formula.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Or(_, span)
            | Self::Not(_, span)
            | Self::Imply(_, _, span)
            | Self::Forall(_, _, span)
            | Self::Exists(_, _, span)
            | Self::Atom(_, _, span)
            | Self::Compare(_, _, span)
            | Self::Else(_, _, span)
            | Self::Semantics(_, span)
            | Self::Error(span) => *span,
        }
    }
}

/// The operator that writes a numeric or object fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `(assign f e)`
    Assign,
    /// `(increase f e)`
    Increase,
    /// `(decrease f e)`
    Decrease,
    /// `(scale-up f e)`
    ScaleUp,
    /// `(scale-down f e)`
    ScaleDown,
}

/// The guard of a delayed effect, which pauses or cancels it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DelayGuard {
    /// `:while φ`: the timer advances only at ticks where φ holds.
    While(Formula),
    /// `:until φ`: the delayed effect is dropped at a tick where φ holds.
    Until(Formula),
}

/// An effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `(and e …)`: all at once.
    And(Vec<Effect>, Span),
    /// `(seq e …)`: one after another.
    Seq(Vec<Effect>, Span),
    /// `(forall (…) e)`: all at once.
    Forall(Vec<Typed>, Box<Effect>, Span),
    /// `(for-each (?x - t) [:by k] e)`: one after another, in the order of `k`.
    ForEach(Vec<Typed>, Option<Term>, Box<Effect>, Span),
    /// `(when φ e)`.
    When(Formula, Box<Effect>, Span),
    /// `(case (φ e) … [(else e)])`: the first whose condition holds.
    Case(Vec<(Formula, Effect)>, Option<Box<Effect>>, Span),
    /// `(let ((?x term) …) e [:else e])`; with no target for a term, the `:else`.
    Let(Vec<(Name, Term)>, Box<Effect>, Option<Box<Effect>>, Span),
    /// `(p t …)`.
    Add(Name, Vec<Term>, Span),
    /// `(not (p t …))`.
    Delete(Name, Vec<Term>, Span),
    /// `(assign f e)` and its relatives.
    Assign(AssignOp, Term, Term, Span),
    /// `(after N [:while φ | :until φ] e)`.
    After(Term, Option<DelayGuard>, Box<Effect>, Span),
    /// `(on-nth N e)`.
    OnNth(Term, Box<Effect>, Span),
    /// `(maintain φ e body…)`.
    Maintain(Formula, Box<Effect>, Vec<Effect>, Span),
    /// `(log "text")`.
    Log(Template, Span),
    /// `(do (action t …))`: the effect of a primitive action, if it is applicable.
    Do(Name, Vec<Term>, Span),
    /// An effect that could not be read; already reported.
    Error(Span),
}

impl Effect {
    /// Returns the place of the effect.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Seq(_, span)
            | Self::Forall(_, _, span)
            | Self::ForEach(_, _, _, span)
            | Self::When(_, _, span)
            | Self::Case(_, _, span)
            | Self::Let(_, _, _, span)
            | Self::Add(_, _, span)
            | Self::Delete(_, _, span)
            | Self::Assign(_, _, _, span)
            | Self::After(_, _, _, span)
            | Self::OnNth(_, _, span)
            | Self::Maintain(_, _, _, span)
            | Self::Log(_, span)
            | Self::Do(_, _, span)
            | Self::Error(span) => *span,
        }
    }
}

/// A text with slots: `"pickup({?i}, {(held ?a)})"`. A slot holds a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Literal text and slots, in order.
    pub parts: Vec<TemplatePart>,
    /// The whole literal, quotes included.
    pub span: Span,
}

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// The name or value of a term.
    Slot(Term),
}
