//! What differs between the facts of two versions of a problem.

use serde::Serialize;
use serde_json::Value;

/// A fact that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Where it stands in the facts: `sizes.agents.0.actions`.
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
    let before = serde_json::to_value(before)?;
    let after = serde_json::to_value(after)?;
    compare("", Some(&before), Some(&after), &mut found);
    Ok(found)
}

/// Compares two values. The depth of recursion is that of the facts.
fn compare(place: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let below = |name: &str| match place {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    if let (Some(before), Some(after)) = (before, after)
        && let (Some(before), Some(after)) = (parts(before), parts(after))
    {
        let other = |parts: &[(String, &Value)], name: &str| {
            let part = parts.iter().find(|(other, _)| other == name);
            part.is_some()
        };
        for (name, value) in &before {
            let there = after.iter().find(|(other, _)| other == name);
            compare(
                &below(name),
                Some(*value),
                there.map(|(_, value)| *value),
                found,
            );
        }
        for (name, value) in after.iter().filter(|(name, _)| !other(&before, name)) {
            compare(&below(name), None, Some(*value), found);
        }
        return;
    }
    found.push(Change {
        fact: place.to_owned(),
        before: before.and_then(text),
        after: after.and_then(text),
    });
}

/// A text as it is, all else as JSON: what differs may be of any type, and a key has one.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The parts of a value with their names; `None` if it is one thing.
fn parts(value: &Value) -> Option<Vec<(String, &Value)>> {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter();
            Some(fields.map(|(name, value)| (name.clone(), value)).collect())
        }
        Value::Array(items) => {
            let named = items.iter().map(|item| {
                let name = item.get("name").or_else(|| item.get("agent"))?;
                Some((name.as_str()?.to_owned(), item))
            });
            named
                .collect::<Option<Vec<_>>>()
                .filter(|parts| !parts.is_empty())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
    fn a_change_is_told_by_where_it_stands() {
        let before = json!({"sizes": {"bits": 3, "words": 1}, "makespan": 9});
        let after = json!({"sizes": {"bits": 4, "words": 1}, "makespan": null});
        let expected = [
            change("sizes.bits", Some("3"), Some("4")),
            change("makespan", Some("9"), None),
        ];
        assert_eq!(facts(&before, &after), expected);
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
