//! Names of problems, set-ups and models as parts of the names of files: distinct names stay distinct, also
//! where a file system knows no case.

use sha2::{Digest, Sha256};

/// A part of a name has no more bytes: three of them, and what follows, are the name of a file.
const LONGEST: usize = 60;

/// Names that some file systems keep for devices.
const RESERVED: [&str; 4] = ["aux", "con", "nul", "prn"];

/// A name as part of the name of a file: itself where it has only small letters, digits, `-` and `_` and
/// is not long, else what is readable of it, `~` and a hash.
pub(super) fn file_safe(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    let hash = Sha256::digest(name.as_bytes());
    let hash: String = hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    let mut part = readable(name);
    // Of ASCII only.
    part.truncate(LONGEST - 1 - hash.len());
    format!("{part}~{hash}")
}

/// The part as it was when it had only what is readable.
pub(super) fn readable(name: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect()
}

fn is_plain(name: &str) -> bool {
    let is_small =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let port = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    let is_port =
        port.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit());
    !name.is_empty()
        && name.len() <= LONGEST
        && name.bytes().all(is_small)
        && !RESERVED.contains(&name)
        && !is_port
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in ["react", "boiled_egg", "react-2", "0", &"a".repeat(60)] {
            assert_eq!(file_safe(name), name);
        }
    }

    #[test]
    fn distinct_names_are_distinct_parts_also_without_case() {
        let long = |end: &str| format!("{}{end}", "a".repeat(300));
        let names = [
            "react",
            "React",
            "REACT",
            "react ",
            "react_",
            "反応",
            "計画",
            "__",
            "a/b",
            "a\\b",
            "a b",
            "a_b",
            "a.b",
            "..",
            ".",
            "/",
            "é",
            "e\u{301}",
            "\0",
            "\n",
            "con",
            "com1",
            "nul",
            "",
            &long(""),
            &long("b"),
            &long("B"),
            &"a".repeat(60),
            &"a".repeat(61),
        ];
        let mut parts: Vec<String> = Vec::new();
        for name in names {
            let part = file_safe(name);
            let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_~".contains(c);
            assert!(
                part.chars().all(is_safe) && part.len() <= LONGEST,
                "{name:?}: {part}"
            );
            parts.push(part.to_lowercase());
        }
        parts.sort();
        let all = parts.len();
        parts.dedup();
        assert_eq!(parts.len(), all);
    }

    #[test]
    fn what_is_readable_of_a_name_is_kept() {
        let part = file_safe("react with a planner");
        assert!(part.starts_with("react_with_a_planner~"), "{part}");
    }
}
