//! `brigade import robotouille`: a domain and an environment as domain and problem files.

use std::path::PathBuf;

use clap::Args;

use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::files;
use crate::cli::load::{Imported, Session};
use crate::cli::paths;
use crate::cli::printer::Printer;
use crate::cli::reading::ReadingArgs;
use crate::cli::target::TargetArgs;
use crate::diagnostics::json::resolve_all;
use crate::sema;
use crate::syntax::printer::{print_domain, print_problem};

/// Arguments of `import robotouille`.
#[derive(Debug, Args)]
pub(super) struct RobotouilleArgs {
    /// The domain file
    #[arg(value_name = "DOMAIN", value_parser = paths::given())]
    domain: PathBuf,

    /// The environment file; `-` is standard input
    #[arg(value_name = "ENVIRONMENT", value_parser = paths::given())]
    environment: PathBuf,

    #[command(flatten)]
    pub(super) target: TargetArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// Imports files.
pub(super) fn run(printer: &Printer, args: &RobotouilleArgs) -> Result {
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
