//! Makes AST nodes that point into a file of another format.

use ecow::EcoString;

use super::json::Text;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Comparison, Effect, Formula, Name, Term, TypeExpr, Typed};

/// A name with a place.
pub(crate) fn name(text: impl Into<EcoString>, span: Span) -> Name {
    Name {
        text: text.into(),
        span,
    }
}

/// A name as it stands in the file.
pub(crate) fn written(text: &Text) -> Name {
    name(text.text.clone(), text.span)
}

/// `name - of`
pub(crate) fn typed(text: impl Into<EcoString>, of: &str, span: Span) -> Typed {
    Typed {
        name: name(text, span),
        ty: Some(TypeExpr::Named(name(of, span))),
    }
}

/// `?text`
pub(crate) fn variable(text: &str, span: Span) -> Term {
    Term::Variable(name(text, span))
}

/// An object.
pub(crate) fn object(text: &str, span: Span) -> Term {
    Term::Name(name(text, span))
}

/// A condition that holds if all of some do.
pub(crate) fn all(mut conditions: Vec<Formula>, span: Span) -> Formula {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Formula::And(conditions, span),
    }
}

/// A condition that holds if one of some does.
pub(crate) fn any(mut conditions: Vec<Formula>, span: Span) -> Formula {
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Formula::Or(conditions, span),
    }
}

/// `(not (= a b))`
pub(crate) fn distinct(a: Term, b: Term, span: Span) -> Formula {
    let equal = Formula::Compare(Comparison::Equal, Box::new([a, b]), span);
    Formula::Not(Box::new(equal), span)
}

/// Effects at once.
pub(crate) fn together(mut effects: Vec<Effect>, span: Span) -> Effect {
    match effects.len() {
        1 => effects.remove(0),
        _ => Effect::And(effects, span),
    }
}

/// Effects one after another.
pub(crate) fn sequence(mut effects: Vec<Effect>, span: Span) -> Effect {
    match effects.len() {
        1 => effects.remove(0),
        0 => Effect::And(effects, span),
        _ => Effect::Seq(effects, span),
    }
}
