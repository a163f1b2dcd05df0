//! The cassette of a run: the recording that answers questions, and the tape on which new answers are kept.

use std::fs::{OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::paths::folder_of;
use crate::llm::cassette::{Recording, Tape};

/// The source of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum CassetteMode {
    /// From the cassette alone, without a server.
    Replay,
    /// From the server alone; each answer is kept.
    Record,
    /// From the cassette, and from the server what is not on it.
    Auto,
}

/// A recording, with the tape on which it goes on.
pub(super) struct Reel {
    pub(super) mode: CassetteMode,
    pub(super) recording: Recording,
    pub(super) tape: Option<Tape>,
}

/// Checks that a cassette can be used in a mode, before anything is asked.
pub(super) fn check_cassette(mode: CassetteMode, path: &Path) -> Result<()> {
    if mode == CassetteMode::Replay || path.exists() {
        let bytes = files::read_whole(path)?;
        may_record(mode, path, &bytes)?;
        let (recording, _) = recording(path, &bytes)?;
        return may_replay(mode, path, &recording);
    }
    if folder_of(path).is_dir() {
        return Ok(());
    }
    Err(Failure::unwritable(path, &ErrorKind::NotFound.into()))
}

/// The recordings of a cassette, and the number of its bytes that are whole lines.
fn recording(path: &Path, bytes: &[u8]) -> Result<(Recording, usize)> {
    Recording::read(bytes).map_err(|error| Failure::malformed(path, error))
}

/// A new recording is not made over another.
fn may_record(mode: CassetteMode, path: &Path, there: &[u8]) -> Result<()> {
    if mode != CassetteMode::Record || there.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{}: the cassette is there already", path.display()),
        "remove it to record anew, add to it with `--cassette auto`, or give `--cassette-file` \
         another file",
    ))
}

/// From a cassette without answers nothing can be played.
fn may_replay(mode: CassetteMode, path: &Path, recording: &Recording) -> Result<()> {
    if mode != CassetteMode::Replay || !recording.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{}: the cassette is empty", path.display()),
        "record it with `--cassette record`, or give `--cassette-file` another file",
    ))
}

/// Opens a cassette. One that is to be written is held: no other run writes to it meanwhile.
pub(super) fn open(mode: CassetteMode, path: &Path) -> Result<Reel> {
    // However large it is: what is not read would be overwritten.
    let read = || files::read_whole(path);
    if mode == CassetteMode::Replay {
        let (recording, _) = recording(path, &read()?)?;
        may_replay(mode, path, &recording)?;
        return Ok(Reel {
            mode,
            recording,
            tape: None,
        });
    }
    files::check_is_file(path)?;
    let fail = |error: &std::io::Error| Failure::unwritable(path, error);
    let mut options = OpenOptions::new();
    let options = options.create(true).write(true).truncate(false);
    let mut file = options.open(path).map_err(|error| fail(&error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Failure::usage(
                format!("{}: another run records on it", path.display()),
                "wait until it is done, or give `--cassette-file` another file",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(fail(&error)),
    }
    let bytes = read()?;
    may_record(mode, path, &bytes)?;
    let (recording, whole) = recording(path, &bytes)?;
    file.set_len(whole as u64)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(|error| fail(&error))?;
    Ok(Reel {
        mode,
        recording,
        tape: Some(Box::new(file)),
    })
}

/// One tape that the cassettes of several models write to, a line at a time.
#[derive(Clone)]
pub(super) struct SharedTape(Arc<Mutex<std::io::Result<Tape>>>);

impl SharedTape {
    pub(super) fn new(tape: std::io::Result<Tape>) -> Self {
        Self(Arc::new(Mutex::new(tape)))
    }

    fn tape(&self) -> MutexGuard<'_, std::io::Result<Tape>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the tape. Once that has failed nothing is done any more: what follows
    /// would stand after half a line.
    fn with<T>(&self, work: impl FnOnce(&mut Tape) -> std::io::Result<T>) -> std::io::Result<T> {
        let mut place = self.tape();
        let again = |error: &std::io::Error| std::io::Error::new(error.kind(), error.to_string());
        match place.as_mut() {
            Err(error) => Err(again(error)),
            Ok(tape) => work(tape).inspect_err(|error| *place = Err(again(error))),
        }
    }
}

impl std::io::Write for SharedTape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.with(|tape| tape.write(bytes))
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.with(|tape| tape.write_all(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.with(std::io::Write::flush)
    }
}
