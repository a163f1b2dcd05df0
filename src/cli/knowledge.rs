//! Describes the knowledge that a plan or references assume of facts that come unannounced.

use clap::{Args, ValueEnum};

use crate::task::PackedTask;

/// The facts that are known beforehand.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct ViewArgs {
    /// Where facts come unannounced: as if they were known, or as agents plan who know only what was
    /// announced
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    view: View,
}

/// See [`ViewArgs`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum View {
    /// All facts are known.
    #[default]
    Clairvoyant,
    /// Only announced facts are.
    Informed,
}

/// A view that makes a difference to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken(View);

impl ViewArgs {
    /// Its name in documents.
    pub(super) const fn name(self) -> &'static str {
        Taken(self.view).name()
    }

    /// Makes a task the one that is seen so. `None` where all its facts are announced.
    pub(super) fn of(self, task: &mut PackedTask) -> Option<Taken> {
        let known = task.as_announced()?;
        if self.view == View::Informed {
            *task = known;
        }
        Some(Taken(self.view))
    }
}

impl Taken {
    /// Its name in documents.
    pub(super) const fn name(self) -> &'static str {
        match self.0 {
            View::Clairvoyant => "clairvoyant",
            View::Informed => "informed",
        }
    }

    /// A line on it.
    pub(super) fn line(self) -> String {
        let words = match self.0 {
            View::Clairvoyant => "as if facts that come unannounced were known",
            View::Informed => "without the facts that come unannounced",
        };
        format!("view: {}, {words}\n", self.name())
    }
}
