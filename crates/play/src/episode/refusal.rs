//! The reason why a command was refused, as data and as a message to the agent.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The rule that a refused command breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// It is not one command.
    Malformed,
    /// It names no operator of the agent that can ever apply, and the domain does not say why.
    UnknownAction,
    /// It is an operator of another agent.
    NotYourOperator,
    /// Another agent is to move.
    NotYourTurn,
    /// The agent has started something that is not finished.
    Busy,
    /// It asks to wait longer than one command may.
    WaitTooLong,
    /// Its precondition does not hold.
    Precondition,
}

/// A command that was refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule it breaks.
    pub rule: Rule,
    /// The command.
    pub command: String,
    /// The name of the operator that was meant, where that is known.
    pub operator: Option<String>,
    /// The conditions that do not hold (as the author says it with `else`, else in PDDL), the malformed part, or the
    /// limit on waiting.
    pub reasons: Vec<String>,
    /// The operator of the nearest spelling.
    pub suggestion: Option<String>,
    /// The legal operators of the agent, the first few.
    pub legal: Vec<String>,
    /// The number of legal operators that are not listed.
    pub more: usize,
}

/// The message to the agent: what is wrong, and what it can do instead.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = &self.command;
        match self.rule {
            Rule::Malformed => write!(f, "`{command}` is not a command: ")?,
            Rule::UnknownAction => write!(
                f,
                "`{command}` is not an action that you can ever take here."
            )?,
            Rule::NotYourOperator => write!(f, "`{command}` is an action of another agent.")?,
            Rule::NotYourTurn => write!(f, "`{command}`: it is not your turn.")?,
            Rule::Busy => write!(f, "`{command}`: you have not finished what you are doing.")?,
            Rule::WaitTooLong => write!(f, "`{command}` waits too long: ")?,
            Rule::Precondition => write!(f, "`{command}` is not possible now: ")?,
        }
        match self.rule {
            Rule::Malformed | Rule::Precondition if self.reasons.is_empty() => {
                write!(f, "its precondition does not hold.")?;
            }
            Rule::Malformed | Rule::Precondition | Rule::WaitTooLong => {
                write!(f, "{}.", self.reasons.join("; "))?;
            }
            _ => {}
        }
        if let Some(suggestion) = &self.suggestion {
            write!(f, " Did you mean `{suggestion}`?")?;
        }
        if !self.legal.is_empty() {
            write!(f, " You can do now: {}", self.legal.join(", "))?;
            if self.more > 0 {
                write!(f, ", and {} more", self.more)?;
            }
            f.write_str(".")?;
        }
        Ok(())
    }
}
