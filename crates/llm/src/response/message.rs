//! The answer in a body: its message, how it ended, what was counted.

use serde_json::{Value, json};

use super::finish::{FILTERS, LIMITS, STOPS, plain};
use super::judgement::Judgement;
use super::text::{excerpt, filled};
use crate::chat::{Completion, Finish, Usage};

/// The end of an answer.
enum Ending {
    /// So, by the model, a limit or a filter.
    Of(Finish),
    /// By no doing of the model.
    Broken(String),
    /// The server does not say.
    Unstated,
}

/// Judges a body in which nothing is said to be wrong.
pub(super) fn judge(json: &Value, tool: Option<&str>) -> Judgement {
    let choice = &json["choices"][0];
    let Some(message) = message_of(choice) else {
        return nothing(json);
    };
    let answer = Completion {
        tries: 1,
        model: filled(&json["model"]),
        fingerprint: filled(&json["system_fingerprint"]),
        first_tokens: first_tokens(&choice["logprobs"]["content"][0]),
        ..of_message(&message, tool)
    };
    let is_silent = answer.text.is_empty()
        && answer.tool_arguments.is_none()
        && answer.other_tool.is_none()
        && answer.reasoning.is_none();
    match ending(choice) {
        Ending::Of(finish) => Judgement::Answered(Completion { finish, ..answer }),
        Ending::Unstated if is_silent => nothing(json),
        Ending::Unstated => Judgement::Answered(answer),
        Ending::Broken(reason) => Judgement::down(format!(
            "the server has not finished the answer (`finish_reason` is {reason})"
        )),
    }
}

/// The judgement of an answer without a message.
fn nothing(json: &Value) -> Judgement {
    match blocked(json) {
        Some(why) => Judgement::Answered(Completion {
            tries: 1,
            ..Completion::filtered(why)
        }),
        None => Judgement::down(format!(
            "the answer holds no message: {}",
            excerpt(&json.to_string())
        )),
    }
}

/// The message of a choice, in whatever form.
fn message_of(choice: &Value) -> Option<Value> {
    let message = [&choice["message"], &choice["delta"]];
    let message = message.into_iter().find(|message| message.is_object());
    let text = || filled(&choice["text"]).map(|text| json!({ "content": text }));
    message.cloned().or_else(text)
}

fn ending(choice: &Value) -> Ending {
    let places = [&choice["finish_reason"], &choice["finish_details"]["type"]];
    let reason = places.into_iter().find(|reason| !reason.is_null());
    let Some(reason) = reason else {
        let is_open = choice.get("finish_reason").is_some();
        return if is_open {
            Ending::Broken("null".to_owned())
        } else {
            Ending::Unstated
        };
    };
    let Some(word) = reason.as_str() else {
        return Ending::Broken(reason.to_string());
    };
    match plain(word).as_str() {
        "" => Ending::Unstated,
        "stop" => Ending::Of(Finish::Stop),
        name if STOPS.contains(&name) || FILTERS.contains(&name) => {
            Ending::Of(Finish::Other(Some(word.to_owned())))
        }
        name if LIMITS.contains(&name) => Ending::Of(Finish::Length),
        _ => Ending::Broken(format!("`{}`", excerpt(word))),
    }
}

/// Returns the reason why a provider has answered nothing, if it says that its filter did it.
fn blocked(json: &Value) -> Option<String> {
    if let Some(reason) = filled(&json["promptFeedback"]["blockReason"]) {
        return Some(reason);
    }
    let results = [
        &json["prompt_filter_results"][0]["content_filter_results"],
        &json["choices"][0]["content_filter_results"],
    ];
    let of_results = results.into_iter().filter_map(Value::as_object).flatten();
    let mut found = of_results.filter(|(_, result)| result["filtered"] == true);
    found.next().map(|(category, _)| category.clone())
}

/// The texts, thoughts and calls of a message.
fn of_message(message: &Value, tool: Option<&str>) -> Completion {
    let calls: Vec<&Value> = match &message["tool_calls"] {
        Value::Array(calls) => calls.iter().map(|call| &call["function"]).collect(),
        _ => Vec::new(),
    };
    let legacy = [&message["function_call"]];
    let calls = calls.into_iter().chain(legacy).filter(|it| it.is_object());
    let calls: Vec<&Value> = calls.collect();
    let is_asked = |call: &&&Value| tool.is_some_and(|tool| is_called(call, tool));
    let asked = calls.iter().find(is_asked);
    let other = calls.first().filter(|_| asked.is_none());
    Completion {
        text: text(message),
        reasoning: reasoning(message),
        tool_arguments: asked.and_then(|call| arguments(call)),
        other_tool: other.map(|call| filled(&call["name"]).unwrap_or_default()),
        ..Completion::default()
    }
}

/// Returns whether a call is one of that tool; some servers leave out the name where there is but one.
fn is_called(call: &Value, tool: &str) -> bool {
    filled(&call["name"]).is_none_or(|name| name == tool)
}

/// The arguments of a call; some servers send the object itself rather than its text.
fn arguments(call: &Value) -> Option<String> {
    match &call["arguments"] {
        Value::String(arguments) => Some(arguments.clone()),
        Value::Null => None,
        arguments => Some(arguments.to_string()),
    }
}

/// The text of a message: its content, whole or in parts; else why the model declines.
fn text(message: &Value) -> String {
    let text = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter(|part| !is_thought(part))
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

/// Returns whether a part of a message is none of what it says.
fn is_thought(part: &Value) -> bool {
    let kind = part["type"].as_str().unwrap_or_default();
    kind.contains("think") || kind.contains("reason")
}

/// The reasoning of a message that has a field of its own for it: `reasoning_content` as `DeepSeek`,
/// llama.cpp and vLLM name it, `reasoning` as `OpenRouter`, Ollama and later vLLM do, `thinking` as some
/// gateways; or parts of their own.
fn reasoning(message: &Value) -> Option<String> {
    let fields = ["reasoning_content", "reasoning", "thinking"];
    let of_parts = || {
        let parts = message["content"].as_array()?;
        let thoughts = parts.iter().filter(|part| is_thought(part));
        let texts = thoughts.flat_map(|part| {
            let inner = part["thinking"].as_array().into_iter().flatten();
            let inner = inner.filter_map(|inner| inner["text"].as_str());
            let own = [&part["thinking"], &part["text"]];
            inner.chain(own.into_iter().filter_map(Value::as_str))
        });
        let text: String = texts.collect();
        (!text.is_empty()).then_some(text)
    };
    fields
        .iter()
        .find_map(|field| filled(&message[*field]))
        .or_else(of_parts)
}

/// Returns the likeliest tokens at one place; the one that was drawn, where no others are listed.
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

/// The tokens that a body counts, by the names that servers have for them.
pub(super) fn usage(json: &Value) -> Option<Usage> {
    let places = [
        &json["usage"],
        &json["x_groq"]["usage"],
        &json["choices"][0]["usage"],
    ];
    places.into_iter().find_map(|usage| {
        let of = |names: &[&str]| names.iter().find_map(|name| count(&usage[*name]));
        let details = &usage["prompt_tokens_details"];
        let cached = ["prompt_cache_hit_tokens", "cache_read_input_tokens"];
        let reasoning = count(&usage["completion_tokens_details"]["reasoning_tokens"]);
        let total = count(&usage["total_tokens"]);
        let input = of(&["prompt_tokens", "input_tokens"]);
        let output = of(&["completion_tokens", "output_tokens"]);
        let rest = |part: u64| total.and_then(|total| total.checked_sub(part));
        let input = input.or_else(|| rest(output?))?;
        Some(Usage {
            input,
            output: whole_output(output, rest(input), reasoning)?,
            cached: count(&details["cached_tokens"]).or_else(|| of(&cached)),
            reasoning,
        })
    })
}

/// The tokens of an answer: some servers count its reasoning only in what is left of the total, or in no
/// other count.
fn whole_output(output: Option<u64>, rest: Option<u64>, reasoning: Option<u64>) -> Option<u64> {
    let Some(output) = output else { return rest };
    let apart = reasoning.filter(|reasoning| *reasoning > output);
    let with_apart = output.saturating_add(apart.unwrap_or_default());
    Some(rest.map_or(with_apart, |rest| rest.max(output)))
}

/// A count, also where it is written with a point or as a text.
fn count(value: &Value) -> Option<u64> {
    let of_text = || value.as_str()?.trim().parse().ok();
    value.as_u64().or_else(of_text).or_else(|| {
        let number = value.as_f64()?;
        (number >= 0.0 && number.fract() == 0.0 && number < 1e15).then_some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(json: &Value) -> Completion {
        match judge(json, Some("act")) {
            Judgement::Answered(answer) => answer,
            other => panic!("{json}: {other:?}"),
        }
    }

    fn answer(message: &Value) -> Completion {
        answered(&json!({"choices": [{"message": message, "finish_reason": "stop"}]}))
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
            tries: 1,
            model: Some("mock-2025-01-01".to_owned()),
            fingerprint: Some("fp_1".to_owned()),
            ..Completion::default()
        };
        assert_eq!(answered(&body), expected);
        let counted = Usage {
            input: 31,
            output: 7,
            cached: Some(30),
            reasoning: Some(5),
        };
        assert_eq!(usage(&body), Some(counted));
    }

    #[test]
    fn content_may_be_null_missing_or_in_parts() {
        assert_eq!(answer(&json!({"content": null})).text, "");
        assert_eq!(answer(&json!({"role": "assistant"})).text, "");
        let parts = json!({"content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "stay"}]},
            {"type": "text", "text": "goto"}, {"type": "image"}, {"type": "text", "text": "(x)"},
        ]});
        assert_eq!(answer(&parts).text, "goto(x)");
        assert_eq!(answer(&parts).reasoning.as_deref(), Some("stay"));
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
    fn the_arguments_of_the_first_call_of_the_tool_are_read_as_text() {
        let call = |name: &str, arguments: Value| {
            json!({"content": null, "tool_calls": [
                {"function": {"name": name, "arguments": arguments}},
                {"function": {"name": "act", "arguments": "{\"other\":1}"}},
            ]})
        };
        let of = |arguments: Value| answer(&call("act", arguments)).tool_arguments;
        assert_eq!(of(json!("{\"a\": 1}")).as_deref(), Some("{\"a\": 1}"));
        assert_eq!(of(json!({"a": 1})).as_deref(), Some("{\"a\":1}"));
        assert_eq!(of(json!("{not json")).as_deref(), Some("{not json"));
        assert_eq!(answer(&json!({"tool_calls": []})).tool_arguments, None);
        let second = answer(&call("order", json!("{\"a\": 1}")));
        assert_eq!(second.tool_arguments.as_deref(), Some("{\"other\":1}"));
        let legacy = json!({"function_call": {"name": "act", "arguments": "{}"}});
        assert_eq!(answer(&legacy).tool_arguments.as_deref(), Some("{}"));
    }

    #[test]
    fn a_call_of_another_tool_is_none_of_the_one_that_was_asked_for() {
        let order = json!({"tool_calls": [{"function": {"name": "order", "arguments": "{}"}}]});
        let called = answer(&order);
        assert_eq!(called.tool_arguments, None);
        assert_eq!(called.other_tool.as_deref(), Some("order"));
    }

    #[test]
    fn tokens_that_are_not_counted_are_unknown_and_not_none() {
        let with = |usage: Value| {
            let body = json!({"choices": [{"message": {"content": "x"}}], "usage": usage});
            super::usage(&body)
        };
        assert_eq!(with(json!(null)), None);
        assert_eq!(with(json!({"prompt_tokens": 3})), None);
        assert_eq!(
            with(json!({"prompt_tokens": -3, "completion_tokens": 1})),
            None
        );
        let counted = with(json!({"prompt_tokens": 3, "completion_tokens": 0})).unwrap();
        assert_eq!((counted.input, counted.cached), (3, None));
        let other = json!({"input_tokens": 3.0, "output_tokens": 2, "cache_read_input_tokens": 1});
        let counted = with(other).unwrap();
        assert_eq!((counted.input, counted.output), (3, 2));
        assert_eq!(counted.cached, Some(1));
    }

    #[test]
    fn tokens_that_only_other_counts_include_are_counted() {
        for (usage, expected) in [
            (
                json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 1110,
                    "completion_tokens_details": {"reasoning_tokens": 1000}}),
                (100, 1010),
            ),
            (
                json!({"prompt_tokens": 100, "completion_tokens": 10,
                    "completion_tokens_details": {"reasoning_tokens": 1000}}),
                (100, 1010),
            ),
            (
                json!({"prompt_tokens": 100, "completion_tokens": 0, "total_tokens": 1100}),
                (100, 1000),
            ),
            (
                json!({"prompt_tokens": 100, "total_tokens": 160}),
                (100, 60),
            ),
            (
                json!({"prompt_tokens": 100, "completion_tokens": null, "total_tokens": 110}),
                (100, 10),
            ),
            (
                json!({"completion_tokens": 10, "total_tokens": 110}),
                (100, 10),
            ),
            (
                json!({"prompt_tokens": "100", "completion_tokens": "10", "total_tokens": "110"}),
                (100, 10),
            ),
            (
                json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 0}),
                (100, 10),
            ),
        ] {
            let counted = super::usage(&json!({ "usage": usage })).unwrap();
            assert_eq!((counted.input, counted.output), expected, "{usage}");
        }
    }

    #[test]
    fn a_reason_of_the_models_own_is_kept_in_the_words_of_the_server() {
        let finish = |choice: Value| answered(&json!({ "choices": [choice] })).finish;
        let message = json!({"content": "x"});
        let reason = |reason: &str| finish(json!({"message": message, "finish_reason": reason}));
        assert_eq!(reason("STOP"), Finish::Stop);
        assert_eq!(reason("MAX_TOKENS"), Finish::Length);
        assert_eq!(
            reason("eos_token"),
            Finish::Other(Some("eos_token".to_owned()))
        );
        assert_eq!(reason(""), Finish::Other(None));
        assert_eq!(finish(json!({ "message": message })), Finish::Other(None));
        let details = json!({"message": message, "finish_reason": null,
            "finish_details": {"type": "stop"}});
        assert_eq!(finish(details), Finish::Stop);
    }

    #[test]
    fn a_reason_that_is_no_end_of_the_models_own_is_an_outage() {
        for reason in [
            json!("error"),
            json!("abort"),
            json!("banana"),
            json!(null),
            json!(3),
        ] {
            let body = json!({"choices": [{"message": {"content": "x"}, "finish_reason": reason}]});
            let Judgement::Down { why, .. } = judge(&body, None) else {
                panic!("{body}");
            };
            assert!(why.contains("has not finished the answer"), "{why}");
        }
    }

    #[test]
    fn a_body_without_a_message_is_shown() {
        for body in ["{}", "[]", "3", "{\"choices\":[]}", "{\"choices\":[{}]}"] {
            let json = serde_json::from_str(body).unwrap();
            let expected = Judgement::down(format!("the answer holds no message: {body}"));
            assert_eq!(judge(&json, None), expected);
        }
    }
}
