//! `brigade import`: files of other formats as domain and problem files.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Imported, Session};
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::import::robotouille;
use crate::sema;
use crate::syntax::printer::{print_domain, print_problem};

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

/// A format to read.
#[derive(Debug, Subcommand)]
enum Format {
    /// The JSON of Robotouille: a domain and an environment
    Robotouille(RobotouilleArgs),
}

/// Arguments of `import robotouille`.
#[derive(Debug, Args)]
struct RobotouilleArgs {
    /// The domain file
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The environment file; `-` is standard input
    #[arg(value_name = "ENVIRONMENT")]
    environment: PathBuf,

    /// Write the domain to this file
    #[arg(long, value_name = "FILE")]
    out_domain: Option<PathBuf>,

    /// Write the problem to this file. Without both, domain and problem go to standard output
    #[arg(long, value_name = "FILE")]
    out_problem: Option<PathBuf>,

    /// The name of the problem. Default: that of the environment file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

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

/// Imports files.
pub(super) fn run(printer: &Printer, args: &ImportArgs) -> Result {
    let Format::Robotouille(args) = &args.format;
    let mut session = Session::default();
    let imported = import(&mut session, args);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let Imported {
        domain, problem, ..
    } = imported?
        .ok_or_else(|| Failure::Rejected(resolve_all(&session.diagnostics, &session.sources)))?;
    let (domain, problem) = (print_domain(&domain), print_problem(&problem));
    if let Some(path) = &args.out_domain {
        write(path, &domain)?;
    }
    if let Some(path) = &args.out_problem {
        write(path, &problem)?;
    }
    if args.out_domain.is_none() && args.out_problem.is_none() {
        printer.text(&format!("{domain}\n{problem}"))?;
    }
    Ok(Exit::Done)
}

/// Reads the files and checks what becomes of them. `None` if something is wrong.
fn import(session: &mut Session, args: &RobotouilleArgs) -> Result<Option<Imported>> {
    let Some(environment) = session.add_file(&args.environment)? else {
        return Ok(None);
    };
    let options = robotouille::Options {
        turns: args.turns.map(Into::into),
        pool: args.pool,
    };
    let name = match &args.name {
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

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))
}
