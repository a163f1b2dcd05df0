//! Decides which of the files on a command line is the domain and which the problem: their texts say it.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{DomainArgs, ProblemArgs};
use super::exit::{Failure, Result};
use super::files;
use super::finding::{Role, role_of};
use super::paths;
use crate::diagnostics::words::counted;

/// A problem, alone or with its domain.
#[derive(Clone, Debug, Args)]
pub(super) struct ProblemFiles {
    /// The problem file, or the files of domain and problem, in either order: what a file is shows in
    /// its first words. `-` is standard input; `bundled:NAME` a domain or `bundled:NAME/PROBLEM` a
    /// problem of `brigade domains`
    #[arg(value_name = "PROBLEM", num_args = 1..=2, required = true, value_parser = paths::given())]
    files: Vec<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,
}

impl ProblemFiles {
    /// The problem, and the domain where it was given.
    pub(super) fn problem(&self) -> Result<ProblemArgs> {
        problem_among(&self.files, &self.domain)
    }
}

/// The problem among one or two files.
pub(super) fn problem_among(files: &[PathBuf], domain: &DomainArgs) -> Result<ProblemArgs> {
    let (given, problem) = match files {
        [first, second] => {
            let (given, problem) = parted(first, second)?;
            (Some(given.clone()), problem)
        }
        [problem] => (None, problem),
        files => {
            let message = format!("{} where a problem is to be", counted(files.len(), "file"));
            let help = "give a problem, or a domain and a problem";
            return Err(Failure::usage(message, help));
        }
    };
    if let (Some(given), Some(option)) = (&given, &domain.domain) {
        return Err(Failure::usage(
            format!(
                "the domain is given twice: {} and `--domain {}`",
                files::shown(given),
                option.display()
            ),
            "leave one of them out",
        ));
    }
    Ok(ProblemArgs {
        problem: problem.clone(),
        domain: domain.or(given),
    })
}

/// Domain and problem of two files. Where neither shows what it is, the domain comes first.
fn parted<'a>(first: &'a PathBuf, second: &'a PathBuf) -> Result<(&'a PathBuf, &'a PathBuf)> {
    if files::is_stdin(first) && files::is_stdin(second) {
        return Err(Failure::usage(
            "domain and problem cannot both be standard input",
            "give one of them as a file",
        ));
    }
    match (role_of(first), role_of(second)) {
        (Some(one), Some(other)) if one == other => Err(two_of_a_kind(one, first, second)),
        (Some(Role::Problem), _) | (_, Some(Role::Domain)) => Ok((second, first)),
        _ => Ok((first, second)),
    }
}

fn two_of_a_kind(role: Role, first: &Path, second: &Path) -> Failure {
    let name = role.name();
    let help = match role {
        Role::Domain => "give one domain and one problem",
        Role::Problem => "give one problem, and its domain if need be",
    };
    Failure::usage(
        format!(
            "two files are a {name}: {} and {}",
            files::shown(first),
            files::shown(second)
        ),
        help,
    )
}
