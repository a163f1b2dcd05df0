//! The search against independent oracles: exhaustion, `pathfinding`, and replay.

mod announced;
mod anytime;
mod brute_force;
mod builder;
mod classical;
mod compile;
mod deepening;
mod distances;
#[path = "../../../crates/tools/src/bin/benchmarks/families.rs"]
mod families;
mod gripper;
mod handovers;
mod language;
mod limits;
mod loose;
mod lower_bounds;
mod macro_actions;
mod obsolete;
mod optimal_plans;
mod patterns;
mod permutations;
mod portfolio;
mod potentials;
mod process;
mod random;
use crate::common::random_domains;
mod references;
mod shuffle;
mod slack;
use crate::common::split_mix;
mod stubborn;
mod successors;
mod symmetry;
mod threads;
mod twins;
mod validation;
