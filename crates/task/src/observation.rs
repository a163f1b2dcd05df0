//! States in words: of each object the facts that hold, what can be done, and the goal; for everyone,
//! or as one agent is told.
//!
//! The words are those that a domain gives its predicates (`:text`), and `:observable-by` says to whom
//! they are told. Robotouille tells its agents of a state in this form (G. Gonzalez-Pumariega et al.,
//! ICLR 2025).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

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
    /// For each agent in order how what it can ever do is written as a command.
    pub forms: Vec<Vec<ActionForm>>,
    /// For each agent in order the command of each operator, by its name, where it is known as a whole: as the
    /// form of its action is written, with the operator's objects in its places.
    pub commands: Vec<BTreeMap<String, String>>,
    /// Whether some facts that change are not told to every agent. A planner knows them all the same.
    pub is_partial: bool,
}

/// What may be told of an object.
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
    /// For each agent in order when it is told; `None`: everyone always is.
    pub told: Option<Arc<[Cond]>>,
}

/// How an action is written as a command, with places for its objects: `pickup(<food>, counter)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionForm {
    /// The command. A place names a type, `<food>`, and where the command has two of that type also
    /// which of them it is, `<from: place>`.
    pub command: String,
    /// What it does, in the words of the domain, if the command is not that itself.
    pub meaning: Option<String>,
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
    /// Whether no fact that can change is said in words.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl Task {
    /// A state in words: all that any agent is told, and what each who is to choose may choose. There
    /// are no facts in it if the domain gives no words, or if the task was compiled for planning alone.
    pub fn observe(&self, state: &[u64]) -> Observed {
        let acting = self.acting(state);
        let are_several = acting.len() > 1;
        let actions = acting.flat_map(|agent| {
            let texts = self.choices_in_words(state, agent);
            texts.map(move |text| {
                if are_several {
                    format!("{}: {text}", self.agents[agent].name)
                } else {
                    text.to_owned()
                }
            })
        });
        Observed {
            facts: self.facts_in_words(state, None),
            actions: actions.collect(),
            goal: self.observation.goal.clone(),
        }
    }

    /// A state in words as one agent, by its number, sees it: the facts that it is told, what it may
    /// choose now (nothing where it is not its turn), and the goal.
    pub fn observe_as(&self, state: &[u64], agent: usize) -> Observed {
        Observed {
            facts: self.facts_in_words(state, Some(agent)),
            actions: self
                .choices_in_words(state, agent)
                .map(str::to_owned)
                .collect(),
            goal: self.observation.goal.clone(),
        }
    }

    /// How all that an agent, by its number, can ever do is written as a command: each form once, in
    /// the order of the actions, and last how to wait. Filled in, a form is a command that
    /// the lexicon of an episode knows. None if the task was compiled for planning alone.
    pub fn action_forms(&self, agent: usize) -> &[ActionForm] {
        self.observation.forms.get(agent).map_or(&[], Vec::as_slice)
    }

    /// What an agent may choose in a state.
    fn choices_in_words(&self, state: &[u64], agent: usize) -> impl Iterator<Item = &str> {
        let operators = self.applicable(state, agent);
        operators.map(|operator| self.operator(operator).text.as_str())
    }

    /// The facts that an agent is told, or any agent.
    fn facts_in_words(&self, state: &[u64], viewer: Option<usize>) -> Vec<String> {
        let holds = |cond: &Cond| cond.holds(&self.variables, state);
        let is_told = |line: &Line| match (&line.told, viewer) {
            (None, _) => true,
            (Some(told), None) => told.iter().any(holds),
            (Some(told), Some(viewer)) => told.get(viewer).is_some_and(holds),
        };
        let mut facts = Vec::new();
        for part in &self.observation.parts {
            let lines = part.lines.iter();
            let mut lines = lines
                .filter(|line| holds(&line.holds) && is_told(line))
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
            facts.extend(lines.map(|line| line.text.clone()));
        }
        facts
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
