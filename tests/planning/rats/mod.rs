//! Reference trajectories of hand-made and random DAGs against enumeration of all plans.

mod compare;
mod dags;
mod difference;
mod formats;
mod orbits;
mod references;
mod scores;
