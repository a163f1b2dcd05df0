//! `brigade import`: files of other formats as domain and problem files.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Imported, Session};
use super::paths;
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::import::robotouille;
use crate::sema;
use crate::syntax::printer::{print_domain, print_problem};

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    system: System,
}

/// A format to read.
#[derive(Debug, Subcommand)]
enum System {
    /// The JSON of Robotouille: a domain and an environment
    Robotouille(RobotouilleArgs),
}

/// Arguments of `import robotouille`.
#[derive(Debug, Args)]
struct RobotouilleArgs {
    /// The domain file
    #[arg(value_name = "DOMAIN", value_parser = paths::given())]
    domain: PathBuf,

    /// The environment file; `-` is standard input
    #[arg(value_name = "ENVIRONMENT", value_parser = paths::given())]
    environment: PathBuf,

    #[command(flatten)]
    target: TargetArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// Where a domain and a problem are written to.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// Write the domain to this file
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    out_domain: Option<PathBuf>,

    /// Write the problem to this file. Without both, domain and problem go to standard output
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    out_problem: Option<PathBuf>,

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

/// How the JSON of Robotouille is read.
#[derive(Debug, Args)]
pub(super) struct ReadingArgs {
    /// The name of the problem of an environment. Default: that of its file
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Who acts when. Default: in turn if there are several players
    #[arg(long, value_enum, value_name = "ORDER")]
    turns: Option<TurnsName>,

    /// How many objects of each kind can be created. Default: as many as the goal asks for, at least 1
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(..=i64::from(robotouille::MAX_POOL))
    )]
    pool: Option<u32>,
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
        if self.out_domain.is_none() && self.out_problem.is_none() {
            let problem = problem.map_or_else(String::new, |problem| format!("\n{problem}"));
            printer.text(&format!("{domain}{problem}"))?;
        }
        Ok(())
    }
}

impl ReadingArgs {
    /// What was chosen.
    pub(super) fn options(&self) -> robotouille::Options {
        robotouille::Options {
            turns: self.turns.map(Into::into),
            pool: self.pool,
        }
    }
}

/// Who acts when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TurnsName {
    /// Any player at any step
    Any,
    /// One player after another
    Alternate,
}

impl From<TurnsName> for robotouille::Turns {
    fn from(name: TurnsName) -> Self {
        match name {
            TurnsName::Any => Self::Any,
            TurnsName::Alternate => Self::Alternate,
        }
    }
}

impl ImportArgs {
    pub(super) const fn format(&self) -> Format {
        let System::Robotouille(args) = &self.system;
        args.target.format
    }
}

/// Imports files.
pub(super) fn run(printer: &Printer, args: &ImportArgs) -> Result {
    let System::Robotouille(args) = &args.system;
    let mut session = Session::default();
    let imported = import(&mut session, args);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let Imported {
        domain, problem, ..
    } = imported?
        .ok_or_else(|| Failure::Rejected(resolve_all(&session.diagnostics, &session.sources)))?;
    let (domain, problem) = (print_domain(&domain), print_problem(&problem));
    args.target
        .write(printer, &session.files, &domain, Some(&problem))?;
    Ok(Exit::Done)
}

/// Reads the files and checks what becomes of them. `None` if something is wrong.
fn import(session: &mut Session, args: &RobotouilleArgs) -> Result<Option<Imported>> {
    let Some(environment) = session.add_file(&args.environment)? else {
        return Ok(None);
    };
    let options = args.reading.options();
    let name = match &args.reading.name {
        Some(name) => name.clone(),
        None => files::stem(&args.environment),
    };
    let imported = session.import(&args.domain, environment, &name, &options)?;
    let checked = imported.filter(|imported| {
        let Imported {
            domain,
            problem,
            files,
        } = imported;
        let options = sema::Options::default();
        let diagnostics = &mut session.diagnostics;
        sema::resolve(domain, problem, &options, *files, diagnostics).is_some()
    });
    Ok(checked)
}
