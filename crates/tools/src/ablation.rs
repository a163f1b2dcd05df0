//! Ablation of the search: each technique measured with and without it, on the same instances.
//!
//! A line of `docs/results/search.jsonl` holds one run of one configuration on one instance; the page
//! `docs/results/search.md` is rendered from these.

mod comparison;
mod configuration;
mod instance;
mod limits;
mod page;
mod portfolio;
mod record;
mod technique;

pub use configuration::Configuration;
pub use instance::{Instance, instances};
pub use page::page;
pub use record::{Line, Outcome, Run, Setting};
