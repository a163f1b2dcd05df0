//! The results of a benchmark, one line per problem and semantics, and the page made of them.
//!
//! [`derive()`] compiles a problem, searches for all its optimal plans and sets annotated references
//! beside them; what it finds is a [`Line`]. A [`Survey`] is a set of lines, kept as JSON, one object
//! a line; [`level_facts`] sums up the levels of a [`Benchmark`], and [`page`] renders the whole as
//! Markdown. Nothing in a line depends on time or machine, except how far a search came that did not
//! end.

mod derive;
mod levels;
mod line;
mod page;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use thiserror::Error;

pub use derive::{SurveyError, derive, play};
pub use levels::{LevelFacts, level_facts};
pub use line::{AgentFigures, Annotation, Completeness, Line, SCHEMA, Status};
pub use page::page;
pub use sources::{Benchmark, Entry, Texts};

/// What tells lines apart, and orders them: level, problem, semantics.
pub type Key = (u32, String, String);

/// The results of some problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    lines: BTreeMap<Key, Line>,
}

/// A text that holds no survey.
#[derive(Debug, Error)]
pub enum ParseError {
    /// Not JSON, or not of the form of a line.
    #[error("line {line}: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// Two lines on the same problem and semantics.
    #[error("line {line}: a second line on {problem} under {semantics}")]
    Duplicate {
        /// Its number, from 1.
        line: usize,
        /// The problem.
        problem: String,
        /// The semantics.
        semantics: String,
    },
}

/// What became of a line that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is in the survey.
    Taken,
    /// The survey has a line in its place that knows more.
    Refused,
}

impl Survey {
    /// Reads a survey: a JSON object a line.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut survey = Self::default();
        for (text, number) in text.lines().zip(1..) {
            let line: Line = serde_json::from_str(text).map_err(|error| ParseError::Line {
                line: number,
                error,
            })?;
            if let Some(Line {
                problem, semantics, ..
            }) = survey.lines.insert(line.key(), line)
            {
                return Err(ParseError::Duplicate {
                    line: number,
                    problem,
                    semantics,
                });
            }
        }
        Ok(survey)
    }

    /// Writes the survey: a JSON object a line, in order.
    pub fn render(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        for line in self.lines.values() {
            text.push_str(&serde_json::to_string(line)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Adds a line in place of the one on the same problem and semantics, unless that knows more.
    ///
    /// Where both are intervals of the same texts, the new line keeps the tighter bounds; where they
    /// differ in nothing else, a line without annotation keeps the one there was.
    pub fn add(&mut self, mut line: Line) -> Added {
        if let Some(old) = self.lines.get_mut(&line.key()) {
            if line.knowledge() < old.knowledge() {
                return Added::Refused;
            }
            line.tighten(old);
            if line.annotation.is_none() && line.same_plans(old) {
                line.annotation = old.annotation.take();
            }
        }
        self.lines.insert(line.key(), line);
        Added::Taken
    }

    /// The line on a problem under a semantics.
    pub fn get(&self, problem: &str, semantics: &str) -> Option<&Line> {
        self.lines
            .values()
            .find(|line| line.problem == problem && line.semantics == semantics)
    }

    /// All lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.values()
    }
}
