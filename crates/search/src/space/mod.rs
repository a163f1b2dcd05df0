//! The search space: nodes, the tables that store them, queues of open ones, and the generation of
//! successors.
//!
//! `search_space` holds what was met, from a `start`, and `findings` what that proves.
//! `expand` generates successors half-step by half-step (`constant_effects` of operators whose
//! effect is the same everywhere), `successor` is one of them, and `batch` looks many up together.
//! `state_table` stores states, listed by hash in an `id_table`; `words` compares and hashes them.
//! `rest` bounds what is to come by ticks.
//! `node_kind` separates states in which a plan ends, or cannot go on, from the rest, and
//! `successor_filter` drops successors that change nothing. `bucket_queue` and `open_list` order
//! open nodes.

pub(crate) mod batch;
pub(crate) mod bucket_queue;
pub(crate) mod constant_effects;
pub(crate) mod expand;
mod findings;
pub(crate) mod id_table;
pub(crate) mod node_kind;
pub(crate) mod open_list;
pub(crate) mod rest;
pub(crate) mod search_space;
pub(crate) mod start;
pub(crate) mod state_table;
pub(crate) mod successor;
pub(crate) mod successor_filter;
pub(crate) mod words;
