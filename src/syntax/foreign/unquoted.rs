//! Texts without quotes: what follows `:text` or `:label`, up to the end of its list or line.

/// How far the end of one is looked for, in bytes.
const LONGEST: usize = 200;

/// The keywords whose value is a text.
const KEYS: [&str; 2] = [":text", ":label"];

/// Whether a text may stand without quotes somewhere.
pub(super) fn has_unquoted(bytes: &[u8]) -> bool {
    let keys = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':');
    let mut after = keys.filter_map(|(at, _)| after_key(bytes, at));
    after.any(|at| unquoted_end(bytes, at).is_some())
}

/// Where the value of a keyword begins that stands here, if that is to be a text.
pub(super) fn after_key(bytes: &[u8], at: usize) -> Option<usize> {
    let is_key = |key: &&&str| {
        let word = bytes.get(at..at + key.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(key.as_bytes()))
    };
    let end = at + KEYS.iter().find(is_key)?.len();
    let blanks = bytes[end..]
        .iter()
        .take_while(|byte| **byte == b' ')
        .count();
    (blanks > 0).then_some(end + blanks)
}

/// Where the text ends that begins here without quotes: with its list or line, or before a keyword.
pub(super) fn unquoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    if !bytes.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    let mut depth = 0_usize;
    let mut end = at;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\n' | b'\r' | b';' => break,
            // It ends as it ought to.
            b'"' if ends_after(bytes, end) => {
                end += 1;
                break;
            }
            b'"' => return None,
            b':' if bytes[end - 1] == b' ' => break,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        end += 1;
        if end - at > LONGEST {
            return None;
        }
    }
    let text = bytes[at..end].trim_ascii_end();
    // One word may be meant as something else, such as `none`.
    let is_text = depth == 0 && text.contains(&b' ');
    is_text.then_some(at + text.len())
}

/// Whether nothing but the end of a list or a blank stands after this byte.
fn ends_after(bytes: &[u8], at: usize) -> bool {
    let after = bytes.get(at + 1);
    after.is_none_or(|after| after.is_ascii_whitespace() || *after == b')')
}
