//! Repeats what an agent did in an earlier episode.

use std::collections::BTreeMap;

use super::{Action, Choice, Policy, PolicyError, View};

/// Plays back recorded choices, tick by tick; where there is none, lets time pass.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    actions: BTreeMap<u32, String>,
}

impl Recorded {
    /// Plays back these actions, each at its tick.
    pub fn new(actions: impl IntoIterator<Item = (u32, String)>) -> Self {
        Self {
            actions: actions.into_iter().collect(),
        }
    }
}

impl Policy for Recorded {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        // An action that was refused here would be refused again.
        let action = self.actions.get(&view.tick).filter(|_| view.attempt == 0);
        match action {
            None => Ok(view.idle("nothing that is possible was recorded")?.into()),
            Some(action) => Ok(Choice {
                action: Action::Text(action.clone()),
                message: None,
            }),
        }
    }
}
