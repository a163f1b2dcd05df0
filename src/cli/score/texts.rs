//! The texts of logs and of recorded episodes.

use std::io::Read;
use std::path::Path;

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::printer::Printer;
use crate::episode::Log;

/// The beginning of every event log.
pub(in crate::cli) const LOG_START: &str = "{\"event\":\"header\"";

/// Most bytes of a compressed file once it is unpacked.
const MAX_UNPACKED: u64 = 1 << 28;

/// The text of an event log, or of something else in its place, that may be compressed.
pub(in crate::cli) fn log_text(path: &Path) -> Result<String> {
    if path.extension().is_some_and(|extension| extension == "gz") {
        unpack(path)
    } else {
        files::read_log(path)
    }
}

/// Warns of a log that a writer left with half a line.
pub(in crate::cli) fn warn_if_cut(printer: &Printer, path: &Path, log: &Log) {
    if log.truncated {
        printer.warning(&format!(
            "{}: the last line is cut off, and left out",
            path.display()
        ));
    }
}

/// The text of a file that may be compressed.
pub(super) fn unpack(path: &Path) -> Result<String> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return files::read_text(path);
    }
    let bytes = files::read(path)?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .take(MAX_UNPACKED + 1)
        .read_to_string(&mut text)
        .map_err(|error| {
            Failure::malformed(path, format_args!("is no whole gzip file: {error}"))
        })?;
    if text.len() as u64 > MAX_UNPACKED {
        let what = format!("is too large: unpacked it has more than {MAX_UNPACKED} bytes");
        return Err(Failure::malformed(path, what));
    }
    Ok(text)
}
