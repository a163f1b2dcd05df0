//! `brigade domains`: the domains and problems that come with Brigade, to look at and to copy.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::Format;
use super::bundled::{self, Bundled};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::paths::{self, within};
use super::printer::Printer;
use crate::diagnostics::suggest;
use crate::diagnostics::words::counted;

/// Arguments of `domains`.
#[derive(Debug, Args)]
pub(super) struct DomainsArgs {
    /// Write this domain or problem into a file of its name, to be changed
    #[arg(long, value_name = "NAME")]
    copy: Option<String>,

    /// The folder to write it into
    #[arg(long, value_name = "DIR", default_value = ".", requires = "copy", value_parser = paths::given())]
    folder: PathBuf,

    /// Overwrite a file that is there
    #[arg(long, requires = "copy")]
    force: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    domains: Vec<ListedDomain>,
}

/// A domain; commands read it and its problems by their paths.
#[derive(Debug, Serialize)]
struct ListedDomain {
    name: &'static str,
    path: String,
    problems: Vec<ListedProblem>,
}

#[derive(Debug, Serialize)]
struct ListedProblem {
    name: &'static str,
    path: String,
}

#[derive(Debug, Serialize)]
struct CopyDocument {
    schema: u32,
    /// The name of what was copied.
    copied: &'static str,
    /// The file that was written.
    file: String,
}

/// Lists the domains and problems, or copies one.
pub(super) fn run(printer: &Printer, args: &DomainsArgs) -> Result {
    match &args.copy {
        None => list(printer, args.format)?,
        Some(name) => copy(printer, named(name)?, args)?,
    }
    Ok(Exit::Done)
}

fn list(printer: &Printer, format: Format) -> Result<()> {
    let domains: Vec<ListedDomain> = bundled::DOMAINS.iter().map(listed).collect();
    if format == Format::Json {
        return printer.json(&Document { schema: 1, domains });
    }
    let mut text = String::new();
    for domain in &domains {
        let count = counted(domain.problems.len(), "problem");
        text.push_str(&format!("{}: {count}\n", domain.path));
        for problem in &domain.problems {
            text.push_str(&format!("  {}\n", problem.path));
        }
    }
    printer.text(&text)
}

fn listed(domain: &bundled::BundledDomain) -> ListedDomain {
    let problems = domain.problems.iter().map(|&problem| ListedProblem {
        name: problem.name(),
        path: domain.place_of(problem).display().to_string(),
    });
    ListedDomain {
        name: domain.name,
        path: domain.place().display().to_string(),
        problems: problems.collect(),
    }
}

/// The domain or problem of a name, or of the path by which commands read it, with or without its
/// beginning.
fn named(name: &str) -> Result<Bundled> {
    let domains = bundled::DOMAINS.iter();
    let files = domains.flat_map(|domain| {
        let problems = domain.problems.iter();
        let problems = problems.map(|&problem| (domain.place_of(problem), problem));
        std::iter::once((domain.place(), domain.file)).chain(problems)
    });
    let files: Vec<(PathBuf, Bundled)> = files.collect();
    let path = bundled::path_of(name);
    let is_meant = |(place, file): &&(PathBuf, Bundled)| {
        file.name().eq_ignore_ascii_case(name) || *place == path
    };
    files
        .iter()
        .find(is_meant)
        .map(|(_, file)| *file)
        .ok_or_else(|| {
            let near = suggest(name, files.iter().map(|(_, file)| file.name()));
            let help = near.map_or_else(
                || "`brigade domains` lists them".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            Failure::usage(
                format!("there is no bundled domain or problem `{name}`"),
                help,
            )
        })
}

fn copy(printer: &Printer, file: Bundled, args: &DomainsArgs) -> Result<()> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    let path = within(folder, format!("{}.pddl", file.name()));
    if args.force {
        files::write(&path, file.text)?;
    } else {
        // Someone may have changed one that is there.
        let help = "`--force` overwrites it; `--folder DIR` writes elsewhere";
        files::write_new(&path, file.text, help)?;
    }
    let written = path.display().to_string();
    match args.format {
        Format::Json => printer.json(&CopyDocument {
            schema: 1,
            copied: file.name(),
            file: written,
        }),
        Format::Text => printer.text(&format!("{written}: written\n")),
    }
}
