//! The results of a benchmark, one line per problem and semantics, and the page made of them.
//!
//! [`derive()`] compiles a problem, searches for all its optimal plans and sets annotated references
//! beside them; what it finds is a [`Line`]. A [`Survey`] is a set of lines, kept as JSON, one object
//! a line; [`level_facts`] sums up the levels of a [`Benchmark`], and [`page`] renders the whole as
//! Markdown. Nothing in a line depends on time or machine, except how far a search came that did not
//! end.

mod derive;
mod error;
mod levels;
mod line;
mod page;
mod sources;
#[cfg(test)]
mod tests;

pub use derive::derive;
pub use error::SurveyError;
pub use levels::{LevelFacts, level_facts};
pub use line::{AgentFigures, Annotation, Completeness, Line, SCHEMA, Status};
pub use page::page;
pub use sources::{Benchmark, Entry, Texts};

use super::results::Results;
pub use super::results::{Added, ParseError};

/// The key that distinguishes lines, and orders them: level, problem, semantics.
pub type Key = (u32, String, String);

/// The results of some problems.
pub type Survey = Results<Line>;

impl Survey {
    /// The line on a problem under a semantics.
    pub fn of(&self, problem: &str, semantics: &str) -> Option<&Line> {
        self.iter()
            .find(|line| line.problem == problem && line.semantics == semantics)
    }
}
