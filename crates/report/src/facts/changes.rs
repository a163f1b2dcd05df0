//! The differences between the facts of two versions of a problem.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A fact that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The path in the facts: `sizes.agents.0.actions`.
    pub fact: String,
    /// In the first version, a text as it is and all else as JSON; `None` if it is not there or not known.
    pub before: Option<String>,
    /// In the second.
    pub after: Option<String>,
}

/// The facts that differ, in the order of the first version, then of what only the second has.
/// Entries of lists that have names, as types and agents do, are compared by these.
pub fn changes(before: &impl Serialize, after: &impl Serialize) -> serde_json::Result<Vec<Change>> {
    let mut found = Vec::new();
    let before = serde_json::to_string(before)?;
    let after = serde_json::to_string(after)?;
    let [before, after] = [&before, &after].map(|text| serde_json::from_str(text));
    compare("", Some(before?), Some(after?), &mut found)?;
    Ok(found)
}

/// A value as its JSON: numbers have all their digits there.
type Json<'a> = &'a RawValue;

/// Compares two values. The depth of recursion is that of the facts.
fn compare(
    place: &str,
    before: Option<Json<'_>>,
    after: Option<Json<'_>>,
    found: &mut Vec<Change>,
) -> serde_json::Result<()> {
    if before.map(RawValue::get) == after.map(RawValue::get) {
        return Ok(());
    }
    let below = |name: &str| match place {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    let parts = |value: Option<_>| value.map_or(Ok(None), parts);
    if let (Some(before), Some(after)) = (parts(before)?, parts(after)?) {
        for (name, value) in &before {
            let there = after.get(name).copied();
            compare(&below(name), Some(*value), there, found)?;
        }
        for (name, value) in &after {
            if !before.contains_key(name) {
                compare(&below(name), None, Some(*value), found)?;
            }
        }
        return Ok(());
    }
    let text = |value: Option<_>| value.map_or(Ok(None), text);
    found.push(Change {
        fact: place.to_owned(),
        before: text(before)?,
        after: text(after)?,
    });
    Ok(())
}

/// A text as it is, all else as JSON: what differs may be of any type, and a key has one.
fn text(value: Json<'_>) -> serde_json::Result<Option<String>> {
    match value.get() {
        "null" => Ok(None),
        text if text.starts_with('"') => serde_json::from_str(text),
        other => Ok(Some(other.to_owned())),
    }
}

/// The parts of a value by name; `None` if it is one thing.
fn parts(value: Json<'_>) -> serde_json::Result<Option<IndexMap<String, Json<'_>>>> {
    /// An entry of a list, as far as it is named.
    #[derive(Deserialize)]
    struct Named {
        name: Option<String>,
        agent: Option<String>,
    }

    let text = value.get();
    if text.starts_with('{') {
        return serde_json::from_str(text).map(Some);
    }
    if !text.starts_with('[') {
        return Ok(None);
    }
    let items: Vec<Json<'_>> = serde_json::from_str(text)?;
    let named = items.iter().map(|&item| {
        let Named { name, agent } = serde_json::from_str(item.get()).ok()?;
        Some((name.or(agent)?, item))
    });
    let named: Option<IndexMap<String, Json<'_>>> = named.collect();
    let is_told_apart = |parts: &IndexMap<_, _>| !parts.is_empty() && parts.len() == items.len();
    Ok(named.filter(is_told_apart))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn facts(before: &Value, after: &Value) -> Vec<(String, Option<String>, Option<String>)> {
        let found = changes(before, after).unwrap();
        let found = found.into_iter();
        found
            .map(|change| (change.fact, change.before, change.after))
            .collect()
    }

    fn change(
        fact: &str,
        before: Option<&str>,
        after: Option<&str>,
    ) -> (String, Option<String>, Option<String>) {
        let text = |text: &str| text.to_owned();
        (text(fact), before.map(text), after.map(text))
    }

    #[test]
    fn equal_facts_have_no_changes() {
        let same = json!({"a": [1, 2], "b": null});
        assert_eq!(facts(&same, &same), []);
    }

    #[test]
    fn a_change_is_named_by_its_place() {
        let before = json!({"sizes": {"bits": 3, "words": 1}, "makespan": 9});
        let after = json!({"sizes": {"bits": 4, "words": 1}, "makespan": null});
        let expected = [
            change("sizes.bits", Some("3"), Some("4")),
            change("makespan", Some("9"), None),
        ];
        assert_eq!(facts(&before, &after), expected);
    }

    #[test]
    fn numbers_are_compared_by_all_their_digits() {
        let [before, after] = ["123456789012345.678", "123456789012345.679"]
            .map(|cost| format!("{{\"cost\":{cost}}}"));
        let [old, new] =
            [&before, &after].map(|text| serde_json::from_str::<&RawValue>(text).unwrap());
        assert_eq!(
            changes(&old, &new).unwrap(),
            [Change {
                fact: "cost".to_owned(),
                before: Some("123456789012345.678".to_owned()),
                after: Some("123456789012345.679".to_owned()),
            }]
        );
    }

    #[test]
    fn entries_with_names_are_compared_by_them_whatever_their_place() {
        let before = json!([{"name": "cook", "objects": 2}, {"name": "food", "objects": 3}]);
        let after = json!([{"name": "food", "objects": 4}, {"name": "dish", "objects": 1}]);
        let expected = [
            change("cook", Some(r#"{"name":"cook","objects":2}"#), None),
            change("food.objects", Some("3"), Some("4")),
            change("dish", None, Some(r#"{"name":"dish","objects":1}"#)),
        ];
        assert_eq!(facts(&before, &after), expected);
    }
}
