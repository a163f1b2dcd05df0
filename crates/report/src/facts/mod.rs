//! The facts of a problem: what an author checks of a domain, and what a snapshot keeps of it.
//!
//! [`DomainFacts`] are read off a domain file, a [`Definition`] is one section of a file. [`Facts`] are those of a problem under one semantics:
//! [`Sizes`] of what compiling makes of it, and, found by searches that a number of states bounds,
//! a [`Solution`]: the optimum, how many plans and references there are, whether something can go wrong
//! for good ([`Reach`]), and how much the agents need each other ([`Alone`], [`HandOvers`]). A limit of
//! states, not of time, makes them the same on every machine. [`text`] shows them, a fact a line.

mod alone;
mod changes;
mod declared;
mod definitions;
mod effort;
pub mod hand_overs;
mod questions;
mod reference_changes;
mod sizes;
mod solution;
mod summary;
#[cfg(test)]
mod tests;
pub mod text;

use serde::Serialize;

pub use alone::{Alone, only_waiting};
pub use changes::{Change, changes};
pub use declared::DomainFacts;
pub use definitions::{Definition, of_problem as problem_definitions};
pub use effort::Effort;
pub use hand_overs::HandOvers;
pub use questions::{Reach, Undecided};
pub use reference_changes::{Listed, ReferenceChanges};
pub use sizes::{ActionSize, AgentSize, Sizes, TypeSize};
pub use solution::{AgentSequences, Found, Solution};
pub use summary::{DomainSummary, ProblemSummary};

use brigade_compile::sema::model::Model;
use brigade_search::{Control, Invalid};
use brigade_task::PackedTask;

/// The facts known of a problem under one semantics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facts {
    /// The problem's name.
    pub problem: String,
    /// The domain's name.
    pub domain: String,
    /// The semantics.
    pub semantics: String,
    /// The turn mode of the agents of a step. But where they choose at once, they do so in the order of
    /// [`Sizes::agents`].
    pub turns: &'static str,
    /// The sizes of the problem.
    pub sizes: Sizes,
    /// The results of searches; `None` where none was wanted.
    pub solution: Option<Solution>,
}

/// Facts, and what they were read off.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The facts.
    pub facts: Facts,
    /// The optimal plans and their references, where all were found.
    pub found: Option<Found>,
}

impl Derived {
    /// Of a model and the task that was made of it for finding plans. Without an effort nothing is
    /// searched, nor where chance decides for some agents. An error is a bug: a plan that was found does not stand its test.
    pub fn new(
        model: &Model,
        task: &PackedTask,
        effort: Option<&Effort>,
        control: &dyn Control,
    ) -> Result<Self, Invalid> {
        let searched = match effort.filter(|_| !task.has_nature()) {
            Some(effort) => Some(solution::solution(task, effort, control)?),
            None => None,
        };
        let (solution, found) = searched.unzip();
        Ok(Self {
            facts: Facts {
                problem: task.problem.clone(),
                domain: task.domain.clone(),
                semantics: task.semantics.clone(),
                turns: task.turns.name(),
                sizes: Sizes::new(model, task),
                solution,
            },
            found: found.flatten(),
        })
    }
}
