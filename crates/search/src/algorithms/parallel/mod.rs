//! The work of one search on several threads, with the result of one thread.
//!
//! `rounds` expand buckets of blind search, whose new nodes `buckets` stores in order; a
//! `worker_pool` estimates states for A* and expands its nodes (`expansion`).

pub(crate) mod buckets;
pub(crate) mod expansion;
pub(crate) mod rounds;
pub(crate) mod worker_pool;
