//! A person who sits for an agent: what its turns and its conversations share.

use std::collections::VecDeque;

use super::hint::Hints;
use super::journal::Journal;
use super::setting::Setting;
use super::{Person, Reply};
use crate::agents::PolicyError;
use crate::task::{PackedTask, State};

/// A person who sits for an agent.
pub(super) struct Seated<'c> {
    pub(super) person: Box<dyn Person + 'c>,
    pub(super) journal: Journal<'c>,
    /// The names of those whose messages it has seen as they were said: itself, and others at its table.
    heard: Vec<String>,
    /// The number of messages of models that were passed on.
    read: usize,
    /// The replies of others at the table, which came in a conversation of this one.
    pub(super) later: VecDeque<Reply>,
}

impl<'c> Seated<'c> {
    pub(super) const fn new(
        person: Box<dyn Person + 'c>,
        journal: Journal<'c>,
        heard: Vec<String>,
    ) -> Self {
        Self {
            person,
            journal,
            heard,
            read: 0,
            later: VecDeque::new(),
        }
    }

    /// Passes on what models have said, and people in conversations with them.
    pub(super) fn read_mail(&mut self, setting: &Setting) {
        let mail = setting.mail_after(self.read);
        self.read += mail.len();
        for said in mail {
            if !self.heard.contains(&said.agent) {
                self.person.tell(said);
            }
        }
    }

    /// Gives an agent the hint that it asks for.
    pub(super) fn hint(
        &mut self,
        hints: &Hints<'_>,
        (task, state): (&PackedTask, &State),
        agent: usize,
    ) -> Result<(), PolicyError> {
        let hint = hints.hint(task, state, agent)?;
        self.journal.hinted(&task.agents[agent].name, &hint);
        self.person.hint(agent, &hint);
        Ok(())
    }
}
