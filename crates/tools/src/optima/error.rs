//! The reasons for which a task has no line.

use thiserror::Error;

use crate::survey::SurveyError;
use brigade::search::Invalid;

/// The reason for which there is no line.
#[derive(Debug, Error)]
pub enum OptimaError {
    /// The JSON of an instance is wrong; the report says how.
    #[error("{0}")]
    Import(String),
    /// The texts cannot be compiled.
    #[error(transparent)]
    Compile(#[from] SurveyError),
    /// A plan that was found does not stand its test: a bug.
    #[error("a plan does not stand its test: {0}")]
    Plan(#[from] Invalid),
    /// A proof does not agree with a result found in another way: a bug.
    #[error("{proven} is proven, and {by} tells otherwise")]
    Contradiction {
        /// The proven result.
        proven: String,
        /// The result that contradicts it.
        by: &'static str,
    },
}
