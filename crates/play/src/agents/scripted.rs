//! A policy that gives the commands of a script, line by line.

use super::{Action, Choice, Observation, Policy, PolicyError, View};

/// Gives the commands of a script one after another; at its end, lets time pass.
#[derive(Clone, Debug)]
pub struct Scripted {
    lines: Vec<String>,
    /// Lines used up in earlier timesteps.
    used: usize,
}

impl Scripted {
    /// Reads a script: one command a line; blank lines and lines that start with `#` or `;` are
    /// left out.
    pub fn parse(text: &str) -> Self {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
        Self {
            lines: lines.map(str::to_owned).collect(),
            used: 0,
        }
    }
}

impl Policy for Scripted {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let line = self.lines.get(self.used + view.attempt as usize);
        match line {
            None => Ok(view.idle("the script has ended")?.into()),
            Some(line) => Ok(Choice {
                action: Action::Text(line.clone()),
                message: None,
            }),
        }
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        self.used += observation.commands;
    }
}
