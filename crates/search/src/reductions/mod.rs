//! Reductions of the search space that keep the optimum.
//!
//! `symmetry` stores one state for each orbit of interchangeable objects, and `stubborn_sets` leave
//! out operators whose order does not matter.

pub(crate) mod stubborn_sets;
pub(crate) mod symmetry;
