//! Results as text for people.

pub mod demo;
pub mod table;
pub mod task_text;
