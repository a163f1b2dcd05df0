//! Columns of totals: a title and a [`Formula`] each.
//!
//! Beside totals a formula may name what every episode counts, such as `calls / episodes`.

use serde::{Deserialize, Serialize};

/// The counts of every episode: itself, its ticks, the questions put to models, and the commands that were refused. A
/// total of that name comes before.
pub(super) const COUNTS: [&str; 4] = ["episodes", "ticks", "calls", "refused"];

/// A column of a bench file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Column {
    /// Its title in tables; by default its formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Its formula.
    pub(super) of: String,
}

impl Column {
    pub(super) fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.of)
    }
}
