//! Defines the record of measurements: one JSON object for the machine and one for each tool on each instance.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A line of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// The setting of the measurements.
    Setting(Setting),
    /// The published results of an instance.
    Published(Published),
    /// One tool on one instance.
    Run(Run),
}

/// The setting of the measurements: the machine and the versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    /// Model of the processor, as the system names it.
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) memory_kib: u64,
    pub(crate) system: String,
    pub(crate) rustc: String,
    /// The commit that was measured.
    pub(crate) commit: String,
    /// Name and version of each package of Fast Downward; none if it was not there.
    pub(crate) fast_downward: Vec<String>,
    /// True if the folder of competition instances was there.
    pub(crate) competition: bool,
    /// The most times that each tool runs on an instance.
    pub(crate) repetitions: u32,
    /// No tool is run again once its runs took so many seconds.
    pub(crate) enough: f64,
    /// The most CPU seconds of one run.
    pub(crate) seconds: u64,
    /// The most address space of one run, in bytes.
    pub(crate) bytes: u64,
    /// Processes that wanted to run, on average over the last minute, at the start and at the end.
    pub(crate) load: [f64; 2],
}

/// The results of an instance that are published, or were found by Fast Downward, `SymK` and K\* before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub(crate) instance: String,
    /// The optimal cost; `None` if no tool found it.
    pub(crate) cost: Option<i64>,
    /// The number of optimal plans, a decimal.
    pub(crate) plans: Option<String>,
}

/// The tool that was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tool {
    /// Brigade's reading and grounding for `brigade plan`.
    Ground,
    /// `brigade plan` on one thread.
    Plan,
    /// The same on two.
    PlanTwo,
    /// `brigade plan --all`.
    All,
    /// `brigade plan --heuristic blind` on one thread.
    Blind,
    /// The same on two.
    BlindTwo,
    /// Brigade's blind search of a given number of states.
    States,
    /// The same by a program for the 11-puzzle alone.
    Alone,
    /// Fast Downward's translator.
    Translate,
    /// Fast Downward's `astar(blind())`.
    FdBlind,
    /// Fast Downward's `astar(lmcut())`.
    FdLmcut,
}

impl Tool {
    /// Returns true if it is a part of Fast Downward.
    pub(crate) const fn is_peer(self) -> bool {
        matches!(self, Self::Translate | Self::FdBlind | Self::FdLmcut)
    }
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// With what was asked for.
    Done,
    /// At a limit of time or memory.
    Limit,
    /// The tool does not support the instance.
    Unsupported,
}

/// One tool on one instance: of all repetitions the one that took least CPU time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) instance: String,
    pub(crate) tool: Tool,
    pub(crate) outcome: Outcome,
    /// The number of times that it was run.
    pub(crate) repetitions: u32,
    /// CPU time of the whole process, all threads, user and system, in seconds.
    pub(crate) cpu: f64,
    /// Greatest resident size, in KiB.
    pub(crate) peak_kib: u64,
    #[serde(flatten)]
    pub(crate) found: Found,
}

/// The results that a tool reports.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    /// Cost of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<i64>,
    /// The number of optimal plans, a decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plans: Option<String>,
    /// Nodes of the graph of all optimal plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
    /// Its edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) edges: Option<u64>,
    /// Ground operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) operators: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expanded: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) generated: Option<u64>,
    /// States that were stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
    /// Seconds of reading, by the tool's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parse: Option<f64>,
    /// Seconds of grounding, by the tool's clock; of a translator all it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ground: Option<f64>,
    /// Seconds of search, by the tool's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) search: Option<f64>,
}

/// Reads data: a JSON object a line.
pub(crate) fn parse<L: DeserializeOwned>(text: &str) -> Result<Vec<L>, String> {
    let lines = text.lines().zip(1..).map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
    });
    lines.collect()
}

/// Writes data: a JSON object a line.
pub(crate) fn render<L: Serialize>(lines: &[L]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    Ok(text)
}
