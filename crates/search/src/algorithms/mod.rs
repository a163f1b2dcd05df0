//! Search algorithms over one space of half-steps.
//!
//! `uniform_cost` and `a_star` prove optima; `deepening` goes on where memory ends; `anytime` finds
//! good plans before. `parallel` shares their work among threads, with the same result.

pub(crate) mod a_star;
pub(crate) mod anytime;
pub(crate) mod deepening;
pub(crate) mod parallel;
pub(crate) mod uniform_cost;
