//! States in words: of each object the facts that hold, what can be done, and the goal; for everyone,
//! or as one agent observes them.
//!
//! The words are those that a domain gives its predicates (`:text`), and `:observable-by` lists who
//! observes them. Robotouille shows a state to its agents in this form (G. Gonzalez-Pumariega et al.,
//! ICLR 2025).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::cond::Cond;
use super::ids::OperatorId;

/// The words for states, and for commands.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The facts of no object, then those of each object in order.
    pub parts: Vec<Part>,
    /// The goal in words.
    pub goal: Option<String>,
    /// For each agent in order how what it can ever do is written as a command.
    pub forms: Vec<Vec<ActionForm>>,
    /// For each agent in order the command of each operator, by its name, where it is known as a whole: as the
    /// form of its action is written, with the operator's objects in its places.
    pub commands: Vec<BTreeMap<String, String>>,
    /// Commands that can never be given, of actions that say why they are refused: not all of them where there
    /// are very many.
    pub never: Vec<NeverGiven>,
    /// True if not every agent observes all facts that change. A planner knows them all the same.
    pub is_partial: bool,
    /// The knowledge of agents of applicable and past actions, where that is not all.
    pub knowledge: Knowledge,
}

/// The knowledge of agents of applicable and past actions, by operator.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// That it may apply as far as its agent knows. Of operators that are missing the agent knows all.
    pub legal: BTreeMap<OperatorId, Cond>,
    /// For each agent in order when it learns that it was done. Everyone learns of those that are missing.
    pub learners: BTreeMap<OperatorId, Vec<Cond>>,
}

/// The words for an object.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The line above: `Station table1:`; empty where the facts are of no object.
    pub title: String,
    /// Facts in words.
    pub lines: Vec<Line>,
}

/// A fact in words.
#[derive(Clone, Debug)]
pub struct Line {
    /// When it holds.
    pub holds: Cond,
    /// The words.
    pub text: String,
    /// The fact in PDDL, as [`facts`](crate::facts) lists it; `None` where the words do not give its value.
    pub fact: Option<String>,
    /// For each agent in order the condition under which it observes the line; `None`: everyone always does.
    pub observers: Option<Arc<[Cond]>>,
}

/// The form of an action as a command, with places for its objects: `pickup(<food>, counter)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionForm {
    /// The command. A place names a type, `<food>`, and where the command has two of that type also
    /// which of them it is, `<from: place>`.
    pub command: String,
    /// Its meaning in the words of the domain, if the command is not that itself.
    pub meaning: Option<String>,
}

/// A command that can never be given, and why.
#[derive(Clone, Debug)]
pub struct NeverGiven {
    /// Index of the agent in [`Task::agents`](super::Task).
    pub agent: u16,
    /// The ways to write it.
    pub forms: Vec<String>,
    /// The requirements, each with the reason of a refusal where it does not hold. They never hold together.
    pub requirements: Vec<(Cond, String)>,
}

/// A state in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// The facts, a line each, under the objects that they are about; an empty line between two
    /// objects. Nothing is said of an object of which no line holds.
    pub facts: Vec<String>,
    /// The applicable actions of those who are to choose, in words.
    pub actions: Vec<String>,
    /// The goal.
    pub goal: Option<String>,
}

impl Observation {
    /// Returns true if some line, be it of a fact that never changes, is hidden from some agent.
    pub fn hides_some(&self) -> bool {
        let mut lines = self.parts.iter().flat_map(|part| &part.lines);
        lines.any(|line| line.observers.is_some())
    }

    /// Returns true if no fact that can change has words.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.facts {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "\nValid Actions:")?;
        for action in &self.actions {
            writeln!(f, "{action}")?;
        }
        if let Some(goal) = &self.goal {
            writeln!(f, "\nGoal: {goal}")?;
        }
        Ok(())
    }
}
