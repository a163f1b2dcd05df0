//! The folder of an evaluation: a header, a log for each episode, an index.
//!
//! | | |
//! |---|---|
//! | `header.json` | what is evaluated, with which versions |
//! | `episodes/ID.jsonl` | the event log of an episode that is finished; `ID.trial1.jsonl` where it was tried anew |
//! | `attempts/ID.N.jsonl` | what there was of an episode that was cut short |
//! | `process.jsonl` | the process metrics of each finished episode, likewise |
//! | `index.jsonl` | a line for each finished episode, in the order of the bench file |
//! | `summary.json` | the figures by problem, set-up and model |
//! | `times.jsonl` | wall times |
//! | `spending.json` | what was paid for so far ([`crate::cli::models`]) |
//!
//! Only the last two differ between runs that were given the same answers.
//!
//! A log is written beside its place and moved there when it is whole, so an episode is finished if
//! its log is there, whatever has killed the run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::episode::{Event, Sink};

/// The version of the folder's form.
pub(super) const SCHEMA: u32 = 1;

/// An open folder. No other process writes to it.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Held as long as the folder is open.
    _lock: File,
}

/// The log of an episode as it is written.
#[derive(Debug)]
pub(super) struct EpisodeLog {
    path: PathBuf,
    file: File,
}

impl Folder {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// Another process is at work in it.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let fail = |path: &Path, error: &std::io::Error| Failure::unwritable(path, error);
        if root.exists() && !root.is_dir() {
            return Err(Failure::usage(
                format!("{}: is no folder", root.display()),
                "give `--log-dir` a folder; it is made if it is not there",
            ));
        }
        for folder in [
            root.to_owned(),
            root.join("episodes"),
            root.join("attempts"),
        ] {
            fs::create_dir_all(&folder).map_err(|error| fail(&folder, &error))?;
        }
        let path = root.join("lock");
        let mut options = OpenOptions::new();
        let lock = options.create(true).append(true).open(&path);
        let lock = lock.map_err(|error| fail(&path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::usage(
                    format!("{}: another `brigade bench` writes to it", root.display()),
                    "wait until it is done, or give `--log-dir` another folder",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(fail(&path, &error)),
        }
        Ok(Self {
            root: root.to_owned(),
            _lock: lock,
        })
    }

    /// Whether a run has begun in it.
    pub(super) fn is_begun(&self) -> bool {
        self.header().exists()
    }

    /// Makes it the folder of an evaluation.
    ///
    /// # Errors
    ///
    /// It is that of another.
    pub(super) fn claim(&self, header: &Value) -> Result<()> {
        if !self.is_begun() {
            let episodes = self.root.join("episodes");
            let entries = fs::read_dir(&episodes);
            let entries = entries.map_err(|error| Failure::unreadable(&episodes, &error))?;
            let is_log = |path: PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
            if entries.flatten().any(|entry| is_log(entry.path())) {
                return Err(Failure::usage(
                    format!(
                        "{}: it has episodes, and no header.json",
                        self.root.display()
                    ),
                    "put the file back, without which nobody knows what was evaluated, or give \
                     `--log-dir` another folder",
                ));
            }
            return self.write("header.json", &pretty(header)?);
        }
        let path = self.header();
        let there: Map<String, Value> =
            serde_json::from_str(&files::read_text(&path)?).map_err(|error| {
                Failure::usage(
                    format!(
                        "{}: it is not the header of an evaluation: {error}",
                        path.display()
                    ),
                    "give `--log-dir` another folder, or put back the file as it was written",
                )
            })?;
        let there = Value::Object(there);
        match difference(&comparable(&there), &comparable(header), "") {
            None => Ok(()),
            Some(place) => Err(Failure::usage(
                format!(
                    "{}: it holds another evaluation: `{place}` differs",
                    self.root.display()
                ),
                "give `--log-dir` another folder, or go back to what its header.json says",
            )),
        }
    }

    fn header(&self) -> PathBuf {
        self.root.join("header.json")
    }

    /// Whether an episode is finished.
    pub(super) fn is_finished(&self, id: &str) -> bool {
        self.log(id).is_file()
    }

    /// The log of a finished episode.
    pub(super) fn log(&self, id: &str) -> PathBuf {
        self.root.join("episodes").join(format!("{id}.jsonl"))
    }

    /// A file of the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Begins the log of an episode; what an earlier attempt has left is put aside.
    pub(super) fn begin(&self, id: &str) -> Result<()> {
        let mut trial = 1;
        while self.log(&format!("{id}.trial{trial}")).is_file() {
            self.put_aside(&self.log(&format!("{id}.trial{trial}")), id)?;
            trial += 1;
        }
        let part = self.part(id);
        if part.is_file() {
            self.put_aside(&part, id)?;
        }
        Ok(())
    }

    /// The log of an episode or of one trial of it, to be written.
    pub(super) fn create(&self, id: &str) -> Result<EpisodeLog> {
        let path = self.part(id);
        let file = File::create(&path).map_err(|error| Failure::unwritable(&path, &error))?;
        Ok(EpisodeLog { path, file })
    }

    /// Puts a log that is whole into its place, under a name that may say more. Tells how long the disk
    /// took.
    pub(super) fn finish(&self, log: &EpisodeLog, name: &str) -> Result<Duration> {
        let start = Instant::now();
        let sync = log.file.sync_all();
        sync.map_err(|error| Failure::unwritable(&log.path, &error))?;
        let to = self.log(name);
        fs::rename(&log.path, &to).map_err(|error| Failure::unwritable(&to, &error))?;
        Ok(start.elapsed())
    }

    /// Puts a log aside that was cut short.
    pub(super) fn put_aside(&self, log: &Path, id: &str) -> Result<()> {
        let free = (1..).map(|number: u32| self.attempt(id, number));
        let to = free.into_iter().find(|path| !path.exists());
        let to = to.unwrap_or_else(|| self.attempt(id, u32::MAX));
        fs::rename(log, &to).map_err(|error| Failure::unwritable(&to, &error))
    }

    /// All logs of attempts that were cut short, and those of trials before the last, by name.
    pub(super) fn attempts(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for folder in [self.root.join("attempts"), self.root.join("episodes")] {
            let entries =
                fs::read_dir(&folder).map_err(|error| Failure::unreadable(&folder, &error))?;
            for entry in entries {
                let path = entry
                    .map_err(|error| Failure::unreadable(&folder, &error))?
                    .path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_trial = trial_of(&name).is_some() || name.ends_with(".part");
                if folder.ends_with("attempts") || is_trial {
                    found.push(path.clone());
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Writes a file as a whole.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        files::replace(&self.root.join(name), text)
    }

    /// Adds a line to a file.
    pub(super) fn append(&self, name: &str, line: &impl Serialize) -> Result<()> {
        let path = self.root.join(name);
        let fail = |error: &std::io::Error| Failure::unwritable(&path, error);
        let line =
            serde_json::to_string(line).map_err(|error| Failure::Internal(error.to_string()))?;
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| fail(&error))?;
        let before = file.metadata().map_err(|error| fail(&error))?.len();
        file.write_all(format!("{line}\n").as_bytes())
            .map_err(|error| {
                // Half a line, as on a full disk, would spoil the next one.
                let _ = file.set_len(before);
                fail(&error)
            })
    }

    fn part(&self, id: &str) -> PathBuf {
        self.root.join("episodes").join(format!("{id}.jsonl.part"))
    }

    fn attempt(&self, id: &str, number: u32) -> PathBuf {
        let name = format!("{id}.{number}.jsonl");
        self.root.join("attempts").join(name)
    }
}

impl EpisodeLog {
    /// Where it is written.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Sink for EpisodeLog {
    type Error = Failure;

    fn record(&mut self, event: &Event, _: &[u64]) -> Result<()> {
        let line =
            serde_json::to_string(event).map_err(|error| Failure::Internal(error.to_string()))?;
        self.file
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| Failure::unwritable(&self.path, &error))
    }
}

/// The episode of which a file is the log of a trial before the last.
pub(super) fn trial_of(name: &str) -> Option<&str> {
    let (id, number) = name.strip_suffix(".jsonl")?.rsplit_once(".trial")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(id)
}

/// A document in many lines.
pub(super) fn pretty(document: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| Failure::Internal(error.to_string()))
}

/// A header without what may differ between runs of one evaluation: where a model is served.
fn comparable(header: &Value) -> Value {
    let mut header = header.clone();
    if let Some(models) = header.get_mut("models").and_then(Value::as_object_mut) {
        for (_, model) in models.iter_mut() {
            if let Some(model) = model.as_object_mut() {
                for key in [
                    "base-url",
                    "api-key-env",
                    "header-env",
                    "timeout",
                    "max-retries",
                    "requests-per-minute",
                ] {
                    model.remove(key);
                }
            }
        }
    }
    header
}

/// Where two documents differ first.
fn difference(one: &Value, other: &Value, place: &str) -> Option<String> {
    let inner = |key: &str| {
        if place.is_empty() {
            key.to_owned()
        } else {
            format!("{place}.{key}")
        }
    };
    match (one, other) {
        (Value::Object(first), Value::Object(second)) => {
            let keys = first.keys().chain(second.keys());
            keys.into_iter().find_map(|key| {
                let of = |object: &serde_json::Map<String, Value>| {
                    object.get(key).cloned().unwrap_or(Value::Null)
                };
                difference(&of(first), &of(second), &inner(key))
            })
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            let mut pairs = first.iter().zip(second).enumerate();
            pairs.find_map(|(index, (one, other))| {
                difference(one, other, &inner(&index.to_string()))
            })
        }
        _ => (one != other).then(|| place.to_owned()),
    }
}
