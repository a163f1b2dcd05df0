//! The sink of an episode's events.

use super::event::Event;
use brigade_task::State;

/// A sink for events.
pub trait Sink {
    /// The error of the sink.
    type Error;

    /// Takes an event; `state` is how things stand after it.
    fn record(&mut self, event: &Event, state: &State) -> Result<(), Self::Error>;
}

impl Sink for Vec<Event> {
    type Error = std::convert::Infallible;

    fn record(&mut self, event: &Event, _: &State) -> Result<(), Self::Error> {
        self.push(event.clone());
        Ok(())
    }
}
