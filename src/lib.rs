//! Brigade: a compiler, optimal planner and referee for multi-agent task domains.
//!
//! The pipeline runs in one direction:
//!
//! ```text
//! syntax → sema → ground → task → { search → rats, episode → score } → report
//! ```
//!
//! [`syntax`] reads text into an AST with spans; [`sema`] resolves it into a typed, lifted
//! [`Model`](sema::model::Model); [`ground`] turns that into a finite [`Task`](task::Task);
//! [`search`] proves optimal plans of a task and [`rats`] projects the DAG of all of them to
//! reference action trajectories. The core is pure: files, clock, network and terminal live
//! below [`cli`].

pub mod agents;
pub mod cli;
pub mod diagnostics;
pub mod episode;
pub mod ground;
pub mod import;
pub mod rats;
pub mod report;
pub mod score;
pub mod search;
pub mod sema;
pub mod syntax;
pub mod task;
