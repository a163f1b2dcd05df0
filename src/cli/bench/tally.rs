//! Counts the outcomes, questions and tokens of an episode.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cli::models::Price;
use crate::episode::{Event, Outcome};
use crate::llm::chat::Usage;

/// Tokens, as servers counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tokens {
    /// Of questions.
    pub(super) input: u64,
    /// Of answers.
    pub(super) output: u64,
    /// Of questions, those that the server had read before, as far as it says.
    pub(super) cached: u64,
    /// Answers of which the server did not count the tokens.
    #[serde(default)]
    pub(super) uncounted: u64,
}

impl Tokens {
    pub(super) fn add(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.cached += other.cached;
        self.uncounted += other.uncounted;
    }

    /// Returns the cost of the tokens.
    pub(super) fn cost(self, price: Price) -> f64 {
        let cached = price.cached.unwrap_or(price.input);
        let fresh = self.input.saturating_sub(self.cached) as f64;
        let sum =
            fresh * price.input + self.cached as f64 * cached + self.output as f64 * price.output;
        sum / 1e6
    }
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input,
            output: usage.output,
            cached: usage.cached.unwrap_or(0),
            uncounted: 0,
        }
    }
}

/// The counts of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Steps of agents that ask a model, by outcome; all outcomes are there.
    pub(super) outcomes: BTreeMap<Outcome, u64>,
    /// Of the answers that were to have a form, corrected ones included, those that had it to the
    /// letter, and those in which a lenient reader found what was asked for.
    pub(super) strict: u64,
    pub(super) lenient: u64,
    /// The number of answers these are shares of.
    pub(super) read: u64,
    /// Action formats that were used.
    pub(super) formats: Vec<String>,
    /// Questions that were put.
    pub(super) calls: u64,
    /// Their tokens.
    pub(super) tokens: Tokens,
    /// Those of each model.
    #[serde(skip)]
    pub(super) by_model: BTreeMap<String, Tokens>,
    /// Things that were said to other agents.
    pub(super) messages: u64,
}

impl Tally {
    /// The tally of nothing.
    pub(super) fn new() -> Self {
        Self {
            outcomes: Outcome::ALL.map(|outcome| (outcome, 0)).into(),
            ..Self::default()
        }
    }

    /// Counts an event.
    pub(super) fn count(&mut self, event: &Event) {
        match event {
            Event::Call(call) => {
                self.calls += 1;
                let tokens = match call.usage {
                    Some(usage) => usage.into(),
                    None => Tokens {
                        uncounted: u64::from(call.error.is_none()),
                        ..Tokens::default()
                    },
                };
                self.tokens.add(tokens);
                let of_model = self.by_model.entry(call.model.clone()).or_default();
                of_model.add(tokens);
                if let (Some(strict), Some(lenient)) = (call.strict, call.lenient) {
                    self.read += 1;
                    self.strict += u64::from(strict);
                    self.lenient += u64::from(lenient);
                }
                if let Some(format) = &call.format
                    && !self.formats.contains(format)
                {
                    self.formats.push(format.clone());
                    self.formats.sort();
                }
            }
            Event::Decision(decided) => {
                *self.outcomes.entry(decided.outcome).or_default() += 1;
            }
            Event::Message(_) => self.messages += 1,
            _ => {}
        }
    }

    /// Adds another tally.
    pub(super) fn add(&mut self, other: &Self) {
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(*outcome).or_default() += count;
        }
        self.strict += other.strict;
        self.lenient += other.lenient;
        self.read += other.read;
        for format in &other.formats {
            if !self.formats.contains(format) {
                self.formats.push(format.clone());
            }
        }
        self.formats.sort();
        self.calls += other.calls;
        self.tokens.add(other.tokens);
        for (model, tokens) in &other.by_model {
            self.by_model.entry(model.clone()).or_default().add(*tokens);
        }
        self.messages += other.messages;
    }
}
