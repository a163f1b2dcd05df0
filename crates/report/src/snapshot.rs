//! Snapshots of facts: what an author has accepted of a file, kept beside it as text.
//!
//! ```text
//! ---
//! brigade: snapshot 1
//! source: soup.pddl
//! states: 100000
//! ---
//! problem: soup
//! …
//! ```
//!
//! The head names the version of the form, the file that the facts are of, and the states that each search for them may
//! store: so a file that needs more than others is compared with what its own snapshot was made with. The facts follow
//! as [`text`](super::facts::text), one block for each semantics with an empty line between two.

use std::fmt;

use thiserror::Error;

/// Version of the form.
pub const VERSION: u32 = 1;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The file that the facts are of, without its folder.
    pub source: String,
    /// States that each search for facts may store, 0 if there is none; `None` of a domain.
    pub states: Option<u64>,
    /// The facts.
    pub body: String,
}

/// A text is not a snapshot that this version reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotASnapshot {
    /// It has not the head of one.
    #[error("it does not begin as a snapshot of brigade does")]
    Head,
    /// It was written by another version.
    #[error("it is of version {0}, and this is a brigade of version {VERSION}")]
    Version(String),
}

impl Snapshot {
    /// Returns true if a text begins as a snapshot does, of whatever version.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("---\nbrigade: snapshot ")
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    ///
    /// The text is no snapshot, or one of another version.
    pub fn parse(text: &str) -> Result<Self, NotASnapshot> {
        let rest = text
            .strip_prefix("---\nbrigade: snapshot ")
            .ok_or(NotASnapshot::Head)?;
        let (version, rest) = rest.split_once('\n').ok_or(NotASnapshot::Head)?;
        if version != VERSION.to_string() {
            return Err(NotASnapshot::Version(version.to_owned()));
        }
        let rest = rest.strip_prefix("source: ").ok_or(NotASnapshot::Head)?;
        let (head, body) = rest.split_once("\n---\n").ok_or(NotASnapshot::Head)?;
        let (source, states) = match head.split_once("\nstates: ") {
            None => (head, None),
            Some((source, states)) => {
                let states = states.parse().map_err(|_| NotASnapshot::Head)?;
                (source, Some(states))
            }
        };
        Ok(Self {
            source: source.to_owned(),
            states,
            body: body.to_owned(),
        })
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "---\nbrigade: snapshot {VERSION}")?;
        writeln!(formatter, "source: {}", self.source)?;
        if let Some(states) = self.states {
            writeln!(formatter, "states: {states}")?;
        }
        write!(formatter, "---\n{}", self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soup() -> Snapshot {
        Snapshot {
            source: "soup.pddl".to_owned(),
            states: Some(5000),
            body: "problem: soup\nsolvable: yes\n".to_owned(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(Snapshot::parse(&soup().to_string()), Ok(soup()));
        let domain = Snapshot {
            states: None,
            ..soup()
        };
        assert_eq!(Snapshot::parse(&domain.to_string()), Ok(domain));
    }

    #[test]
    fn a_text_of_something_else_is_no_snapshot_and_of_another_version_says_so() {
        let insta = "---\nsource: tests/language/domains/mod.rs\n---\ntypes\n";
        assert_eq!(Snapshot::parse(insta), Err(NotASnapshot::Head));
        assert!(!Snapshot::is_one(insta));
        let later = soup().to_string().replace("snapshot 1", "snapshot 2");
        let found = Snapshot::parse(&later);
        assert_eq!(found, Err(NotASnapshot::Version("2".to_owned())));
        assert!(Snapshot::is_one(&later));
        for cut in ["states: 5000", "states: many"] {
            let text = soup().to_string().replace("states: 5000", cut);
            assert_eq!(Snapshot::parse(&text).is_ok(), cut == "states: 5000");
        }
    }
}
