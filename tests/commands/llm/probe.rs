//! The abilities of an endpoint are found by its answers, not by the requests that it accepts.

use brigade::llm::chat::ChatError;
use brigade::llm::probe::{Check, Format, Verdict, best_format, findings};
use serde_json::{Value, json};

use crate::llm::endpoint::{Answer, Endpoint, Request};
use crate::llm::{chat, options};

/// The abilities of a scripted server.
#[derive(Clone, Copy)]
pub(crate) struct Able {
    pub(crate) tools: bool,
    pub(crate) schema: bool,
    pub(crate) others: bool,
}

pub(crate) const ALL: Able = Able {
    tools: true,
    schema: true,
    others: true,
};

/// A server that accepts everything and heeds nothing.
pub(crate) const NOTHING: Able = Able {
    tools: false,
    schema: false,
    others: false,
};

/// A server that heeds so much, and leaves out the rest without a word.
pub(crate) fn server(able: Able) -> Endpoint {
    let mut draws = 0;
    Endpoint::start_with(move |request: &Request| {
        if request.path == "/v1/models" {
            return Answer::json(&json!({"data": [{"id": "mock"}, {"id": "other"}]}));
        }
        let asked = request.json();
        if asked["messages"] == json!([]) && able.others {
            return Answer::status(400, "messages are missing");
        }
        let mut tokens = 31;
        let mut message = json!({"content": "Hello!"});
        let mut logprobs = Value::Null;
        if asked["tools"].is_array() && able.tools {
            tokens += 60;
            let arguments = "{\"dish\": \"pie-42\"}";
            message =
                json!({"content": null, "tool_calls": [{"function": {"arguments": arguments}}]});
        } else if asked["response_format"].is_object() && able.schema {
            message = json!({"content": "{\"dish\": \"soup-17\"}"});
        } else if asked["grammar"].is_string() && able.others {
            message = json!({"content": "dish-73"});
        } else if asked["seed"].is_number() {
            draws += 1;
            let seed = if able.others {
                asked["seed"].to_string()
            } else {
                format!("draw {draws}")
            };
            message = json!({"content": format!("Stew {seed}")});
        } else if asked["logprobs"] == json!(true) && able.others {
            let tokens = [
                json!({"token": "H", "logprob": -0.1}),
                json!({"token": "I", "logprob": -3}),
            ];
            logprobs = json!({"content": [{"top_logprobs": tokens}]});
        }
        let choice = json!({"message": message, "finish_reason": "stop", "logprobs": logprobs});
        let usage = json!({"prompt_tokens": tokens, "completion_tokens": 3});
        Answer::json(&json!({"choices": [choice], "usage": usage}))
    })
}

fn verdicts(checks: &[Check]) -> Vec<(&'static str, Verdict)> {
    checks
        .iter()
        .map(|check| (check.name, check.verdict))
        .collect()
}

fn reason<'a>(checks: &'a [Check], name: &str) -> &'a str {
    &checks
        .iter()
        .find(|check| check.name == name)
        .unwrap()
        .reason
}

#[test]
fn a_server_that_can_do_everything_is_found_to() {
    use Verdict::Yes;
    let endpoint = server(ALL);
    let found = findings(&chat(options(&endpoint))).unwrap();
    let expected = [
        ("chat", Yes),
        ("usage", Yes),
        ("seed", Yes),
        ("grammar", Yes),
        ("json-schema", Yes),
        ("tools", Yes),
        ("logprobs", Yes),
        ("errors", Yes),
    ];
    assert_eq!(verdicts(&found.checks), expected, "{:?}", found.checks);
    assert_eq!(found.format, Some(Format::Tool));
}

#[test]
fn a_server_that_leaves_everything_out_without_a_word_is_found_to() {
    use Verdict::{No, Yes};
    let endpoint = server(NOTHING);
    let found = findings(&chat(options(&endpoint))).unwrap();
    let expected = [
        ("chat", Yes),
        ("usage", Yes),
        ("seed", No),
        ("grammar", No),
        ("json-schema", No),
        ("tools", No),
        ("logprobs", No),
        ("errors", No),
    ];
    assert_eq!(verdicts(&found.checks), expected, "{:?}", found.checks);
    let tools = reason(&found.checks, "tools");
    assert_eq!(
        tools,
        "the question has 31 tokens with and without the tool: it is left out"
    );
    assert_eq!(found.format, Some(Format::Text));
}

#[test]
fn the_best_format_is_a_tool_else_a_schema_else_text() {
    for (able, format, requests) in [
        (ALL, Format::Tool, 3),
        (
            Able {
                tools: false,
                ..ALL
            },
            Format::JsonSchema,
            3,
        ),
        (NOTHING, Format::Text, 3),
    ] {
        let endpoint = server(able);
        let choice = best_format(&chat(options(&endpoint))).unwrap();
        assert_eq!(choice.format, format, "{choice:?}");
        assert_eq!(endpoint.requests().len(), requests, "{choice:?}");
        let both = findings(&chat(options(&endpoint))).unwrap();
        assert_eq!(both.format, Some(format));
    }
}

#[test]
fn equal_seeds_prove_nothing_where_all_answers_are_equal() {
    let endpoint = Endpoint::start([Answer::text("Soup.")]);
    let found = findings(&chat(options(&endpoint))).unwrap();
    let seed = found
        .checks
        .iter()
        .find(|check| check.name == "seed")
        .unwrap();
    assert_eq!(seed.verdict, Verdict::Unknown);
}

#[test]
fn without_counts_of_tokens_a_call_of_the_tool_decides() {
    let called = Answer::json(&json!({"choices": [{"message": {
        "tool_calls": [{"function": {"arguments": "{\"dish\": \"soup-17\"}"}}],
    }}]}));
    for (with_tool, format) in [
        (called, Format::Tool),
        (Answer::uncounted("Hello!"), Format::Text),
        (Answer::status(400, "tools are not supported"), Format::Text),
    ] {
        let endpoint = Endpoint::start_with(move |request| {
            if request.json()["tools"].is_array() {
                with_tool.clone()
            } else {
                Answer::uncounted("Hello!")
            }
        });
        let choice = best_format(&chat(options(&endpoint))).unwrap();
        assert_eq!(choice.format, format, "{choice:?}");
    }
}

#[test]
fn no_format_is_chosen_where_there_is_no_chat() {
    let endpoint = Endpoint::start([Answer::status(500, "oops")]);
    let error = best_format(&chat(options(&endpoint))).unwrap_err();
    assert!(matches!(error, ChatError::Infrastructure(_)), "{error:?}");
    let found = findings(&chat(options(&endpoint))).unwrap();
    assert_eq!(found.format, None);
    let unknown = |check: &Check| check.verdict == Verdict::Unknown;
    assert!(found.checks.iter().all(unknown), "{:?}", found.checks);
}
