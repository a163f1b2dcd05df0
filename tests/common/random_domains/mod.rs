//! Random domains: every construct, in all turn modes, with and without agents, from a seed.

mod domain;
mod effects;
mod random;
mod words;
mod writer;

pub(crate) use domain::texts;
pub(crate) use random::Random;
