//! A task as plain PDDL for planners of one agent, without parameters: `:strips` with negative
//! preconditions and `:action-costs`, conditional effects only where an action would become many.
//!
//! Whatever a planner cannot express is compiled away, exactly:
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
//! - *The end.* Losing states, `:end` and the horizon are tested after the tick; the goal is reached with
//!   an action of its own, and so are `:end` and the horizon where there is no goal.
//! - *Gains.* Costs below zero, as of a metric to maximise, are raised by the same amount in each
//!   timestep. That needs a horizon, which the goal pays for up to its end.
//!
//! The cost of a plan is what the task optimises first: its metric, else its makespan.

mod build;
mod diagram;
mod ends;
mod extra;
mod files;
mod inexpressible;
mod limits;
mod names;
mod order;
mod outcome;
mod plan;
mod symbolic;
mod tick;
mod vocabulary;
mod world;
mod write;

use brigade_task::PackedTask;
use brigade_task::cond::Cond;
use build::Builder;
use extra::Extras;
pub use files::Classical;
pub use inexpressible::Inexpressible;
pub use limits::Limits;
pub use plan::UnreadablePlan;
use world::World;

/// Writes a task.
///
/// # Errors
///
/// See [`Inexpressible`].
pub fn export(task: &PackedTask, limits: &Limits) -> Result<Classical, Inexpressible> {
    if task.goal.is_none() && ends::ended(task) == Cond::False {
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
