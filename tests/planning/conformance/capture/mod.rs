//! Collab Capture against a model of its own, written from the published rules: every step from every state
//! that can be reached, episodes at random, and the optimum of each start.

mod model;
mod optima;
mod steps;
