//! What the questions of an evaluation have taken so far, over all its runs: the file `spending.json`.
//!
//! Limits of tokens and cost are kept by it, whatever has ended the runs before. What a cassette
//! answers is not asked, takes nothing and is not in it; so it says what was paid for, while the sums
//! of logs say what the episodes would have taken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::folder::{Folder, SCHEMA, pretty};
use super::tally::Tokens;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// The file.
const FILE: &str = "spending.json";

/// What it holds.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    schema: u32,
    models: IndexMap<String, Tokens>,
}

/// Where the spending of a run is noted.
#[derive(Debug)]
pub(super) struct SpendingNote {
    folder: Arc<Folder>,
    /// Whether it is the folder of this evaluation, so that it may be written to; and why it could
    /// not be.
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Unclaimed,
    Open,
    Failed(Option<Failure>),
}

impl SpendingNote {
    pub(super) fn new(folder: Arc<Folder>) -> Self {
        Self {
            folder,
            state: Mutex::new(State::Unclaimed),
        }
    }

    /// What earlier runs have spent, by model.
    pub(super) fn read(&self) -> Result<IndexMap<String, Tokens>> {
        let path = self.folder.path(FILE);
        if !path.is_file() {
            return Ok(IndexMap::new());
        }
        let document: Document =
            serde_json::from_str(&files::read_text(&path)?).map_err(|error| {
                Failure::usage(
                    format!("{}: {error}", path.display()),
                    "put the file back as it was written, or remove it: limits of tokens and cost \
                     then count from here",
                )
            })?;
        Ok(document.models)
    }

    /// The folder is that of this evaluation.
    pub(super) fn open(&self) {
        *self.state() = State::Open;
    }

    /// Notes what was spent. It is told by [`Self::close`] if that fails: what was paid for is to be
    /// made use of.
    pub(super) fn note(&self, models: impl Fn() -> IndexMap<String, Tokens>) {
        let mut state = self.state();
        if !matches!(*state, State::Open) {
            return;
        }
        let document = Document {
            schema: SCHEMA,
            // Read while nobody else writes, so that what is written last has the greatest sums.
            models: models(),
        };
        let written = pretty(&document).and_then(|text| self.folder.write(FILE, &text));
        if let Err(failure) = written {
            *state = State::Failed(Some(failure));
        }
    }

    /// Whether all could be noted.
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
