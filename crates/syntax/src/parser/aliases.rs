//! Guesses the keyword that is meant by one that does not exist: the nearest, an abbreviation, another language's.

use brigade_diagnostics::suggest;

/// Keywords of other languages, and those of this one that say the same.
const ALIASES: &[(&str, &str)] = &[
    ("args", "parameters"),
    ("arguments", "parameters"),
    ("variables", "parameters"),
    ("requires", "precondition"),
    ("when", "precondition"),
    ("if", "precondition"),
    ("trigger", "precondition"),
    ("then", "effect"),
    ("macro", "option"),
    ("post", "effect"),
    ("postcondition", "effect"),
    ("postconditions", "effect"),
    ("result", "effect"),
    ("results", "effect"),
    ("actor", "agent"),
    ("by", "agent"),
    ("player", "agent"),
    ("description", "text"),
    ("operator", "action"),
];

/// The keyword that is meant, of those that are known.
pub(super) fn meant(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let near = suggest(word, known.iter().copied());
    if let Some(near) = near.and_then(|near| known.iter().find(|key| **key == near)) {
        return Some(near);
    }
    let alias = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(word));
    if let Some((_, key)) = alias {
        return known.iter().find(|known| *known == key).copied();
    }
    abbreviated(word, known)
}

/// The one keyword that begins so, or that begins this word.
fn abbreviated(word: &str, known: &[&'static str]) -> Option<&'static str> {
    /// Shorter words begin too many.
    const SHORTEST: usize = 3;
    let word = word.to_ascii_lowercase();
    let stem = word.strip_suffix('s').unwrap_or(&word);
    let is_like = |key: &&&'static str| {
        stem.len() >= SHORTEST && key.starts_with(stem)
            || key.len() > SHORTEST && word.starts_with(**key)
    };
    let mut found = known.iter().filter(is_like);
    let first = found.next().copied();
    first.filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn abbreviations_and_words_of_other_languages_are_read_as_what_they_mean() {
        let known = ["agent", "parameters", "precondition", "effect", "text"];
        assert_eq!(meant("efect", &known), Some("effect"));
        assert_eq!(meant("precond", &known), Some("precondition"));
        assert_eq!(meant("params", &known), Some("parameters"));
        assert_eq!(meant("args", &known), Some("parameters"));
        assert_eq!(meant("pa", &known), None);
        assert_eq!(meant("duration", &known), None);
    }
}
