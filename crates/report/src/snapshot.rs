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
//! The head names the version of the form, the file that the facts are of, and the states that each
//! search for them may store: so a file that needs more than others is compared with what its own
//! snapshot was made with. What follows are the facts as [`text`](super::facts::text), one block for
//! each semantics with an empty line between two.

use std::fmt;

use similar::{ChangeTag, TextDiff};
use thiserror::Error;

/// Version of the form.
pub const VERSION: u32 = 1;

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

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
    /// Whether a text begins as a snapshot does, of whatever version.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("---\nbrigade: snapshot ")
    }

    /// Reads a snapshot.
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

/// What kind of line a line of a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Only in the old text.
    Removed,
    /// Only in the new text.
    Added,
    /// In both, near a change.
    Kept,
    /// Says where the lines that follow are.
    Place,
}

/// Two texts compared line by line: the changes with some lines around them, each without its end of
/// line and, but for places, with `-`, `+` or a space before it. Empty if the texts are equal. Where very
/// much differs, the old lines stand before the new ones.
pub fn compared(old: &str, new: &str) -> Vec<(Line, String)> {
    if let Some(lines) = replaced(old, new) {
        return lines;
    }
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push((Line::Place, hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let (line, sign) = match change.tag() {
                ChangeTag::Delete => (Line::Removed, '-'),
                ChangeTag::Insert => (Line::Added, '+'),
                ChangeTag::Equal => (Line::Kept, ' '),
            };
            let text = change.value().trim_end_matches('\n');
            lines.push((line, format!("{sign}{text}").trim_end().to_owned()));
        }
    }
    lines
}

/// The comparison of texts that differ in very many lines in a row; finding what is common to these would
/// take time quadratic in their number.
fn replaced(old: &str, new: &str) -> Option<Vec<(Line, String)>> {
    /// Fewer are compared.
    const MANY: usize = 10_000;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = old.iter().zip(&new).take_while(|(old, new)| old == new);
    let before = common.count();
    let (old, new) = (&old[before..], &new[before..]);
    let common = old.iter().rev().zip(new.iter().rev());
    let after = common.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    if old.len() + new.len() <= MANY {
        return None;
    }
    let place = format!("@@ -{0},{1} +{0},{2} @@", before + 1, old.len(), new.len());
    let removed = old.iter().map(|line| (Line::Removed, format!("-{line}")));
    let added = new.iter().map(|line| (Line::Added, format!("+{line}")));
    let lines = removed.chain(added);
    let lines = lines.map(|(line, text)| (line, text.trim_end().to_owned()));
    Some(std::iter::once((Line::Place, place)).chain(lines).collect())
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
        let insta = "---\nsource: tests/domains/main.rs\n---\ntypes\n";
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

    #[test]
    fn a_comparison_shows_what_changed_and_nothing_of_equal_texts() {
        let text = soup().to_string();
        assert_eq!(compared(&text, &text), []);
        let lines = compared("a\nb\n", "a\nc\n");
        let expected = [
            (Line::Place, "@@ -1,2 +1,2 @@"),
            (Line::Kept, " a"),
            (Line::Removed, "-b"),
            (Line::Added, "+c"),
        ];
        assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn very_many_lines_that_differ_are_shown_one_text_after_the_other() {
        let text = |name: &str, count: usize| -> String {
            let lines = (0..count).map(|number| format!("{name} {number}\n"));
            format!("first\n{}last\n", lines.collect::<String>())
        };
        let lines = compared(&text("old", 400_000), &text("new", 3));
        assert_eq!(lines.len(), 1 + 400_000 + 3);
        let (first, last) = (&lines[..2], &lines[lines.len() - 1]);
        assert_eq!(first[0].1, "@@ -2,400000 +2,3 @@");
        assert_eq!(first[1], (Line::Removed, "-old 0".to_owned()));
        assert_eq!(*last, (Line::Added, "+new 2".to_owned()));
    }
}
