//! Texts of servers: those that say something, and as much of them as is shown.

use serde_json::Value;

/// The number of characters of an answer that an error shows.
const SHOWN: usize = 200;

/// The beginning of a text, on one line, without what would move a terminal's cursor.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.extend(word.chars().take(SHOWN + 1));
        if shown.chars().nth(SHOWN).is_some() {
            return shown.chars().take(SHOWN).chain("…".chars()).collect();
        }
    }
    shown
}

/// A text that is there and not empty.
pub(super) fn filled(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}
