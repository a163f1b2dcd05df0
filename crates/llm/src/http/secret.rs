//! A text that nothing may show.

use std::fmt;

/// What stands in its place.
const HIDDEN: &str = "[key]";

/// From this many characters on, a text that equals the secret can only be the secret.
const UNMISTAKABLE: usize = 16;

/// A key, or the value of a header. No log, no error and no `Debug` shows it.
#[derive(Clone)]
pub(super) struct Secret(pub(super) String);

impl Secret {
    /// A server's message without the secret.
    pub(super) fn redact(&self, message: &str) -> String {
        let escaped = self.0.replace('/', "\\/");
        let message = message.replace(&self.0, HIDDEN);
        message.replace(&escaped, HIDDEN)
    }

    /// A server's answer without the secret, should it repeat what it was sent. A short word, which
    /// servers on one's own machine are given as a key, may as well be one of the answer.
    pub(super) fn redact_answer(&self, answer: String) -> String {
        if self.0.len() < UNMISTAKABLE {
            answer
        } else {
            self.redact(&answer)
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret("sk-s3cret/1".to_owned());
        assert_eq!(format!("{secret:?}"), "[key]");
        let said = r#"bad key sk-s3cret/1 ("sk-s3cret\/1")"#;
        assert_eq!(secret.redact(said), r#"bad key [key] ("[key]")"#);
    }

    #[test]
    fn an_answer_keeps_words_that_are_no_secret() {
        let answer =
            |secret: &str| Secret(secret.to_owned()).redact_answer(format!("it is {secret}"));
        assert_eq!(answer("none"), "it is none");
        assert_eq!(answer("sk-0123456789abcdef"), "it is [key]");
    }
}
