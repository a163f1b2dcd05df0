//! Results as text for people.

pub mod comparison;
pub mod demo;
pub mod markdown;
pub mod optima;
pub mod plan_file;
pub mod process;
pub mod results;
pub mod survey;
pub mod table;
pub mod task_text;
