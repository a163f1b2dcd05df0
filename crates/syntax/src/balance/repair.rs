//! Changes that balance a text without moving any other byte.

use std::borrow::Cow;

/// A change of the text.
pub(super) enum Repair {
    /// The byte at this offset becomes a space.
    Blank(u32),
    /// The white space at this offset becomes that many closing parentheses.
    Close(u32, usize),
    /// The white space at this offset becomes an opening parenthesis.
    Open(u32),
}

pub(super) fn apply<'s>(text: &'s str, repairs: &[Repair]) -> Cow<'s, str> {
    if repairs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut repaired = text.to_owned();
    for repair in repairs {
        match *repair {
            Repair::Blank(at) => repaired.replace_range(at as usize..=at as usize, " "),
            Repair::Open(at) => repaired.replace_range(at as usize..=at as usize, "("),
            Repair::Close(at, count) => {
                let start = (at as usize).min(repaired.len());
                let end = (start + count).min(repaired.len());
                repaired.replace_range(start..end, &")".repeat(count));
            }
        }
    }
    Cow::Owned(repaired)
}
