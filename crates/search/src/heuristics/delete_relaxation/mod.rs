//! The delete relaxation of a task, and what is computed on it.
//!
//! `relaxation` is the relaxed task, `fact_costs` are the costs of facts in it, found in the order
//! of a `cost_queue` in the unit of `cost_unit`; `lists` holds which operators need a fact.
//! `fast_forward` extracts relaxed plans, which guide searches that need no bound, as does the
//! number of goal facts that a state lacks (`goal_parts`).

pub(crate) mod cost_queue;
pub(crate) mod cost_unit;
pub(crate) mod fact_costs;
pub(crate) mod fast_forward;
pub(crate) mod goal_parts;
pub(crate) mod lists;
pub(crate) mod relaxation;
