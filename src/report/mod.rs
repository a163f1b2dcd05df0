//! Results as text for people.

pub mod table;
pub mod task_text;
