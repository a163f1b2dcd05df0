//! Putting a question to a model.

use serde_json::Value;

use super::super::chat::{
    ChatError, ChatMessage, ChatRequest, Completion, Finish, NoAnswer, Role, Take,
};
use super::super::form::{ActionFormat, Form, Reading, filtered};
use super::super::mind::{Setup, message};
use super::state::Team;
use brigade_play::agents::PolicyError;
use brigade_play::episode::{Call, Event};
use brigade_task::split_mix::split_mix;

/// The agent, the module and the tick of a question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asker<'a> {
    /// The agent; empty where one mind decides for all.
    pub(super) agent: &'a str,
    /// The module.
    pub(super) module: &'static str,
    /// The tick.
    pub(super) tick: u32,
}

/// An answer, and how it reads.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) completion: Completion,
    pub(super) format: ActionFormat,
    pub(super) reading: Reading,
}

impl Team<'_> {
    /// Puts a question in a form, waits for the answer and reads it.
    pub(super) fn ask(
        &mut self,
        setup: &Setup<'_>,
        asker: Asker<'_>,
        form: &Form,
        messages: Vec<ChatMessage>,
    ) -> Result<Answered, PolicyError> {
        let asking = setup.asking;
        let format = form.format(asking.format);
        if let Some(why) = form.too_many_letters(format) {
            return Err(PolicyError::Failed(why));
        }
        let mut sampling = asking.sampling;
        if asking.seeded {
            let parts = [u64::from(self.epoch), self.calls];
            let seed = parts
                .into_iter()
                .fold(self.seed, |state, part| split_mix(state ^ split_mix(part)));
            // Some servers read a seed as a signed number of 32 bits.
            sampling.seed = Some(seed >> 33);
        }
        self.calls += 1;
        let request = ChatRequest {
            messages,
            sampling,
            constraint: form.constraint(format, sampling.max_tokens),
        };
        let body = setup.model.body(&request);
        let count = self.requests.entry(body.to_string()).or_default();
        let nth = *count;
        *count += 1;
        let take = Take {
            seed: self.seed,
            epoch: self.epoch,
            nth,
        };
        let result = setup
            .model
            .complete(&request, take)
            .map(|completion| Answered {
                reading: form.read(&completion, format),
                completion,
                format,
            });
        let read = (!form.is_text()).then_some(format);
        self.journal
            .record(Event::Call(call(setup, asker, (body, nth), &result, read)));
        result.map_err(|none| match none.error {
            ChatError::Stopped(reason) => PolicyError::Limit(reason),
            ChatError::Budget(why) => PolicyError::Budget(why),
            error @ ChatError::TooLong { .. } => {
                self.is_too_long = true;
                PolicyError::GaveUp(format!("was asked more than its model can read: {error}"))
            }
            error @ ChatError::Configuration { .. } => {
                PolicyError::Configuration(error.with_advice())
            }
            ChatError::Infrastructure(why) => PolicyError::Infrastructure(why),
        })
    }

    /// Puts a question whose answer is a text.
    pub(super) fn ask_text(
        &mut self,
        setup: &Setup<'_>,
        asker: Asker<'_>,
        messages: Vec<ChatMessage>,
    ) -> Result<String, PolicyError> {
        let answered = self.ask(setup, asker, &Form::text(), messages)?;
        let said = answered.reading.strict.ok().and_then(|answer| answer.say);
        Ok(said.unwrap_or_default())
    }
}

/// A template that cannot be filled in ends the episode: it was tried before, so this is rare.
pub(super) fn unfilled(error: super::super::prompts::PromptError) -> PolicyError {
    PolicyError::Failed(error.0)
}

/// The first messages of every chat of a module: its instructions.
pub(super) fn instructions(text: String) -> Vec<ChatMessage> {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![message(Role::System, text)]
    }
}

/// Returns the log entry of a question; `read` is its format if the answer was to have a form.
fn call(
    setup: &Setup<'_>,
    asker: Asker<'_>,
    (request, nth): (Value, u32),
    result: &Result<Answered, NoAnswer>,
    read: Option<ActionFormat>,
) -> Call {
    let answered = result.as_ref().ok();
    let none = result.as_ref().err();
    let completion = answered.map(|answered| &answered.completion);
    let filter = completion.and_then(|completion| completion.filter.as_deref());
    let reading = answered.filter(|_| read.is_some()).map(|it| &it.reading);
    Call {
        tick: asker.tick,
        agent: asker.agent.to_owned(),
        module: asker.module.to_owned(),
        model: setup.model.name().to_owned(),
        request,
        nth,
        answer: completion
            .filter(|_| filter.is_none())
            .map(|completion| completion.text.clone()),
        reasoning: completion.and_then(|completion| completion.reasoning.clone()),
        tool: completion.and_then(|completion| completion.tool_arguments.clone()),
        finish: completion.and_then(|completion| match &completion.finish {
            Finish::Stop => Some("stop".to_owned()),
            Finish::Length => Some("length".to_owned()),
            Finish::Other(other) => other.clone(),
        }),
        usage: match result {
            Ok(answered) => answered.completion.usage,
            Err(none) => none.usage,
        },
        tries: match result {
            Ok(answered) => answered.completion.tries,
            Err(none) => none.tries,
        },
        served_model: completion.and_then(|completion| completion.model.clone()),
        system_fingerprint: completion.and_then(|completion| completion.fingerprint.clone()),
        format: read.map(|format| format.name().to_owned()),
        strict: reading.map(|reading| reading.strict.is_ok()),
        lenient: reading.map(|reading| reading.lenient.is_ok()),
        error: none
            .map(ToString::to_string)
            .or_else(|| filter.map(|why| filtered(Some(why)))),
    }
}
