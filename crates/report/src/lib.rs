//! Results as text for people.
//!
//! - [`facts`]: the facts of a domain or problem, with proofs; [`snapshot`]: the file that keeps them.
//! - [`task_text`]: a task and its summary; [`live`]: its states; [`plan_file`]: a plan for validators.
//! - [`comparison`]: derived references beside annotated ones; [`process`]: regret and failures of an episode.
//! - [`estimate`]: means and shares with their confidence intervals; [`formula`]: those of totals; [`pass_hat`]: of
//!   repetitions that all succeed; [`matrix`]: figures by the policies of two agents.
//! - [`cost`], [`table`]: amounts and tables; [`demo`]: the tour of `brigade demo`.

pub mod comparison;
pub mod cost;
pub mod demo;
pub mod estimate;
pub mod facts;
pub mod formula;
pub mod live;
pub mod matrix;
pub mod pass_hat;
pub mod plan_file;
pub mod process;
pub mod snapshot;
pub mod table;
pub mod task_text;
