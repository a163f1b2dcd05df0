//! The journal of a team: where it reports its events.

use std::fmt;

use brigade_play::episode::Event;

/// Takes the events of a team, each as it happens.
pub type Listener<'a> = Box<dyn FnMut(Event) + 'a>;

/// The sink for the events of a team.
pub(super) struct Journal<'a>(pub(super) Listener<'a>);

impl Journal<'_> {
    pub(super) fn record(&mut self, event: Event) {
        (self.0)(event);
    }
}

impl fmt::Debug for Journal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Journal")
    }
}
