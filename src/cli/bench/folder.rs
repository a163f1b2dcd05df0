//! The folder of an evaluation: a header, a log for each episode, an index.
//!
//! | | |
//! |---|---|
//! | `header.json` | what is evaluated, with which versions |
//! | `episodes/ID.jsonl` | the event log of an episode that is finished; `ID.trial1.jsonl` where it was tried anew |
//! | `attempts/ID.N.jsonl` | what there was of an episode that was cut short |
//! | `checks/attempts.jsonl` | a list of these, with hashes |
//! | `process.jsonl` | the process metrics of each finished episode, likewise |
//! | `index.jsonl` | a line for each finished episode, in the order of the bench file |
//! | `summary.json` | the figures by problem, set-up and model |
//! | `times.jsonl` | wall times |
//! | `latencies.jsonl` | how long servers took to answer, a line for each question ([`crate::cli::models`]) |
//! | `spending.json` | what was paid for so far ([`crate::cli::models`]) |
//!
//! Only the last three differ between runs that were given the same answers.
//!
//! A log is written beside its place and moved there when it is whole, so an episode is finished if
//! its log is there, whatever has killed the run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::attempts::{self, Attempt};
use super::growth::{Finished, grow};
use super::header::{Header, SCHEMA};
use super::moves::{Move, moves};
use super::names::file_safe;
use crate::cli::exit::{Failure, Result};
use crate::cli::models::FormatChoice;
use crate::cli::{files, replace};
use crate::episode::{Event, Sink};
use crate::task::State;

/// A folder.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    /// Held as long as the folder is open to be written to.
    _lock: Option<File>,
}

/// The marks of a folder of an evaluation.
#[derive(Debug)]
pub(super) struct Claim {
    header: Header,
    /// Logs that are to have other names.
    pub(super) moves: Vec<Move>,
    /// The other version of Brigade that has written the header.
    pub(super) earlier: Option<String>,
}

/// The log of an episode as it is written.
#[derive(Debug)]
pub(super) struct EpisodeLog {
    path: PathBuf,
    file: File,
}

impl Folder {
    /// A folder to be read.
    pub(super) fn look(root: &Path) -> Result<Self> {
        if root.exists() && !root.is_dir() {
            return Err(Failure::usage(
                format!("{}: is no folder", root.display()),
                "give `--log-dir` a folder; it is made if it is not there",
            ));
        }
        Ok(Self {
            root: root.to_owned(),
            _lock: None,
        })
    }

    /// Checks that a folder can be written to, or be made: the first that a run would make is made, and
    /// removed.
    pub(super) fn check_writable(&self) -> Result<()> {
        let inner = self.episodes();
        let missing = inner.ancestors().take_while(|folder| !folder.exists());
        let Some(first) = missing.last().filter(|it| !it.as_os_str().is_empty()) else {
            return Ok(());
        };
        fs::create_dir(first)
            .and_then(|()| fs::remove_dir(first))
            .map_err(|error| Failure::unwritable(first, &error))
    }

    /// The format in which each model was asked, by its name, as far as it is known.
    pub(super) fn formats(&self) -> Result<BTreeMap<String, FormatChoice>> {
        if !self.is_begun() {
            return Ok(BTreeMap::new());
        }
        let header = self.read_header()?;
        let formats = header.models().filter_map(|(name, model)| {
            let format = serde_json::from_value(model["format-used"].clone());
            Some((name.clone(), format.ok()?))
        });
        Ok(formats.collect())
    }

    /// Opens a folder, which is made if it is not there. No other process writes to it.
    ///
    /// # Errors
    ///
    /// Another process is at work in it.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let fail = |path: &Path, error: &std::io::Error| Failure::unwritable(path, error);
        let folder = Self::look(root)?;
        for folder in [
            root.to_owned(),
            root.join("episodes"),
            root.join("attempts"),
        ] {
            fs::create_dir_all(&folder).map_err(|error| fail(&folder, &error))?;
        }
        let path = root.join("lock");
        files::check_is_file(&path)?;
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
            _lock: Some(lock),
            ..folder
        })
    }

    /// Returns true if a run has begun in it.
    pub(super) fn is_begun(&self) -> bool {
        self.header().exists()
    }

    /// Compares the folder with the header of a bench file.
    ///
    /// # Errors
    ///
    /// Finished episodes would mean something else, or the folder is damaged.
    pub(super) fn compare(&self, header: Header) -> Result<Claim> {
        if !self.is_begun() {
            if !self.finished()?.is_empty() {
                return Err(Failure::usage(
                    format!(
                        "{}: it has episodes, and no header.json",
                        self.root.display()
                    ),
                    "put the file back, without which nobody knows what was evaluated, or give \
                     `--log-dir` another folder",
                ));
            }
            return Ok(Claim::new(header));
        }
        let old = self.read_header()?;
        let moves = if old.names().any(|name| file_safe(name) != name) {
            moves(&[self.episodes(), self.root.join("attempts")])?
        } else {
            Vec::new()
        };
        let mut finished = Finished::default();
        for id in self.finished()? {
            let log = self.log(&id);
            let moved = moves.iter().find(|moved| moved.from == log);
            finished.add(moved.map_or(&*id, |moved| &*moved.name));
        }
        let grown = grow(&old, header, &finished).map_err(|what| {
            Failure::usage(
                format!(
                    "{}: finished episodes would be of another evaluation: {what}",
                    self.root.display()
                ),
                "go back to what it was, give what has changed another name, or give `--log-dir` \
                 another folder",
            )
        })?;
        attempts::listed(&self.root)?;
        let is_other = old.brigade != grown.brigade;
        Ok(Claim {
            header: grown,
            moves,
            earlier: is_other.then_some(old.brigade),
        })
    }

    /// Makes it the folder of an evaluation, as [`Self::compare`] has found it.
    pub(super) fn claim(&self, claim: &Claim) -> Result<()> {
        for folder in [&self.root, &self.root.join("checks")] {
            if folder.is_dir() {
                replace::clear(folder).map_err(|error| Failure::unwritable(folder, &error))?;
            }
        }
        for moved in &claim.moves {
            moved.make()?;
        }
        let header = pretty(&claim.header)?;
        let is_there = self.is_begun() && files::read_text(&self.header())? == header;
        if !is_there {
            self.write("header.json", &header)?;
        }
        self.list_attempts()
    }

    /// Lists the attempts, in order.
    pub(super) fn list_attempts(&self) -> Result<()> {
        let list = attempts::listed(&self.root)?;
        if list.is_empty() {
            return Ok(());
        }
        self.make_checks()?;
        self.write(attempts::LIST, &list)
    }

    fn read_header(&self) -> Result<Header> {
        let path = self.header();
        files::check_is_file(&path)?;
        let header: Header = serde_json::from_str(&files::read_text(&path)?).map_err(|error| {
            Failure::usage(
                format!(
                    "{}: it is not the header of an evaluation: {error}",
                    path.display()
                ),
                "give `--log-dir` another folder, or put back the file as it was written",
            )
        })?;
        if header.schema != SCHEMA {
            return Err(Failure::usage(
                format!(
                    "{}: is of version {}, not {SCHEMA}",
                    path.display(),
                    header.schema
                ),
                "give `--log-dir` another folder, or go on with the Brigade that wrote it",
            ));
        }
        Ok(header)
    }

    /// Makes the folder of lists, which only a folder with attempts has.
    fn make_checks(&self) -> Result<()> {
        let folder = self.root.join("checks");
        fs::create_dir_all(&folder).map_err(|error| Failure::unwritable(&folder, &error))
    }

    fn episodes(&self) -> PathBuf {
        self.root.join("episodes")
    }

    fn header(&self) -> PathBuf {
        self.root.join("header.json")
    }

    /// Returns true if an episode is finished.
    pub(super) fn is_finished(&self, id: &str) -> bool {
        self.log(id).is_file()
    }

    /// The ids of all finished episodes, in order.
    pub(super) fn finished(&self) -> Result<Vec<String>> {
        let names = logs(&self.episodes())?;
        let whole = names.iter().filter(|name| trial_of(name).is_none());
        let ids = whole.filter_map(|name| name.strip_suffix(".jsonl"));
        Ok(ids.map(str::to_owned).collect())
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
        for name in self.trials(id)? {
            self.put_aside(&self.episodes().join(name), id)?;
        }
        let part = self.part(id);
        if part.is_file() {
            self.put_aside(&part, id)?;
        }
        Ok(())
    }

    /// The names of the logs of an episode's trials before the last.
    pub(super) fn trials(&self, id: &str) -> Result<Vec<String>> {
        let mut names = logs(&self.episodes())?;
        names.retain(|name| trial_of(name) == Some(id));
        Ok(names)
    }

    /// The log of an episode or of one trial of it, to be written.
    pub(super) fn create(&self, id: &str) -> Result<EpisodeLog> {
        let path = self.part(id);
        files::check_is_file(&path)?;
        let file = File::create(&path).map_err(|error| Failure::unwritable(&path, &error))?;
        Ok(EpisodeLog { path, file })
    }

    /// Puts a log that is whole into its place, under a name that may say more. Returns the time that the disk took.
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
        fs::rename(log, &to).map_err(|error| Failure::unwritable(&to, &error))?;
        self.make_checks()?;
        self.append(attempts::LIST, &Attempt::of(&to)?)
    }

    /// All logs of attempts that were cut short, and those of trials before the last, by name.
    pub(super) fn attempts(&self) -> Result<Vec<PathBuf>> {
        let mut found = attempts::all(&self.root.join("attempts"))?;
        let mut names = logs(&self.episodes())?;
        let is_part = |name: &str| name.strip_suffix(".part").is_some();
        names.retain(|name| trial_of(name).is_some() || is_part(name));
        found.extend(names.iter().map(|name| self.episodes().join(name)));
        Ok(found)
    }

    /// Writes a file as a whole.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        files::write_own(&self.root.join(name), text)
    }

    /// Adds a line to a file.
    pub(super) fn append(&self, name: &str, line: &impl Serialize) -> Result<()> {
        let path = self.root.join(name);
        files::check_is_file(&path)?;
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

impl Claim {
    fn new(header: Header) -> Self {
        Self {
            header,
            moves: Vec::new(),
            earlier: None,
        }
    }
}

impl EpisodeLog {
    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Sink for EpisodeLog {
    type Error = Failure;

    fn record(&mut self, event: &Event, _: &State) -> Result<()> {
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

/// The episode of which a file is a log, whole or not.
pub(super) fn episode_of(name: &str) -> Option<&str> {
    let (end, _) = name.match_indices('.').nth(4)?;
    name.get(..end)
}

/// A document in many lines.
pub(super) fn pretty(document: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| Failure::Internal(error.to_string()))
}

/// The names of the files of a folder, in order; none if it is not there.
fn logs(folder: &Path) -> Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let fail = |error: &std::io::Error| Failure::unreadable(folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
        let entry = entry.map_err(|error| fail(&error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
