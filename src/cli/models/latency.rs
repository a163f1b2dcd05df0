//! Records the latency of each question that is put to a server: the file `latencies.jsonl` of an evaluation's folder.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// The name of the file.
pub(super) const LATENCIES: &str = "latencies.jsonl";

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    model: String,
    seconds: f64,
}

/// The latency of a model: quantiles over its answers, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(in crate::cli) struct Latency {
    pub(in crate::cli) calls: usize,
    pub(in crate::cli) p50: f64,
    pub(in crate::cli) p95: f64,
}

/// The file, once it is written to.
#[derive(Debug)]
pub(super) struct LatencyLog {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    /// Not before it is known that its folder is that of this evaluation.
    Unclaimed,
    Claimed,
    Open(File),
    Failed(Option<Failure>),
}

impl LatencyLog {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            state: Mutex::new(State::Unclaimed),
        }
    }

    /// The folder is that of this evaluation.
    pub(super) fn open(&self) {
        *self.state() = State::Claimed;
    }

    /// Records an answer. If that fails, [`Self::close`] reports it: paid answers are to be made use of.
    pub(super) fn note(&self, model: &str, took: Duration) {
        let mut state = self.state();
        if matches!(*state, State::Claimed) {
            *state = self
                .file()
                .map_or_else(|failure| State::Failed(Some(failure)), State::Open);
        }
        let State::Open(file) = &mut *state else {
            return;
        };
        let line = Line {
            model: model.to_owned(),
            seconds: (took.as_secs_f64() * 1e6).round() / 1e6,
        };
        let written = serde_json::to_string(&line)
            .map_err(std::io::Error::from)
            .and_then(|line| file.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = written {
            *state = State::Failed(Some(Failure::unwritable(&self.path, &error)));
        }
    }

    fn file(&self) -> Result<File> {
        files::check_is_file(&self.path)?;
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&self.path);
        file.map_err(|error| Failure::unwritable(&self.path, &error))
    }

    /// Fails if some latency could not be recorded.
    pub(super) fn close(&self) -> Result<()> {
        match &mut *self.state() {
            State::Failed(failure) => failure.take().map_or(Ok(()), Err),
            State::Unclaimed | State::Claimed | State::Open(_) => Ok(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latencies of an evaluation's folder, by model, over all its runs. A line that a killed run has cut is left out.
pub(in crate::cli) fn latencies(folder: &Path) -> Result<IndexMap<String, Latency>> {
    let path = folder.join(LATENCIES);
    if !path.exists() {
        return Ok(IndexMap::new());
    }
    let text = files::read_own_log(&path)?;
    let mut seconds: IndexMap<String, Vec<f64>> = IndexMap::new();
    for line in text.lines() {
        if let Ok(line) = serde_json::from_str::<Line>(line) {
            seconds.entry(line.model).or_default().push(line.seconds);
        }
    }
    seconds.sort_unstable_keys();
    let quantiles = seconds.into_iter().map(|(model, mut seconds)| {
        seconds.sort_unstable_by(f64::total_cmp);
        // The least value that so large a share of values does not exceed.
        let at = |share: f64| seconds[(seconds.len() as f64 * share).ceil() as usize - 1];
        let latency = Latency {
            calls: seconds.len(),
            p50: at(0.5),
            p95: at(0.95),
        };
        (model, latency)
    });
    Ok(quantiles.collect())
}
