//! The same problem in another order.

use crate::oracle::random_domains::Random;

/// A text in which the elements of the list that begins with these words are shuffled. Of typed
/// names each keeps its type; timed literals, whose order counts, stay in order.
pub(crate) fn shuffled(text: &str, words: &str, random: &mut Random) -> String {
    let Some(start) = text.find(words).map(|at| at + words.len()) else {
        return text.to_owned();
    };
    let end = start + length(&text[start..]);
    let is_timed = |element: &String| {
        let rest = element.strip_prefix("(at ");
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    let elements = typed(elements(&text[start..end])).into_iter();
    let (mut timed, mut elements): (Vec<String>, Vec<String>) = elements.partition(is_timed);
    for last in (1..elements.len()).rev() {
        elements.swap(last, random.below(last + 1));
    }
    elements.append(&mut timed);
    format!(
        "{} {}{}",
        &text[..start],
        elements.join("\n    "),
        &text[end..]
    )
}

/// The bytes before the parenthesis that closes a list.
pub(crate) fn length(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The words and lists of a list.
fn elements(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = match rest.strip_prefix('(') {
            Some(inner) => 1 + length(inner) + 1,
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        found.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    found
}

/// `a b - t` as `a - t` and `b - t`.
fn typed(words: Vec<String>) -> Vec<String> {
    let (mut found, mut untyped) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "-" {
            let ty = words.next().unwrap_or_default();
            found.extend(
                untyped
                    .drain(..)
                    .map(|name: String| format!("{name} - {ty}")),
            );
        } else {
            untyped.push(word);
        }
    }
    found.append(&mut untyped);
    found
}
