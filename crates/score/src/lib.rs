//! Scores of a trajectory against references: TES, ITES, PC, IC, RC, SR, regret.
//!
//! A recorded episode ([`episode_log`]) is scored ([`scorer`]) against a [`ReferenceModel`]
//! under [`Options`]. Three sets of options have names: [`Options::upstream`] reproduces the
//! evaluation code published with Collab-Overcooked, [`Options::paper`] is what its paper
//! defines, [`Options::brigade`] is that for episodes of Brigade; `docs/reference/scores.md` sets them side by
//! side. Everything here is a pure function of its input: text and values in, serialisable structs
//! out.

pub mod actions;
pub mod brigade;
pub mod collaboration;
mod context;
pub mod derived;
pub mod dialog;
mod dialog_scores;
pub mod episode_log;
pub mod episode_regret;
pub mod error;
pub mod event_log;
pub mod fraction;
pub mod options;
pub mod paper;
pub mod process;
pub mod recorded;
pub mod references;
pub mod regret;
pub mod report;
pub mod scorer;
mod spoken;
pub mod table;
pub mod tes;
pub mod upstream;

pub use actions::{ActionSpace, Kitchen};
pub use episode_log::RecordedEpisode;
pub use error::ScoreError;
pub use fraction::Fraction;
pub use options::Options;
pub use references::{ReferenceModel, ReferenceSet};
pub use report::{EpisodeScore, Report};
pub use scorer::{TaskContext, score_episode};
