//! Checks that a document fits one of the schemas that are published.

use std::path::Path;

use serde_json::Value;

/// Checks a value against the part of JSON Schema that the schemas in `docs/schema` use.
pub(crate) fn conforms(value: &Value, schema: &Value, root: &Value) -> bool {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.strip_prefix("#/$defs/").unwrap();
        return conforms(value, &root["$defs"][name], root);
    }
    let any = |options: &Value| {
        let options = options.as_array().unwrap().iter();
        options
            .filter(|option| conforms(value, option, root))
            .count()
    };
    let fields = |value: &serde_json::Map<String, Value>| {
        let mut required = schema["required"].as_array().into_iter().flatten();
        let complete = required.all(|key| value.contains_key(key.as_str().unwrap()));
        let further = &schema["additionalProperties"];
        let known = value
            .iter()
            .all(|(key, field)| match &schema["properties"][key] {
                Value::Null if further.is_object() => conforms(field, further, root),
                Value::Null => further != &Value::Bool(false),
                property => conforms(field, property, root),
            });
        complete && known
    };
    let is_of = |name: &str| match name {
        "object" => value.as_object().is_some_and(fields),
        "array" => value.as_array().is_some_and(|items| {
            let of = |item| schema["items"].is_null() || conforms(item, &schema["items"], root);
            items.iter().all(of)
        }),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let types = match &schema["type"] {
        Value::Null => true,
        Value::String(name) => is_of(name),
        Value::Array(names) => names.iter().any(|name| is_of(name.as_str().unwrap())),
        other => panic!("{other}"),
    };
    let listed = schema["enum"].as_array();
    types
        && listed.is_none_or(|values| values.contains(value))
        && (schema["const"].is_null() || schema["const"] == *value)
        && (schema["oneOf"].is_null() || any(&schema["oneOf"]) == 1)
        && (schema["anyOf"].is_null() || any(&schema["anyOf"]) > 0)
}

/// A schema of `docs/schema`.
pub(crate) fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/schema")
        .join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
