//! A task as plain PDDL for planners of one agent, without parameters: `:strips` with negative
//! preconditions and `:action-costs`, conditional effects only where an action would become many.
//!
//! What a planner cannot be told of is compiled away, exactly:
//!
//! - *Agents.* A timestep is a row of actions. The choices of the agents come in their order; where
//!   all choose in the state at its start, all choose first and what they do follows.
//! - *Time.* The tick is one forced action at the end of the row, or several where its conditions
//!   would grow too large. Delayed effects count down in it, and events happen. Where live ones are
//!   kept in a list, an action for each goes through it.
//! - *Numbers and objects.* A variable is a predicate, each value an object.
//! - *The order of effects.* See `symbolic`: all effects of an action look at the state before it.
//! - *Conditions.* See `diagram` and `vocabulary`: all are conjunctions of literals. What a planner
//!   would have to multiply out is split into actions, or kept up to date as a fact of its own.
//! - *The end.* Losing states and the horizon are tested after the tick; the goal is reached with an
//!   action of its own, and so is the horizon where there is no goal.
//! - *Gains.* Costs below zero, as of a metric to maximise, are raised by the same amount in each
//!   timestep. That needs a horizon, which the goal pays for up to its end.
//!
//! The cost of a plan is what the task optimises first: its metric, else its makespan.

mod build;
mod diagram;
mod ends;
mod extra;
mod names;
mod order;
mod outcome;
mod plan;
mod symbolic;
mod tick;
mod vocabulary;
mod world;
mod write;

use indexmap::IndexMap;

use brigade_task::Task;
use build::{Builder, Meaning};
use extra::Extras;
pub use plan::UnreadablePlan;
use world::World;

/// The two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classical {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
    /// What was added to the cost of every plan, so that no action costs less than 0.
    pub added: i64,
    /// What each action means, by its name.
    meanings: IndexMap<String, Meaning>,
}

/// How large the files may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Actions that one operator becomes, or conditions of its effects, before the state is tested
    /// step by step.
    pub few: usize,
    /// Conditions of one action, where that is not possible.
    pub conditions: usize,
    /// Conditions of one action of the tick, if it can be several.
    pub tick: usize,
    /// Facts in all actions.
    pub facts: usize,
    /// Edges of the decision diagrams of one action.
    pub edges: usize,
    /// Steps that making the decision diagrams may take in all.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            few: 200,
            conditions: 20_000,
            tick: 1_000,
            facts: 2_000_000,
            edges: 2_000_000,
            work: 100_000_000,
        }
    }
}

/// Why a task has no classical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// Neither a goal nor a horizon.
    #[error("a classical problem has a goal, and this one has neither a goal nor a horizon")]
    NoGoal,
    /// A gain that nothing bounds.
    #[error(
        "a classical action has no negative cost, and `{action}` {}: without a horizon nothing bounds \
         how often",
        if *.is_gain { "adds to what is maximised" } else { "lowers the metric" }
    )]
    Unbounded {
        /// What gains.
        action: String,
        /// Whether the metric is maximised.
        is_gain: bool,
    },
    /// A gain of effects that are kept in a list, which differs in number from step to step.
    #[error(
        "a classical action has no negative cost, and delayed effects that are kept in a list have one"
    )]
    GainInList,
    /// Too large.
    #[error("{what} becomes too large: more than {limit} {unit}")]
    TooLarge {
        /// What of it.
        what: String,
        /// The limit.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
}

impl Limits {
    const fn most(&self) -> outcome::Most {
        outcome::Most {
            few: self.few,
            conditions: self.conditions,
        }
    }
}

impl Inexpressible {
    /// Whether the metric is the reason.
    pub const fn is_about_the_metric(&self) -> bool {
        matches!(self, Self::Unbounded { .. } | Self::GainInList)
    }

    /// The action or event that is the reason, by the name of its schema.
    pub fn schema(&self) -> Option<&str> {
        let (Self::Unbounded { action: title, .. } | Self::TooLarge { what: title, .. }) = self
        else {
            return None;
        };
        let is_of_name = |c: char| !c.is_whitespace() && !matches!(c, '`' | '(' | ')' | ',');
        title
            .split(|c| !is_of_name(c))
            .find(|word| !word.is_empty())
    }

    /// What can be done about it.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NoGoal => "add a `:goal`, or a `:horizon`",
            Self::Unbounded { .. } => {
                "add a `:horizon`, or write the metric so that every action costs at least 0"
            }
            Self::GainInList => "keep them as a set: `(:live-effects set)`",
            Self::TooLarge { .. } => "leave out what the problem does not need, or split it",
        }
    }
}

/// Writes a task.
///
/// # Errors
///
/// See [`Inexpressible`].
pub fn export(task: &Task, limits: &Limits) -> Result<Classical, Inexpressible> {
    if task.goal.is_none() && task.horizon.zip(task.clock).is_none() {
        return Err(Inexpressible::NoGoal);
    }
    let (extras, added) = Extras::of(task);
    let world = World::new(task, added, limits.edges, limits.work);
    let mut builder = Builder::new(&world, extras, *limits);
    builder.begin();
    builder.timestep()?;
    let constant = builder.ends()?;
    write::write(&builder, constant)
}
