//! Agents acting on a task: [`episode`] is the referee and its event log, [`agents`] are the policies that
//! it asks.

pub mod agents;
pub mod episode;
