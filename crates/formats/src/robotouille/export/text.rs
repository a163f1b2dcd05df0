//! The texts of the JSON files.

use serde_json::{Value, json};

/// A domain and an environment as the texts of two JSON files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The domain file.
    pub domain: String,
    /// The environment file.
    pub environment: String,
}

/// JSON as a file: what fits stays on one line.
pub(super) fn text(json: &Value) -> String {
    let mut text = String::new();
    write(json, 0, &mut text);
    text.push('\n');
    text
}

/// Longer lists and objects are broken.
const LINE_WIDTH: usize = 100;

fn write(json: &Value, depth: usize, text: &mut String) {
    let flat = json.to_string();
    let width = 2 * depth + flat.chars().count();
    let parts: Vec<(String, &Value)> = match json {
        Value::Array(items) if width > LINE_WIDTH => {
            items.iter().map(|item| (String::new(), item)).collect()
        }
        Value::Object(entries) if width > LINE_WIDTH || depth == 0 => entries
            .iter()
            .map(|(key, value)| (format!("{}: ", json!(key)), value))
            .collect(),
        _ => {
            text.push_str(&flat);
            return;
        }
    };
    let (open, close) = if json.is_array() {
        ("[", "]")
    } else {
        ("{", "}")
    };
    text.push_str(open);
    for (number, (key, value)) in parts.iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        text.push_str(key);
        write(value, depth + 1, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push_str(close);
}
