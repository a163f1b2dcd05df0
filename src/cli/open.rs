//! A problem from a file, for the library: its domain is found by the rules of the command line.

use std::path::Path;

use super::args::DomainArgs;
use super::exit::Failure;
use super::load::Session;
use super::paths;
use crate::compiled::{Compiled, Rejected, Report};
use crate::sema::DEFAULT_SEMANTICS;

/// The reason why a problem was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The problem or its domain has errors.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// A file cannot be read, or no domain was found.
    #[error("{0}")]
    Unreadable(String),
}

/// Compiles the problem in a file, under the semantics `clean`.
///
/// The domain is found as the command line finds it: `domain.pddl`, `<problem>-domain.pddl` or the one
/// file beside the problem that defines the domain it names; else the one in `domains/`; else the
/// bundled domain of that name. `bundled:DOMAIN/PROBLEM` names a bundled problem:
///
/// ```
/// let problem = brigade::load("bundled:collab-overcooked/boiled_egg")?;
/// assert_eq!(problem.plan()?.value.makespan, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`LoadError::Rejected`] holds all errors in the two files, [`LoadError::Unreadable`] says which file cannot be read,
/// or that no domain was found.
pub fn load(problem: impl AsRef<Path>) -> Result<Compiled, LoadError> {
    let mut session = Session::default();
    let args = DomainArgs {
        domain: None,
        init: Vec::new(),
        streams: Vec::new(),
        semantics: DEFAULT_SEMANTICS.to_owned(),
    };
    let model = session.model(&paths::plain(problem.as_ref()), &args);
    session.settle(None);
    let report = Report {
        diagnostics: session.diagnostics,
        sources: session.sources,
    };
    match model {
        Ok(model) => Ok(Compiled::ground(model, report)?),
        // Errors in the input count for more than a domain that is not found.
        Err(_) if report.diagnostics.has_errors() => Err(Rejected(report).into()),
        Err(Failure::Usage {
            message,
            help: Some(help),
        }) => Err(LoadError::Unreadable(format!("{message}; {help}"))),
        Err(failure) => Err(LoadError::Unreadable(failure.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::{LoadError, load};

    #[test]
    fn a_problem_of_the_repository_finds_its_domain() {
        let compiled = load("problems/collab-overcooked/boiled_egg.pddl").unwrap();
        assert_eq!(compiled.task().agents.len(), 2);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = load("no/such/soup.pddl").unwrap_err();
        assert!(matches!(error, LoadError::Unreadable(_)), "{error:?}");
        assert_eq!(error.to_string(), "no/such/soup.pddl: no such file");
    }

    #[test]
    fn a_file_with_errors_is_rejected_with_them() {
        let error = load("tests/data/bad/E0032-not-supported.pddl").unwrap_err();
        assert!(matches!(error, LoadError::Rejected(_)), "{error:?}");
        assert!(error.to_string().contains("E0032"), "{error}");
    }
}
