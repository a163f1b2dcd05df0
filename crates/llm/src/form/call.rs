//! Calls of tools that a model writes into its text, where its server does not know how it writes them.

use serde_json::Value;

use super::super::tag::{Kind, Tag};
use super::TOOL;
use super::object::embedded_object;

/// Words of the tags that mark a call.
const CALLS: [&str; 6] = ["tool", "tools", "function", "functions", "invoke", "python"];

/// The words that stand before the name of a tool in some models.
const SPACE: &str = "functions.";

/// A call in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Of the tool that was asked for, with these arguments.
    Asked(String),
    /// Of another one, or of none that could be read.
    Other,
}

/// The first call in a text that names its tool, if the text marks one.
pub(super) fn written(text: &str) -> Option<Written> {
    let mut calls = text
        .match_indices(Tag::BEGINNINGS)
        .filter_map(|(at, _)| Some((at, Tag::at(&text[at..])?)))
        .filter(|(_, tag)| tag.kind != Kind::Closing && is_call(tag))
        .map(|(at, tag)| of(&tag, &text[at + tag.len..]));
    let first = calls.next()?;
    let named = std::iter::once(first).chain(calls).flatten().next();
    Some(named.unwrap_or(Written::Other))
}

fn is_call(tag: &Tag<'_>) -> bool {
    let mut words = tag.words().into_iter();
    words.any(|word| CALLS.contains(&word.as_str()))
}

/// The call that a tag marks, if it names its tool: in the tag, in an object, or before its arguments.
fn of(tag: &Tag<'_>, rest: &str) -> Option<Written> {
    let mut attributes = tag.attributes();
    let of_tag = tag.attributes.strip_prefix('=').or_else(|| {
        let name = attributes.find(|(key, _)| *key == "name");
        name.map(|(_, name)| name)
    });
    let object = embedded_object(rest);
    if let Some(name) = of_tag {
        return Some(called(name, object));
    }
    let call: Option<Value> = object.and_then(|object| serde_json::from_str(object).ok());
    let call = call.map(|mut call| match call["function"].take() {
        Value::Object(function) => Value::Object(function),
        _ => call,
    });
    if let Some(call) = &call
        && let Some(name) = call["name"].as_str()
    {
        let places = [&call["arguments"], &call["parameters"], &call["input"]];
        let arguments = places.into_iter().find(|it| !it.is_null());
        let arguments = arguments.map(|it| match it {
            Value::String(arguments) => arguments.clone(),
            arguments => arguments.to_string(),
        });
        return Some(called(name, arguments.as_deref()));
    }
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)));
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then(|| called(name, object))
}

fn called(name: &str, arguments: Option<&str>) -> Written {
    let name = name.trim_matches(['"', '\'', ' ']);
    let name = name.strip_prefix(SPACE).unwrap_or(name);
    match arguments {
        Some(arguments) if name == TOOL => Written::Asked(arguments.to_owned()),
        _ => Written::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_in_a_text_is_of_the_tool_that_it_names() {
        const ARGUMENTS: &str = "{\"action\":\"wait\"}";
        for call in [
            "<tool_call>\n{\"name\":\"NAME\",\"arguments\":ARGUMENTS}\n</tool_call>",
            "[TOOL_CALLS][{\"name\":\"NAME\",\"arguments\":ARGUMENTS}]",
            "<tool_call>{\"function\":{\"name\":\"NAME\",\"arguments\":ARGUMENTS}}</tool_call>",
            "<function=NAME>ARGUMENTS</function>",
            "<tool_call><function=NAME>ARGUMENTS</function></tool_call>",
            "<function_calls><invoke name=\"NAME\">ARGUMENTS</invoke></function_calls>",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>functions.NAME:0ARGUMENTS",
            "<|python_tag|>NAME.call(ARGUMENTS)",
        ] {
            let call = call.replace("ARGUMENTS", ARGUMENTS);
            let other = call.replace("NAME", "weather");
            assert_eq!(written(&other), Some(Written::Other), "{other}");
            if !call.contains(".call(") {
                let asked = call.replace("NAME", TOOL);
                let expected = Some(Written::Asked(ARGUMENTS.to_owned()));
                assert_eq!(written(&asked), expected, "{asked}");
            }
        }
        assert_eq!(written("Action: wait <b>"), None);
    }
}
