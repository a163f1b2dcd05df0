//! The reasons for which a problem has no line.

use thiserror::Error;

use brigade::ground::GroundError;
use brigade::rats::compare::AgentMismatch;
use brigade::search::Invalid;

/// The reason for which there is no line.
#[derive(Debug, Error)]
pub enum SurveyError {
    /// The texts are wrong; the report says how.
    #[error("{0}")]
    Text(String),
    /// The problem cannot be grounded.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The first line of the problem names no level.
    #[error("the first line of the problem should say its level: `; Collab-Overcooked, level 3.`")]
    Level,
    /// A plan that was found does not stand its test: a bug.
    #[error("a plan does not stand its test: {0}")]
    Plan(#[from] Invalid),
    /// The annotation is of another task.
    #[error(transparent)]
    Agents(#[from] AgentMismatch),
}
