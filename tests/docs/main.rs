//! The documentation is tested: examples of the language compile, commands print what is shown,
//! links lead somewhere.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

mod commands;
mod examples;
mod links;
mod markdown;

use std::path::PathBuf;

/// The repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A page, by its path in the repository.
fn read(page: &str) -> String {
    let path = root().join(page);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
