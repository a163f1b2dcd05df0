//! An object within a text.

/// The first balanced `{…}` of a text.
pub(super) fn embedded_object(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let mut depth = 0_u32;
    let (mut in_string, mut escaped) = (false, false);
    for (at, c) in text[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[start..=start + at]);
                }
            }
            _ => {}
        }
    }
    None
}
