//! The finished episodes of an evaluation, as its index has them.

use std::collections::BTreeMap;

use brigade_report::formula::Sums;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::quantity::Quantity;

/// The name of the share of successes.
pub(crate) const SUCCESS: &str = "success";

/// A line of the index of an evaluation; `docs/reference/formats.md` has its form.
#[derive(Clone, Debug, Deserialize)]
pub struct Finished {
    /// The episode.
    pub id: String,
    /// The problem.
    pub problem: String,
    /// The group of the problem.
    #[serde(default)]
    pub group: Option<String>,
    /// The set-up of the agents.
    pub setup: String,
    /// The set-up that stands for this one and others.
    #[serde(default)]
    pub matrix: Option<String>,
    /// The policies that vary among these, by agent.
    #[serde(default)]
    pub cell: IndexMap<String, String>,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The repetition.
    pub epoch: u32,
    /// The reason of the end.
    pub reason: String,
    /// True if the goal was reached; `None` in a task without one.
    pub success: Option<bool>,
    /// Ticks that passed.
    pub ticks: u64,
    /// The optimum, in ticks, where the bench file has a `budget`.
    #[serde(default)]
    pub optimum: Option<u64>,
    /// Labels that were recorded.
    pub labels: u64,
    /// Refused commands.
    pub refused: u64,
    /// The totals, in the problem's units.
    #[serde(default)]
    pub totals: Map<String, Value>,
    /// Outcomes of decisions.
    #[serde(default)]
    pub outcomes: BTreeMap<String, u64>,
    /// Requests to models.
    #[serde(default)]
    pub calls: u64,
    /// Tokens of the episode.
    #[serde(default)]
    pub tokens: Tokens,
    /// Their cost.
    #[serde(default)]
    pub cost: Option<f64>,
    /// The scores against references.
    #[serde(default)]
    pub scores: Option<Scores>,
    /// The process metrics in brief.
    #[serde(default)]
    pub process: Option<Value>,
}

/// Tokens of an episode.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Tokens {
    /// In questions.
    #[serde(default)]
    pub input: u64,
    /// In answers.
    #[serde(default)]
    pub output: u64,
}

/// Scores of an episode against references.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Scores {
    /// PC: the mean TES of the agents.
    pub pc: f64,
    /// Requests.
    pub requests: u64,
    /// Those that succeeded.
    pub initiated: u64,
    /// Those whose answers did.
    pub responded: u64,
}

impl Finished {
    /// What it has added up, by name in lower case.
    pub(crate) fn sums(&self) -> Sums {
        let totals = self.totals.iter();
        let totals = totals.filter_map(|(name, sum)| Some((name.to_lowercase(), sum.as_f64()?)));
        let mut sums: Sums = totals.collect();
        let counts = [
            ("episodes", 1.0),
            ("ticks", self.ticks as f64),
            ("calls", self.calls as f64),
            ("refused", self.refused as f64),
        ];
        for (name, count) in counts {
            sums.entry(name.to_owned()).or_insert(count);
        }
        sums
    }

    pub(crate) fn end(&self) -> Option<&Value> {
        self.process.as_ref()?.get("end")
    }

    /// Quantities of process metrics in the problem's units.
    pub(crate) fn exact(&self, key: &str) -> Option<f64> {
        let scale = self.process.as_ref()?.get("scale")?.as_f64()?;
        match Quantity::read(self.end()?, key)? {
            Quantity::Exact(value) => Some(value as f64 / scale),
            _ => None,
        }
    }

    pub(crate) fn agents(&self) -> impl Iterator<Item = &Value> {
        let agents = self
            .process
            .as_ref()
            .and_then(|process| process.get("agents")?.as_array());
        agents.into_iter().flatten()
    }

    pub(crate) fn sum_over_agents(&self, key: &str) -> f64 {
        self.agents()
            .filter_map(|agent| agent.get(key)?.as_f64())
            .sum()
    }

    /// The key that episodes of two set-ups share if they are a pair.
    pub(crate) fn place(&self) -> (&str, u64, u32) {
        (&self.problem, self.seed, self.epoch)
    }
}
