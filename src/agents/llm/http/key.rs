//! A secret key, which nothing shows.

use std::fmt;

/// What stands in its place.
const HIDDEN: &str = "[key]";

/// From this many characters on, a text that equals the key can only be the key.
const UNMISTAKABLE: usize = 16;

/// A key that a server asks for. No log, no error and no `Debug` shows it.
#[derive(Clone)]
pub struct ApiKey(String);

/// A key cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is nothing but space.
    #[error("the key is empty")]
    Empty,
    /// A header cannot hold it.
    #[error("the key holds a space, a line break or a character beyond ASCII")]
    NotAscii,
}

impl ApiKey {
    /// A key, without the space around it.
    pub fn new(key: &str) -> Result<Self, KeyError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(KeyError::Empty);
        }
        if !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(KeyError::NotAscii);
        }
        Ok(Self(key.to_owned()))
    }

    /// The header that carries it.
    pub(super) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A server's message without the key.
    pub(super) fn redact(&self, message: &str) -> String {
        let escaped = self.0.replace('/', "\\/");
        let message = message.replace(&self.0, HIDDEN);
        message.replace(&escaped, HIDDEN)
    }

    /// A server's answer without the key, should it repeat what it was sent. A short word, which
    /// servers on one's own machine are given as a key, may as well be one of the answer.
    pub(super) fn redact_answer(&self, answer: String) -> String {
        if self.0.len() < UNMISTAKABLE {
            answer
        } else {
            self.redact(&answer)
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown() {
        let key = ApiKey::new(" sk-s3cret/1\n").unwrap();
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(key.authorization(), "Bearer sk-s3cret/1");
        let said = r#"bad key sk-s3cret/1 ("sk-s3cret\/1")"#;
        assert_eq!(key.redact(said), r#"bad key [key] ("[key]")"#);
    }

    #[test]
    fn an_answer_keeps_words_that_are_no_secret() {
        let answer = |key: &str| {
            ApiKey::new(key)
                .unwrap()
                .redact_answer(format!("it is {key}"))
        };
        assert_eq!(answer("none"), "it is none");
        assert_eq!(answer("sk-0123456789abcdef"), "it is [key]");
    }

    #[test]
    fn a_key_that_cannot_be_sent_is_refused_without_being_shown() {
        for (key, error) in [
            (" \n", KeyError::Empty),
            ("a b", KeyError::NotAscii),
            ("a\r\nX-Other: b", KeyError::NotAscii),
            ("schlüssel", KeyError::NotAscii),
        ] {
            assert_eq!(ApiKey::new(key).unwrap_err(), error);
        }
    }
}
