//! Files that are checked together: which domain a problem means, and what all problems of a domain leave
//! unread.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::exit::Result;
use super::files;
use super::finding::{Domains, Role, domain_name, domain_of_problem, role_of};
use super::load::Session;
use super::paths::{resolved, same_place};
use crate::diagnostics::{Diagnostics, SourceId};
use crate::syntax::ast::Domain;
use crate::{lint, syntax};

/// A problem that is larger (bytes) is not read a second time, for its domain.
const MAX_READ_TWICE: u64 = 1 << 20;

/// Files that are checked together.
pub(super) struct Given {
    /// The domains, with their names.
    domains: Vec<(PathBuf, String)>,
    /// The paths that are no domain.
    others: Vec<PathBuf>,
    /// The domains that problems among the others name.
    used: OnceLock<BTreeSet<PathBuf>>,
    /// Those that were not given.
    beside: Domains,
}

impl Given {
    pub(super) fn among(paths: &[PathBuf]) -> Self {
        let mut given = Self {
            domains: Vec::new(),
            others: Vec::new(),
            used: OnceLock::new(),
            beside: Domains::default(),
        };
        for path in paths.iter().filter(|path| !files::is_stdin(path)) {
            match domain_name(path) {
                Some(name) => given.domains.push((path.clone(), name)),
                None => given.others.push(path.clone()),
            }
        }
        given
    }

    /// Returns true if one of the problems is checked with a domain.
    pub(super) fn is_used(&self, domain: &Path) -> bool {
        let used = || {
            let others = self.others.iter();
            let named = others.map(|path| (path, domain_of_problem(path)));
            named
                .filter_map(|(path, name)| self.domain_of(path, Some(&name?)).ok())
                .map(|path| resolved(&path))
                .collect()
        };
        self.used.get_or_init(used).contains(&resolved(domain))
    }

    /// Reports what a domain makes true and neither it nor a problem that is checked with it reads; not
    /// where one of these cannot be read, or is large.
    pub(super) fn report_unread(
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
            let size = std::fs::metadata(other).map_or(0, |metadata| metadata.len());
            if size > MAX_READ_TWICE {
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
                    if self
                        .domain_of(other, name)
                        .is_ok_and(|domain| same_place(&domain, path))
                    {
                        unread.read_by(&problem);
                    }
                }
                // Of no problem alone.
                Some(syntax::File::Stream(_)) => {}
                _ => return,
            }
        }
        unread.report(source, found);
    }

    /// The only domain of Robotouille.
    pub(super) fn domain_in_json(&self) -> Option<&Path> {
        let others = self.others.iter();
        let mut domains = others.filter(|path| role_of(path) == Some(Role::Domain));
        match (domains.next(), domains.next()) {
            (Some(path), None) => Some(path),
            _ => None,
        }
    }

    /// The one that a problem names, or the file that is found where none of these is of that name. Where
    /// that neither, the only domain that was given.
    pub(super) fn domain_of(&self, problem: &Path, name: Option<&str>) -> Result<PathBuf> {
        let is_named = |defined: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(defined));
        let mut named = self.domains.iter().filter(|(_, defined)| is_named(defined));
        if let (Some((path, _)), None) = (named.next(), named.next()) {
            return Ok(path.clone());
        }
        let found = self.beside.find(problem, name);
        match &self.domains[..] {
            [(path, _)] => found.or_else(|_| Ok(path.clone())),
            _ => found,
        }
    }
}
