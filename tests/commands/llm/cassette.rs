//! A run is made again from its cassette, and one that was killed goes on.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use brigade::llm::cassette::{Cassette, Recording, Tape};
use brigade::llm::chat::{Chat, Completion, Constraint, NoAnswer, Take};
use brigade::llm::http::{ApiKey, HttpOptions};
use serde_json::{Value, json};

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{chat, options, question};

/// A tape in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn tape(&self) -> Tape {
        Box::new(self.clone())
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes so many lines, and of the next one half.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("no space left"));
        }
        self.0 -= 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn recording(text: &str) -> Recording {
    Recording::read(text.as_bytes()).unwrap().0
}

fn take(seed: u64) -> Take {
    Take {
        seed,
        epoch: 1,
        nth: 0,
    }
}

/// All kinds of answers, one for each seed.
fn answers() -> Vec<Answer> {
    vec![
        Answer::text("wait()"),
        Answer::tool_call("act", &json!({"action": "goto(é)"})),
        Answer::uncounted(""),
        Answer::json(&json!({
            "choices": [{
                "message": {"content": "A"}, "finish_reason": "length",
                "logprobs": {"content": [{"top_logprobs": [
                    {"token": "A", "logprob": -0.123_456_789_012_345_68},
                    {"token": "B", "logprob": -3.3e-9},
                ]}]},
            }],
        })),
        Answer::status(400, "the prompt is too long"),
        Answer::status(400, "triggering the content management policy"),
    ]
}

fn record(endpoint: &Endpoint, memory: &Memory) -> Vec<Result<Completion, NoAnswer>> {
    let mut options = options(endpoint);
    options.key = Some(ApiKey::new("sk-live-0123456789abcdef").unwrap());
    let cassette = Cassette::record(Arc::new(chat(options)), memory.tape());
    ask_all(&cassette)
}

fn ask_all(chat: &dyn Chat) -> Vec<Result<Completion, NoAnswer>> {
    let seeds = 0..answers().len() as u64;
    seeds
        .map(|seed| chat.complete(&question("What now?"), take(seed)))
        .collect()
}

#[test]
fn a_replay_answers_what_was_answered_to_the_byte() {
    let endpoint = Endpoint::start(answers());
    let memory = Memory::default();
    let recorded = record(&endpoint, &memory);
    assert_eq!(recorded.iter().filter(|result| result.is_ok()).count(), 5);
    drop(endpoint);
    let cassette = Cassette::replay(recording(&memory.text()), "mock");
    assert_eq!(ask_all(&cassette), recorded);
    assert_eq!(cassette.name(), "mock");
}

#[test]
fn no_key_and_no_host_is_on_a_cassette() {
    let endpoint = Endpoint::start(answers());
    let memory = Memory::default();
    record(&endpoint, &memory);
    let text = memory.text();
    assert!(
        !text.contains("sk-live") && !text.contains("127.0.0.1"),
        "{text}"
    );
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let names: Vec<&String> = line.as_object().unwrap().keys().collect();
    assert_eq!(names, ["key", "take", "request", "answer"]);
    assert_eq!(line["request"], endpoint.requests()[0].json());
}

#[test]
fn a_finished_recording_does_not_depend_on_the_order_of_threads() {
    let sorted = |seeds: &[u64]| {
        let endpoint = Endpoint::start([Answer::text("wait()")]);
        let cassette =
            Cassette::record(Arc::new(chat(options(&endpoint))), Memory::default().tape());
        thread::scope(|scope| {
            for &seed in seeds {
                let cassette = &cassette;
                scope.spawn(move || {
                    cassette
                        .complete(&question("What now?"), take(seed))
                        .unwrap()
                });
            }
        });
        cassette.sorted().unwrap()
    };
    let text = sorted(&[1, 2, 3, 4, 5, 6]);
    assert_eq!(text, sorted(&[6, 5, 4, 3, 2, 1]));
    assert_eq!(text.lines().count(), 6);
    assert_eq!(recording(&text).len(), 6);
}

#[test]
fn only_what_is_not_there_is_asked() {
    let endpoint = Endpoint::start(answers());
    let memory = Memory::default();
    let recorded = record(&endpoint, &memory);
    let half: String = memory.text().split_inclusive('\n').take(2).collect();
    let endpoint = Endpoint::start(answers().split_off(2));
    let more = Memory::default();
    let inner = Arc::new(chat(options(&endpoint)));
    let cassette = Cassette::auto(inner, recording(&half), more.tape());
    assert_eq!(ask_all(&cassette), recorded);
    assert_eq!(endpoint.requests().len(), answers().len() - 2);
    assert_eq!(half + &more.text(), memory.text());
    assert_eq!(ask_all(&cassette), recorded);
    assert_eq!(endpoint.requests().len(), answers().len() - 2);
}

#[test]
fn a_recording_that_was_killed_goes_on_where_it_was_cut() {
    let endpoint = Endpoint::start(answers());
    let memory = Memory::default();
    let recorded = record(&endpoint, &memory);
    let whole = memory.text();
    let first_line = whole.find('\n').unwrap();
    // In the middle of the second line, and just before its line break.
    let second_line = first_line + 1 + whole[first_line + 1..].find('\n').unwrap();
    for cut in [first_line + 30, second_line] {
        let mut file = whole.as_bytes()[..cut].to_vec();
        let (recording, kept) = Recording::read(&file).unwrap();
        file.truncate(kept);
        let memory = Memory(Arc::new(Mutex::new(file)));
        let endpoint = Endpoint::start(answers().split_off(recording.len()));
        let inner = Arc::new(chat(options(&endpoint)));
        let cassette = Cassette::auto(inner, recording, memory.tape());
        assert_eq!(ask_all(&cassette), recorded);
        assert_eq!(memory.text(), whole);
    }
}

#[test]
fn an_outage_is_not_recorded() {
    let endpoint = Endpoint::start([
        Answer::status(500, "oops"),
        Answer::status(401, "wrong key"),
    ]);
    let mut options = options(&endpoint);
    options.retries.most = 0;
    let memory = Memory::default();
    let cassette = Cassette::record(Arc::new(chat(options)), memory.tape());
    assert!(cassette.complete(&question("a"), take(1)).is_err());
    assert!(cassette.complete(&question("a"), take(1)).is_err());
    assert_eq!(memory.text(), "");
}

#[test]
fn a_question_that_is_not_recorded_is_reported_with_its_differences() {
    let endpoint = Endpoint::start(answers());
    let memory = Memory::default();
    record(&endpoint, &memory);
    let missing = |model: &str, text: &str| {
        let cassette = Cassette::replay(recording(&memory.text()), model);
        cassette
            .complete(&question(text), take(1))
            .unwrap_err()
            .to_string()
    };
    let message = missing("other", "What now?");
    assert!(message.contains("no answer of model `other`"), "{message}");
    let expected = "the model is \"other\", on the cassette \"mock\"";
    assert!(message.contains(expected), "{message}");
    let message = missing("mock", "What then?");
    assert!(
        message.contains("message 1 reads `then?` from character 6 on"),
        "{message}"
    );
    assert!(message.contains("mode `auto`"), "{message}");
    let empty = Cassette::replay(Recording::default(), "mock");
    let error = empty.complete(&question("a"), take(1)).unwrap_err();
    assert!(
        error.to_string().contains("the cassette is empty"),
        "{error}"
    );
}

#[test]
fn repetitions_of_a_question_are_not_copies_of_one_answer() {
    let endpoint = Endpoint::start([
        Answer::text("one"),
        Answer::text("two"),
        Answer::text("three"),
    ]);
    let cassette = Cassette::record(Arc::new(chat(options(&endpoint))), Memory::default().tape());
    let takes = [
        take(1),
        Take {
            epoch: 2,
            ..take(1)
        },
        Take { nth: 1, ..take(1) },
    ];
    let text = |take| cassette.complete(&question("a"), take).unwrap().text;
    assert_eq!(takes.map(text), ["one", "two", "three"]);
    assert_eq!(takes.map(text), ["one", "two", "three"]);
    let mut constrained = question("a");
    constrained.constraint = Constraint::Logprobs { top: 3 };
    let answer = cassette.complete(&constrained, take(1)).unwrap();
    assert_eq!(
        (answer.text.as_str(), endpoint.requests().len()),
        ("three", 4)
    );
}

#[test]
fn a_cassette_that_cannot_be_written_is_an_error_from_there_on() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let inner = |options: HttpOptions| Arc::new(chat(options));
    let cassette = Cassette::record(inner(options(&endpoint)), Box::new(Full(1)));
    assert!(cassette.complete(&question("a"), take(1)).is_ok());
    let lost = |seed| {
        cassette
            .complete(&question("a"), take(seed))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(lost(2), "the cassette cannot be written: no space left");
    assert_eq!(lost(3), "the cassette cannot be written: no space left");
    assert!(cassette.complete(&question("a"), take(1)).is_ok());
}
