//! Reading a bench file: its form, then what it means.

use std::path::Path;

use super::check::check;
use super::config::Bench;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// Reads a bench file.
pub(super) fn read(path: &Path) -> Result<Bench> {
    files::check_is_file_or_open(path)?;
    let text = files::read_small_text(path)?;
    let bench = toml::from_str(&text);
    let mut bench: Bench = bench.map_err(|error| Failure::file(path, fault(&text, &error)))?;
    bench
        .set_up()
        .and_then(|()| check(&bench))
        .map_err(|why| Failure::file(path, why))?;
    Ok(bench)
}

/// The fault of a text of TOML. The line is shown, unless there may be a key in it.
fn fault(text: &str, error: &toml::de::Error) -> String {
    let shown = error.to_string().trim_end().to_owned();
    let Some(span) = error.span() else {
        return shown;
    };
    let before = &text[..span.start];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line..].lines().next().unwrap_or_default();
    let line = line.to_ascii_lowercase();
    let names = ["key", "auth", "secret", "password", "bearer", "sk-"];
    if names.iter().any(|name| line.contains(name)) {
        let number = before.matches('\n').count() + 1;
        format!(
            "line {number}, which is not shown as it may hold a key (`api-key-env` names the \
             environment variable of one): {}",
            error.message()
        )
    } else {
        shown
    }
}
