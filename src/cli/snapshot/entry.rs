//! A snapshot in the report of `snapshot`, with its status.

use serde::Serialize;

use crate::cli::compared::Line;

/// The standing of facts beside what was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// They are the same.
    Unchanged,
    /// They differ.
    Changed,
    /// Nothing was accepted yet.
    New,
    /// The file is gone.
    Removed,
    /// The facts could not be derived.
    Failed,
}

impl Status {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Removed => "removed",
            Self::Failed => "failed",
        }
    }
}

/// One snapshot.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    /// The file that it is of; `null` if that is gone.
    pub(super) source: Option<String>,
    /// The path of the snapshot.
    pub(super) snapshot: String,
    pub(super) status: Status,
    /// The difference between the accepted and the current output, as lines with `-`, `+` or a space before them.
    #[serde(serialize_with = "as_texts")]
    pub(super) diff: Vec<(Line, String)>,
    /// The reason why the facts could not be derived.
    pub(super) failure: Option<String>,
}

fn as_texts<S: serde::Serializer>(
    lines: &[(Line, String)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|(_, text)| text))
}
