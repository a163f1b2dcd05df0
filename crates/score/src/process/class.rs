//! The classes of failures, and how often each occurs.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// The part of a task that an agent has not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    /// S, the state: what the command needs is false since the start, and nothing about it has changed.
    State,
    /// A, the actions: it is no command that the agent can ever give.
    Action,
    /// T, the transitions: what the command needs has been changed, or is under way.
    Transition,
    /// G, the way to the goal: a legal choice that loses something.
    Goal,
}

/// The number of failures of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Refused commands of class [`FailureClass::State`].
    pub state: u32,
    /// Of class [`FailureClass::Action`].
    pub action: u32,
    /// Of class [`FailureClass::Transition`].
    pub transition: u32,
    /// Choices that lose something, where no command of the agent was refused.
    pub goal: u32,
}

impl ClassCounts {
    pub(super) fn add(&mut self, class: FailureClass) {
        *match class {
            FailureClass::State => &mut self.state,
            FailureClass::Action => &mut self.action,
            FailureClass::Transition => &mut self.transition,
            FailureClass::Goal => &mut self.goal,
        } += 1;
    }
}

impl AddAssign for ClassCounts {
    fn add_assign(&mut self, more: Self) {
        self.state += more.state;
        self.action += more.action;
        self.transition += more.transition;
        self.goal += more.goal;
    }
}
