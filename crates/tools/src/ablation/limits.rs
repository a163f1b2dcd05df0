//! The constants of the portfolio, read from the source that defines them.

use crate::markdown::Table;

/// The source of the constants.
const SOURCE: &str = include_str!("../../../search/src/portfolio/limits.rs");

/// The table of the constants: name, value, what each bounds and what was measured.
pub(super) fn table() -> String {
    let mut table = Table::new(["constant", "value", "bounds"]);
    let mut about = String::new();
    for line in SOURCE.lines() {
        if let Some(text) = line.strip_prefix("///") {
            about.push_str(text);
        } else if let Some((name, value)) = constant(line) {
            table.add(
                &[format!("`{name}`")],
                vec![(value.replace('_', " "), vec![about.trim().to_owned()])],
            );
            about.clear();
        }
    }
    table.render()
}

/// Name and value of the constant that a line defines.
fn constant(line: &str) -> Option<(&str, &str)> {
    let (_, definition) = line.split_once("const ")?;
    let (name, value) = definition.split_once(": ")?;
    let (_, value) = value.split_once(" = ")?;
    Some((name, value.strip_suffix(';')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_with_their_values() {
        let line = "pub(super) const PAUSE: u64 = 50_000;";
        assert_eq!(constant(line), Some(("PAUSE", "50_000")));
        assert_eq!(constant("mod hunt;"), None);
    }

    #[test]
    fn every_constant_says_what_it_bounds() {
        let table = table();
        assert!(table.lines().count() > 20, "{table}");
        assert!(!table.contains("| |"), "{table}");
    }
}
