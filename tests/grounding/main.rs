//! The grounder against its oracle: a naive interpreter of the lifted model.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

mod agree;
mod compile;
mod corpus;
mod delays;
mod derived;
mod effects;
mod evaluate;
mod interpreter;
mod invariants;
mod limits;
mod live;
mod numbers;
mod order;
mod random;
#[path = "../common/random_domains/mod.rs"]
mod random_domains;
mod relevance;
mod schema;
mod words;
