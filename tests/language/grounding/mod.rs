//! The grounder against its oracle: a naive interpreter of the lifted model.

mod agree;
mod compile;
mod corpus;
mod delays;
mod derived;
mod effects;
mod evaluate;
mod interpreter;
mod invariants;
mod knowledge;
mod limits;
mod live;
mod nature;
mod never;
mod numbers;
mod order;
mod random;
use crate::common::random_domains;
mod relevance;
mod schema;
mod stepper;
mod symbols;
mod words;
