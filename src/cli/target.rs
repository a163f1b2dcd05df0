//! The files that a domain and a problem are written to.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::Format;
use super::exit::{Failure, Result};
use super::files;
use super::paths;
use super::printer::Printer;

/// Where a domain and a problem are written to.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// Write the domain to this file
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    out_domain: Option<PathBuf>,

    /// Write the problem to this file. Without both, domain and problem go to standard output
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    out_problem: Option<PathBuf>,

    /// Overwrite files that are there
    #[arg(long)]
    force: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    /// The texts, also where they were written to files.
    domain: &'a str,
    /// `null` for a domain alone.
    problem: Option<&'a str>,
    /// The files that were written.
    written: Vec<String>,
}

impl TargetArgs {
    /// Writes the files, or both to standard output; not over one of those that were read.
    pub(super) fn write(
        &self,
        printer: &Printer,
        read: &[PathBuf],
        domain: &str,
        problem: Option<&str>,
    ) -> Result<()> {
        let outs = [&self.out_domain, &self.out_problem];
        for out in outs.into_iter().flatten() {
            if let Some(file) = read.iter().find(|file| files::same_file(file, out)) {
                let message = format!("{}: this would overwrite what was read", file.display());
                return Err(Failure::usage(message, "choose another file"));
            }
        }
        if let (Some(domain), Some(problem)) = (&self.out_domain, &self.out_problem)
            && paths::same_place(domain, problem)
        {
            let message = "`--out-domain` and `--out-problem` name the same file";
            return Err(Failure::usage(message, "give each a file of its own"));
        }
        let paths = outs.into_iter().flatten();
        files::check_new(paths.map(PathBuf::as_path), self.force)?;
        match (outs, problem) {
            ([_, Some(path)], None) => {
                let message = format!("{}: there is no problem to write", path.display());
                return Err(Failure::usage(
                    message,
                    "leave `--out-problem` out, or give a problem",
                ));
            }
            ([Some(_), None], Some(_)) => {
                printer.note("the problem is not written: `--out-problem FILE` writes it");
            }
            ([None, Some(_)], _) => {
                printer.note("the domain is not written: `--out-domain FILE` writes it");
            }
            _ => {}
        }
        let mut written = Vec::new();
        let texts = [
            (&self.out_domain, Some(domain)),
            (&self.out_problem, problem),
        ];
        for (path, text) in texts {
            if let (Some(path), Some(text)) = (path, text) {
                files::write(path, text)?;
                written.push(path.display().to_string());
            }
        }
        if self.format == Format::Json {
            return printer.json(&Document {
                schema: 1,
                domain,
                problem,
                written,
            });
        }
        if !written.is_empty() {
            files::note_written(printer, &written);
            return Ok(());
        }
        let problem = problem.map_or_else(String::new, |problem| format!("\n{problem}"));
        printer.text(&format!("{domain}{problem}"))
    }
}
