//! Records the spending of an evaluation so far, over all its runs: the file `spending.json` of its folder.
//!
//! Limits of tokens and cost are kept by it, whatever has ended the runs before. A question that a cassette answers is
//! not asked, takes nothing and is not in it; so it records what was paid for, while the sums of logs say what the
//! episodes would have taken.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::diagnostics::json_text::complaint;
use crate::llm::budget::{Budget, Spending};
use crate::llm::chat::Usage;

/// The version of its form.
const SCHEMA: u32 = 1;

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    schema: u32,
    models: IndexMap<String, Spent>,
}

/// The spending of a model.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Spent {
    /// Tokens of questions.
    input: u64,
    /// Tokens of answers.
    output: u64,
    /// Tokens of questions that the server had read before, as far as it says.
    cached: u64,
    /// Answers of which the server did not count the tokens.
    uncounted: u64,
}

impl Spent {
    /// Lets a budget begin with it.
    pub(super) fn put_down(self, budget: &Budget) {
        let usage = Usage {
            input: self.input,
            output: self.output,
            cached: Some(self.cached),
            reasoning: None,
        };
        budget.begin_with(usage, self.uncounted);
    }
}

impl From<Spending> for Spent {
    fn from(spending: Spending) -> Self {
        Self {
            input: spending.usage.input,
            output: spending.usage.output,
            cached: spending.usage.cached.unwrap_or(0),
            uncounted: spending.uncounted,
        }
    }
}

/// A file in which the spending of a run is recorded.
#[derive(Debug)]
pub(super) struct SpendingNote {
    path: PathBuf,
    state: Mutex<State>,
}

/// The state of the file: only an open one is written to.
#[derive(Debug)]
enum State {
    /// Not before it is known that its folder is that of this evaluation.
    Unclaimed,
    Open,
    /// Not any more.
    Failed(Option<Failure>),
}

impl SpendingNote {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            state: Mutex::new(State::Unclaimed),
        }
    }

    /// Reads the spending of earlier runs, by model.
    pub(super) fn read(&self) -> Result<IndexMap<String, Spent>> {
        if !self.path.exists() {
            return Ok(IndexMap::new());
        }
        files::check_is_file(&self.path)?;
        let text = files::read_small_text(&self.path)?;
        let unusable = |what: String| {
            Failure::usage(
                format!("{}: {what}", self.path.display()),
                "put the file back as it was written, or remove it: limits of tokens and cost \
                 then count from here",
            )
        };
        let document: Document =
            serde_json::from_str(&text).map_err(|error| unusable(complaint(&error)))?;
        if document.schema != SCHEMA {
            let what = format!("is of version {}, not {SCHEMA}", document.schema);
            return Err(unusable(what));
        }
        Ok(document.models)
    }

    /// The folder is that of this evaluation.
    pub(super) fn open(&self) {
        *self.state() = State::Open;
    }

    /// Records the spending. If that fails, [`Self::close`] reports it: paid answers are to be made use of.
    pub(super) fn note(&self, models: impl Fn() -> IndexMap<String, Spent>) {
        let mut state = self.state();
        if !matches!(*state, State::Open) {
            return;
        }
        let document = Document {
            schema: SCHEMA,
            // Read while nobody else writes, so that what is written last has the greatest sums.
            models: models(),
        };
        let text = serde_json::to_string_pretty(&document)
            .map_err(|error| Failure::Internal(error.to_string()));
        if let Err(failure) = text.and_then(|text| files::write_own(&self.path, &(text + "\n"))) {
            *state = State::Failed(Some(failure));
        }
    }

    /// Fails if some spending could not be recorded.
    pub(super) fn close(&self) -> Result<()> {
        match &mut *self.state() {
            State::Failed(failure) => failure.take().map_or(Ok(()), Err),
            State::Unclaimed | State::Open => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
