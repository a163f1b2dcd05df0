//! A log that two write to: the referee, and the agents that ask models, whose questions and answers are
//! written as they come. A run that is killed within a timestep has them in its log.

use std::cell::RefCell;
use std::rc::Rc;

use super::exit::{Failure, Result};
use crate::episode::{Event, Sink};
use crate::llm::Listener;
use crate::task::State;

/// A log under way, for several to write to.
#[derive(Debug)]
pub(super) struct SharedLog<S>(Rc<RefCell<Place<S>>>);

#[derive(Debug)]
struct Place<S> {
    /// The log; nothing happens that could be reported before there is one.
    log: Option<S>,
    /// The failure that has kept an event of an agent from being written: the next one of the referee fails by it.
    failure: Option<Failure>,
}

impl<S: Sink<Error = Failure>> SharedLog<S> {
    /// No log yet.
    pub(super) fn new() -> Self {
        Self(Rc::new(RefCell::new(Place {
            log: None,
            failure: None,
        })))
    }

    /// Writes to a log from here on.
    pub(super) fn open(&self, log: S) {
        self.0.borrow_mut().log = Some(log);
    }

    /// The log, to which nothing more is written.
    pub(super) fn close(&self) -> Option<S> {
        self.0.borrow_mut().log.take()
    }

    /// Returns the function that writes the events of agents.
    pub(super) fn listener<'a>(&self) -> Listener<'a>
    where
        S: 'a,
    {
        let shared = Self(Rc::clone(&self.0));
        Box::new(move |event| {
            let mut place = shared.0.borrow_mut();
            let Place { log, failure } = &mut *place;
            if let (Some(log), None) = (log, &failure) {
                *failure = log.record(&event, <&State>::default()).err();
            }
        })
    }
}

impl<S: Sink<Error = Failure>> Sink for SharedLog<S> {
    type Error = Failure;

    fn record(&mut self, event: &Event, state: &State) -> Result<()> {
        let mut place = self.0.borrow_mut();
        match (place.failure.take(), &mut place.log) {
            (Some(failure), _) => Err(failure),
            (None, Some(log)) => log.record(event, state),
            (None, None) => Ok(()),
        }
    }
}
