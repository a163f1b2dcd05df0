//! The form of an answer: what a model is asked to say, in which of several ways, and how it is read.
//!
//! A [`Form`] says what an answer holds: reasoning, one action or a plan, for one agent or for
//! several, something to say, a verdict. An [`ActionFormat`] says how that is put: lines of text, a
//! JSON object, a text under a grammar, the call of a tool, or the likeliest letter. Every form but
//! the last fits every format, so that designs of agents and ways to choose are independent.
//!
//! An answer is read twice, [strictly and leniently](Reading): what only a lenient reader
//! understands is a fault of form, which is reported apart.

mod call;
mod constrain;
mod object;
mod read;
mod show;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub(super) use read::filtered;
pub use read::{Reading, Unreadable};
pub use show::{MAX_LETTERS, letter};

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionFormat {
    /// Lines such as `Action: take the egg`.
    Text,
    /// A JSON object under a schema.
    Json,
    /// The lines of [`ActionFormat::Text`] under a grammar (GBNF).
    Grammar,
    /// The arguments of a tool, under a schema.
    Tool,
    /// The letter of the likeliest option, by the probabilities of the first token. It allows of no
    /// reasoning; what is not a choice of one action is put as text.
    Logprobs,
}

impl ActionFormat {
    /// Its name in configurations and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Grammar => "grammar",
            Self::Tool => "tool",
            Self::Logprobs => "logprobs",
        }
    }
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Form {
    /// True if it begins with reasoning.
    pub reasoning: bool,
    /// The decision that it holds; `None` for an answer that is only text or a verdict.
    pub decision: Option<Decision>,
    /// True if it says something to the others.
    pub say: bool,
    /// True if it accepts or rejects something.
    pub verdict: bool,
    /// Where several actions are decided: all that each who is decided for can ever do; empty where these are not
    /// listed, or are too many.
    pub commands: Vec<Vec<String>>,
}

/// The content of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The extent of the decision: one action for each agent, or a list of actions to be carried out in order.
    pub plan: Plan,
    /// For whom.
    pub deciders: Deciders,
}

/// The extent of a decision: one action or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// One action.
    No,
    /// Actions, one after another.
    Actions,
    /// Actions, each followed by what the state will then be.
    ActionsAndStates,
}

/// For whom is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deciders {
    /// For the one who answers, who may choose among these (in words); empty where the options are not listed.
    Own(Vec<String>),
    /// For each of these agents, with what it may choose among.
    Each(Vec<(String, Vec<String>)>),
}

impl Deciders {
    /// The number of agents that are decided for.
    pub const fn len(&self) -> usize {
        match self {
            Self::Own(_) => 1,
            Self::Each(agents) => agents.len(),
        }
    }

    /// Returns true if nobody is decided for.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the options of each who is decided for.
    fn options(&self) -> Vec<&[String]> {
        match self {
            Self::Own(options) => vec![options],
            Self::Each(agents) => agents
                .iter()
                .map(|(_, options)| options.as_slice())
                .collect(),
        }
    }
}

/// The parts that were read from an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The reasoning.
    pub reasoning: Option<String>,
    /// The actions of each agent that is decided for, in the order of the form.
    pub actions: Vec<Vec<String>>,
    /// The order in which it names those that it decides for; empty where that is the order of the form.
    pub order: Vec<usize>,
    /// The facts that hold after each of one's own actions, where these are asked for.
    pub states: Vec<String>,
    /// The message to the others.
    pub say: Option<String>,
    /// True if something is accepted.
    pub accepts: Option<bool>,
}

impl Form {
    /// One action of one's own among these.
    pub const fn action(reasoning: bool, options: Vec<String>) -> Self {
        Self {
            reasoning,
            decision: Some(Decision {
                plan: Plan::No,
                deciders: Deciders::Own(options),
            }),
            say: false,
            verdict: false,
            commands: Vec::new(),
        }
    }

    /// A text of any kind.
    pub fn text() -> Self {
        Self::default()
    }

    /// Returns true if the answer is a text of any kind, with nothing in it to be found.
    pub const fn is_text(&self) -> bool {
        self.decision.is_none() && !self.verdict && !self.say
    }

    /// The one list of options that a letter can choose from.
    pub(super) fn lettered(&self) -> Option<&[String]> {
        match &self.decision {
            Some(Decision {
                plan: Plan::No,
                deciders: Deciders::Own(options),
            }) if !options.is_empty() && !self.say => Some(options),
            _ => None,
        }
    }

    /// The format in which this form can be put, where `format` is wanted.
    pub fn format(&self, format: ActionFormat) -> ActionFormat {
        match format {
            _ if self.is_text() => ActionFormat::Text,
            ActionFormat::Logprobs if self.lettered().is_none() => ActionFormat::Text,
            format => format,
        }
    }
}

/// The keys of lines and members.
mod key {
    pub(super) const REASONING: &str = "reasoning";
    pub(super) const ACTION: &str = "action";
    pub(super) const PLAN: &str = "plan";
    pub(super) const STATE: &str = "state";
    pub(super) const SAY: &str = "say";
    pub(super) const VERDICT: &str = "verdict";

    /// A key as it begins a line.
    pub(super) fn title(key: &str) -> String {
        let mut letters = key.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }
}

/// The tool whose arguments are an answer.
const TOOL: &str = "answer";

/// The words of a verdict.
const ACCEPT: &str = "accept";
const REJECT: &str = "reject";
