//! Optimal plans of a task, the proof, and the DAG of all of them.

pub mod dag;
