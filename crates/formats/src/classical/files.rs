//! The two files, and what their actions mean.

use indexmap::IndexMap;

use super::build::Meaning;

/// The two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classical {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
    /// The amount that was added to the cost of every plan, so that no action costs less than 0.
    pub added: i64,
    /// The meaning of each action, by its name.
    pub(super) meanings: IndexMap<String, Meaning>,
}
