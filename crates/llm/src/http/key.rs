//! The key that a server asks for.

use super::secret::Secret;

/// A key that a server asks for. No log, no error and no `Debug` shows it.
#[derive(Clone, Debug)]
pub struct ApiKey(Secret);

/// A key cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
        Ok(Self(Secret(key.to_owned())))
    }

    /// The header that carries it.
    pub(super) fn authorization(&self) -> String {
        format!("Bearer {}", self.0.0)
    }

    /// Returns the secret, which nothing may show.
    pub(super) const fn secret(&self) -> &Secret {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sent_without_the_space_around_it_and_not_shown() {
        let key = ApiKey::new(" sk-s3cret/1\n").unwrap();
        assert_eq!(key.authorization(), "Bearer sk-s3cret/1");
        assert!(!format!("{key:?}").contains("s3cret"));
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
