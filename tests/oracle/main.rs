//! The search against independent oracles: exhaustion, `pathfinding`, and replay.

mod brute_force;
mod builder;
mod distances;
mod limits;
mod optimal_plans;
mod random;
