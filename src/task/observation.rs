//! States in words: of each object the facts that hold, what can be done, and the goal.
//!
//! The words are those that a domain gives its predicates (`:text`). Robotouille tells its agents of
//! a state in this form (G. Gonzalez-Pumariega et al., ICLR 2025).

use std::fmt;

use serde::Serialize;

use super::Task;
use super::cond::Cond;

/// What may be told of states.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The facts of no object, then those of each object in order.
    pub parts: Vec<Part>,
    /// The goal in words.
    pub goal: Option<String>,
}

/// What may be told of an object.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The line above: `Station table1:`; empty where the facts are of no object.
    pub title: String,
    /// Facts in words, each with when it holds.
    pub lines: Vec<(Cond, String)>,
}

/// A state in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// The facts, a line each, under the objects that they are told of; an empty line between two
    /// objects. Nothing is said of an object of which no line holds.
    pub facts: Vec<String>,
    /// What those who are to choose may choose, in words.
    pub actions: Vec<String>,
    /// The goal.
    pub goal: Option<String>,
}

impl Observation {
    /// Whether the domain says no fact in words.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl Task {
    /// A state in words. There are no facts in it if the domain gives no words, or if the task was
    /// compiled for planning alone.
    pub fn observe(&self, state: &[u64]) -> Observed {
        let mut facts = Vec::new();
        for part in &self.observation.parts {
            let lines = part.lines.iter();
            let mut lines = lines
                .filter(|(holds, _)| holds.holds(&self.variables, state))
                .peekable();
            if lines.peek().is_none() {
                continue;
            }
            if !facts.is_empty() {
                facts.push(String::new());
            }
            if !part.title.is_empty() {
                facts.push(part.title.clone());
            }
            facts.extend(lines.map(|(_, line)| line.clone()));
        }
        let acting = self.acting(state);
        let are_several = acting.len() > 1;
        let actions = acting.flat_map(|agent| {
            let operators = self.applicable(state, agent);
            operators.map(move |operator| {
                let text = &self.operator(operator).text;
                if are_several {
                    format!("{}: {text}", self.agents[agent].name)
                } else {
                    text.clone()
                }
            })
        });
        Observed {
            facts,
            actions: actions.collect(),
            goal: self.observation.goal.clone(),
        }
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
