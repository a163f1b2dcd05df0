//! The run loop of agents acting on a task, and its event log.
