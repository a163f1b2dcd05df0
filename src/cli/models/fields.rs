//! A table of TOML as the fields of JSON that it stands for.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

/// Reads a table as fields of JSON.
pub(super) fn json_fields<'de, D>(deserializer: D) -> Result<Map<String, Value>, D::Error>
where
    D: Deserializer<'de>,
{
    let table = toml::Table::deserialize(deserializer)?;
    object(&table).map_err(D::Error::custom)
}

fn object(table: &toml::Table) -> Result<Map<String, Value>, String> {
    let mut fields = Map::new();
    for (key, of_key) in table {
        let value = value(of_key).map_err(|why| format!("`{key}`: {why}"))?;
        fields.insert(key.clone(), value);
    }
    Ok(fields)
}

fn value(value_of_toml: &toml::Value) -> Result<Value, String> {
    use toml::Value as Toml;
    Ok(match value_of_toml {
        Toml::String(text) => json!(text),
        Toml::Integer(number) => json!(number),
        Toml::Float(number) if number.is_finite() => json!(number),
        Toml::Float(number) => return Err(format!("JSON has no number {number}")),
        Toml::Boolean(truth) => json!(truth),
        Toml::Datetime(_) => return Err("JSON has no dates: put it in quotes".to_owned()),
        Toml::Array(items) => items.iter().map(value).collect::<Result<_, _>>()?,
        Toml::Table(table) => Value::Object(object(table)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        object(&text.parse().unwrap()).map(Value::Object)
    }

    #[test]
    fn every_value_that_both_have_is_kept() {
        let table = "a = 1\nb = 0.5\nc = [true, \"x\"]\nd = { e = {} }";
        let expected = json!({"a": 1, "b": 0.5, "c": [true, "x"], "d": {"e": {}}});
        assert_eq!(read(table), Ok(expected));
    }

    #[test]
    fn what_json_does_not_have_is_refused_with_its_place() {
        let error = |table: &str| read(table).unwrap_err();
        assert_eq!(error("a = { b = nan }"), "`a`: `b`: JSON has no number NaN");
        assert_eq!(error("a = [-inf]"), "`a`: JSON has no number -inf");
        assert!(error("a = 2026-01-01").contains("no dates"));
    }
}
