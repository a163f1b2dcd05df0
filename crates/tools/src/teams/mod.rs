//! Plans and bounds of tasks in which several agents act.
//!
//! A line of `docs/results/teams.jsonl` holds what `brigade plan` shows of one task within a time limit; the page
//! `docs/results/teams.md` is rendered from these.

mod page;
mod record;
mod task;

pub use page::page;
pub use record::{Event, Line, Run, Setting};
pub use task::{GROUPS, Group, Task, tasks};
