//! The log entries of a person: each question with its answer, hints, and the outcome of each timestep, in the form that
//! those of a model have.

use serde_json::json;

use super::shown::Shown;
use crate::episode::{Call, Decided, Event, Outcome};
use crate::llm::Listener;

/// The models that these questions are put to.
const HUMAN: &str = "human";
const PLANNER: &str = "planner";

/// The decision of a timestep, so far.
#[derive(Clone, Copy, Debug)]
struct Pending {
    tick: u32,
    outcome: Outcome,
    attempts: u32,
    calls: u32,
}

/// Logs what a person is asked and answers.
pub(super) struct Journal<'c> {
    agent: String,
    listener: Listener<'c>,
    pending: Option<Pending>,
    /// The attempt that is under way.
    attempt: Option<(u32, u32)>,
}

impl<'c> Journal<'c> {
    pub(super) const fn new(agent: String, listener: Listener<'c>) -> Self {
        Self {
            agent,
            listener,
            pending: None,
            attempt: None,
        }
    }

    /// Returns true if an attempt is new.
    pub(super) fn begins(&mut self, tick: u32, attempt: u32) -> bool {
        let pending = self.pending.get_or_insert(Pending {
            tick,
            outcome: Outcome::Unparseable,
            attempts: 0,
            calls: 0,
        });
        pending.tick = tick;
        self.attempt.replace((tick, attempt)) != Some((tick, attempt))
    }

    /// Logs a question and its answer.
    pub(super) fn answered(&mut self, shown: &Shown, command: &str, outcome: Outcome) {
        self.asked("person", shown, command);
        if let Some(pending) = &mut self.pending {
            pending.attempts += 1;
            pending.calls += 1;
            pending.outcome = outcome;
        }
    }

    /// Logs what the agent is told in a conversation, and its answer, as of a module of a design.
    pub(super) fn talked(&mut self, shown: &Shown, answer: &str) {
        self.asked("communicator", shown, answer);
    }

    fn asked(&mut self, module: &str, shown: &Shown, answer: &str) {
        let request = json!({"model": HUMAN, "messages": [
            {"role": "system", "content": shown.introduction()},
            {"role": "user", "content": shown.question()},
        ]});
        self.call(
            (module, HUMAN),
            shown.tick,
            self.agent.clone(),
            request,
            answer,
        );
    }

    /// Logs a hint for an agent.
    pub(super) fn hinted(&mut self, agent: &str, hint: &str) {
        let request = json!({"model": PLANNER, "messages": []});
        let tick = self.pending.map_or(0, |pending| pending.tick);
        self.call(("hint", PLANNER), tick, agent.to_owned(), request, hint);
    }

    fn call(
        &mut self,
        (module, model): (&str, &str),
        tick: u32,
        agent: String,
        request: serde_json::Value,
        answer: &str,
    ) {
        (self.listener)(Event::Call(Call {
            tick,
            agent,
            module: module.to_owned(),
            model: model.to_owned(),
            request,
            nth: 0,
            answer: Some(answer.to_owned()),
            reasoning: None,
            tool: None,
            finish: None,
            usage: None,
            tries: 1,
            served_model: None,
            system_fingerprint: None,
            format: None,
            strict: None,
            lenient: None,
            error: None,
        }));
    }

    /// Logs the outcome of a timestep, if the person was asked in it.
    pub(super) fn settle(&mut self) {
        self.attempt = None;
        if let Some(pending) = self.pending.take()
            && pending.attempts > 0
        {
            (self.listener)(Event::Decision(Decided {
                tick: pending.tick,
                agent: self.agent.clone(),
                outcome: pending.outcome,
                attempts: pending.attempts,
                calls: pending.calls,
            }));
        }
    }
}
