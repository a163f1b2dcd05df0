//! Names, and types as they are written after them.

use std::borrow::Cow;

use ecow::EcoString;

use brigade_diagnostics::span::Span;

/// An identifier as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The spelling in the source (variables without their `?`, keywords without their `:`). Short
    /// ones, so most, take no memory of their own.
    pub text: EcoString,
    /// The place in the source.
    pub span: Span,
}

impl Name {
    /// The form in which names are compared: PDDL is case-insensitive.
    pub fn key(&self) -> String {
        self.text.as_str().to_ascii_lowercase()
    }

    /// As [`Name::key`]; most names are in that form as they are.
    pub fn folded(&self) -> Cow<'_, str> {
        if self.text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(self.key())
        } else {
            Cow::Borrowed(&self.text)
        }
    }
}

/// A type as written after `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExpr {
    /// A named type.
    Named(Name),
    /// `(either t1 t2 …)`.
    Either(Vec<Name>, Span),
    /// `(int lo hi)`: a bounded integer.
    Int {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
        /// The place in the source.
        span: Span,
    },
    /// `number`, the PDDL 2.1 numeric type.
    Number(Span),
}

/// One entry of a typed list: `name - type`; `None` where the author gave no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The declared name.
    pub name: Name,
    /// Its type, if given.
    pub ty: Option<TypeExpr>,
}
