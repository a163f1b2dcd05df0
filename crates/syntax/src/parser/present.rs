//! The sections that a definition may have, and those that it has.

use std::collections::BTreeSet;

use super::super::tree::Tree;
use super::aliases::meant;
use super::requirements::REQUIREMENTS;
use brigade_diagnostics::Diagnostics;

/// The sections of a domain.
pub(super) const DOMAIN_SECTIONS: &[&str] = &[
    "requirements",
    "types",
    "constants",
    "predicates",
    "functions",
    "transient",
    "derived",
    "action",
    "durative-action",
    "option",
    "event",
    "tick",
    "turns",
    "wait",
    "role",
    "semantics",
    "live-effects",
    "facts",
    "fail",
    "end",
    "layout",
];

/// Sections that hold one action, event or rule each.
pub(super) const SCHEMAS: &[&str] = &["derived", "action", "durative-action", "option", "event"];

/// The sections of a problem.
pub(super) const PROBLEM_SECTIONS: &[&str] = &[
    "domain",
    "requirements",
    "objects",
    "init",
    "goal",
    "metric",
    "horizon",
    "fail",
    "end",
    "layout",
];

/// The sections of a stream.
pub(super) const STREAM_SECTIONS: &[&str] =
    &["domain", "problem", "requirements", "objects", "init"];

/// Sections that may stand more than once.
pub(super) const REPEATABLE: &[&str] = &[
    "derived",
    "action",
    "durative-action",
    "option",
    "event",
    "wait",
    "role",
    "live-effects",
];

/// The section that names the domain of a problem.
pub(super) const DOMAIN_KEY: &str = "domain";

/// The section of requirements.
pub(super) const REQUIREMENTS_KEY: &str = "requirements";

/// Of how many sections that are not known it is asked which are meant.
const MAX_MEANT: usize = Diagnostics::DEFAULT_LIMIT;

/// The sections that a definition has, which show the ones that are meant.
pub(super) struct Present {
    pub(super) known: &'static [&'static str],
    keys: BTreeSet<&'static str>,
    /// The number of further unknown sections that may be compared with the known ones.
    left: usize,
}

impl Present {
    /// Of those that are known, the ones that stand among these lists.
    pub(super) fn among(sections: &[Tree<'_>], known: &'static [&'static str]) -> Self {
        let heads = sections.iter().filter_map(|tree| tree.items()?.first());
        let keys = heads.filter_map(|head| {
            let text = head.keyword()?;
            known.iter().find(|key| key.eq_ignore_ascii_case(text))
        });
        Self {
            known,
            keys: keys.copied().collect(),
            left: MAX_MEANT,
        }
    }

    /// Those of a domain.
    pub(super) fn in_domain(sections: &[Tree<'_>]) -> Self {
        Self::among(sections, DOMAIN_SECTIONS)
    }

    /// May another section of that kind stand among them?
    pub(super) fn is_free(&self, key: &str) -> bool {
        REPEATABLE.contains(&key) || !self.keys.contains(key)
    }

    /// The section that a list is whose head is the keyword without its colon.
    pub(super) fn bare(&self, section: &Tree<'_>) -> Option<&'static str> {
        let word = section.items()?.first()?.name()?;
        let mut known = self.known.iter().copied();
        known.find(|key| key.eq_ignore_ascii_case(word) && self.is_free(key))
    }

    /// The requirements that a list is whose head is the first of them.
    pub(super) fn bare_requirements<'t, 's>(
        &self,
        section: &'t Tree<'s>,
    ) -> Option<&'t [Tree<'s>]> {
        let items = section.items()?;
        let first = items.first()?.keyword()?;
        let is_one_of = |words: &[&str]| words.iter().any(|key| key.eq_ignore_ascii_case(first));
        let is_meant = is_one_of(REQUIREMENTS)
            && !is_one_of(self.known)
            && self.is_free(REQUIREMENTS_KEY)
            && items.iter().all(|item| item.keyword().is_some());
        is_meant.then_some(items)
    }

    /// The section that a list is, or is read as.
    pub(super) fn meant(&mut self, section: &Tree<'_>) -> Option<&'static str> {
        let Some(text) = section.items()?.first()?.keyword() else {
            return self.bare(section);
        };
        let mut known = self.known.iter().copied();
        let exact = known.find(|key| key.eq_ignore_ascii_case(text));
        exact.or_else(|| {
            if self.bare_requirements(section).is_some() {
                return Some(REQUIREMENTS_KEY);
            }
            self.left = self.left.checked_sub(1)?;
            let near = meant(text, self.known)?;
            self.is_free(near).then_some(near)
        })
    }
}
