//! Effects of a model, over the variables of a schema.

use super::cond::{Cond, Expr, Template, Term};
use super::ids::{ActionId, Binding, FluentId};
use brigade_syntax::ast::AssignOp;

/// A condition that pauses or cancels a delayed effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DelayGuard {
    /// The timer advances only at ticks where it holds.
    While(Cond),
    /// The delayed effect is dropped at a tick where it holds.
    Until(Cond),
}

/// The choice of a target: `argmin`, `argmax`, or any term that may be undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The object for which `value` is best among those for which `among` holds.
    Arg {
        /// Greatest rather than least value.
        maximize: bool,
        /// Which candidates count (over the bound variable).
        among: Cond,
        /// The expression to optimise.
        value: Expr,
        /// Ties go to the least of this, then to the object declared first.
        ties: Option<Expr>,
    },
    /// The value of a term, where it is defined.
    Term(Term),
}

/// An effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// All at once: conditions are tested before any of them applies; deletes precede adds.
    And(Vec<Effect>),
    /// One after another, each seeing what the last left.
    Seq(Vec<Effect>),
    /// All bindings at once.
    Forall(Vec<Binding>, Box<Effect>),
    /// All bindings one after another, by ascending key, ties in object order.
    ForEach(Vec<Binding>, Option<Expr>, Box<Effect>),
    /// If.
    When(Cond, Box<Effect>),
    /// The first whose condition holds, else the last effect.
    Case(Vec<(Cond, Effect)>, Box<Effect>),
    /// Binds a variable to a chosen object; `otherwise` if there is none.
    Let(Binding, Choice, Box<Effect>, Box<Effect>),
    /// Makes a predicate true or false.
    Set(FluentId, Vec<Term>, bool),
    /// Gives an object fluent a value.
    Assign(FluentId, Vec<Term>, Term),
    /// Changes a bounded integer. A value out of bounds is clamped to the nearest bound.
    Update(AssignOp, FluentId, Vec<Term>, Expr),
    /// Adds to the metric (an `increase` of the cost fluent).
    Cost(Expr),
    /// Adds to a total, in units of 1 / [`Total::scale`](crate::sema::model::Total::scale).
    Total(FluentId, Vec<Term>, Expr),
    /// A delayed effect; the tick that ends the starting step is the first.
    After(Expr, Option<DelayGuard>, Box<Effect>),
    /// An effect at the N-th execution, counted anew after that.
    OnNth(Expr, Box<Effect>),
    /// The condition's truth is written to the atoms of the first effect while the body runs.
    Maintain(Cond, Box<Effect>, Vec<Effect>),
    /// Records a label for the acting agent.
    Log(Template),
    /// Applies a primitive action if its precondition holds. The first argument is its agent,
    /// where it has one.
    Do(ActionId, Vec<Term>),
}

impl Effect {
    /// The effect that does nothing.
    pub const NOTHING: Self = Self::And(Vec::new());

    /// Returns true if this effect or one inside it is such. The effects of an action that [`Effect::Do`] performs are
    /// not inside.
    pub fn any(&self, is: &mut dyn FnMut(&Self) -> bool) -> bool {
        if is(self) {
            return true;
        }
        match self {
            Self::And(effects) | Self::Seq(effects) => effects.iter().any(|part| part.any(is)),
            Self::Set(..)
            | Self::Assign(..)
            | Self::Update(..)
            | Self::Cost(_)
            | Self::Total(..)
            | Self::Log(_)
            | Self::Do(..) => false,
            other => other.parts().into_iter().any(|part| part.any(is)),
        }
    }

    /// The effects directly inside this one, in the order of the text.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::And(effects) | Self::Seq(effects) => effects.iter().collect(),
            Self::Forall(_, body)
            | Self::ForEach(_, _, body)
            | Self::When(_, body)
            | Self::After(_, _, body)
            | Self::OnNth(_, body) => vec![body],
            Self::Case(cases, otherwise) => {
                let cases = cases.iter().map(|(_, body)| body);
                cases.chain([&**otherwise]).collect()
            }
            Self::Let(_, _, body, otherwise) => vec![body, otherwise],
            Self::Maintain(_, kept, body) => std::iter::once(&**kept).chain(body).collect(),
            Self::Set(..)
            | Self::Assign(..)
            | Self::Update(..)
            | Self::Cost(_)
            | Self::Total(..)
            | Self::Log(_)
            | Self::Do(..) => Vec::new(),
        }
    }
}

/// Returns true if an effect is or holds such an effect, or performs an action of which that is known.
pub fn is_or_performs(effect: &Effect, is: fn(&Effect) -> bool, of_actions: &[bool]) -> bool {
    effect.any(&mut |effect| match effect {
        Effect::Do(action, _) => of_actions[action.index()],
        other => is(other),
    })
}
