//! A text that nothing may show.

use std::fmt;

/// The placeholder for a redacted secret.
const HIDDEN: &str = "[key]";

/// From this many characters on, a text that equals the secret can only be the secret.
const UNMISTAKABLE: usize = 16;

/// A key, or the value of a header. No log, no error and no `Debug` shows it.
#[derive(Clone)]
pub(super) struct Secret(pub(super) String);

impl Secret {
    /// A server's message without the secret, also where a shortened message ends within it.
    pub(super) fn redact(&self, message: &str) -> String {
        let escaped = self.0.replace('/', "\\/");
        let message = message.replace(&self.0, HIDDEN);
        let message = message.replace(&escaped, HIDDEN);
        let mut pieces = message.split('…');
        let last = pieces.next_back().unwrap_or_default();
        let cut = pieces.map(|piece| self.without_beginning(piece) + "…");
        cut.collect::<String>() + last
    }

    /// A text without the beginning of the secret that it ends with, if it does.
    fn without_beginning(&self, text: &str) -> String {
        /// Fewer characters may as well be those of a word.
        const LEAST: usize = 4;
        let ends = (LEAST..self.0.len()).rev();
        let mut begins = ends.filter_map(|end| self.0.get(..end));
        match begins.find_map(|begin| text.strip_suffix(begin)) {
            Some(before) => format!("{before}{HIDDEN}"),
            None => text.to_owned(),
        }
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
    fn a_secret_at_which_a_message_is_cut_off_is_not_shown() {
        let secret = Secret("s3cret".to_owned());
        assert_eq!(secret.redact("bad key s3cr…"), "bad key [key]…");
        assert_eq!(secret.redact("to `/s3cr…`"), "to `/[key]…`");
        assert_eq!(secret.redact("bad key…"), "bad key…");
        assert_eq!(secret.redact("bad key s3cr"), "bad key s3cr");
    }

    #[test]
    fn an_answer_keeps_words_that_are_no_secret() {
        let answer =
            |secret: &str| Secret(secret.to_owned()).redact_answer(format!("it is {secret}"));
        assert_eq!(answer("none"), "it is none");
        assert_eq!(answer("sk-0123456789abcdef"), "it is [key]");
    }
}
