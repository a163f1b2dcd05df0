//! Describes a design of agents as configuration: the modules that there are, and the prompt of each.
//!
//! A design is a TOML file with prompts beside it. It has no code of its own: every published design
//! that comes with Brigade is made of the same modules, which can be switched off one by one.

use serde::{Deserialize, Deserializer, Serialize};

use super::form;

/// A design of agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Design {
    /// The name of the design in tables.
    pub name: String,
    /// A description of the design and its source.
    pub about: String,
    /// The minds: one for each agent, or one for all.
    #[serde(default)]
    pub minds: Minds,
    /// The content of one decision.
    #[serde(default)]
    pub decision: DecisionKind,
    /// True if an answer begins with reasoning.
    #[serde(default = "yes")]
    pub reasoning: bool,
    /// The actions that the prompt shows to an agent.
    #[serde(default)]
    pub actions: ActionsShown,
    /// The instructions to the model: a template. It is the first message.
    pub instructions: Prompt,
    /// The prompt of each decision: a template.
    pub reasoner: Prompt,
    /// The rules for leaving a plan.
    #[serde(default)]
    pub plan: PlanRules,
    /// The memory of earlier decisions.
    #[serde(default)]
    pub memory: Memory,
    /// The response to an answer that is unreadable or refused.
    #[serde(default)]
    pub correction: Correction,
    /// The prompt for a belief about the others before each decision.
    #[serde(default)]
    pub theory_of_mind: Option<Prompt>,
    /// The verifier that looks a decision over.
    #[serde(default)]
    pub verifier: Option<Verifier>,
    /// The conversation between agents.
    #[serde(default)]
    pub communication: Option<Communication>,
    /// The reflection on failures.
    #[serde(default)]
    pub reflection: Option<Reflection>,
    /// The demonstration that serves as an example.
    #[serde(default)]
    pub demonstration: Option<Demonstration>,
    /// Values that templates see as `flags`.
    #[serde(default)]
    pub flags: toml::Table,
}

/// The assignment of minds to agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Minds {
    /// Every agent for itself.
    #[default]
    Each,
    /// One for all: a dispatcher, an orchestrator.
    One,
}

/// The content of one decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionKind {
    /// One action.
    #[default]
    Action,
    /// Actions, one after another.
    Plan,
    /// Actions, each followed by what the state will then be.
    PlanAndStates,
}

impl DecisionKind {
    /// The same, of a form.
    pub const fn plan(self) -> form::Plan {
        match self {
            Self::Action => form::Plan::No,
            Self::Plan => form::Plan::Actions,
            Self::PlanAndStates => form::Plan::ActionsAndStates,
        }
    }
}

/// The actions that the prompt shows to an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionsShown {
    /// The actions that are possible now (the assisted track). Formats that can enforce them do.
    #[default]
    Legal,
    /// The forms of all actions (the open track).
    Forms,
    /// The macro actions that it can get done by itself, with the number of steps: see
    /// [`macro_actions`](brigade_play::macro_actions). A chosen one is done to its end.
    Macros,
}

/// A prompt, and whether it is in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Prompt {
    /// The file of the template, beside the design.
    pub template: String,
    /// True if the module is there.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// The rules for leaving a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanRules {
    /// After one of its actions was refused.
    pub refused: Leave,
    /// After its last action.
    pub exhausted: Leave,
    /// True if every action must be possible where it comes to be taken, else nothing of the plan is carried out. It
    /// takes a plan of one mind whose agents all act.
    pub checked_first: bool,
    /// Predicates and functions: a plan is made anew when a fact of one of these has changed.
    pub changed: Vec<String>,
    /// Predicates that hold of what is left to do: while none of their facts does, one mind that decides for
    /// all makes no new plan, and its agents wait. It makes one in a task that has no such predicate.
    pub pending: Vec<String>,
}

/// The reaction to the end of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leave {
    /// A new one is made.
    #[default]
    Replan,
    /// The agents give up.
    Stop,
}

/// The memory of earlier decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Memory {
    /// The part of the chat so far that is sent again.
    pub history: History,
    /// The most earlier decisions that are sent again.
    pub window: usize,
    /// The most of one's own actions that templates see.
    pub actions: usize,
    /// The most lessons that templates see.
    pub lessons: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            history: History::None,
            window: 5,
            actions: 5,
            lessons: 3,
        }
    }
}

/// The part of earlier decisions that is sent again as messages of the chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum History {
    /// Nothing.
    #[default]
    None,
    /// The last action.
    LastAction,
    /// The last answer, what it answered being left out.
    LastAnswer,
    /// The last answer and what it answered.
    Last,
    /// Everything, as far as the window goes.
    Full,
}

/// The response to an answer that is unreadable or refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Correction {
    /// The most retries of a question in one timestep.
    pub retries: u32,
    /// True if the retry says what was wrong.
    pub feedback: bool,
    /// After how many timesteps in a row without a command that could be carried out the agent gives
    /// up; 0 for never.
    pub give_up_after: u32,
}

impl Default for Correction {
    fn default() -> Self {
        Self {
            retries: 3,
            feedback: true,
            give_up_after: 0,
        }
    }
}

/// The verifier that looks a decision over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Verifier {
    /// The file of the template, beside the design.
    pub template: String,
    /// The most times that a rejected decision is made anew; the last one stands.
    #[serde(default = "one")]
    pub retries: u32,
    /// True if the module is there.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// The conversation between agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Communication {
    /// The file of the template, beside the design.
    pub template: String,
    /// The most answers of each in one conversation.
    #[serde(default = "three")]
    pub rounds: u32,
    /// The word that ends a conversation.
    #[serde(default = "end")]
    pub end: String,
    /// True if the module is there.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// The reflection on failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reflection {
    /// The file of the template, beside the design.
    pub template: String,
    /// The occasion on which it is asked.
    pub after: ReflectAfter,
    /// After an episode: how often the task is tried anew at most.
    #[serde(default = "one")]
    pub trials: u32,
    /// True if the module is there.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// The occasion of a reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReflectAfter {
    /// After an action has succeeded for which others were refused.
    Correction,
    /// After a failed episode, before the task is tried anew.
    Episode,
}

/// The demonstration that serves as an example: a way that the planner found, never one written by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Demonstration {
    /// The problem that it solves, or several, of which the first is shown that is not the one at hand.
    /// Where there is none, none is shown.
    #[serde(default, deserialize_with = "one_or_more")]
    pub problem: Vec<String>,
    /// The most decisions that are shown.
    #[serde(default = "five")]
    pub decisions: usize,
    /// True if the module is there.
    #[serde(default = "yes")]
    pub enabled: bool,
}

/// Reads a list, or the one thing in it.
fn one_or_more<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    Ok(match OneOrMore::deserialize(reader)? {
        OneOrMore::One(one) => vec![one],
        OneOrMore::More(more) => more,
    })
}

const fn yes() -> bool {
    true
}

const fn one() -> u32 {
    1
}

const fn three() -> u32 {
    3
}

const fn five() -> usize {
    5
}

fn end() -> String {
    "[END]".to_owned()
}

/// A design that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The text is no design.
    #[error("{0}")]
    Text(String),
    /// Its parts do not fit each other.
    #[error("{0}")]
    Parts(String),
}

impl Design {
    /// Reads a design, with the values of `changes` in place of its own.
    ///
    /// # Errors
    ///
    /// The text is not TOML, a key is not known or has a value of another kind, or the parts do not fit
    /// each other.
    pub fn parse(text: &str, changes: &toml::Table) -> Result<Self, DesignError> {
        let mut table: toml::Table =
            toml::from_str(text).map_err(|error| DesignError::Text(error.to_string()))?;
        // Read without changes first: its messages then point into the text.
        let _: Self = toml::from_str(text).map_err(|error| DesignError::Text(error.to_string()))?;
        merge(&mut table, changes);
        let design: Self = table
            .try_into()
            .map_err(|error: toml::de::Error| DesignError::Text(error.to_string()))?;
        design.check()?;
        Ok(design)
    }

    fn check(&self) -> Result<(), DesignError> {
        let wrong = |why: &str| Err(DesignError::Parts(format!("design `{}`: {why}", self.name)));
        if self.minds == Minds::One && self.communication().is_some() {
            return wrong("one mind for all agents has nobody to talk with");
        }
        if self.minds == Minds::One && self.decision == DecisionKind::PlanAndStates {
            return wrong("predicted states are of the plan of one agent");
        }
        if self.decision == DecisionKind::Action && self.plan != PlanRules::default() {
            return wrong("`plan` says how plans are left, and a decision is one action");
        }
        if self.actions == ActionsShown::Macros {
            if self.decision != DecisionKind::Action {
                return wrong("`actions = \"macros\"` takes decisions of one action");
            }
            if self.demonstration().is_some() {
                return wrong("`actions = \"macros\"` has no demonstration");
            }
        }
        if self.plan.checked_first && self.minds == Minds::One {
            return wrong("`plan.checked-first` is of the plan of one agent");
        }
        Ok(())
    }

    /// The templates that are in use.
    pub fn templates(&self) -> Vec<&str> {
        let own = [
            Some(&self.instructions),
            Some(&self.reasoner),
            self.theory_of_mind(),
        ];
        let own = own.into_iter().flatten().map(|prompt| &prompt.template);
        let others = [
            self.verifier().map(|it| &it.template),
            self.communication().map(|it| &it.template),
            self.reflection().map(|it| &it.template),
        ];
        own.chain(others.into_iter().flatten())
            .map(String::as_str)
            .collect()
    }

    /// The module, if it is there.
    pub fn theory_of_mind(&self) -> Option<&Prompt> {
        self.theory_of_mind.as_ref().filter(|it| it.enabled)
    }

    /// The module, if it is there.
    pub fn verifier(&self) -> Option<&Verifier> {
        self.verifier.as_ref().filter(|it| it.enabled)
    }

    /// The module, if it is there.
    pub fn communication(&self) -> Option<&Communication> {
        self.communication.as_ref().filter(|it| it.enabled)
    }

    /// The module, if it is there.
    pub fn reflection(&self) -> Option<&Reflection> {
        self.reflection.as_ref().filter(|it| it.enabled)
    }

    /// The module, if it is there.
    pub fn demonstration(&self) -> Option<&Demonstration> {
        self.demonstration.as_ref().filter(|it| it.enabled)
    }
}

/// Puts the values of `changes` in place of those of `table`, table by table.
fn merge(table: &mut toml::Table, changes: &toml::Table) {
    for (key, value) in changes {
        match (table.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(changes)) => {
                merge(inner, changes);
            }
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}
