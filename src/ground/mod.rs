//! Model → [`Task`](crate::task::Task): static pruning, relaxed reachability, invariants, packing.
