//! Plans: what they are, how a finished search leads to one or to all of them, and what is done
//! with them.
//!
//! `plan` is a plan, and `dag` the graph of all. `trace` follows a finished search back to either.
//! Where one state was stored for each orbit, `representatives` maps states of the task to the
//! stored ones, and `unfolding` collects all states on optimal plans. `redundant_actions` replaces
//! actions to no purpose, and `validate` replays a plan independently of any search. `near_optimal`
//! collects all plans within a factor of the optimum: within the bounds of `slack`, by
//! `cost_to_go_bounds`, `timestep` by timestep.

pub(crate) mod cost_to_go_bounds;
pub mod dag;
pub(crate) mod near_optimal;
pub(crate) mod plan;
pub(crate) mod redundant_actions;
pub(crate) mod representatives;
pub(crate) mod slack;
pub(crate) mod timestep;
pub(crate) mod trace;
pub(crate) mod unfolding;
pub(crate) mod validate;
