//! The request, and the reading of a good answer.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use brigade::llm::chat::{Chat, ChatError, Constraint, Finish, Sampling, Take, Usage};
use brigade::llm::http::{ApiKey, Models};
use brigade::llm::response::Class;
use serde_json::{Value, json};

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{ask, ask_scripted, chat, options, question};

#[test]
fn a_text_is_asked_for_once_and_read() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let chat = chat(options(&endpoint));
    let answer = ask(&chat).unwrap();
    assert_eq!(answer.text, "wait()");
    assert_eq!(answer.finish, Finish::Stop);
    assert_eq!(answer.tries, 1);
    let usage = Usage {
        input: 10,
        output: 5,
        ..Usage::default()
    };
    assert_eq!(answer.usage, Some(usage));
    let requests = endpoint.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].method, "POST");
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].header("content-type"), Some("application/json"));
    assert_eq!(requests[0].header("authorization"), None);
}

#[test]
fn what_is_sent_is_the_body_that_is_logged_and_nothing_that_is_not_set() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let chat = chat(options(&endpoint));
    ask(&chat).unwrap();
    let mut full = question("What now?");
    full.sampling = Sampling {
        temperature: Some(0.0),
        top_p: Some(0.9),
        seed: Some(7),
        max_tokens: Some(64),
    };
    full.constraint = Constraint::Grammar("root ::= \"a\"".to_owned());
    chat.complete(&full, Take::default()).unwrap();
    let requests = endpoint.requests();
    let messages = json!([{"role": "user", "content": "What now?"}]);
    let plain = json!({"model": "mock", "messages": messages});
    assert_eq!(requests[0].json(), plain);
    assert_eq!(
        requests[0].body,
        chat.body(&question("What now?")).to_string()
    );
    assert_eq!(
        requests[1].json(),
        json!({
            "model": "mock", "messages": messages, "temperature": 0.0, "top_p": 0.9, "seed": 7,
            "max_tokens": 64, "grammar": "root ::= \"a\"",
        })
    );
}

#[test]
fn both_forms_of_the_base_url_reach_the_endpoint() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    for ending in ["", "/", "/chat/completions", "/chat/completions/"] {
        let mut options = options(&endpoint);
        options.endpoint = format!("{}{ending}", endpoint.base_url()).parse().unwrap();
        ask(&chat(options)).unwrap();
    }
    let requests = endpoint.requests();
    assert_eq!(requests.len(), 4);
    assert!(requests.iter().all(|it| it.path == "/v1/chat/completions"));
}

#[test]
fn the_call_of_the_tool_that_was_asked_for_is_read() {
    let call = Answer::tool_call("act", &json!({"action": "wait()"}));
    let endpoint = Endpoint::start([call]);
    let chat = chat(options(&endpoint));
    let mut question = question("What now?");
    let mut ask_for = |tool: &str| {
        question.constraint = Constraint::Tool {
            name: tool.to_owned(),
            description: String::new(),
            parameters: json!({}),
        };
        chat.complete(&question, Take::default()).unwrap()
    };
    let answer = ask_for("act");
    assert_eq!(answer.text, "");
    let arguments = answer.tool_arguments.as_deref();
    assert_eq!(arguments, Some("{\"action\":\"wait()\"}"));
    let other = ask_for("order");
    assert_eq!(other.tool_arguments, None);
    assert_eq!(other.other_tool.as_deref(), Some("act"));
}

#[test]
fn an_answer_without_counts_is_an_answer() {
    let (answer, tries) = ask_scripted([Answer::uncounted("wait()")]);
    assert_eq!((answer.unwrap().usage, tries), (None, 1));
}

#[test]
fn text_that_means_nothing_is_an_answer_all_the_same() {
    for text in ["Wait()", "%&/ 🍅 \u{0}", ""] {
        let (answer, tries) = ask_scripted([Answer::text(text)]);
        assert_eq!((answer.unwrap().text.as_str(), tries), (text, 1));
    }
}

const KEY: &str = "sk-live-0123456789/abcdef";

#[test]
fn the_key_is_sent_and_shown_nowhere() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let mut options = options(&endpoint);
    options.key = Some(ApiKey::new(KEY).unwrap());
    assert!(!format!("{options:?}").contains("sk-live"));
    let chat = chat(options);
    assert!(!format!("{chat:?}").contains("sk-live"));
    ask(&chat).unwrap();
    let bearer = format!("Bearer {KEY}");
    assert_eq!(
        endpoint.requests()[0].header("authorization"),
        Some(&bearer[..])
    );
    assert!(!endpoint.requests()[0].body.contains("sk-live"));
}

#[test]
fn a_server_that_repeats_the_key_does_not_bring_it_into_errors_or_answers() {
    // Long texts are cut where the key stands: no part of it may be left.
    let far = format!("{} {KEY}", "x".repeat(190));
    for answer in [
        Answer::status(401, &format!("wrong key {KEY}")),
        Answer::status(401, &far),
        Answer::status(500, &format!("wrong key {KEY}")),
        Answer::body(format!("<html>{KEY}</html>")),
        Answer::body(far.clone()),
        Answer::json(&json!({"error": {"message": format!("wrong key {KEY}")}})),
        Answer::json(&json!({"error": {"code": 401, "message": far}})),
        Answer::text(&format!("my key is {KEY}")),
        Answer::status(302, "").header("Location", &format!("http://other/{KEY}")),
    ] {
        let endpoint = Endpoint::start([answer.clone()]);
        let mut options = options(&endpoint);
        options.key = Some(ApiKey::new(KEY).unwrap());
        let shown = match ask(&chat(options)) {
            Ok(answer) => format!("{answer:?}"),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!shown.contains("sk-live"), "{answer:?}: {shown}");
    }
}

#[test]
fn a_key_that_is_a_word_of_a_reply_changes_nothing_in_what_it_comes_to() {
    let error =
        |status, error: Value| Answer::with_status(status, json!({ "error": error }).to_string());
    let length = json!({"message": "maximum context length", "code": "context_length_exceeded"});
    let filter = json!({"message": "held back", "code": "content_filter"});
    let down = json!({"message": "try again", "type": "server_error"});
    let busy = error(429, json!({"message": "x"})).header("retry-after", "1");
    let answers = [
        error(400, length),
        error(400, filter),
        error(500, down),
        busy,
    ];
    let outcome = |answer: &Answer, key: &str| {
        let endpoint = Endpoint::start([answer.clone()]);
        let mut options = options(&endpoint);
        options.key = Some(ApiKey::new(key).unwrap());
        options.retries.most = 0;
        match ask(&chat(options)) {
            Ok(answer) => answer.class(),
            Err(ChatError::TooLong { .. }) => Class::Truncated,
            Err(ChatError::Infrastructure(_)) => Class::InfraError,
            Err(other) => panic!("{key}: {other:?}"),
        }
    };
    for answer in &answers {
        let expected = outcome(answer, KEY);
        for key in ["x", "e", "1", "token", "length", "error", "context_length"] {
            assert_eq!(outcome(answer, key), expected, "{key}: {answer:?}");
        }
    }
}

/// `options` waits for 20 milliseconds at most; this would take two hours.
#[test]
fn a_server_that_is_asked_too_much_is_waited_for_no_longer_than_the_longest_wait() {
    let busy = Answer::status(429, "later").header("retry-after", "7200");
    let endpoint = Endpoint::start([busy, Answer::text("wait()")]);
    let answer = ask(&chat(options(&endpoint))).unwrap();
    assert_eq!((answer.text.as_str(), answer.tries), ("wait()", 2));
}

#[test]
fn a_short_key_is_not_shown_either() {
    let far = format!("{} s3cretkey", "x".repeat(192));
    for answer in [
        Answer::status(401, "wrong key s3cretkey"),
        Answer::status(401, &far),
        Answer::status(500, &far),
        Answer::json(&json!({"error": {"code": 401, "message": far}})),
    ] {
        let endpoint = Endpoint::start([answer.clone()]);
        let mut options = options(&endpoint);
        options.key = Some(ApiKey::new("s3cretkey").unwrap());
        let error = ask(&chat(options)).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("s3cre"), "{answer:?}: {shown}");
    }
}

#[test]
fn a_key_is_not_sent_where_a_server_redirects_to() {
    let other = Endpoint::start([Answer::text("wait()")]);
    let to = format!("{}/chat/completions", other.base_url());
    for status in [301, 302, 307, 308] {
        let endpoint = Endpoint::start([Answer::status(status, "").header("Location", &to)]);
        let mut options = options(&endpoint);
        options.key = Some(ApiKey::new(KEY).unwrap());
        let error = ask(&chat(options)).unwrap_err();
        let ChatError::Configuration { message, .. } = error else {
            panic!("{error:?}");
        };
        assert!(message.contains(&to), "{message}");
    }
    assert_eq!(other.requests().len(), 0);
}

#[test]
fn no_more_requests_are_under_way_than_allowed() {
    let slow = Answer::text("wait()").after(Duration::from_millis(5));
    let endpoint = Endpoint::start([slow]);
    let mut options = options(&endpoint);
    options.limits.concurrent = 2.try_into().unwrap();
    let chat = chat(options);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..3).for_each(|_| drop(ask(&chat).unwrap())));
        }
    });
    assert_eq!(endpoint.requests().len(), 24);
    assert!(endpoint.peak() <= 2, "{}", endpoint.peak());
}

#[test]
fn threads_share_one_chat_and_get_their_own_answers() {
    let endpoint = Endpoint::start_with(|request| {
        let asked = request.json()["messages"][0]["content"].clone();
        Answer::text(asked.as_str().unwrap())
    });
    let chat = Arc::new(chat(options(&endpoint)));
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for thread in 0..8 {
            let (chat, wrong) = (&chat, &wrong);
            scope.spawn(move || {
                for number in 0..5 {
                    let text = format!("question {number} of thread {thread}");
                    let answer = chat.complete(&question(&text), Take::default()).unwrap();
                    if answer.text != text {
                        wrong.lock().unwrap().push((text, answer.text));
                    }
                }
            });
        }
    });
    assert_eq!(*wrong.lock().unwrap(), []);
}

#[test]
fn the_models_that_a_server_lists_are_read_in_its_order() {
    let list = json!({"data": [{"id": "b"}, {"id": "a"}, {"object": "model"}]});
    let endpoint = Endpoint::start([Answer::json(&list)]);
    let listed = Models::Listed(vec!["b".to_owned(), "a".to_owned()]);
    assert_eq!(chat(options(&endpoint)).models(), Ok(listed));
    assert_eq!(endpoint.requests()[0].path, "/v1/models");
    assert_eq!(endpoint.requests()[0].method, "GET");
}

#[test]
fn a_server_that_lists_no_models_can_be_reached_all_the_same() {
    for (answer, said) in [
        (Answer::status(404, "not here"), "no list (404): not here"),
        (Answer::status(500, "oops"), "no list (500): oops"),
        (Answer::body("It works!"), "no list (200): It works!"),
    ] {
        let endpoint = Endpoint::start([answer]);
        let unlisted = Models::Unlisted(said.to_owned());
        assert_eq!(chat(options(&endpoint)).models(), Ok(unlisted));
    }
}
