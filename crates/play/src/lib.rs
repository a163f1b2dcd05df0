//! Agents acting on a task: [`episode`] is the referee and its event log, [`agents`] are the policies that
//! it asks, [`macro_actions`] are what an agent can get done by itself.

pub mod agents;
pub mod episode;
pub mod macro_actions;
