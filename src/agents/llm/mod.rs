//! Agents that ask a language model.

pub mod chat;
