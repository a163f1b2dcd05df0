//! Cartesian sets of states, and the task's operators over them: what abstractions, agent
//! projections and potentials are computed from.
//!
//! `domains` holds the sets (`sets`), and `tuples` which values of several variables go together. `formula` and `change` are
//! the task's conditions and effects over them, `model` collects these for a task, and `reduce` leaves out what an
//! abstraction ignores. `progression` applies changes to a set, `restriction` cuts it down to where a condition holds,
//! and `closure` is everything reachable in the delete relaxation. `facts` are single values, and `numbering` numbers
//! abstract states.

pub(crate) mod change;
pub(crate) mod closure;
pub(crate) mod domains;
pub(crate) mod facts;
pub(crate) mod formula;
pub(crate) mod model;
pub(crate) mod numbering;
pub(crate) mod progression;
pub(crate) mod reduce;
pub(crate) mod restriction;
mod sets;
mod tuples;
