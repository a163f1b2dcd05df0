//! Reading JSON: objects with all their entries, and complaints that people understand.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// An object's entries in order, duplicates included.
pub struct Entries<V>(pub Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Collect<V> {
            type Value = Entries<V>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<V>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Collect(PhantomData))
    }
}

/// Returns the message of the parser, and its place in the text.
pub fn complaint(error: &serde_json::Error) -> String {
    let reason = reason(error);
    match (error.line(), error.column()) {
        // It gives no place for a value that it had read as a whole.
        (0, _) | (_, 0) => reason,
        (line, column) => format!("{reason} (line {line}, column {column})"),
    }
}

/// Returns the message of the parser for a text that is one line of a file: the parser counts that line as its first,
/// so only the column is shown.
pub fn complaint_of_line(error: &serde_json::Error) -> String {
    let reason = reason(error);
    match error.column() {
        0 => reason,
        column => format!("{reason} (column {column})"),
    }
}

/// Returns the message of the parser, without a place and in the words of JSON rather than of Rust.
pub fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    let mut reason = text[..end].to_owned();
    for (rust, json) in [
        ("struct ", "an object"),
        ("internally tagged enum ", "an object"),
    ] {
        if let Some(at) = reason.find(&format!("expected {rust}")) {
            reason.truncate(at + "expected ".len());
            reason.push_str(json);
        }
    }
    for (rust, json) in [
        ("invalid type: sequence", "invalid type: array"),
        ("invalid type: map", "invalid type: object"),
        ("expected a sequence", "expected an array"),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected usize", "expected a whole number, 0 or more"),
        ("expected i64", "expected a whole number"),
    ] {
        reason = reason.replace(rust, json);
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Point {
        #[expect(dead_code, reason = "only errors are looked at")]
        x: u32,
    }

    fn wrong(text: &str) -> serde_json::Error {
        serde_json::from_str::<Point>(text).unwrap_err()
    }

    #[test]
    fn complaints_name_json_rather_than_rust() {
        let said = |text| complaint(&wrong(text));
        assert_eq!(
            said("{\"x\": -1}"),
            "invalid value: integer `-1`, expected a whole number from 0 to 4294967295 \
             (line 1, column 8)"
        );
        assert_eq!(
            said("\n 3"),
            "invalid type: integer `3`, expected an object (line 2, column 2)"
        );
        assert_eq!(said("{}"), "missing field `x` (line 1, column 2)");
    }

    #[test]
    fn of_one_line_the_column_is_given() {
        let error = wrong("{\"x\": tru}");
        assert_eq!(complaint_of_line(&error), "expected ident (column 10)");
    }

    #[test]
    fn entries_keep_order_and_repetition() {
        let Entries(entries): Entries<u8> = serde_json::from_str(r#"{"b":1,"a":2,"b":3}"#).unwrap();
        let entries: Vec<(&str, u8)> = entries.iter().map(|(k, v)| (k.as_str(), *v)).collect();
        assert_eq!(entries, [("b", 1), ("a", 2), ("b", 3)]);
    }
}
