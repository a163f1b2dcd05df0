//! Names of problems that are made of names of files.

/// A name of the language that is as close to a text as can be: `0_sandwich` becomes `task-0_sandwich`.
pub(crate) fn problem_name(text: &str) -> String {
    let is_char = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let text: String = text
        .chars()
        .map(|c| if is_char(c) { c } else { '-' })
        .collect();
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text
    } else {
        format!("task-{text}")
    }
}
