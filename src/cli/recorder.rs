//! Passes on the events of `run`: to its log, and to the display of the timesteps.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::args::Format;
use super::exit::{Failure, Result};
use super::files;
use super::printer::Printer;
use super::replace::Replacement;
use super::steps::{RefusedCommand, Shown, ShownStep};
use crate::episode::{Event, Log, LogError, Mismatch, Sink};
use crate::task::observation::Observed;
use crate::task::{PackedTask, State, StateBuf};

/// The event log as it is written.
#[derive(Debug)]
pub(super) enum LogFile<'p> {
    /// Nowhere.
    None,
    /// To standard output.
    Output(&'p Printer),
    /// To a file, each line at once.
    File(PathBuf, File),
    /// To a file in place of another, once the first line is written.
    Instead(PathBuf, Replacement),
}

impl LogFile<'_> {
    /// Adds an event.
    pub(super) fn write(&mut self, event: &Event) -> Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Output(printer) => printer.json_line(event),
            Self::File(path, file) => write_line(path, file, event),
            Self::Instead(path, replacement) => {
                write_line(path, replacement, event)?;
                let Self::Instead(path, replacement) = std::mem::replace(self, Self::None) else {
                    return Ok(());
                };
                let file = replacement.finish();
                let file = file.map_err(|error| Failure::unwritable(&path, &error))?;
                *self = Self::File(path, file);
                Ok(())
            }
        }
    }
}

fn write_line(path: &Path, file: &mut impl Write, event: &Event) -> Result<()> {
    let line = serde_json::to_string(event).map_err(|error| Failure::file(path, error))?;
    file.write_all(format!("{line}\n").as_bytes())
        .and_then(|()| file.flush())
        .map_err(|error| Failure::unwritable(path, &error))
}

/// Shows the states of an episode in words: as text at once, or in a document at its end.
#[derive(Debug)]
pub(super) struct Watcher<'a> {
    printer: &'a Printer,
    task: &'a PackedTask,
    format: Format,
    /// The state at which the episode stands.
    state: StateBuf,
    /// The commands refused since the last timestep.
    refused: Vec<RefusedCommand>,
    /// The state before the first of the timesteps.
    pub(super) observed: Option<Observed>,
    /// The timesteps, for a document.
    pub(super) steps: Vec<ShownStep>,
}

impl<'a> Watcher<'a> {
    /// Begins with the state at which the episode stands, under a heading.
    pub(super) fn new(
        printer: &'a Printer,
        task: &'a PackedTask,
        format: Format,
        heading: &str,
        state: &State,
    ) -> Result<Self> {
        if format == Format::Text {
            printer.text(&Shown::Words.beginning(heading, task, state))?;
        }
        Ok(Self {
            printer,
            task,
            format,
            state: state.to_owned(),
            refused: Vec::new(),
            observed: Shown::Words.observe(task, state),
            steps: Vec::new(),
        })
    }

    fn see(&mut self, event: &Event, state: &State) -> Result<()> {
        match event {
            Event::Error(refused) => self.refused.push(RefusedCommand {
                line: None,
                agent: refused.agent.clone(),
                message: refused.message.clone(),
            }),
            Event::Step(step) => {
                let refused = std::mem::take(&mut self.refused);
                let before = std::mem::replace(&mut self.state, state.to_owned());
                let step = Shown::Words.step(self.task, step.clone(), &before, state, refused);
                match self.format {
                    Format::Text => self.printer.text(&step.text())?,
                    Format::Json => self.steps.push(step),
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Takes the events of an episode.
#[derive(Debug)]
pub(super) struct Recorder<'a> {
    pub(super) log: LogFile<'a>,
    /// The watcher that shows the states, where that is asked for.
    pub(super) watcher: Option<Watcher<'a>>,
}

impl Sink for Recorder<'_> {
    type Error = Failure;

    fn record(&mut self, event: &Event, state: &State) -> Result<()> {
        self.log.write(event)?;
        self.watcher
            .as_mut()
            .map_or(Ok(()), |watcher| watcher.see(event, state))
    }
}

/// Reads an event log to be gone on with.
pub(super) fn begun_log(path: &Path) -> Result<Log> {
    files::check_is_file(path)?;
    let text = files::read_log(path)?;
    Log::parse(&text).map_err(|error| match error {
        LogError::Empty => {
            let message = format!("{error}; begin the episode anew with `--force`");
            Failure::malformed(path, message)
        }
        error => Failure::malformed(path, error),
    })
}

/// Reads an event log.
pub(super) fn read_log(path: &Path) -> Result<Log> {
    let text = files::read_log(path)?;
    Log::parse(&text).map_err(|error| Failure::malformed(path, error))
}

/// Makes the file of a new log. One that is there is replaced with `force` once the new one has begun.
pub(super) fn create<'p>(path: &Path, force: bool) -> Result<LogFile<'p>> {
    if path.is_dir() {
        return Err(Failure::usage(
            format!("{}: is a folder", path.display()),
            "give the log the name of a file",
        ));
    }
    let unwritable = |error: &std::io::Error| Failure::unwritable(path, error);
    if force {
        let begun = Replacement::begin(path).map_err(|error| unwritable(&error))?;
        return Ok(LogFile::Instead(path.to_owned(), begun));
    }
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let file = file.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists if !path.exists() => Failure::usage(
            format!("{}: is a symbolic link to no file", path.display()),
            "remove the link, or give the log another name",
        ),
        std::io::ErrorKind::AlreadyExists => Failure::usage(
            format!("{}: the log exists", path.display()),
            "go on with it with `--resume`, or overwrite it with `--force`",
        ),
        _ => unwritable(&error),
    })?;
    Ok(LogFile::File(path.to_owned(), file))
}

/// Opens a log to be gone on with after its first `length` bytes.
pub(super) fn reopen(path: &Path, length: usize) -> Result<File> {
    let fail = |error: std::io::Error| Failure::unwritable(path, &error);
    let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
    file.set_len(length as u64).map_err(fail)?;
    file.seek(SeekFrom::End(0)).map_err(fail)?;
    Ok(file)
}

/// A log that does not fit: one of another task is the wrong file, any other is not true.
pub(super) fn mismatched(path: &Path, error: &Mismatch) -> Failure {
    match error {
        Mismatch::OtherTask { .. } => Failure::file(path, error),
        Mismatch::OtherSchema { .. } => Failure::of_schema_1(path, error),
        _ => Failure::malformed(path, error),
    }
}
