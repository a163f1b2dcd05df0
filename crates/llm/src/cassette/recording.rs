//! A recording: questions with their answers, and its text, one line of JSON for each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::Value;

use super::key::question_key;
use super::line::{Answer, Line};
use super::nearest;
use crate::chat::Take;

/// The fault in the text of a recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the cassette {what}")]
pub struct RecordingError {
    /// The line, from 1.
    pub line: usize,
    what: String,
}

/// Questions with their answers.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    lines: BTreeMap<String, Line>,
    /// True if the text that was read does not end with a line break.
    pub(super) open_end: bool,
}

impl Recording {
    /// Reads the text of a recording. Also says how many of its bytes are whole lines: what follows
    /// was cut off as its writer was killed, and is to be overwritten.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), RecordingError> {
        let mut recording = Self::default();
        let mut whole = 0;
        for (index, bytes) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let number = index + 1;
            let ends = bytes.ends_with(b"\n");
            if !bytes.trim_ascii().is_empty() {
                match serde_json::from_slice(bytes) {
                    Ok(line) => recording.check_and_insert(number, line)?,
                    Err(_) if !ends => return Ok((recording, whole)),
                    Err(error) => {
                        let what = format!("is not one of a cassette: {error}");
                        return Err(RecordingError { line: number, what });
                    }
                }
            }
            whole += bytes.len();
            recording.open_end = !ends;
        }
        Ok((recording, whole))
    }

    fn check_and_insert(&mut self, number: usize, line: Line) -> Result<(), RecordingError> {
        let wrong = |what: &str| RecordingError {
            line: number,
            what: what.to_owned(),
        };
        if line.key != question_key(&line.request, line.take) {
            return Err(wrong(
                "has a key that is not that of its request and take: it was changed by hand",
            ));
        }
        if self.insert(line) {
            Ok(())
        } else {
            Err(wrong(
                "has another answer to a question than a line before it",
            ))
        }
    }

    /// Adds a line; `false` if there is another answer to its question.
    pub(super) fn insert(&mut self, line: Line) -> bool {
        match self.lines.entry(line.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(line);
                true
            }
            Entry::Occupied(entry) => entry.get().answer == line.answer,
        }
    }

    /// The answer to the question with this key.
    pub fn answer(&self, key: &str) -> Option<&Answer> {
        self.lines.get(key).map(|line| &line.answer)
    }

    /// Returns the number of questions that it holds.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns true if it holds none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// All lines by key: of what was recorded, in whatever order, always the same text.
    pub fn sorted(&self) -> Result<String, serde_json::Error> {
        self.lines.values().map(Line::text).collect()
    }

    /// Describes the difference between a question that is not here and the one that is most like it.
    pub(super) fn difference(&self, body: &Value, take: Take) -> String {
        nearest::difference(self.lines.values(), body, take)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::chat::{ChatError, Completion, Finish, NoAnswer, Usage};
    use crate::response::Class;

    fn completion(text: &str) -> Completion {
        Completion {
            text: text.to_owned(),
            tool_arguments: Some("{\"a\": 1}".to_owned()),
            // Seventeen digits: the longest that a number may need.
            first_tokens: vec![
                ("A".to_owned(), -0.123_456_789_012_345_68),
                ("B".to_owned(), -7.1e-12),
            ],
            finish: Finish::Other(Some("tool_calls".to_owned())),
            usage: Some(Usage {
                input: 3,
                output: 4,
                cached: None,
                reasoning: Some(1),
            }),
            tries: 2,
            ..Completion::default()
        }
    }

    fn line(seed: u64, answer: Answer) -> Line {
        let request = json!({"model": "m", "temperature": 0.7});
        let take = Take {
            seed,
            epoch: 1,
            nth: 0,
        };
        Line {
            key: question_key(&request, take),
            take,
            request,
            answer,
        }
    }

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| line.text().unwrap()).collect()
    }

    fn error(text: &str) -> RecordingError {
        Recording::read(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let too_long = NoAnswer {
            error: ChatError::TooLong {
                status: 400,
                message: "context length".to_owned(),
            },
            usage: Some(Usage::default()),
            tries: 2,
        };
        let filtered = Completion {
            filter: Some("violence".to_owned()),
            ..completion("")
        };
        for result in [Ok(completion("wait()")), Ok(filtered), Err(too_long)] {
            let line = line(1, Answer::of(&result).unwrap());
            let text = line.text().unwrap();
            let (recording, whole) = Recording::read(text.as_bytes()).unwrap();
            assert_eq!(whole, text.len());
            let answer = recording.answer(&line.key).unwrap().clone();
            assert_eq!(answer.result(), result);
            assert_eq!(recording.sorted().unwrap(), text);
        }
    }

    #[test]
    fn what_may_be_otherwise_the_next_time_is_not_kept() {
        let wrong_key = ChatError::Configuration {
            status: 401,
            message: String::new(),
            advice: String::new(),
        };
        for error in [
            ChatError::Infrastructure("down".to_owned()),
            ChatError::Budget("spent".to_owned()),
            ChatError::Stopped(brigade_search::StopReason::Time),
            wrong_key,
        ] {
            assert_eq!(Answer::of(&Err(error.into())), None);
        }
    }

    #[test]
    fn a_refusal_of_an_older_recording_comes_to_what_the_server_says() {
        let read = |message: &str| {
            let answer = json!({"refused": {"status": 400, "message": message}});
            let answer: Answer = serde_json::from_value(answer).unwrap();
            answer.result().map_err(|none| none.error)
        };
        let too_long = read("the request exceeds the available context size");
        assert!(matches!(too_long, Err(ChatError::TooLong { .. })));
        let filtered = read("triggering the content management policy").unwrap();
        assert_eq!(filtered.class(), Class::Filtered);
        let unknown = read("no such grammar");
        assert!(matches!(unknown, Err(ChatError::Configuration { .. })));
    }

    #[test]
    fn a_last_line_that_was_cut_off_is_left_out() {
        let first = text(&[line(1, Answer::Completion(completion("é")))]);
        let both = first.clone() + &text(&[line(2, Answer::Completion(completion("é")))]);
        for cut in first.len() + 1..both.len() - 1 {
            let (recording, whole) = Recording::read(&both.as_bytes()[..cut]).unwrap();
            assert_eq!((recording.len(), whole), (1, first.len()), "{cut}");
        }
        let all = &both.as_bytes()[..both.len() - 1];
        let (recording, whole) = Recording::read(all).unwrap();
        assert_eq!((recording.len(), whole), (2, all.len()));
        assert!(recording.open_end);
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let good = text(&[line(1, Answer::Completion(completion("a")))]);
        let error = error(&format!("{good}{{\"key\": 3\n{good}"));
        assert_eq!(error.line, 2);
        assert!(
            error
                .to_string()
                .starts_with("line 2 of the cassette is not"),
            "{error}"
        );
    }

    #[test]
    fn a_line_whose_question_was_changed_is_named() {
        let good = text(&[line(1, Answer::Completion(completion("a")))]);
        let error = error(&good.replace("0.7", "0.8"));
        assert_eq!(error.line, 1);
        assert!(error.to_string().contains("changed by hand"), "{error}");
    }

    #[test]
    fn two_answers_to_one_question_are_an_error_and_one_twice_is_not() {
        let answers = ["a", "a", "b"].map(|text| line(1, Answer::Completion(completion(text))));
        let (recording, _) = Recording::read(text(&answers[..2]).as_bytes()).unwrap();
        assert_eq!(recording.len(), 1);
        let error = error(&text(&answers));
        assert_eq!(error.line, 3);
        assert!(error.to_string().contains("another answer"), "{error}");
    }

    #[test]
    fn the_sorted_text_does_not_depend_on_the_order_of_recording() {
        let mut lines: Vec<Line> = (0..9)
            .map(|seed| line(seed, Answer::Completion(completion("a"))))
            .collect();
        let sorted = |lines: &[Line]| {
            let (recording, _) = Recording::read(text(lines).as_bytes()).unwrap();
            recording.sorted().unwrap()
        };
        let before = sorted(&lines);
        lines.reverse();
        assert_eq!(sorted(&lines), before);
        let keys: Vec<&str> = before.lines().map(|line| &line[..20]).collect();
        assert!(keys.is_sorted());
    }
}
