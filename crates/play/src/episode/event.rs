//! The events of an episode, in the form in which they are logged: one JSON object a line.
//!
//! `docs/schema/event-log.schema.json` is the schema of these types, `docs/reference/formats.md` explains
//! them.

use serde::{Deserialize, Serialize};

use super::asked::{Call, Decided};
use super::refusal::Rule;
use brigade_task::step::Status;
use brigade_task::totals::Totals;
use brigade_task::{PackedTask, State, Task};

/// The version of the log's form. It grows when a reader of the old form would go wrong.
pub const SCHEMA: u32 = 1;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The problem, the players and the rules: the first line.
    Header(Header),
    /// The run goes on under other settings.
    Resume(Resumed),
    /// A timestep that was played.
    Step(Step),
    /// An agent said something.
    Message(Said),
    /// An agent asked another to do something.
    Request(Requested),
    /// An agent answered one that had asked it.
    Response(Responded),
    /// A command was refused.
    Error(Refused),
    /// A model was asked.
    Call(Call),
    /// The outcome of asking the model of an agent in a timestep.
    Decision(Decided),
    /// The end of the episode: the last line.
    End(End),
}

/// The problem, the players and the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of Brigade that wrote the log.
    pub brigade: String,
    /// The domain's name.
    pub domain: String,
    /// The problem's name.
    pub problem: String,
    /// The semantics the task was compiled under.
    pub semantics: String,
    /// The fingerprint of the compiled task; see [`brigade_task::json::fingerprint`].
    pub task: String,
    /// The players, in turn order.
    pub agents: Vec<Player>,
    /// The seed of the policies.
    pub seed: u64,
    /// The referee's rules.
    pub rules: super::Rules,
    /// The facts of the initial state.
    pub facts: Vec<String>,
    /// The texts of the streams that were laid over the problem, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<String>,
    /// The episode of an evaluation, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluated>,
}

/// The identity of an episode in an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The name of the problem in the evaluation.
    pub problem: String,
    /// The set-up of the agents.
    pub setup: String,
    /// The model, as the evaluation calls it; absent where none is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The repetition, from 1.
    pub epoch: u32,
    /// The number of trials of the task so far, this one included: a design may learn and try again.
    pub trial: u32,
}

/// The settings under which a run goes on, where they are not those that it had before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// Ticks that had passed.
    pub tick: u32,
    /// See [`Settings`].
    #[serde(flatten)]
    pub settings: Settings,
}

/// The settings that a run may change when it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The players, in turn order.
    pub agents: Vec<Player>,
    /// The seed of the policies.
    pub seed: u64,
    /// The referee's rules.
    pub rules: super::Rules,
}

/// An agent and its policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The agent's name; empty for the one implicit agent of a domain without agents.
    pub name: String,
    /// Its policy, as given: `planner`, `scripted:FILE`.
    pub policy: String,
    /// True if the policy knows facts that the agent does not observe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clairvoyant: bool,
}

/// One timestep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Ticks that had passed when the agents chose: 0 in the first timestep.
    pub tick: u32,
    /// The actions of the agents, in the order in which they acted.
    pub choices: Vec<Chosen>,
    /// The labels that were recorded, in order.
    pub labels: Vec<Labelled>,
    /// Facts that hold now and did not before.
    pub added: Vec<String>,
    /// Facts that held before and do not now.
    pub removed: Vec<String>,
    /// The cost added, as the task counts it.
    pub cost: i64,
    /// The amounts added to totals, in units of 1 / their scale; those that did not change are left out.
    #[serde(default, skip_serializing_if = "Totals::is_empty")]
    pub totals: Totals,
    /// The status after the tick.
    pub status: StatusName,
}

/// The choice of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The agent.
    pub agent: String,
    /// The ground name of the operator.
    pub action: String,
    /// The command that the agent wrote or chose; absent where it was not asked, because it had only one way to go on,
    /// had asked to wait longer, or its command was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The number of commands of the agent that were refused in this timestep.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: u32,
}

/// A label, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled {
    /// The agent.
    pub agent: String,
    /// The label.
    pub label: String,
}

/// Something that an agent said to the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Ticks that had passed.
    pub tick: u32,
    /// The speaker.
    pub agent: String,
    /// The text of the message.
    pub text: String,
}

/// An action that one agent asked of another. It has no effect of its own: what comes of it is the
/// other's choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requested {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that asks.
    pub agent: String,
    /// The agent that is asked.
    pub of: String,
    /// The command that the other should give, as it was written.
    pub action: String,
}

/// The answer of an agent to the requests of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Responded {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that answers.
    pub agent: String,
    /// The agent that it answers.
    pub of: String,
    /// True if it agrees to do what was asked, false if it refuses; `None` if it did not say.
    pub accepts: Option<bool>,
    /// The commands that it says it will give, in order.
    #[serde(default)]
    pub actions: Vec<String>,
}

/// A refused command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that gave the command.
    pub agent: String,
    /// The command.
    pub command: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// The ground name of the operator that was meant, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The requirements that do not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The message to the agent.
    pub message: String,
    /// The consequence that the referee drew.
    pub then: Consequence,
}

/// The consequence of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// The agent was asked again.
    AskedAgain,
    /// The agent let the timestep pass.
    Waited,
    /// No agent acted in the timestep.
    JointDropped,
    /// The agent cannot wait: the episode ended.
    Ended,
}

/// The end of the episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The reason why it ended.
    pub reason: EndReason,
    /// More about the reason, where there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The limit for which the plans that some agent followed are not proven to be optimal, if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<String>,
    /// Ticks that passed.
    pub ticks: u32,
    /// Labels that were recorded. Logs of early versions have the number as `labels`, which is a list in
    /// steps.
    #[serde(rename = "label_count", alias = "labels")]
    pub labels: usize,
    /// The cost, as the task counts it.
    pub cost: i64,
    /// All totals at the end, in units of 1 / their scale.
    #[serde(default, skip_serializing_if = "Totals::is_empty")]
    pub totals: Totals,
    /// Commands that were refused.
    pub refused: usize,
}

/// The reason why an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The goal holds.
    Goal,
    /// A losing state.
    Failed,
    /// The problem's `:end` holds.
    End,
    /// The problem's horizon is reached.
    Horizon,
    /// The referee's limit of ticks is reached.
    TickLimit,
    /// An agent has no way to go on.
    Stuck,
    /// Chance decides for an agent, and has nothing to draw from.
    NoDraw,
    /// An agent gave up.
    GaveUp,
    /// An agent that cannot wait gave no valid command.
    NoCommand,
    /// A policy could not go on.
    PolicyError,
    /// A part that a policy depends on, as a server, was out of order.
    Infrastructure,
    /// A part that a policy depends on, as a server, cannot be used as it is configured.
    Configuration,
    /// A limit of time, memory or states is reached.
    Limit,
    /// The run was interrupted.
    Interrupted,
}

impl Header {
    /// The settings that the run began with.
    pub fn settings(&self) -> Settings {
        Settings {
            agents: self.agents.clone(),
            seed: self.seed,
            rules: self.rules,
        }
    }
}

impl EndReason {
    /// Returns the reason why an episode is over in this state of its task, if it is.
    pub(super) fn of(task: &PackedTask, state: &State, status: Status) -> Option<Self> {
        match status {
            Status::Running => None,
            Status::Failed => Some(Self::Failed),
            Status::Goal => Some(Self::Goal),
            Status::Ended if task.is_end(state) => Some(Self::End),
            Status::Ended => Some(Self::Horizon),
        }
    }

    /// Returns true if the task itself ends here.
    pub(super) const fn is_of_the_task(self) -> bool {
        matches!(self, Self::Goal | Self::Failed | Self::End | Self::Horizon)
    }

    /// Returns true if a longer run could go on from here.
    pub const fn may_resume(self) -> bool {
        matches!(
            self,
            Self::TickLimit
                | Self::NoCommand
                | Self::PolicyError
                | Self::Infrastructure
                | Self::Configuration
                | Self::Limit
                | Self::Interrupted
        )
    }

    /// Returns true if the run was cut short, so that the rest says nothing of the agents.
    pub const fn is_cut_short(self) -> bool {
        matches!(
            self,
            Self::NoDraw
                | Self::PolicyError
                | Self::Infrastructure
                | Self::Configuration
                | Self::Limit
                | Self::Interrupted
        )
    }

    /// Returns true if the agents reached the goal; `None` in a task without one.
    pub fn is_success(self, task: &PackedTask) -> Option<bool> {
        task.goal.is_some().then_some(self == Self::Goal)
    }

    /// Returns true if the episode is as long as the task asks for: up to the goal, or in a task without one to its
    /// end.
    pub const fn is_whole(self, task: &Task) -> bool {
        match self {
            Self::Goal => true,
            Self::End | Self::Horizon => task.goal.is_none(),
            _ => false,
        }
    }

    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Goal => "the goal is reached",
            Self::Failed => "the task has failed",
            Self::End => "the end is reached",
            Self::Horizon => "the horizon is reached",
            Self::TickLimit => "the limit of ticks is reached",
            Self::Stuck => "an agent has no way to go on",
            Self::NoDraw => "nature has nothing to draw from",
            Self::GaveUp => "an agent gave up",
            Self::NoCommand => "an agent gave no valid command",
            Self::PolicyError => "a policy could not go on",
            Self::Infrastructure => "what a policy depends on is out of order",
            Self::Configuration => "what a policy depends on cannot be used as it is configured",
            Self::Limit => "a limit is reached",
            Self::Interrupted => "interrupted",
        }
    }
}

/// [`Status`] in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusName {
    /// It goes on.
    Running,
    /// A losing state.
    Failed,
    /// The goal holds.
    Goal,
    /// The end is reached without a goal: `:end` holds, or the horizon is reached.
    Ended,
}

impl From<Status> for StatusName {
    fn from(status: Status) -> Self {
        match status {
            Status::Running => Self::Running,
            Status::Failed => Self::Failed,
            Status::Goal => Self::Goal,
            Status::Ended => Self::Ended,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if asks for"
)]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}
