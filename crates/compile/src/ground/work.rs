//! The budget of grounding, and requests to stop.

use std::cell::Cell;

use super::error::{GroundError, Schema};

/// Steps between two questions whether to stop: some tenths of a millisecond.
const STEPS_PER_QUESTION: u64 = 1 << 14;

/// A budget of steps. A step looks at one row of a relation, one object of a quantifier, one part
/// of a formula: it takes some nanoseconds.
pub(super) struct Work<'a> {
    limit: u64,
    left: Cell<u64>,
    until_question: Cell<u64>,
    stop: &'a dyn Fn() -> bool,
    stopped: Cell<bool>,
}

impl<'a> Work<'a> {
    pub(super) fn new(limit: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            limit,
            left: Cell::new(limit),
            until_question: Cell::new(0),
            stop,
            stopped: Cell::new(false),
        }
    }

    /// Counts steps that are about to be made; false if there are no more.
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.left.get().saturating_sub(steps);
        self.left.set(left);
        self.goes_on(steps) && left > 0
    }

    /// As [`Work::spend`], for steps that have a limit of their own.
    pub(super) fn goes_on(&self, steps: u64) -> bool {
        if let Some(until) = self.until_question.get().checked_sub(steps) {
            self.until_question.set(until);
        } else {
            self.until_question.set(STEPS_PER_QUESTION);
            if (self.stop)() {
                self.stopped.set(true);
            }
        }
        !self.stopped.get()
    }

    /// An error if the budget is spent or someone asked to stop. `schema` says at what.
    pub(super) fn check(&self, schema: impl FnOnce() -> Schema) -> Result<(), GroundError> {
        if self.stopped.get() {
            return Err(GroundError::Stopped);
        }
        if self.left.get() == 0 {
            return Err(GroundError::TooMuchWork {
                limit: self.limit,
                schema: schema(),
            });
        }
        Ok(())
    }
}
