//! Event logs of any length for pages: read line by line, each text of a prompt kept once.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::diagnostics::MAX_SOURCE_BYTES;
use crate::episode::{Log, LogReader};
use crate::view::texts::Texts;

/// The most bytes of a compressed log once it is unpacked.
const MAX_UNPACKED: u64 = 1 << 31;

/// The most bytes of a log that a page holds, what repeats itself counted once.
const MAX_KEPT: usize = 64 << 20;

/// The most facts of all states of an episode together.
const MAX_FACTS: usize = 20_000_000;

/// A log, and the texts of its prompts.
pub(super) struct ReadLog {
    pub(super) log: Log,
    pub(super) texts: Texts,
}

/// Opens a file that may be compressed. What can be read only once is read as a whole.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if !path.is_file() {
        return Ok(Box::new(Cursor::new(files::read(path)?)));
    }
    let file = File::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let unpacked = flate2::read::MultiGzDecoder::new(BufReader::new(file));
        return Ok(Box::new(BufReader::new(unpacked.take(MAX_UNPACKED))));
    }
    Ok(Box::new(BufReader::new(file)))
}

/// Reads a log.
pub(super) fn read(path: &Path, lines: &mut dyn BufRead) -> Result<ReadLog> {
    let too_large = |what: String| Failure::malformed(path, format_args!("is too large: {what}"));
    let malformed = |error: crate::episode::LogError| Failure::malformed(path, error);
    let mut reader = LogReader::default();
    let mut texts = Texts::default();
    let mut line = Vec::new();
    let (mut number, mut others) = (0, 0);
    loop {
        line.clear();
        number += 1;
        let most = MAX_SOURCE_BYTES as u64 + 1;
        let length = (&mut *lines)
            .take(most)
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::unreadable(path, &error))?;
        if length == 0 {
            break;
        }
        if length > MAX_SOURCE_BYTES {
            return Err(too_large(format!(
                "line {number} has more than {MAX_SOURCE_BYTES} bytes"
            )));
        }
        let text = match std::str::from_utf8(&line) {
            Ok(text) => text,
            // A writer that was killed may have left half a character at the end.
            Err(_) if !line.ends_with(b"\n") => break,
            Err(_) => {
                let what = format_args!("line {number} is not UTF-8 text");
                return Err(Failure::malformed(path, what));
            }
        };
        let Some(event) = reader.line(text).map_err(malformed)? else {
            continue;
        };
        if matches!(event, crate::episode::Event::Call(_)) {
            texts.take(event);
        } else {
            others += length;
        }
        if texts.bytes() + others > MAX_KEPT {
            return Err(too_large(format!(
                "a page holds {} MiB of a log",
                MAX_KEPT >> 20
            )));
        }
    }
    let log = reader.finish().map_err(malformed)?;
    if log.steps().count().saturating_mul(log.header.facts.len()) > MAX_FACTS {
        return Err(too_large(format!(
            "its states have more than {MAX_FACTS} facts together"
        )));
    }
    Ok(ReadLog { log, texts })
}
