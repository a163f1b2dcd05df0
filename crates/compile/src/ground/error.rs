//! Reasons for which a model cannot be grounded.

use crate::sema::model::Model;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, SourceId};

/// The part of the model that an error is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// ``action `cook` ``; what has no name is described.
    pub name: String,
    /// Where it is named.
    pub place: Option<(SourceId, Span)>,
}

impl std::fmt::Display for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Schema {
    /// Something without a name.
    pub(super) fn described(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            place: None,
        }
    }

    /// An action, an event or a rule: all of them in one row.
    pub(super) fn of(model: &Model, index: usize) -> Self {
        let events = index.checked_sub(model.actions.len());
        let axioms = events.and_then(|index| index.checked_sub(model.events.len()));
        let (name, place) = match (events, axioms) {
            (_, Some(axiom)) => {
                let axiom = &model.axioms[axiom];
                let name = &model.fluents[axiom.fluent.index()].name;
                (format!("derived predicate `{name}`"), axiom.place)
            }
            (Some(event), None) => {
                let event = &model.events[event];
                (format!("event `{}`", event.name), event.place)
            }
            (None, None) => {
                let action = &model.actions[index];
                (format!("action `{}`", action.name), action.place)
            }
        };
        Self {
            name,
            place: Some(place),
        }
    }
}

/// A number that never changes, of a function of some objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownNumber {
    /// The function and the objects, as PDDL.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// True if a file gives it: else it is 0, or the value nearest to that in its bounds.
    pub is_given: bool,
}

/// The numbers that a number was computed from, in words.
fn because(numbers: &[KnownNumber]) -> String {
    let mut text = String::new();
    for (index, number) in numbers.iter().enumerate() {
        let KnownNumber { name, value, .. } = number;
        let joint = if index == 0 { ":" } else { "," };
        text.push_str(&if number.is_given {
            format!("{joint} `{name}` is {value}")
        } else {
            format!("{joint} `{name}` is not given, so {value}")
        });
    }
    text
}

/// A reason for which a model cannot be grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// More instances than allowed.
    #[error(
        "{schema} has too many instances: {size}{}, and all together may have {limit}{ranges}",
        if *others > 0 { format!(" beside {others} of others") } else { String::new() }
    )]
    TooManyInstances {
        /// The limit.
        limit: usize,
        /// The schema at which it was passed.
        schema: Schema,
        /// The number of its instances, in words.
        size: String,
        /// The number of instances of others by then.
        others: usize,
        /// The ranges of its parameters, in words.
        ranges: String,
    },
    /// Quantifiers, or fluents as arguments of others, that expand into too much.
    #[error(
        "{schema} is too large when its quantifiers and the arguments of its fluents are written \
         out: more than {limit} parts in all{ranges}"
    )]
    TooManyParts {
        /// The limit.
        limit: usize,
        /// The schema at which it was passed.
        schema: Schema,
        /// The ranges of its quantifiers, in words.
        ranges: String,
    },
    /// Joins of preconditions with many partial matches, or too many rounds of reachability.
    #[error("{schema}: finding what is reachable takes more than {limit} steps in all")]
    TooMuchWork {
        /// The limit.
        limit: u64,
        /// The schema at which it was passed.
        schema: Schema,
    },
    /// Someone asked to stop.
    #[error("stopped before the task was compiled")]
    Stopped,
    /// Integers, delays or a horizon with too many values.
    #[error("{variable} has {values} values; all variables together may have {limit}")]
    TooManyValues {
        /// The variable at which the limit was passed.
        variable: String,
        /// The number of its values.
        values: u64,
        /// The limit.
        limit: u64,
    },
    /// More state than the packing can address.
    #[error("the task needs {bits} bits per state, more than the {limit} supported")]
    TooManyBits {
        /// Bits needed.
        bits: u64,
        /// Bits supported.
        limit: u64,
    },
    /// A number that must be known at grounding is not.
    #[error("{schema}: a delay, a count, a duration or a key depends on the state")]
    NotConstant {
        /// Where it stands.
        schema: Schema,
    },
    /// A delay or count that is not a positive number of ticks, or too large a one.
    #[error(
        "{schema}: {}a delay, count or duration is {ticks}, {}{}",
        if numbers.is_empty() { "for some objects " } else { "" },
        if *ticks < 1 { "less than 1" } else { "too large to be counted" },
        because(numbers)
    )]
    BadDelay {
        /// Where it stands.
        schema: Schema,
        /// The number that was given.
        ticks: i64,
        /// The numbers that it was computed from.
        numbers: Vec<KnownNumber>,
    },
    /// Costs whose sums do not fit into 64 bits.
    #[error(
        "{what} may come to more than 2^63-1{}",
        if *scale > 1 { format!(", in units of 1/{scale}") } else { String::new() }
    )]
    InexactCosts {
        /// The sum, in words.
        what: String,
        /// Costs were multiplied by this to make them whole.
        scale: i64,
        /// The action that costs so much.
        place: Option<(SourceId, Span)>,
    },
    /// Something the kernel cannot do yet.
    #[error("not supported yet: {what}")]
    Unsupported {
        /// The construct.
        what: &'static str,
    },
}

impl GroundError {
    /// The code; `None` for [`GroundError::Stopped`], which says nothing of the model.
    pub const fn code(&self) -> Option<Code> {
        Some(match self {
            Self::TooManyInstances { .. } => Code::TooManyInstances,
            Self::TooManyParts { .. } => Code::TooManyParts,
            Self::TooMuchWork { .. } => Code::TooMuchWork,
            Self::TooManyValues { .. } | Self::TooManyBits { .. } => Code::TooManyValues,
            Self::NotConstant { .. } => Code::NotStatic,
            Self::BadDelay { .. } => Code::BadDelay,
            Self::InexactCosts { .. } => Code::NumberTooLarge,
            Self::Unsupported { .. } => Code::NotSupported,
            Self::Stopped => return None,
        })
    }

    fn place(&self) -> Option<(SourceId, Span)> {
        match self {
            Self::TooManyInstances { schema, .. }
            | Self::TooManyParts { schema, .. }
            | Self::TooMuchWork { schema, .. }
            | Self::NotConstant { schema }
            | Self::BadDelay { schema, .. } => schema.place,
            Self::InexactCosts { place, .. } => *place,
            Self::TooManyValues { .. }
            | Self::TooManyBits { .. }
            | Self::Unsupported { .. }
            | Self::Stopped => None,
        }
    }

    /// Returns true if grounding fails however much it may take: not because of a limit.
    pub const fn is_definite(&self) -> bool {
        matches!(
            self,
            Self::NotConstant { .. }
                | Self::BadDelay { .. }
                | Self::InexactCosts { .. }
                | Self::Unsupported { .. }
        )
    }

    /// The error with its code and its place; `None` for [`GroundError::Stopped`].
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let mut diagnostic = Diagnostic::new(self.code()?, self.to_string());
        if let Self::BadDelay { numbers, .. } = self
            && let Some(missing) = numbers.iter().find(|number| !number.is_given)
        {
            diagnostic = diagnostic.help(format!(
                "give `(= {} N)` in `:init`, with an N from 1 up, or exclude this by the precondition",
                missing.name
            ));
        }
        Some(match self.place() {
            Some((source, span)) => diagnostic.primary(source, span, "grounded here"),
            None => diagnostic,
        })
    }
}
