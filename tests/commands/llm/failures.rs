//! Failures on the way: the ones that are retried, and the message for each.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use brigade::llm::chat::{ChatError, Completion};
use brigade::llm::http::MAX_ANSWER_BYTES;
use serde_json::json;

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{ask, ask_scripted, chat, options};

/// The message of an endpoint that never answers; it is asked three times.
fn message_of(answer: Answer) -> String {
    let (result, tries) = ask_scripted([answer]);
    let Err(ChatError::Infrastructure(message)) = result else {
        panic!("{result:?}");
    };
    assert_eq!(tries, 3, "{message}");
    assert!(message.contains("after 3 tries"), "{message}");
    message
}

#[test]
fn what_may_pass_is_tried_again() {
    for failure in [
        Answer::status(408, "late"),
        Answer::status(409, "conflict"),
        Answer::status(429, "slow down").header("Retry-After", "0"),
        Answer::status(500, "oops"),
        Answer::status(503, "loading the model"),
        Answer::html(),
        Answer::body(""),
        Answer::body("{}"),
        Answer::text("wait()").cut(20),
        Answer::vanish(),
        Answer::json(&json!({"error": {"code": 502, "message": "no backend"}})),
        Answer::json(&json!({"error": "no backend"})),
    ] {
        let answers = [failure.clone(), failure.clone(), Answer::text("wait()")];
        let (answer, tries) = ask_scripted(answers);
        let answer = answer.unwrap_or_else(|error| panic!("{failure:?}: {error}"));
        assert_eq!((&answer.text[..], answer.tries, tries), ("wait()", 3, 3));
    }
}

#[test]
fn what_is_refused_is_not_tried_again() {
    let in_body = json!({"error": {"code": 400, "message": "no such grammar"}});
    for (answer, expected) in [
        (Answer::status(400, "no such grammar"), 400),
        (Answer::status(401, "wrong key"), 401),
        (Answer::status(404, "no such model"), 404),
        (Answer::status(413, "too long"), 413),
        (Answer::status(422, "what?"), 422),
        (Answer::json(&in_body), 400),
    ] {
        let (result, tries) = ask_scripted([answer, Answer::text("wait()")]);
        let status = match result {
            Err(ChatError::Configuration { status, .. } | ChatError::TooLong { status, .. }) => {
                status
            }
            other => panic!("{other:?}"),
        };
        assert_eq!((status, tries), (expected, 1));
    }
}

#[test]
fn a_refusal_says_what_the_server_says_shortened() {
    let (result, _) = ask_scripted([Answer::status(400, &"too long ".repeat(1000))]);
    let message = result.unwrap_err().to_string();
    let begin = "the server refuses the request (400): too long too long";
    assert!(message.starts_with(begin), "{message}");
    assert!(message.len() < 300, "{message}");
}

#[test]
fn a_server_that_fails_again_and_again_is_named_with_its_reason() {
    let message = message_of(Answer::status(500, "out of memory"));
    assert!(
        message.starts_with("no answer from http://127.0.0.1:"),
        "{message}"
    );
    assert!(
        message.ends_with("the server fails (500): out of memory"),
        "{message}"
    );
}

#[test]
fn a_page_instead_of_an_answer_is_shown() {
    let message = message_of(Answer::html());
    assert!(
        message.contains("HTML") && message.contains("It works!"),
        "{message}"
    );
}

#[test]
fn an_empty_answer_is_called_so() {
    let message = message_of(Answer::body(""));
    assert!(message.ends_with("the answer is empty"), "{message}");
}

#[test]
fn a_stream_that_is_cut_off_is_called_so() {
    let message = message_of(Answer::text("wait()").cut(20));
    let expected = "the server has closed the connection before its answer was whole";
    assert!(message.ends_with(expected), "{message}");
    let message = message_of(Answer::vanish());
    assert!(message.ends_with(expected), "{message}");
}

#[test]
fn a_port_that_nobody_listens_at_is_called_so() {
    let endpoint = Endpoint::start([Answer::html()]);
    let mut options = options(&endpoint);
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    options.endpoint = format!("http://{free}/v1").parse().unwrap();
    let message = ask(&chat(options)).unwrap_err().to_string();
    assert!(message.contains("the connection is refused"), "{message}");
    assert!(message.contains("after 3 tries"), "{message}");
}

#[test]
fn a_server_that_never_answers_does_not_hold_up_the_run() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut options = options(&endpoint);
    options.timeout = Duration::from_millis(50);
    let start = Instant::now();
    let message = ask(&chat(options)).unwrap_err().to_string();
    let expected = "after 3 tries: no answer within 0.05 s";
    assert!(message.ends_with(expected), "{message}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_question_takes_no_longer_than_it_may_in_all() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut options = options(&endpoint);
    options.total = Duration::from_millis(50);
    options.retries.most = 1000;
    let start = Instant::now();
    let message = ask(&chat(options)).unwrap_err().to_string();
    assert!(message.contains("over 0.05 s"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(endpoint.requests().len() <= 1);
}

#[test]
fn a_wait_that_would_be_too_long_is_not_begun() {
    let slow = Answer::status(429, "slow down").header("Retry-After", "30");
    let endpoint = Endpoint::start([slow]);
    let mut options = options(&endpoint);
    options.retries.longest_wait = Duration::from_hours(1);
    options.total = Duration::from_secs(20);
    let start = Instant::now();
    let message = ask(&chat(options)).unwrap_err().to_string();
    assert!(
        message.contains("429") && message.contains("over 20 s"),
        "{message}"
    );
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_wait_that_a_server_asks_for_is_kept() {
    let slow = Answer::status(429, "slow down").header("Retry-After", "0.3");
    let endpoint = Endpoint::start([slow, Answer::text("wait()")]);
    let mut options = options(&endpoint);
    options.retries.longest_wait = Duration::from_secs(10);
    let start = Instant::now();
    ask(&chat(options)).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_wait_beyond_the_longest_is_cut() {
    let slow = Answer::status(503, "busy").header("Retry-After", "86400");
    let (answer, tries) = ask_scripted([slow, Answer::text("wait()")]);
    assert_eq!((&answer.unwrap().text[..], tries), ("wait()", 2));
}

#[test]
fn an_answer_without_end_is_left_and_not_asked_for_again() {
    for bytes in [10_000_000, MAX_ANSWER_BYTES as usize + 1] {
        let (result, tries) = ask_scripted([Answer::large(bytes)]);
        let message = result.unwrap_err().to_string();
        assert!(
            message.ends_with("the answer is larger than 4 MiB, and is left"),
            "{message}"
        );
        assert_eq!(tries, 1);
    }
}

#[test]
fn a_large_answer_within_the_limit_is_read() {
    let text = "x".repeat(3 << 20);
    let (answer, _) = ask_scripted([Answer::text(&text)]);
    assert_eq!(answer.unwrap().text, text);
}

/// A server below HTTP, which says the same to whoever comes, so many times: piece by piece.
fn socket(says: &'static [&'static [u8]], times: usize) -> (String, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = thread::spawn(move || {
        for stream in listener.incoming().take(times) {
            let mut stream = stream.unwrap();
            read_request(&mut stream);
            for piece in says {
                thread::sleep(Duration::from_millis(2));
                // The other side may have gone.
                let _ = stream.write_all(piece);
            }
        }
    });
    (address.to_string(), thread)
}

/// Reads to the end of a body of JSON, or the first bytes of anything else.
fn read_request(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).unwrap_or(0);
        bytes.extend_from_slice(&buffer[..read]);
        if read == 0 || !bytes.starts_with(b"POST") || bytes.ends_with(b"}") {
            return;
        }
    }
}

fn ask_socket(scheme: &str, address: &str, timeout: Duration) -> Result<Completion, ChatError> {
    let endpoint = Endpoint::start([Answer::html()]);
    let mut options = options(&endpoint);
    options.endpoint = format!("{scheme}://{address}/v1").parse().unwrap();
    options.timeout = timeout;
    ask(&chat(options))
}

const LONG: Duration = Duration::from_secs(20);

#[test]
fn an_answer_that_comes_in_chunks_is_read() {
    let says: &[&[u8]] = &[
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1b\r\n{\"choices\": [{\"message\": {\"\r\n",
        b"19\r\ncontent\": \"wait()\"}}]}   \r\n0\r\n\r\n",
    ];
    let (address, thread) = socket(says, 1);
    assert_eq!(ask_socket("http", &address, LONG).unwrap().text, "wait()");
    thread.join().unwrap();
}

#[test]
fn chunks_that_are_cut_off_are_an_error() {
    let says: &[&[u8]] = &[
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1b\r\n{\"choices\": [{\"message\": {\"\r\n",
    ];
    let (address, thread) = socket(says, 3);
    let message = ask_socket("http", &address, LONG).unwrap_err().to_string();
    assert!(message.contains("after 3 tries"), "{message}");
    thread.join().unwrap();
}

#[test]
fn a_server_that_trickles_does_not_hold_up_the_run() {
    static TRICKLE: [&[u8]; 400] = [b" "; 400];
    static HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = thread::spawn(move || {
        for stream in listener.incoming().take(3) {
            let mut stream = stream.unwrap();
            read_request(&mut stream);
            let mut pieces = [HEAD].into_iter().chain(TRICKLE);
            // Until the other side has gone.
            while pieces
                .next()
                .is_some_and(|piece| stream.write_all(piece).is_ok())
            {
                thread::sleep(Duration::from_millis(5));
            }
        }
    });
    let result = ask_socket("http", &address, Duration::from_millis(100));
    let message = result.unwrap_err().to_string();
    assert!(
        message.ends_with("after 3 tries: no answer within 0.1 s"),
        "{message}"
    );
    thread.join().unwrap();
}

#[test]
fn an_answer_that_is_not_http_is_called_so() {
    let (address, thread) = socket(&[b"SSH-2.0-OpenSSH_9.6\r\n\r\n"], 3);
    let message = ask_socket("http", &address, LONG).unwrap_err().to_string();
    assert!(message.contains("the answer is not HTTP"), "{message}");
    thread.join().unwrap();
}

#[test]
fn a_server_without_tls_behind_an_https_url_is_asked_once_and_called_so() {
    let (address, thread) = socket(&[b"HTTP/1.1 400 Bad Request\r\n\r\n"], 1);
    let message = ask_socket("https", &address, LONG).unwrap_err().to_string();
    assert!(message.contains("no secure connection"), "{message}");
    assert!(!message.contains("tries"), "{message}");
    thread.join().unwrap();
}
