//! Relaxed decision diagrams over ticks: lower bounds on the makespan, with all agents acting in every tick.
//!
//! A node is a set of states: one value for each variable of the key, a set of values for every other.
//! The nodes of a layer hold all states of a tick that may lie on a plan within a horizon; states that
//! agree on the key are joined. (H. R. Andersen, T. Hadzic, J. N. Hooker, P. Tiedemann, "A constraint
//! store based on multivalued decision diagrams", CP 2007; D. Bergman, A. A. Cire, W.-J. van Hoeve,
//! J. N. Hooker, "Decision Diagrams for Optimization", 2016.) Where no layer holds a goal state, no plan
//! takes so few ticks.
//!
//! The variables of one object are tied: a node also holds which of their values go together.
//!
//! Diagrams of larger keys are filtered by those of smaller ones: a node is left out if a coarser
//! diagram shows that the goal is too far. The next key comes from the first thing that the diagram
//! takes for granted and that does not hold in the states that can be reached (E. Clarke et al.,
//! "Counterexample-guided abstraction refinement", CAV 2000).

mod diagram;
mod diagrams;
mod expansion;
mod flaw;
mod heuristic;
mod ladder;
mod walk;

pub(crate) use ladder::{Ladder, Limits, Verdict};
