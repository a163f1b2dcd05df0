//! What a server sends back, read: its answer, or what it says is wrong.
//!
//! Servers differ in what they leave out and how they nest it; whatever tells what was answered is
//! taken. What is no answer ends in an error that shows how it begins.

use serde_json::Value;

use super::chat::{Completion, Finish, Usage};

/// How many characters of an answer an error shows.
const SHOWN: usize = 200;

/// Why a body is no answer, although the server has sent it as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The server says that something is wrong, with a status of HTTP where it gives one.
    Error {
        /// The status.
        status: Option<u16>,
        /// What it says.
        message: String,
    },
    /// It is not what the API says.
    Malformed(String),
}

/// The answer in a body; its number of tries is 1. The tokens that were counted come with what is no
/// answer, too.
pub fn completion(body: &str) -> Result<Completion, (NoAnswer, Option<Usage>)> {
    let malformed = |message| (NoAnswer::Malformed(message), None);
    if body.trim().is_empty() {
        return Err(malformed("the answer is empty".to_owned()));
    }
    let json: Value =
        serde_json::from_str(body).map_err(|error| malformed(not_json(body, &error)))?;
    let usage = usage(&json["usage"]);
    if let Some(error) = json.get("error").filter(|error| !error.is_null()) {
        let status = error["code"].as_u64().or_else(|| error["status"].as_u64());
        let error = NoAnswer::Error {
            status: status.and_then(|status| u16::try_from(status).ok()),
            message: server_message(body),
        };
        return Err((error, usage));
    }
    let Some(choice) = json["choices"]
        .get(0)
        .filter(|it| it["message"].is_object())
    else {
        let message = format!("the answer holds no message: {}", excerpt(body));
        return Err((NoAnswer::Malformed(message), usage));
    };
    Ok(Completion {
        text: text(&choice["message"]),
        reasoning: reasoning(&choice["message"]),
        tool_arguments: tool_arguments(&choice["message"]),
        first_tokens: first_tokens(&choice["logprobs"]["content"][0]),
        finish: match choice["finish_reason"].as_str() {
            Some("stop") => Finish::Stop,
            Some("length") => Finish::Length,
            other => Finish::Other(other.map(str::to_owned)),
        },
        usage,
        tries: 1,
        model: filled(&json["model"]),
        fingerprint: filled(&json["system_fingerprint"]),
    })
}

/// What a server says is wrong, shortened.
pub(super) fn server_message(body: &str) -> String {
    if body.trim().is_empty() {
        return "it says nothing more".to_owned();
    }
    let Ok(json) = serde_json::from_str::<Value>(body) else {
        return excerpt(body);
    };
    let places = [
        &json["error"]["message"],
        &json["error"],
        &json["message"],
        &json["detail"],
    ];
    let message = places.into_iter().find_map(Value::as_str);
    excerpt(message.unwrap_or(body))
}

/// How a text begins, on one line, without what would move a terminal's cursor.
pub(super) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.extend(word.chars().take(SHOWN + 1));
        if shown.chars().nth(SHOWN).is_some() {
            return shown.chars().take(SHOWN).chain("…".chars()).collect();
        }
    }
    shown
}

fn not_json(body: &str, error: &serde_json::Error) -> String {
    let start = body.trim_start();
    let is_html = start.starts_with('<');
    let begins = excerpt(body);
    if is_html {
        format!("the answer is HTML or XML, not JSON (is the base URL right?): {begins}")
    } else if error.is_eof() && start.starts_with('{') {
        format!("the answer is cut off: {begins}")
    } else {
        format!("the answer is not JSON: {begins}")
    }
}

/// The text of a message: its content, whole or in parts; else why the model declines.
fn text(message: &Value) -> String {
    let text = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.as_str().or_else(|| part["text"].as_str()))
            .collect(),
        _ => String::new(),
    };
    if text.is_empty() {
        let declined = message["refusal"].as_str();
        return declined.unwrap_or_default().to_owned();
    }
    text
}

/// The reasoning of a message that has a field of its own for it: `reasoning_content` as `DeepSeek`,
/// llama.cpp and vLLM name it, `reasoning` as `OpenRouter`, Ollama and later vLLM do.
fn reasoning(message: &Value) -> Option<String> {
    filled(&message["reasoning_content"]).or_else(|| filled(&message["reasoning"]))
}

/// A text that is there and not empty.
fn filled(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// The arguments of the first call; some servers send the object itself rather than its text.
fn tool_arguments(message: &Value) -> Option<String> {
    match &message["tool_calls"][0]["function"]["arguments"] {
        Value::String(arguments) => Some(arguments.clone()),
        Value::Null => None,
        arguments => Some(arguments.to_string()),
    }
}

/// The likeliest tokens at one place; the one that was drawn, where no others are told.
fn first_tokens(place: &Value) -> Vec<(String, f64)> {
    let read = |token: &Value| {
        let logprob = token["logprob"].as_f64()?;
        Some((token["token"].as_str()?.to_owned(), logprob))
    };
    let listed = place["top_logprobs"].as_array();
    let mut tokens: Vec<_> = listed.into_iter().flatten().filter_map(read).collect();
    if tokens.is_empty() {
        tokens.extend(read(place));
    }
    tokens.sort_by(|one, two| two.1.total_cmp(&one.1));
    tokens
}

fn usage(usage: &Value) -> Option<Usage> {
    Some(Usage {
        input: usage["prompt_tokens"].as_u64()?,
        output: usage["completion_tokens"].as_u64()?,
        cached: usage["prompt_tokens_details"]["cached_tokens"].as_u64(),
        reasoning: usage["completion_tokens_details"]["reasoning_tokens"].as_u64(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(message: &Value) -> Completion {
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        completion(&body.to_string()).unwrap()
    }

    fn malformed(body: &str) -> String {
        match completion(body) {
            Err((NoAnswer::Malformed(message), _)) => message,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn a_whole_answer_is_read() {
        let body = json!({
            "choices": [{
                "message": {
                    "role": "assistant", "content": "wait()", "reasoning_content": "nothing to do",
                },
                "finish_reason": "length",
                "logprobs": {"content": [{
                    "token": "B", "logprob": -2.5,
                    "top_logprobs": [
                        {"token": "B", "logprob": -2.5},
                        {"token": "A", "logprob": -0.1},
                        {"token": "C", "logprob": null},
                    ],
                }]},
            }],
            "model": "mock-2025-01-01",
            "system_fingerprint": "fp_1",
            "usage": {
                "prompt_tokens": 31, "completion_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 30},
                "completion_tokens_details": {"reasoning_tokens": 5},
            },
        });
        let expected = Completion {
            text: "wait()".to_owned(),
            reasoning: Some("nothing to do".to_owned()),
            tool_arguments: None,
            first_tokens: vec![("A".to_owned(), -0.1), ("B".to_owned(), -2.5)],
            finish: Finish::Length,
            usage: Some(Usage {
                input: 31,
                output: 7,
                cached: Some(30),
                reasoning: Some(5),
            }),
            tries: 1,
            model: Some("mock-2025-01-01".to_owned()),
            fingerprint: Some("fp_1".to_owned()),
        };
        assert_eq!(completion(&body.to_string()), Ok(expected));
    }

    #[test]
    fn content_may_be_null_missing_or_in_parts() {
        assert_eq!(answer(&json!({"content": null})).text, "");
        assert_eq!(answer(&json!({})).text, "");
        let parts = json!({"content": [
            {"type": "text", "text": "goto"}, {"type": "image"}, {"type": "text", "text": "(x)"},
        ]});
        assert_eq!(answer(&parts).text, "goto(x)");
        let declined = json!({"content": null, "refusal": "I cannot."});
        assert_eq!(answer(&declined).text, "I cannot.");
    }

    #[test]
    fn reasoning_in_a_field_of_its_own_is_no_part_of_the_answer() {
        for field in ["reasoning_content", "reasoning"] {
            let thought = answer(&json!({"content": "wait", field: "Action: dance"}));
            assert_eq!(thought.text, "wait");
            assert_eq!(thought.reasoning.as_deref(), Some("Action: dance"));
            // Cut off before it has said anything, it has said nothing.
            let cut = answer(&json!({"content": null, field: "Action: dance"}));
            assert_eq!(cut.text, "");
            assert_eq!(cut.reasoning.as_deref(), Some("Action: dance"));
        }
        let none = json!({"content": "x", "reasoning_content": "", "reasoning": null});
        assert_eq!(answer(&none).reasoning, None);
    }

    #[test]
    fn the_arguments_of_the_first_tool_call_are_read_as_text() {
        let call = |arguments: Value| {
            json!({"content": null, "tool_calls": [
                {"function": {"name": "act", "arguments": arguments}},
                {"function": {"name": "act", "arguments": "{\"other\":1}"}},
            ]})
        };
        let of = |arguments: Value| answer(&call(arguments)).tool_arguments;
        assert_eq!(of(json!("{\"a\": 1}")).as_deref(), Some("{\"a\": 1}"));
        assert_eq!(of(json!({"a": 1})).as_deref(), Some("{\"a\":1}"));
        assert_eq!(of(json!("{not json")).as_deref(), Some("{not json"));
        assert_eq!(answer(&json!({"tool_calls": []})).tool_arguments, None);
    }

    #[test]
    fn tokens_that_are_not_counted_are_unknown_and_not_none() {
        let with = |usage: Value| {
            let body = json!({"choices": [{"message": {"content": "x"}}], "usage": usage});
            completion(&body.to_string()).unwrap().usage
        };
        assert_eq!(with(json!(null)), None);
        assert_eq!(with(json!({"prompt_tokens": 3})), None);
        assert_eq!(
            with(json!({"prompt_tokens": -3, "completion_tokens": 1})),
            None
        );
        let counted = with(json!({"prompt_tokens": 3, "completion_tokens": 0})).unwrap();
        assert_eq!((counted.input, counted.cached), (3, None));
    }

    #[test]
    fn a_reason_that_the_api_does_not_know_is_kept() {
        let reason = |reason: Value| {
            let body = json!({"choices": [{"message": {}, "finish_reason": reason}]});
            completion(&body.to_string()).unwrap().finish
        };
        assert_eq!(
            reason(json!("content_filter")),
            Finish::Other(Some("content_filter".to_owned()))
        );
        assert_eq!(reason(json!(null)), Finish::Other(None));
    }

    #[test]
    fn what_is_no_answer_is_shown_by_its_beginning() {
        assert_eq!(malformed(" \n"), "the answer is empty");
        let html = malformed("<!DOCTYPE html>\n<html>It works!</html>");
        assert!(
            html.contains("HTML") && html.contains("It works!"),
            "{html}"
        );
        let cut = malformed("{\"choices\": [{\"mess");
        assert!(cut.starts_with("the answer is cut off: {"), "{cut}");
        let text = malformed("Bad\u{1b}[2J gateway");
        assert_eq!(text, "the answer is not JSON: Bad [2J gateway");
        for body in ["{}", "[]", "3", "{\"choices\": []}", "{\"choices\": [{}]}"] {
            let message = malformed(body);
            assert_eq!(message, format!("the answer holds no message: {body}"));
        }
        let long = malformed(&format!("[{}]", "1,".repeat(10_000)));
        assert!(long.chars().count() < SHOWN + 50, "{long}");
    }

    #[test]
    fn nesting_without_end_is_no_answer() {
        let message = malformed(&"[".repeat(100_000));
        assert!(
            message.starts_with("the answer is not JSON: [[["),
            "{message}"
        );
    }

    #[test]
    fn an_error_in_place_of_an_answer_is_read() {
        let found = |body: Value| completion(&body.to_string()).unwrap_err().0;
        assert_eq!(
            found(json!({"error": {"code": 429, "message": "slow down"}})),
            NoAnswer::Error {
                status: Some(429),
                message: "slow down".to_owned()
            }
        );
        assert_eq!(
            found(json!({"error": "no such model", "choices": []})),
            NoAnswer::Error {
                status: None,
                message: "no such model".to_owned()
            }
        );
        let fine = json!({"error": null, "choices": [{"message": {"content": "x"}}]});
        assert_eq!(completion(&fine.to_string()).unwrap().text, "x");
    }

    #[test]
    fn what_a_server_says_is_found_where_it_says_it() {
        for (body, message) in [
            (r#"{"error":{"message":"too long","type":"x"}}"#, "too long"),
            (r#"{"error":"too long"}"#, "too long"),
            (r#"{"message":"too long"}"#, "too long"),
            (r#"{"detail":"too long"}"#, "too long"),
            ("too\n long ", "too long"),
            (r#"{"why":"too long"}"#, r#"{"why":"too long"}"#),
            ("", "it says nothing more"),
        ] {
            assert_eq!(server_message(body), message, "{body}");
        }
    }
}
