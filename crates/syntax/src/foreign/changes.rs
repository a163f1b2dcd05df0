//! The language's own bytes in place of what is foreign.

use std::borrow::Cow;

/// A change of the text that moves no other byte.
pub(super) enum Change {
    /// The byte here begins a comment.
    Comment(usize),
    /// A block from here to there says nothing.
    Blank(usize, usize),
    /// The character from here to there is the quote that opens a text.
    Open(usize, usize),
    /// The character from here to there is the quote that closes a text.
    Close(usize, usize),
    /// The quote here stands within a text.
    Inner(usize),
    /// From here to there stands a text without quotes.
    Unquoted(usize, usize),
    /// The bracket here opens a list, or closes one.
    Bracket(usize),
}

pub(super) fn apply<'s>(text: &'s str, changes: &[Change]) -> Cow<'s, str> {
    if changes.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        match *change {
            Change::Comment(at) => bytes[at] = b';',
            Change::Blank(start, end) => {
                let all = bytes[start..end].iter_mut();
                all.filter(|byte| !matches!(byte, b'\n' | b'\r'))
                    .for_each(|byte| *byte = b' ');
            }
            // No blank may come between a quote and the text.
            Change::Open(start, end) => {
                bytes[start..end].fill(b' ');
                bytes[end - 1] = b'"';
            }
            Change::Close(start, end) => {
                bytes[start..end].fill(b' ');
                bytes[start] = b'"';
            }
            Change::Inner(at) => bytes[at] = b'\'',
            // There is no room for the quotes; what it says does not matter any more.
            Change::Unquoted(start, end) => {
                bytes[start..end].fill(b' ');
                bytes[start] = b'"';
                bytes[end - 1] = b'"';
            }
            Change::Bracket(at) if matches!(bytes[at], b'[' | b'{') => bytes[at] = b'(',
            Change::Bracket(at) => bytes[at] = b')',
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}
