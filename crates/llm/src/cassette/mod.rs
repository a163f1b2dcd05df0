//! A cassette: every question and its answer, kept, so that a run can be made again without a model.
//!
//! It wraps any [`Chat`]. A question is found by the hash of the body as it is sent and of the
//! [`Take`] ([`question_key`]); what a replay answers is what was answered then, to the byte. No key,
//! host or time is on it, and nothing that may be otherwise the next time ([`Answer::of`]).

mod key;
mod line;
mod nearest;
mod recording;

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

pub use self::key::question_key;
pub(super) use self::key::question_number;
pub use self::line::Answer;
pub use self::recording::{Recording, RecordingError};

use self::line::Line;
use super::addressee::Addressee;
use super::chat::{Chat, ChatError, ChatRequest, Completion, NoAnswer, Take};

/// The sink of new lines: one write and one flush each, so that a run that is killed loses at most the last.
pub type Tape = Box<dyn Write + Send>;

/// A chat whose answers are kept, or taken from what was kept.
pub struct Cassette {
    addressee: Addressee,
    /// The source of answers that are not on it, with the sink of new ones. `None` is a replay.
    source: Option<Source>,
    recording: Mutex<Recording>,
}

/// The chat that answers, and the tape on which answers are written.
struct Source {
    chat: Arc<dyn Chat>,
    /// The tape, or the reason why it could not be written: after half a line nothing can follow.
    tape: Mutex<Result<Tape, String>>,
}

impl Source {
    fn tape(&self) -> MutexGuard<'_, Result<Tape, String>> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lost(why: &dyn fmt::Display) -> ChatError {
    ChatError::Infrastructure(format!("the cassette cannot be written: {why}"))
}

impl Cassette {
    /// Answers from a recording only, as that model.
    pub fn replay(recording: Recording, model: impl Into<Addressee>) -> Self {
        Self {
            addressee: model.into(),
            source: None,
            recording: Mutex::new(recording),
        }
    }

    /// Asks every question, and writes every answer to an empty tape.
    pub fn record(chat: Arc<dyn Chat>, tape: Tape) -> Self {
        Self::auto(chat, Recording::default(), tape)
    }

    /// Asks what is not in the recording only. The tape goes on where the whole lines of the
    /// recording end ([`Recording::read`]).
    pub fn auto(chat: Arc<dyn Chat>, recording: Recording, tape: Tape) -> Self {
        Self {
            addressee: Addressee::new(chat.name()),
            source: Some(Source {
                chat,
                tape: Mutex::new(Ok(tape)),
            }),
            recording: Mutex::new(recording),
        }
    }

    /// The text of all lines by key, which does not depend on the order in which threads have asked:
    /// the form in which a finished recording is kept.
    pub fn sorted(&self) -> Result<String, serde_json::Error> {
        self.recording().sorted()
    }

    fn recording(&self) -> MutexGuard<'_, Recording> {
        self.recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the error for a question that a replay cannot answer.
    fn missing(&self, body: &Value, take: Take) -> ChatError {
        let difference = self.recording().difference(body, take);
        ChatError::Infrastructure(format!(
            "the cassette has no answer of model `{}` to this question; the nearest differs: \
             {difference}; to record it, run once in mode `auto` with an endpoint that has the model",
            self.addressee.model
        ))
    }

    /// Keeps an answer, unless there is one already, and gives the one that is kept.
    fn keep(&self, source: &Source, line: Line) -> Result<Answer, ChatError> {
        let mut recording = self.recording();
        if let Some(answer) = recording.answer(&line.key) {
            return Ok(answer.clone());
        }
        let mut text = line.text().map_err(|error| lost(&error))?;
        if recording.open_end {
            text.insert(0, '\n');
        }
        let mut place = source.tape();
        let tape = place.as_mut().map_err(|why| lost(why))?;
        let written = tape.write_all(text.as_bytes()).and_then(|()| tape.flush());
        if let Err(error) = written {
            *place = Err(error.to_string());
            return Err(lost(&error));
        }
        recording.open_end = false;
        let answer = line.answer.clone();
        recording.insert(line);
        Ok(answer)
    }
}

impl Chat for Cassette {
    fn complete(&self, request: &ChatRequest, take: Take) -> Result<Completion, NoAnswer> {
        let body = self.body(request);
        let key = question_key(&body, take);
        let known = self.recording().answer(&key).cloned();
        let Some(source) = &self.source else {
            let answer = known.ok_or_else(|| self.missing(&body, take))?;
            return answer.result();
        };
        if let Some(answer) = known {
            return answer.result();
        }
        // An answer that could not be kept is not worth its price.
        if let Err(why) = &*source.tape() {
            return Err(lost(why).into());
        }
        let result = source.chat.complete(request, take);
        let Some(answer) = Answer::of(&result) else {
            return result;
        };
        let line = Line {
            key,
            take,
            request: body,
            answer,
        };
        self.keep(source, line)?.result()
    }

    fn name(&self) -> &str {
        &self.addressee.model
    }

    fn body(&self, request: &ChatRequest) -> Value {
        match &self.source {
            Some(source) => source.chat.body(request),
            None => request.body(&self.addressee),
        }
    }
}

impl fmt::Debug for Cassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Cassette");
        shown
            .field("model", &self.addressee.model)
            .finish_non_exhaustive()
    }
}
