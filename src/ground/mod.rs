//! Model → [`Task`]: static pruning, relaxed reachability, invariants, packing.
//!
//! 1. `instantiate` turns lifted formulas into ground ones over *slots* (ground fluents), with
//!    static fluents evaluated away.
//! 2. `reach` finds, by joins over the reachable facts, the instances of the schemas that can ever
//!    apply and the values that each slot can ever take.
//! 3. `invariants` finds predicates' facts that exclude each other, which then share a variable.
//! 4. `relevance` leaves out what no goal can need, where that is sound.
//! 5. `encode` restricts everything to what is reachable, and packs it.

mod delayed;
mod encode;
mod facts;
mod formula;
mod instantiate;
mod invariants;
mod reach;
mod relevance;
mod slots;
mod text;

use crate::sema::model::{Action, ActionKind, LiveEffects, Model};
use crate::task::Task;

/// How a model is grounded.
#[derive(Clone, Debug)]
pub struct Options {
    /// The greatest number of instances of actions, events and axioms that is tried.
    pub max_instances: usize,
    /// The greatest size of all ground conditions, expressions and effects together, in parts that
    /// are visited. A part takes some tens of bytes.
    pub max_parts: usize,
    /// Whether operators and facts that no goal can need are kept, in a task of one implicit
    /// agent. Planning is faster without; replaying any action needs them.
    pub keep_irrelevant: bool,
    /// Whether operators carry their requirements in words, for explaining refusals.
    pub requirements: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            keep_irrelevant: false,
            max_instances: 2_000_000,
            max_parts: 20_000_000,
            requirements: true,
        }
    }
}

/// Why a model cannot be grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// More instances than allowed.
    #[error("{schema} has too many instances: more than {limit} in all")]
    TooManyInstances {
        /// The limit.
        limit: usize,
        /// The schema at which it was passed.
        schema: String,
    },
    /// Quantifiers, or fluents as arguments of others, that expand into too much.
    #[error(
        "{schema} is too large when its quantifiers and the arguments of its fluents are written \
         out: more than {limit} parts in all"
    )]
    TooManyParts {
        /// The limit.
        limit: usize,
        /// The schema at which it was passed.
        schema: String,
    },
    /// Integers, delays or a horizon with too many values.
    #[error("{variable} has {values} values; all variables together may have {limit}")]
    TooManyValues {
        /// The variable at which the limit was passed.
        variable: String,
        /// How many values it has.
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
    #[error("a delay, a count, a duration or a key depends on the state")]
    NotConstant,
    /// A delay or count that is not a positive number of ticks.
    #[error("a delay or count of {ticks} is not a positive number of ticks")]
    BadDelay {
        /// What was given.
        ticks: i64,
    },
    /// Something the kernel cannot do yet.
    #[error("not supported yet: {what}")]
    Unsupported {
        /// What.
        what: &'static str,
    },
    /// An error, and where it happened.
    #[error("{schema}: {error}")]
    Within {
        /// The action, event or axiom.
        schema: String,
        /// The error.
        error: Box<GroundError>,
    },
}

impl GroundError {
    fn within(self, schema: &str) -> Self {
        Self::Within {
            schema: schema.to_owned(),
            error: Box::new(self),
        }
    }
}

/// Grounds a model.
pub fn ground(model: &Model, options: &Options) -> Result<Task, GroundError> {
    if model.live_effects != LiveEffects::Set {
        return Err(GroundError::Unsupported {
            what: "live effects kept as a list",
        });
    }
    if model.any_order {
        return Err(GroundError::Unsupported {
            what: "agents of one step acting in any order",
        });
    }
    let lasts = |action: &Action| matches!(action.kind, ActionKind::Durative | ActionKind::Option);
    if model.agents.is_empty() && model.actions.iter().any(lasts) {
        return Err(GroundError::Unsupported {
            what: "options and durative actions that belong to no `:agent`",
        });
    }
    let reachable = reach::reachable(model, options)?;
    encode::encode(model, reachable, options)
}
