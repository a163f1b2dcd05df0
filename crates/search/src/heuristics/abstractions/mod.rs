//! Domain abstractions of the whole task.
//!
//! `abstraction` is the abstract space, `stepping` composes its timesteps, and `refine` finds which
//! values to distinguish. `graph` holds the steps between abstract states, and `table` measures
//! abstract distances to the goal.

pub(crate) mod abstraction;
pub(crate) mod graph;
pub(crate) mod refine;
pub(crate) mod stepping;
pub(crate) mod table;
