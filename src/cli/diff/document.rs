//! The changes between two versions, as a document.

use indexmap::IndexSet;
use serde::Serialize;

use crate::cli::compared::{coloured, compared};
use crate::cli::exit::{Exit, Failure, Result};
use crate::report::facts::{Change, Definition, DomainFacts, ReferenceChanges, changes, text};

/// All changes.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) schema: u32,
    pub(super) domains: Vec<DomainDiff>,
    pub(super) problems: Vec<ProblemDiff>,
}

/// The changes in what a domain declares.
#[derive(Debug, Serialize)]
pub(super) struct DomainDiff {
    pub(super) file: String,
    pub(super) changes: Vec<Change>,
    #[serde(skip)]
    pub(super) text: String,
}

impl DomainDiff {
    /// Compares two versions of a domain; one of them may be missing.
    pub(super) fn new(
        file: String,
        before: Option<&DomainFacts>,
        after: Option<&DomainFacts>,
    ) -> Result<Self> {
        let text = |facts: Option<&DomainFacts>| facts.map(text::domain).unwrap_or_default();
        let facts = coloured(&compared(&text(before), &text(after)));
        let definitions = match (before, after) {
            (Some(before), Some(after)) => redefined(&before.definitions, &after.definitions),
            _ => String::new(),
        };
        Ok(Self {
            file,
            changes: differences(&before, &after)?,
            text: definitions + &facts,
        })
    }
}

/// The changes in a problem under one semantics.
#[derive(Debug, Serialize)]
pub(super) struct ProblemDiff {
    pub(super) file: String,
    pub(super) semantics: String,
    /// The reason why it was not compared; `null` where it was.
    pub(super) failure: Option<String>,
    /// The exit code that it leads to.
    #[serde(skip)]
    pub(super) failed: Option<Exit>,
    pub(super) changes: Vec<Change>,
    /// `null` where the references of a version are not known.
    pub(super) references: Option<ReferenceChanges>,
    #[serde(skip)]
    pub(super) text: String,
}

impl ProblemDiff {
    /// True where the versions differ, or were not compared.
    pub(super) fn differs(&self) -> bool {
        let references = self.references.as_ref();
        self.failure.is_some()
            || !self.changes.is_empty()
            || references.is_some_and(|references| !references.is_empty())
    }
}

/// The definitions that two versions do not share, each compared line by line.
pub(super) fn redefined(before: &[Definition], after: &[Definition]) -> String {
    let find = |all: &[Definition], name: &str| {
        let found = all.iter().find(|definition| definition.name == name);
        found.map_or_else(String::new, |definition| definition.text.clone())
    };
    let names = before
        .iter()
        .chain(after)
        .map(|definition| &definition.name);
    let names: IndexSet<&String> = names.collect();
    let mut text = String::new();
    for name in names {
        let (old, new) = (find(before, name), find(after, name));
        if old != new {
            text.push_str(&format!("{name}\n{}", coloured(&compared(&old, &new))));
        }
    }
    text
}

/// The values that two documents do not share.
pub(super) fn differences(before: &impl Serialize, after: &impl Serialize) -> Result<Vec<Change>> {
    changes(before, after).map_err(|error| Failure::Internal(error.to_string()))
}
