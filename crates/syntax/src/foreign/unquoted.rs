//! Texts without quotes: what follows `:text` or `:label`, up to the end of its list or line.

use crate::balance::words::line_end;

/// The most bytes in which the end of one is sought, blanks in a row counted once.
const LONGEST: usize = 200;

/// The keywords whose value is a text.
const KEYS: [&str; 2] = [":text", ":label"];

/// Returns true if a text may stand without quotes somewhere.
pub(super) fn has_unquoted(bytes: &[u8]) -> bool {
    let keys = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let mut after = keys.filter_map(|(at, _)| after_key(bytes, at));
    after.any(|at| unquoted_end(bytes, at).is_some())
}

/// Returns the offset of the value of a keyword that stands here, if that is to be a text.
pub(super) fn after_key(bytes: &[u8], at: usize) -> Option<usize> {
    let is_key = |key: &&&str| {
        let word = bytes.get(at..at + key.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(key.as_bytes()))
    };
    let end = at + KEYS.iter().find(is_key)?.len();
    let value = next_word(bytes, end);
    (value > end).then_some(value)
}

/// Returns the end of a text that begins here without quotes: with its list or line, or before a keyword. Line breaks
/// do not change the answer.
pub(super) fn unquoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    if !bytes.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let (mut depth, mut length) = (0_usize, 0);
    let mut end = at;
    while let Some(&byte) = bytes.get(end) {
        let is_after_blank = bytes[end - 1].is_ascii_whitespace();
        match byte {
            b'\n' | b'\r' | b';' if depth > 0 => return None,
            b'\n' | b'\r' | b';' => break,
            // It ends as it ought to.
            b'"' if ends_after(bytes, end) => {
                end += 1;
                break;
            }
            b'"' => return None,
            b':' if is_after_blank => break,
            // A list stands there.
            b'(' if is_after_blank => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        end += 1;
        length += usize::from(!(is_after_blank && byte.is_ascii_whitespace()));
        if length > LONGEST {
            break;
        }
    }
    let text = bytes[at..end].trim_ascii_end();
    let is_long = length > LONGEST;
    let has_more = || {
        let next = next_word(bytes, end);
        match bytes.get(next) {
            None | Some(b'(' | b')' | b':') => false,
            Some(b'"') => ends_after(bytes, next),
            Some(_) => !is_long,
        }
    };
    // One word may be meant as something else, such as `none`; none of those has a list within.
    let is_text = text
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || *byte == b'(')
        || has_more();
    is_text.then_some(at + text.len())
}

/// Returns the offset of the next word or list, after blanks and comments.
fn next_word(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b';' => at = line_end(bytes, at),
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// Returns true if nothing but the end of a list or a blank stands after this byte.
fn ends_after(bytes: &[u8], at: usize) -> bool {
    let after = bytes.get(at + 1);
    after.is_none_or(|after| after.is_ascii_whitespace() || *after == b')')
}
