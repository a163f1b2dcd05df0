//! Results that are kept as JSON, one object a line, and taken up again by a later run.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A result.
pub trait Entry: Serialize + DeserializeOwned {
    /// The key that distinguishes results, and orders them.
    type Key: Ord;

    /// Returns the key of the result.
    fn key(&self) -> Self::Key;

    /// Returns the subject of the result, in words.
    fn about(&self) -> String;

    /// Puts this in place of an earlier result on the same, of which it may keep what it does not
    /// know itself; or says that the earlier one knows more and stays.
    fn succeed(&mut self, earlier: &mut Self) -> Added;
}

/// Results on different things.
#[derive(Clone, Debug, PartialEq)]
pub struct Results<E: Entry> {
    entries: BTreeMap<E::Key, E>,
}

/// A text that holds no results.
#[derive(Debug, Error)]
pub enum ParseError {
    /// Not JSON, or not of the form of a result.
    #[error("line {line}: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The fault.
        error: serde_json::Error,
    },
    /// Two results on the same.
    #[error("line {line}: a second line on {about}")]
    Duplicate {
        /// Its number, from 1.
        line: usize,
        /// The subject of the line.
        about: String,
    },
}

/// The fate of a result that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is among the results.
    Taken,
    /// There is one in its place that knows more.
    Refused,
}

impl<E: Entry> Default for Results<E> {
    fn default() -> Self {
        let entries = BTreeMap::new();
        Self { entries }
    }
}

impl<E: Entry> Results<E> {
    /// Reads results: a JSON object a line.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut results = Self::default();
        for (text, line) in text.lines().zip(1..) {
            let entry: E = read(text, line)?;
            if let Some(earlier) = results.entries.insert(entry.key(), entry) {
                let about = earlier.about();
                return Err(ParseError::Duplicate { line, about });
            }
        }
        Ok(results)
    }

    /// Reads results to which a run has appended, until it was killed maybe: of two on the same the
    /// later one is [added](Self::add) to the earlier, and a last line that was not written to its end
    /// is left out.
    pub fn recover(text: &str) -> Result<Self, ParseError> {
        let mut results = Self::default();
        let mut rest = text;
        for line in 1.. {
            let Some((text, behind)) = rest.split_once('\n') else {
                if let Ok(entry) = read(rest, line) {
                    results.add(entry);
                }
                break;
            };
            results.add(read(text, line)?);
            rest = behind;
        }
        Ok(results)
    }

    /// Writes the results: a JSON object a line, in order.
    pub fn render(&self) -> Result<String, serde_json::Error> {
        let lines = self.entries.values().map(line);
        lines.collect()
    }

    /// Adds a result in place of the one on the same, unless that [knows more](Entry::succeed).
    pub fn add(&mut self, mut entry: E) -> Added {
        let key = entry.key();
        if let Some(earlier) = self.entries.get_mut(&key)
            && entry.succeed(earlier) == Added::Refused
        {
            return Added::Refused;
        }
        self.entries.insert(key, entry);
        Added::Taken
    }

    /// The result on something.
    pub fn get(&self, key: &E::Key) -> Option<&E> {
        self.entries.get(key)
    }

    /// All results, in order.
    pub fn iter(&self) -> impl Iterator<Item = &E> {
        self.entries.values()
    }
}

fn read<E: Entry>(text: &str, line: usize) -> Result<E, ParseError> {
    serde_json::from_str(text).map_err(|error| ParseError::Line { line, error })
}

/// A result as a line, its end included.
pub fn line(entry: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(entry)? + "\n")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// The greatest number of a name.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Greatest {
        name: String,
        number: u32,
    }

    impl Entry for Greatest {
        type Key = String;

        fn key(&self) -> String {
            self.name.clone()
        }

        fn about(&self) -> String {
            self.name.clone()
        }

        fn succeed(&mut self, earlier: &mut Self) -> Added {
            if self.number < earlier.number {
                Added::Refused
            } else {
                Added::Taken
            }
        }
    }

    const WRITTEN: &str = "{\"name\":\"a\",\"number\":3}\n{\"name\":\"b\",\"number\":5}\n";

    fn recovered(text: &str) -> String {
        let results = Results::<Greatest>::recover(text).unwrap();
        results.render().unwrap()
    }

    #[test]
    fn results_survive_being_written_and_read() {
        let results = Results::<Greatest>::parse(WRITTEN).unwrap();
        assert_eq!(results.render().unwrap(), WRITTEN);
    }

    #[test]
    fn what_was_appended_before_a_run_was_killed_is_recovered() {
        for cut in 0..WRITTEN.len() {
            let text = &WRITTEN[..cut];
            let complete = text.rfind('\n').map_or(0, |end| end + 1);
            let expected = match text.len() - complete {
                0 => complete,
                // Only the end of the line is missing.
                _ if text.ends_with('}') => cut + 1,
                _ => complete,
            };
            assert_eq!(recovered(text), WRITTEN[..expected], "{cut}");
        }
    }

    #[test]
    fn of_two_results_that_were_appended_on_the_same_the_better_stays() {
        let again = "{\"name\":\"a\",\"number\":4}\n{\"name\":\"b\",\"number\":4}\n";
        let expected = "{\"name\":\"a\",\"number\":4}\n{\"name\":\"b\",\"number\":5}\n";
        assert_eq!(recovered(&format!("{WRITTEN}{again}")), expected);
        let error = Results::<Greatest>::parse(&format!("{WRITTEN}{again}")).unwrap_err();
        assert_eq!(error.to_string(), "line 3: a second line on a");
    }

    #[test]
    fn a_line_that_is_wrong_is_reported_where_it_is_not_the_last() {
        let text = format!("{{\n{WRITTEN}");
        let error = Results::<Greatest>::recover(&text).unwrap_err();
        assert!(error.to_string().starts_with("line 1: "), "{error}");
    }
}
