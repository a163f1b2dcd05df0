//! The lines that a program is sent, and the line that it answers with.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::agents::{Action, Choice, View};
use crate::diagnostics::json_text::complaint_of_line;
use crate::episode::{EndReason, display};
use crate::task::observation::ActionForm;
use crate::task::{OperatorId, OperatorKind, PackedTask, TurnMode};

/// The version of the protocol. It grows when a program that was written for the old one would go wrong.
pub(super) const PROTOCOL: u32 = 1;

/// A line for a program.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Line<'a> {
    /// The first: who it is, and what is played.
    Start(Start<'a>),
    /// It is to decide, and to answer with a line.
    Decide(Decide<'a>),
    /// The questions to the agent, and its answers, before the episode was resumed. No answer is expected.
    Replayed {
        #[serde(flatten)]
        decision: Decide<'a>,
        /// Its command.
        command: &'a str,
        /// The message to the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'a str>,
    },
    /// The last: how the episode has ended.
    End {
        reason: EndReason,
        /// The reason in words.
        words: &'a str,
    },
}

/// The start message to a program: its agent, and the problem.
#[derive(Debug, Serialize)]
pub(super) struct Start<'a> {
    /// [`PROTOCOL`].
    pub(super) protocol: u32,
    pub(super) agent: &'a str,
    /// All agents, in the order of their turns.
    pub(super) agents: Vec<&'a str>,
    pub(super) seed: u64,
    pub(super) domain: &'a str,
    /// Without the names of streams.
    pub(super) problem: &'a str,
    pub(super) semantics: &'a str,
    pub(super) turns: Turns,
    /// True if the agents of a timestep may act in any order.
    pub(super) any_order: bool,
    pub(super) max_ticks: u32,
    /// The goal in words.
    pub(super) goal: Option<&'a str>,
    /// The forms of all commands that the agent can ever give.
    pub(super) forms: &'a [ActionForm],
}

/// The mode in which agents take turns.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Turns {
    Sequential,
    Simultaneous,
    Alternate,
}

impl From<TurnMode> for Turns {
    fn from(mode: TurnMode) -> Self {
        match mode {
            TurnMode::Sequential => Self::Sequential,
            TurnMode::Simultaneous => Self::Simultaneous,
            TurnMode::Alternate => Self::Alternate,
        }
    }
}

/// A decision of an agent: what it observes and may do.
#[derive(Debug, Serialize)]
pub(super) struct Decide<'a> {
    /// Ticks that have passed.
    tick: u32,
    /// The number of commands that were refused in this timestep.
    attempt: u32,
    /// The reason why the last of them was.
    refusal: Option<&'a str>,
    /// The facts in the words of the domain, as `brigade observe` shows them.
    observation: Vec<String>,
    /// The facts in PDDL; `None` where not everyone knows all of them.
    facts: Option<Vec<String>>,
    /// The commands that may be given.
    legal: Vec<Cow<'a, str>>,
    /// The messages of others since the agent was last asked.
    messages: Vec<Heard<'a>>,
}

/// Something that another agent said.
#[derive(Debug, Serialize)]
struct Heard<'a> {
    tick: u32,
    from: &'a str,
    text: &'a str,
}

impl<'a> Decide<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let task = view.task;
        let is_known = !task.observation.is_partial;
        Self {
            tick: view.tick,
            attempt: view.attempt,
            refusal: view.refusal,
            observation: task.observe_as(view.state, view.agent).facts,
            facts: is_known.then(|| view.facts()),
            legal: view
                .legal
                .iter()
                .map(|&operator| command(task, view.agent, operator))
                .collect(),
            messages: view
                .messages
                .iter()
                .map(|said| Heard {
                    tick: said.tick,
                    from: &task.agents[said.from].name,
                    text: &said.text,
                })
                .collect(),
        }
    }
}

/// Returns the text of an operator: in the form of its action, else its name.
fn command(task: &PackedTask, agent: usize, id: OperatorId) -> Cow<'_, str> {
    let operator = task.operator(id);
    let commands = task.observation.commands.get(agent);
    match commands.and_then(|commands| commands.get(&operator.name)) {
        Some(command) => command.into(),
        None if operator.kind == OperatorKind::Wait => "wait".into(),
        None => display(task, id).into(),
    }
}

/// The answer of a program.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    message: Option<String>,
    /// True if it lets others act first.
    #[serde(default)]
    later: bool,
}

impl Answer {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// It is no answer: why.
    pub(super) fn read(line: &[u8]) -> Result<Choice, String> {
        let complain = |why: &str| {
            let line = String::from_utf8_lossy(line);
            let shown: String = line.trim().chars().take(80).collect();
            format!("`{shown}` is no JSON object with a `command`: {why}")
        };
        let answer: Self =
            serde_json::from_slice(line).map_err(|error| complain(&complaint_of_line(&error)))?;
        let action = match answer.command {
            Some(command) => Action::Text(command),
            None if answer.later => Action::Later,
            None => return Err(complain("there is none")),
        };
        Ok(Choice {
            action,
            message: answer.message.filter(|text| !text.trim().is_empty()),
        })
    }
}
