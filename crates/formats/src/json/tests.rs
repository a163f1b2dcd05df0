//! The reader of JSON: what is accepted, what is refused, and where.

use super::*;
use brigade_diagnostics::Sources;
use serde_json::Value as Known;

fn read(text: &str) -> std::result::Result<Json, (Code, Span)> {
    let mut diagnostics = Diagnostics::new();
    let source = Sources::new().add("text", text);
    parse(source, text, &mut diagnostics).ok_or_else(|| {
        let fault = diagnostics.iter().next().expect("a report");
        (fault.code, fault.place().expect("a place").span)
    })
}

/// A value as another reader has it, numbers by their spelling.
fn known(json: &Json) -> Known {
    match &json.value {
        Value::Null => Known::Null,
        Value::Boolean(value) => Known::Bool(*value),
        Value::Number(text) => serde_json::from_str(text).expect("a number"),
        Value::Text(text) => Known::String(text.clone()),
        Value::List(items) => Known::Array(items.iter().map(known).collect()),
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| (key.text.clone(), known(value)));
            Known::Object(entries.collect())
        }
    }
}

/// Every text is read as `serde_json` reads it, or refused as there.
#[test]
fn what_is_json_is_what_serde_json_reads() {
    let texts = [
        r#" {"a": [1, -0.5e3, 2E+1, 0], "b": {"c": null}, "": true} "#,
        r#"["\u00e9\n\"\\\/\b\f\r\t", "\ud83c\udf5e", "é🍞", ""]"#,
        "[]",
        "{}",
        "7",
        "[1,]",
        "{,}",
        "{\"a\" 1}",
        "{\"a\": }",
        "{a: 1}",
        "[1 2]",
        "01",
        "-",
        "1.",
        "1e",
        "tru",
        "trueish",
        "nullx",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"line\nbreak\"",
        "[",
        "{\"a\": 1",
        "[] []",
        "",
    ];
    for text in texts {
        let expected: Option<Known> = serde_json::from_str(text).ok();
        assert_eq!(read(text).ok().as_ref().map(known), expected, "{text}");
    }
}

#[test]
fn every_value_knows_its_place() {
    let text = r#"{"name": "bröt", "at": [1, 22]}"#;
    let Ok(Json {
        value: Value::Object(entries),
        span,
    }) = read(text)
    else {
        panic!("an object");
    };
    let slice = |span: Span| &text[span.range()];
    assert_eq!(slice(span), text);
    assert_eq!(slice(entries[0].0.span), "\"name\"");
    assert_eq!(slice(entries[0].1.span), "\"bröt\"");
    let Value::List(items) = &entries[1].1.value else {
        panic!("a list");
    };
    assert_eq!(slice(items[1].span), "22");
}

#[test]
fn a_fault_is_reported_at_its_place() {
    assert_eq!(read("[1, ö]"), Err((Code::MalformedJson, Span::new(4, 6))));
    assert_eq!(
        read("{\"a\": 1"),
        Err((Code::MalformedJson, Span::new(7, 7)))
    );
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(&nested(MAX_NESTING)).is_ok());
    let deep = read(&nested(100_000)).expect_err("too deep");
    assert_eq!(deep.0, Code::NestedTooDeeply);
    let long = format!("[{}0]", "0,".repeat(MAX_VALUES));
    assert_eq!(read(&long).expect_err("too long").0, Code::SourceTooLarge);
}
