//! Results as text for people.

pub mod comparison;
pub mod cost;
pub mod demo;
pub mod facts;
pub mod live;
pub mod plan_file;
pub mod process;
pub mod snapshot;
pub mod table;
pub mod task_text;
