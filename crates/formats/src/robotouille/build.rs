//! Makes AST nodes that point into a JSON file.

use ecow::EcoString;

use crate::json::Text;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Comparison, Effect, Formula, Name, Term, TypeExpr, Typed};

/// A name with a place.
pub(super) fn name(text: impl Into<EcoString>, span: Span) -> Name {
    Name {
        text: text.into(),
        span,
    }
}

/// A name as it stands in the file.
pub(super) fn written(text: &Text) -> Name {
    name(text.text.clone(), text.span)
}

/// `name - of`
pub(super) fn typed(text: impl Into<EcoString>, of: &str, span: Span) -> Typed {
    Typed {
        name: name(text, span),
        ty: Some(TypeExpr::Named(name(of, span))),
    }
}

/// `?text`
pub(super) fn variable(text: &str, span: Span) -> Term {
    Term::Variable(name(text, span))
}

/// An object.
pub(super) fn object(text: &str, span: Span) -> Term {
    Term::Name(name(text, span))
}

/// A condition that holds if all of some do.
pub(super) fn all(mut conditions: Vec<Formula>, span: Span) -> Formula {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Formula::And(conditions, span),
    }
}

/// A condition that holds if one of some does.
pub(super) fn any(mut conditions: Vec<Formula>, span: Span) -> Formula {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Formula::Or(conditions, span),
    }
}

/// `(not (= a b))`
pub(super) fn distinct(a: Term, b: Term, span: Span) -> Formula {
    let equal = Formula::Compare(Comparison::Equal, Box::new([a, b]), span);
    Formula::Not(Box::new(equal), span)
}

/// Effects at once.
pub(super) fn together(mut effects: Vec<Effect>, span: Span) -> Effect {
    match effects.len() {
        1 => effects.remove(0),
        _ => Effect::And(effects, span),
    }
}

/// Effects one after another.
pub(super) fn sequence(mut effects: Vec<Effect>, span: Span) -> Effect {
    match effects.len() {
        1 => effects.remove(0),
        0 => Effect::And(effects, span),
        _ => Effect::Seq(effects, span),
    }
}
