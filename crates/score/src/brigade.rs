//! The rule `brigade`: the paper's, for episodes without dialogs and of any length.

use super::options::{CollaborationOptions, Options, ShareOf};

impl Options {
    /// The rule `brigade`: [`Options::paper`] without its time limit, and with IC and RC as shares of
    /// dialogs.
    ///
    /// It asks for no fact beyond the references: neither for an optimal time, nor for a number of
    /// required collaborative actions, which only a benchmark's author can give.
    pub fn brigade() -> Self {
        let paper = Self::paper();
        Self {
            rule: "brigade".to_owned(),
            gamma: None,
            collaboration: CollaborationOptions {
                share_of: ShareOf::Dialogs,
                ..paper.collaboration
            },
            ..paper
        }
    }
}
