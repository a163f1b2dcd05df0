//! Files that are checked together: which domain a problem means, and what all problems of a domain leave
//! unread.

use std::path::{Path, PathBuf};

use super::files;
use super::load::Session;
use crate::diagnostics::{Diagnostics, SourceId};
use crate::syntax::ast::Domain;
use crate::{lint, syntax};

/// Files that are checked together.
pub(super) struct Given {
    /// The domains, with their names.
    domains: Vec<(PathBuf, String)>,
    /// What is no domain.
    others: Vec<PathBuf>,
}

impl Given {
    pub(super) fn among(paths: &[PathBuf]) -> Self {
        let mut given = Self {
            domains: Vec::new(),
            others: Vec::new(),
        };
        for path in paths.iter().filter(|path| !files::is_stdin(path)) {
            match files::domain_name(path) {
                Some(name) => given.domains.push((path.clone(), name)),
                None => given.others.push(path.clone()),
            }
        }
        given
    }

    /// Whether a problem may be checked with one of the domains.
    pub(super) fn has_problems(&self) -> bool {
        !self.others.is_empty()
    }

    /// Reports what a domain makes true and neither it nor a problem that is checked with it reads; not
    /// where one of these cannot be read.
    pub(super) fn tell_unread(
        &self,
        path: &Path,
        domain: &Domain,
        source: SourceId,
        found: &mut Diagnostics,
    ) {
        let mut unread = lint::Unread::of(domain);
        for other in &self.others {
            if unread.is_empty() {
                return;
            }
            let mut session = Session::default();
            let Ok(Some(source)) = session.add_file(other) else {
                return;
            };
            let text = session.sources.text(source);
            match syntax::parse_file(source, text, &mut session.diagnostics) {
                Some(syntax::File::Problem(problem))
                    if !session.diagnostics.has_errors() && problem.goal.is_some() =>
                {
                    let name = problem.domain.as_ref().map(|name| name.text.as_str());
                    if self.domain_of(other, name).as_deref() == Some(path) {
                        unread.read_by(&problem);
                    }
                }
                _ => return,
            }
        }
        unread.report(source, found);
    }

    /// The one that a problem names. Where it names another that is not found either, the only one that
    /// was given; of several that it may mean, none.
    pub(super) fn domain_of(&self, problem: &Path, name: Option<&str>) -> Option<PathBuf> {
        let is_named = |defined: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(defined));
        let mut named = self.domains.iter().filter(|(_, defined)| is_named(defined));
        match (named.next(), named.next(), &self.domains[..]) {
            (Some((path, _)), None, _) => Some(path.clone()),
            (None, _, [(path, _)]) if files::find_domain(problem, name).is_err() => {
                Some(path.clone())
            }
            _ => None,
        }
    }
}
