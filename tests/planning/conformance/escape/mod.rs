//! Collab Escape against a model of its own, written from the published rules: every step from every state
//! that can be reached, episodes at random, and what the best players can expect.

mod model;
mod steps;
mod values;
