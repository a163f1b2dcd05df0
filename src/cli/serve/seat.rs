//! A person whose browser sits at the table.

use std::sync::Arc;
use std::time::Duration;

use super::table::Table;
use crate::agents::PolicyError;
use crate::cli::human::{Entry, Person, Reply, Shown};
use crate::episode::EndReason;
use crate::search::Control;

/// The interval at which the end of the run is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A person at the table.
pub(super) struct Seat<'c> {
    pub(super) table: Arc<Table>,
    pub(super) agent: usize,
    pub(super) control: &'c dyn Control,
}

impl Person for Seat<'_> {
    fn look(&mut self, shown: &Shown) {
        self.table.look(self.agent, shown);
    }

    fn tell(&mut self, entry: Entry) {
        self.table.tell(self.agent, entry);
    }

    fn ask(&mut self, shown: &Shown) -> Result<Reply, PolicyError> {
        self.table.ask(self.agent, shown);
        loop {
            if let Some(reason) = self.control.stop() {
                return Err(PolicyError::Limit(reason));
            }
            if let Some(reply) = self.table.answer(self.agent, LOOK_EVERY) {
                return Ok(reply);
            }
        }
    }

    fn hint(&mut self, agent: usize, hint: &str) {
        self.table.hint(agent, hint);
    }

    fn ended(&mut self, _: EndReason) {}
}
