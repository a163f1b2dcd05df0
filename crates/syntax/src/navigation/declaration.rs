//! Declarations of names, and their places.

use brigade_diagnostics::SourceId;
use brigade_diagnostics::span::Span;

/// The kind of a name. Each kind has names of its own, so that an action and a type may share one; predicates and
/// functions share theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// Of a domain.
    Domain,
    /// Of a problem.
    Problem,
    /// Of a stream.
    Stream,
    /// Of a type.
    Type,
    /// Of a constant or an object.
    Object,
    /// Of a predicate.
    Predicate,
    /// Of a function.
    Function,
    /// Of an action, a durative action or an option.
    Action,
    /// Of an event.
    Event,
    /// Of a named semantics.
    Semantics,
    /// Of a variable, without its `?`.
    Variable,
}

impl SymbolKind {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problem => "problem",
            Self::Stream => "stream",
            Self::Type => "type",
            Self::Object => "object",
            Self::Predicate => "predicate",
            Self::Function => "function",
            Self::Action => "action",
            Self::Event => "event",
            Self::Semantics => "semantics",
            Self::Variable => "variable",
        }
    }
}

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The source.
    pub source: SourceId,
    /// The bytes.
    pub span: Span,
}

impl Place {
    pub(super) fn contains(&self, source: SourceId, offset: u32) -> bool {
        // A cursor behind the last letter of a name is on it.
        self.source == source && (self.span.start..=self.span.end).contains(&offset)
    }
}

/// The declaration of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The kind of the name.
    pub kind: SymbolKind,
    /// As it is written there.
    pub name: String,
    /// The name itself.
    pub place: Place,
    /// The whole declaration; of a variable all of that in which it can be used.
    pub whole: Place,
    /// The declaration in one line: `(at ?c - cook ?p - place)`, `?c - cook`, `carrot - vegetable`.
    pub signature: String,
}
