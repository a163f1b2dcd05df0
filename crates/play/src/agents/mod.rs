//! Policies: they are given what an agent may observe and return an action.
//!
//! A [`Policy`] decides for one agent. The referee ([`crate::episode`]) asks it with a [`View`] and reports the outcome
//! to it after every timestep ([`Policy::observe`]). A policy that remembers its thoughts when it was asked thinks them
//! again in [`Policy::recall`], so that an episode which is resumed from its log goes on as if never stopped.

mod greedy;
mod nature;
mod online;
mod planner;
mod random;
mod recorded;
mod scripted;

pub use greedy::Greedy;
pub use nature::Nature;
pub use online::{OnlinePlanner, OnlinePlans, Pace};
pub use planner::{Planner, Plans};
pub use random::Random;
pub use recorded::Recorded;
pub use scripted::Scripted;

use crate::episode::EndReason;
use brigade_search::StopReason;
use brigade_task::{OperatorId, OperatorKind, PackedTask, State};

/// Something that an agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Ticks that had passed.
    pub tick: u32,
    /// Index of the speaker in [`Task::agents`](brigade_task::Task::agents).
    pub from: usize,
    /// The text of the message.
    pub text: String,
}

/// The observation of an agent as it chooses.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The task as every agent knows it: without the facts that come unannounced.
    pub task: &'a PackedTask,
    /// Index of the agent in [`Task::agents`](brigade_task::Task::agents).
    pub agent: usize,
    /// Ticks that have passed.
    pub tick: u32,
    /// The number of commands of this agent that were refused in this timestep.
    pub attempt: u32,
    /// The state. Where agents act one after another, what those before this one have left.
    pub state: &'a State,
    /// The operators that the agent may choose as far as it knows, ascending; empty at most for an agent of
    /// nature. Where some of what they depend on is hidden from it, one may be refused.
    pub legal: &'a [OperatorId],
    /// The messages of others since this agent was last asked.
    pub messages: &'a [Message],
    /// The reason why the last command was refused, where `attempt` is not 0.
    pub refusal: Option<&'a str>,
}

impl View<'_> {
    /// The facts that hold, in PDDL.
    pub fn facts(&self) -> Vec<String> {
        brigade_task::facts::facts(self.task, self.state)
    }

    /// The way to let this timestep pass; see [`idle`].
    ///
    /// # Errors
    ///
    /// The agent cannot: `why` says why it has nothing else to do.
    pub fn idle(&self, why: &str) -> Result<OperatorId, PolicyError> {
        let idle = idle(self.task, self.legal.iter().copied());
        idle.ok_or_else(|| PolicyError::Failed(format!("{why}, and it cannot wait")))
    }
}

/// Returns whether a policy, by its name, knows facts that its agent does not observe: it is given the whole state,
/// and some of that is hidden.
pub fn is_clairvoyant(task: &PackedTask, policy: &str) -> bool {
    let name = policy.split_once(':').map_or(policy, |(name, _)| name);
    task.observation.is_partial && ["planner", "greedy"].contains(&name)
}

/// Of the operators that an agent may choose, the one by which it starts nothing: its `wait`, else
/// going on with what it has started. `None` where it must act, as in a domain without agents.
pub fn idle(task: &PackedTask, legal: impl Iterator<Item = OperatorId>) -> Option<OperatorId> {
    let kind = |operator: &OperatorId| task.operator(*operator).kind;
    legal
        .filter(|operator| kind(operator) != OperatorKind::Start)
        .min_by_key(|operator| kind(operator) != OperatorKind::Wait)
}

/// The choice of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// This operator.
    Operator(OperatorId),
    /// A command to be parsed; see [`Lexicon`](crate::episode::Lexicon).
    Text(String),
    /// It lets the others act first: in a task whose agents act in any order, as long as others who have
    /// not acted yet do not let it go first either.
    Later,
    /// Somebody speaks before the agent acts, which is asked again: the agent itself, or another whose answers reach
    /// the same policy, by its index in [`Task::agents`](brigade_task::Task::agents).
    Talk(usize, String),
    /// An answer in which no command could be found: the answer, and why not.
    Unreadable(String, String),
}

/// A policy's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action that the agent chooses.
    pub action: Action,
    /// The message to the others, if any.
    pub message: Option<String>,
}

impl From<OperatorId> for Choice {
    fn from(operator: OperatorId) -> Self {
        Self {
            action: Action::Operator(operator),
            message: None,
        }
    }
}

/// An answer that a policy gave before its episode was resumed, as the log has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given<'a> {
    /// The command.
    pub command: &'a str,
    /// The message to the others, if any.
    pub message: Option<&'a str>,
}

/// The reason why a policy cannot go on. It ends the episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// Its budget is spent, or it was stopped.
    #[error("{0}")]
    Limit(StopReason),
    /// The run has spent what it may spend.
    #[error("{0}")]
    Budget(String),
    /// A part that it depends on is out of order, so that this says nothing of the agent.
    #[error("{0}")]
    Infrastructure(String),
    /// A part that it depends on cannot be used as it is configured, here or in another episode.
    #[error("{0}")]
    Configuration(String),
    /// Chance decides, and has nothing to draw from.
    #[error("{0}")]
    NoDraw(String),
    /// It gives up.
    #[error("{0}")]
    GaveUp(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// The observation of an agent when a timestep has ended.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The task.
    pub task: &'a PackedTask,
    /// Ticks that have passed; 0 before the first timestep.
    pub tick: u32,
    /// The state.
    pub state: &'a State,
    /// The operators of the timestep, as far as the agent learns of them; empty before the first.
    pub joint: &'a [OperatorId],
    /// The number of commands that the agent gave in the timestep, refused ones included.
    pub commands: usize,
}

/// Decides for one agent.
pub trait Policy {
    /// Chooses. Called again with the refusal if what it chose was refused.
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError>;

    /// Called where an episode is resumed, in place of every time that the policy was asked before:
    /// what it would have learnt by choosing here it may learn again. `given` is what it answered.
    fn recall(&mut self, view: &View<'_>, given: &Given<'_>) {
        let _ = (view, given);
    }

    /// Called with the initial state, and after every timestep.
    fn observe(&mut self, observation: &Observation<'_>) {
        let _ = observation;
    }

    /// The limit for which the plans that it followed are not proven to be optimal; `None` of a policy that
    /// follows proven ones, or none.
    fn unproven(&self) -> Option<StopReason> {
        None
    }

    /// Called when the episode has ended, before that is logged.
    fn ended(&mut self, reason: EndReason) {
        let _ = reason;
    }
}
