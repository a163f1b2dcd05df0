//! The record of the measurements: a line for the setting, and one for each run.

use serde::{Deserialize, Serialize};

use super::configuration::{Configuration, LITTLE_MEMORY};
use crate::results::{Added, Entry};

/// A line of the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// The setting of the measurements.
    Setting(Setting),
    /// A run of one configuration on one instance.
    Run(Run),
}

/// The setting of the measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The commit that was measured.
    pub commit: String,
    /// Model of the processor, as the system names it.
    pub processor: String,
    /// The most CPU seconds of one run.
    pub seconds: u64,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// An optimal plan was proven.
    Proven,
    /// It was proven that no plan exists.
    Unsolvable,
    /// Time or memory ran out.
    Limit,
    /// The instance cannot be compiled.
    Refused,
}

impl Outcome {
    /// Returns true if the search has its proof.
    pub const fn is_proven(self) -> bool {
        matches!(self, Self::Proven | Self::Unsolvable)
    }
}

/// A run of one configuration on one instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The name of the instance.
    pub instance: String,
    /// The configuration.
    pub configuration: Configuration,
    /// Its end.
    pub outcome: Outcome,
    /// The makespan of the plan, if one is proven.
    pub makespan: Option<u32>,
    /// The cost of the plan, if one is proven.
    pub cost: Option<i64>,
    /// The nodes that all attempts together have stored.
    pub states: u64,
    /// The nodes that all attempts together have expanded.
    pub expanded: u64,
    /// The most bytes that tables of states, and what is kept beside them, have taken in any attempt.
    pub peak_bytes: u64,
    /// CPU seconds of the whole process: reading, grounding, search.
    pub cpu: f64,
    /// The guide of each attempt, without repetitions, in order; `anytime` for those that look for plans
    /// alone.
    pub tried: Vec<String>,
    /// The guide of the attempt that ended the search.
    pub last: Option<String>,
    /// True if one state stood for others in some attempt.
    pub has_symmetry: bool,
    /// Applicable operators that were left out, of attempts that were not ended by a limit.
    pub pruned: u64,
    /// True if operators may be left out at all.
    pub may_prune: bool,
}

impl Run {
    /// A run of which nothing but its end is known.
    pub fn new(instance: &str, configuration: Configuration, outcome: Outcome) -> Self {
        Self {
            instance: instance.to_owned(),
            configuration,
            outcome,
            makespan: None,
            cost: None,
            states: 0,
            expanded: 0,
            peak_bytes: 0,
            cpu: 0.0,
            tried: Vec::new(),
            last: None,
            has_symmetry: false,
            pruned: 0,
            may_prune: false,
        }
    }

    /// Returns true if an attempt was led like this.
    pub fn has_tried(&self, lead: &str) -> bool {
        self.tried.iter().any(|tried| tried == lead)
    }

    /// Returns true if another configuration may answer in another way than the default, which has run
    /// like this. What never came into play is not measured without it, and a heuristic only where blind
    /// search does not answer within its first attempt.
    pub fn may_differ_under(&self, configuration: Configuration) -> bool {
        let is_proven = self.outcome.is_proven();
        let is_short = is_proven && self.tried == ["blind"];
        match configuration {
            Configuration::Default => true,
            Configuration::SymmetryOff => self.has_symmetry,
            Configuration::PruningOff => self.pruned > 0 || !is_proven && self.may_prune,
            Configuration::AnytimeOff => self.has_tried("anytime"),
            Configuration::Blind
            | Configuration::LmCut
            | Configuration::Potentials
            | Configuration::Patterns
            | Configuration::Abstractions
            | Configuration::DecisionDiagrams => !is_short,
            Configuration::LittleMemory | Configuration::DeepeningOff => {
                self.peak_bytes > LITTLE_MEMORY as u64
            }
        }
    }
}

impl Entry for Line {
    /// The setting comes first; then the runs by instance.
    type Key = Option<(String, Configuration)>;

    fn key(&self) -> Self::Key {
        match self {
            Self::Setting(_) => None,
            Self::Run(run) => Some((run.instance.clone(), run.configuration)),
        }
    }

    fn about(&self) -> String {
        match self {
            Self::Setting(_) => "the setting".to_owned(),
            Self::Run(run) => format!("{:?} on {}", run.configuration, run.instance),
        }
    }

    fn succeed(&mut self, _: &mut Self) -> Added {
        Added::Taken
    }
}
