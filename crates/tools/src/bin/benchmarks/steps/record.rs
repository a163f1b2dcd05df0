//! Defines the record of measurements of steps: one JSON object for the machine, one for each problem, and one for each
//! published engine beside it.

use serde::{Deserialize, Serialize};

/// A line of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// The setting of the measurements.
    Setting(Setting),
    /// Brigade on a problem.
    Played(Played),
    /// A published engine on the problem before.
    Peer(Peer),
}

/// The setting of the measurements: the machine and the versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    /// Model of the processor, as the system names it.
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) system: String,
    pub(crate) rustc: String,
    /// The commit that was measured.
    pub(crate) commit: String,
    /// Name and version of the packages of published engines; none if they were not there.
    pub(crate) peers: Vec<String>,
    /// The number of times that each was run.
    pub(crate) repetitions: u32,
    /// Processes that wanted to run, on average over the last minute, at the start and at the end.
    pub(crate) load: [f64; 2],
}

/// Random play of a problem: of all repetitions the one that took least CPU time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Played {
    /// The domain.
    pub(crate) system: String,
    pub(crate) problem: String,
    pub(crate) agents: usize,
    /// Ground operators of all agents.
    pub(crate) operators: usize,
    /// Bits of a state.
    pub(crate) bits: u32,
    /// Legal actions that were found, of all agents and steps.
    pub(crate) legal: u64,
    /// Episodes that ended.
    pub(crate) episodes: u64,
    pub(crate) steps: u64,
    /// CPU seconds of all steps.
    pub(crate) seconds: f64,
}

/// Random play in a published engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    pub(crate) system: String,
    pub(crate) problem: String,
    pub(crate) steps: u64,
    /// CPU seconds of all steps.
    pub(crate) seconds: f64,
}
