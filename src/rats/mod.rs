//! Reference action trajectories: the DAG of all optimal plans projected to labels.
