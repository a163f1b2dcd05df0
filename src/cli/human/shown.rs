//! The question to a person, as data and in words.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::diagnostics::words::presentable;
use crate::view::board::Board;

/// The view that a person has of an episode at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Shown {
    /// Ticks that have passed.
    pub(in crate::cli) tick: u32,
    pub(in crate::cli) max_ticks: u32,
    /// The number of commands that were refused in this timestep.
    pub(in crate::cli) attempt: u32,
    pub(in crate::cli) retries: u32,
    pub(in crate::cli) agent: String,
    pub(in crate::cli) others: Vec<String>,
    pub(in crate::cli) turns: &'static str,
    /// The goal in words.
    pub(in crate::cli) goal: Option<String>,
    /// The facts that the agent sees, a line each, with empty lines between objects.
    pub(in crate::cli) state: Vec<String>,
    /// The activities of others.
    pub(in crate::cli) busy: Vec<String>,
    /// The activity of the agent itself.
    pub(in crate::cli) under_way: Option<String>,
    /// The actions that it can take; none where it is not to choose.
    pub(in crate::cli) actions: Vec<String>,
    /// The reason why its last command was refused.
    pub(in crate::cli) refusal: Option<String>,
    /// The conversation so far, where it is to answer in one: then an action says nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) dialog: Option<Vec<String>>,
    /// What it sees as a drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) board: Option<Board>,
}

/// The number of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Number {
    pub(super) tick: u32,
    attempt: u32,
    /// The length of the conversation, in one.
    said: Option<usize>,
}

/// An entry in what a person knows of the course of an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Entry {
    /// Ticks that had passed.
    pub(in crate::cli) tick: u32,
    pub(in crate::cli) kind: Kind,
    pub(in crate::cli) agent: String,
    pub(in crate::cli) text: String,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::cli) enum Kind {
    /// An action was begun.
    Did,
    /// A message.
    Said,
    /// A command was refused, and why.
    Refused,
}

impl Entry {
    /// The entry as a line for an agent.
    pub(super) fn line(&self, own: &str) -> String {
        let who = match &*self.agent {
            agent if agent == own => "you",
            agent => agent,
        };
        let text = presentable(&self.text);
        match self.kind {
            Kind::Did => format!("[{}] {who}: {text}", self.tick),
            Kind::Said => format!("[{}] {who}: \"{text}\"", self.tick),
            Kind::Refused => format!("[{}] refused: {text}", self.tick),
        }
    }
}

/// The lines that others do not have.
pub(super) fn changed<'a>(
    lines: &'a [String],
    others: &'a [String],
) -> impl Iterator<Item = &'a String> {
    let others: BTreeSet<&String> = others.iter().collect();
    lines.iter().filter(move |line| !others.contains(line))
}

impl Shown {
    /// The question that it is.
    pub(in crate::cli) fn number(&self) -> Number {
        Number {
            tick: self.tick,
            attempt: self.attempt,
            said: self.dialog.as_ref().map(Vec::len),
        }
    }

    /// The entry of what the agent says.
    pub(super) fn said(&self, text: &str) -> Entry {
        Entry {
            tick: self.tick,
            kind: Kind::Said,
            agent: self.agent.clone(),
            text: text.to_owned(),
        }
    }

    /// The person, and the others.
    pub(super) fn introduction(&self) -> String {
        let mut text = match &*self.agent {
            "" => "You act in a task.\n".to_owned(),
            agent => format!("You are {agent}, and act in a task.\n"),
        };
        if !self.others.is_empty() {
            let turns = match self.turns {
                "alternate" => "You take turns: one of you acts in each step.",
                _ => "Each of you acts once in every step.",
            };
            text.push_str(&format!("With you: {}. {turns}\n", self.others.join(", ")));
        }
        text
    }

    /// The question in words, as it is logged.
    pub(super) fn question(&self) -> String {
        let mut text = String::new();
        if let Some(refusal) = &self.refusal {
            text.push_str(&format!("What was wrong:\n- {refusal}\n\n"));
        }
        text.push_str(&format!("What you see in step {}:\n", self.tick));
        for line in &self.state {
            text.push_str(&format!("{line}\n"));
        }
        if !self.busy.is_empty() {
            text.push_str("\nStill under way:\n");
            for line in &self.busy {
                text.push_str(&format!("- {line}\n"));
            }
        }
        if let Some(goal) = &self.goal {
            text.push_str(&format!("\nGoal: {goal}\n"));
        }
        if let Some(dialog) = &self.dialog {
            text.push_str("\nWhat was said:\n");
            for line in dialog {
                text.push_str(&format!("{line}\n"));
            }
            text.push_str("\nAnswer the others, or:\n");
        } else {
            text.push_str("\nWhat you can do now:\n");
        }
        for action in &self.actions {
            text.push_str(&format!("{action}\n"));
        }
        text
    }
}
