//! The documentation is tested: examples of the language compile, commands print what is shown,
//! links lead somewhere.

mod commands;
mod examples;
#[cfg(unix)]
mod followers;
mod links;
mod markdown;
#[cfg(unix)]
mod programs;

use std::path::PathBuf;
#[cfg(unix)]
use std::process::Command;

/// The repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A page, by its path in the repository.
fn read(page: &str) -> String {
    let path = root().join(page);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns true if programs in Python can be run here.
#[cfg(unix)]
fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

#[test]
fn the_index_of_diagnostics_is_what_explain_writes() {
    let page = brigade::diagnostics::explain::index();
    let path = root().join("docs/reference/diagnostics.md");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        read("docs/reference/diagnostics.md") == page,
        "docs/reference/diagnostics.md is stale: brigade explain --all --format markdown > docs/reference/diagnostics.md"
    );
}
