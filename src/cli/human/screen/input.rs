//! The line that a person types on a full screen, with completion.

/// A line with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Input {
    text: String,
    /// The place of the cursor, in bytes.
    cursor: usize,
    /// The completions that are gone through: what was typed, and the one that is shown.
    choice: Option<(String, usize)>,
}

impl Input {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(super) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    pub(super) fn set(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.cursor = self.text.len();
        self.choice = None;
    }

    /// Puts text where the cursor is, without its control characters.
    pub(super) fn insert(&mut self, text: &str) {
        let text = text.replace(['\n', '\t'], " ");
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.choice = None;
    }

    /// Removes the letter before the cursor.
    pub(super) fn backspace(&mut self) {
        let end = self.cursor;
        self.left();
        self.text.drain(self.cursor..end);
        self.choice = None;
    }

    /// Removes the letter after the cursor.
    pub(super) fn delete(&mut self) {
        let start = self.cursor;
        self.right();
        self.text.drain(start..self.cursor);
        self.cursor = start;
        self.choice = None;
    }

    /// Removes the word before the cursor.
    pub(super) fn delete_word(&mut self) {
        let before = self.before().trim_end();
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.text.drain(start..self.cursor);
        self.cursor = start;
        self.choice = None;
    }

    pub(super) fn left(&mut self) {
        let letter = self.before().chars().next_back();
        self.cursor -= letter.map_or(0, char::len_utf8);
    }

    pub(super) fn right(&mut self) {
        let letter = self.text[self.cursor..].chars().next();
        self.cursor += letter.map_or(0, char::len_utf8);
    }

    pub(super) const fn home(&mut self) {
        self.cursor = 0;
    }

    pub(super) const fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Completes the line to what all fitting candidates begin with; where it is that already, goes through them.
    /// Returns false if none fits.
    pub(super) fn complete(&mut self, candidates: &[String], forward: bool) -> bool {
        let typed = self.choice.as_ref().map_or(&self.text, |(typed, _)| typed);
        let fitting: Vec<&String> = candidates.iter().filter(|it| fits(it, typed)).collect();
        let Some(&first) = fitting.first() else {
            return false;
        };
        if self.choice.is_none() {
            let shared = fitting
                .iter()
                .fold(&**first, |one, other| common(one, other));
            if shared.len() > self.text.len() {
                let shared = shared.to_owned();
                self.set(&shared);
                return true;
            }
        }
        let count = fitting.len();
        let at = match (&self.choice, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some((_, at)), true) => (at + 1) % count,
            (Some((_, at)), false) => (at + count - 1) % count,
        };
        let (typed, text) = (typed.clone(), fitting[at].clone());
        self.set(&text);
        self.choice = Some((typed, at));
        true
    }
}

/// Returns true if a candidate begins with what was typed, in letters of any case.
fn fits(candidate: &str, typed: &str) -> bool {
    let begin = candidate.get(..typed.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(typed))
}

/// The common beginning of two texts.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let pairs = one.char_indices().zip(other.chars());
    let mut differ = pairs.filter(|((_, letter), other)| letter != other);
    let end = differ
        .next()
        .map_or(other.len().min(one.len()), |((at, _), _)| at);
    &one[..end]
}

#[cfg(test)]
mod tests {
    use super::Input;

    fn candidates() -> Vec<String> {
        ["wait", "take(egg)", "take(éclair)", "hint"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn a_line_is_completed_to_what_is_common_and_then_gone_through() {
        let mut input = Input::default();
        input.insert("TA");
        let mut seen = Vec::new();
        for forward in [true, true, true, true, false] {
            assert!(input.complete(&candidates(), forward));
            seen.push(input.text().to_owned());
        }
        let wanted = [
            "take(",
            "take(egg)",
            "take(éclair)",
            "take(egg)",
            "take(éclair)",
        ];
        assert_eq!(seen, wanted);
        input.insert("?");
        assert!(!input.complete(&candidates(), true));
        assert_eq!(input.text(), "take(éclair)?");
        input.set("");
        assert!(input.complete(&candidates(), false));
        assert_eq!(input.text(), "hint");
    }

    #[test]
    fn letters_are_removed_whole_and_control_characters_never_come_in() {
        let mut input = Input::default();
        input.insert("say né\u{1b}[2Je\nno");
        assert_eq!(input.text(), "say né[2Je no");
        input.delete_word();
        input.backspace();
        input.home();
        for _ in 0..5 {
            input.right();
        }
        input.delete();
        assert_eq!((input.before(), input.text()), ("say n", "say n[2Je"));
        input.left();
        input.backspace();
        input.end();
        assert_eq!(input.before(), "sayn[2Je");
        input.set("");
        input.backspace();
        input.delete();
        input.delete_word();
        assert_eq!(input, Input::default());
    }
}
