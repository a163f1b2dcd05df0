//! Bounds on the derivation: a determinised automaton may be exponentially larger than its DAG.

use thiserror::Error;

/// The limits on the cost of one automaton. There are up to `agents + 3`.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// States built, those of intermediate results included.
    pub states: usize,
    /// Elementary steps: transitions read or written.
    pub work: u64,
    /// Asked now and then whether to stop.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Limits")
            .field("states", &self.states)
            .field("work", &self.work)
            .finish_non_exhaustive()
    }
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self {
            states: 2_000_000,
            work: 100_000_000,
            interrupted: &|| false,
        }
    }
}

/// An automaton was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LimitReached {
    /// More than [`Limits::states`].
    #[error("the limit on the states of an automaton was reached")]
    States,
    /// More than [`Limits::work`].
    #[error("the limit on the work for an automaton was reached")]
    Work,
    /// [`Limits::interrupted`] said so.
    #[error("the derivation was interrupted")]
    Interrupted,
}

/// The rest of the limits while one automaton is built.
pub(super) struct Budget<'a> {
    limits: Limits<'a>,
    spent: u64,
    next_question: u64,
}

/// Steps between two questions whether to stop.
const QUESTION_EVERY: u64 = 1 << 16;

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &Limits<'a>) -> Self {
        Self {
            limits: *limits,
            spent: 0,
            next_question: 0,
        }
    }

    /// Takes account of some steps.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), LimitReached> {
        self.spent += steps as u64;
        if self.spent > self.limits.work {
            return Err(LimitReached::Work);
        }
        if self.spent >= self.next_question {
            self.next_question = self.spent + QUESTION_EVERY;
            if (self.limits.interrupted)() {
                return Err(LimitReached::Interrupted);
            }
        }
        Ok(())
    }

    /// Succeeds if one more state may be built beside `states`. Ids are `u32`.
    pub(super) fn check_states(&self, states: usize) -> Result<(), LimitReached> {
        if states >= self.limits.states.min(u32::MAX as usize) {
            return Err(LimitReached::States);
        }
        Ok(())
    }
}
