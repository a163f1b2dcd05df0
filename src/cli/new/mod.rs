//! `brigade new`: a small domain that works, for an author to change.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::left;
use super::paths;
use super::printer::Printer;
use super::snapshot::accept;

/// The domain, which is called [`NAMED`].
const DOMAIN: &str = include_str!("domain.pddl");
/// Its problem.
const PROBLEM: &str = include_str!("soup.pddl");
/// The name of the domain in both.
const NAMED: &str = "kitchen";

/// The names of the snapshots of both.
const SNAPSHOTS: [&str; 2] = ["domain.snap", "soup.snap"];

/// Arguments of `new`.
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The name of the domain, and of a folder that is made for it
    #[arg(value_name = "NAME")]
    name: String,

    /// The folder to make it in
    #[arg(long, value_name = "DIR", default_value = ".", value_parser = paths::given())]
    folder: PathBuf,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    /// The files that were written.
    written: Vec<String>,
}

/// Writes a domain, a problem and their snapshots.
pub(super) fn run(printer: &Printer, args: &NewArgs) -> Result {
    if !is_name(&args.name) {
        return Err(Failure::usage(
            format!("`{}` is no name of a domain", args.name),
            "begin with a letter; go on with letters, digits, `-` and `_`",
        ));
    }
    let folder = paths::within(&args.folder, &args.name);
    let fail = |error: std::io::Error| Failure::unwritable(&folder, &error);
    fs::create_dir_all(folder.parent().unwrap_or(Path::new(""))).map_err(fail)?;
    // Never into a folder that somebody has put something in.
    fs::create_dir(&folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::usage(
            format!("{}: exists already, and is left as it is", folder.display()),
            "choose another name, or another place with `--folder DIR`",
        ),
        _ => fail(error),
    })?;
    let files = write(printer, &folder, &args.name).inspect_err(|_| remove(&folder))?;
    let written: Vec<String> = files.iter().map(|it| it.display().to_string()).collect();
    match args.format {
        Format::Json => printer.json(&Document { schema: 1, written })?,
        Format::Text => printer.text(&(written.join("\n") + "\n"))?,
    }
    let soup = folder.join("soup.pddl");
    printer.note(&format!(
        "next: `brigade rats {}`, then change the files, and `brigade snapshot {}` shows what became \
         of it",
        soup.display(),
        folder.display()
    ));
    Ok(Exit::Done)
}

/// Writes the files, and lists them.
fn write(printer: &Printer, folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (file, text) in [("domain.pddl", DOMAIN), ("soup.pddl", PROBLEM)] {
        let path = folder.join(file);
        files::write(&path, &named(text, name))?;
        written.push(path);
    }
    accept(printer, &written)?;
    written.extend(SNAPSHOTS.map(|name| folder.join("snapshots").join(name)));
    Ok(written)
}

/// Removes what was written of a folder that could not be made whole: it would be in the way of the next
/// try.
fn remove(folder: &Path) {
    let snapshots = folder.join("snapshots");
    let files = ["domain.pddl", "soup.pddl"].map(|name| folder.join(name));
    for file in files
        .into_iter()
        .chain(SNAPSHOTS.map(|name| snapshots.join(name)))
    {
        if fs::remove_file(&file).is_ok() {
            left::removed(&file);
        }
    }
    for folder in [&snapshots, folder] {
        // Only one that is empty can be removed.
        let _ = fs::remove_dir(folder);
    }
}

/// Returns true if it can name a domain, and a folder on any system.
fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    let is_first = characters.next().is_some_and(|c| c.is_ascii_alphabetic());
    is_first && characters.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// A text with the domain called by its own name.
fn named(text: &str, name: &str) -> String {
    text.replace(&format!("(domain {NAMED})"), &format!("(domain {name})"))
        .replace(&format!("(:domain {NAMED})"), &format!("(:domain {name})"))
}
