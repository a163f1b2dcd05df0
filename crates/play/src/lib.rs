//! Agents that act on a task.
//!
//! - [`agents`]: policies. Each decides for one agent: planners, greedy and random baselines, scripts, recordings.
//! - [`episode`]: the referee, which asks policies, refuses invalid commands and steps the task; and its event log.
//! - [`macro_actions`]: the labels that an agent can record by itself, with the operators that lead to them.
//! - [`shown`]: the part of a state that an agent is shown when it is asked.
//!
//! A policy sees a [`View`](agents::View): the state as far as its agent observes it, and its legal operators.

pub mod agents;
pub mod episode;
pub mod macro_actions;
pub mod shown;
