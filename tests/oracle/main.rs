//! The search against independent oracles: exhaustion, `pathfinding`, and replay.

mod brute_force;
mod builder;
mod limits;
mod optimal_plans;
mod random;
