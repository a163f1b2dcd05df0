//! The delete relaxation of a task, and what is computed on it.
//!
//! `adders` are the relaxed operators, events, timers and axioms, `relaxation` the same as arrays.
//! `conjunctions` are pairs of values that relaxed operators need together, `traps` are branches of operators that they
//! avoid, `cases` are values of variables that time alone changes. `fact_costs` are the costs of facts by their dearest
//! need, in the unit of `cost_unit`; `relaxed_costs` are sums or moments, and make up relaxed plans, which guide searches
//! that need no bound (`fast_forward`), as does the number of goal facts that a state lacks (`goal_parts`).
//! Costs are found in the order of a `cost_queue`.

pub(crate) mod adders;
pub(crate) mod cases;
pub(crate) mod conjunctions;
pub(crate) mod cost_queue;
pub(crate) mod cost_unit;
pub(crate) mod fact_costs;
pub(crate) mod fast_forward;
pub(crate) mod goal_parts;
pub(crate) mod lists;
pub(crate) mod relaxation;
pub(crate) mod relaxed_costs;
pub(crate) mod traps;
