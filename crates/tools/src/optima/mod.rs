//! The optima of the tasks of Robotouille: proven, or an interval, one line per task and semantics.
//!
//! A [`Case`] is a task with its texts: one of the bundled ones, or a published instance through the importer. A
//! [`Derivation`] proves its optimum, counts the optimal plans, checks the proof by a method that shares no heuristic
//! with it, and plays the plan under the published semantics; what is proven under `clean` may bound the optimum under
//! that one ([`never_sooner()`]). Its result is a [`Line`]. [`Optima`] are the lines, kept as JSON; [`page`] renders
//! them as Markdown. Figures of cost (states, seconds, bytes) are of the run that found the line; all else in a proven
//! line depends on the task alone.

mod case;
mod derive;
mod error;
mod exhaust;
mod line;
mod never_sooner;
mod page;
mod published;
mod replay;
#[cfg(test)]
mod tests;

pub use case::{Case, Dataset, SEEDS, Subject};
pub use derive::Derivation;
pub use error::OptimaError;
pub use exhaust::{Exhausted, exhaust};
pub use line::{Check, Line, Method, SCHEMA, Status};
pub use never_sooner::never_sooner;
pub use page::{Row, page, rows};
pub use published::{PUBLISHED, published};
pub use replay::{Replay, play, texts};

use super::results::Results;

/// The semantics under which the optima are derived: as the paper describes the domain, and as the
/// published engine plays it.
pub const SEMANTICS: [&str; 2] = [CLEAN, UPSTREAM];

/// The semantics that the paper describes.
pub const CLEAN: &str = "clean";

/// The semantics of the published engine.
pub const UPSTREAM: &str = "upstream";

/// The known results on the tasks.
pub type Optima = Results<Line>;

impl Optima {
    /// The line on a task under a semantics.
    pub fn of(&self, subject: &Subject, semantics: &str) -> Option<&Line> {
        self.get(&(subject.clone(), semantics.to_owned()))
    }
}

/// The steps that an agent may take where its budget is one and a half times the optimum, as in the
/// published evaluation.
pub const fn step_budget(optimum: u32) -> u32 {
    optimum.saturating_add(optimum.div_ceil(2))
}
