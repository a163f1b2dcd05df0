//! The search against independent oracles: exhaustion, `pathfinding`, and replay.

mod brute_force;
mod builder;
mod distances;
mod gripper;
mod limits;
mod lower_bounds;
mod optimal_plans;
mod random;
mod references;
mod slack;
mod successors;
mod symmetry;
mod twins;
mod validation;
