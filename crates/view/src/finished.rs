//! The finished episodes of an evaluation, as its index has them.

use std::collections::BTreeMap;

use brigade_report::formula::Sums;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::quantity::Quantity;

/// The name of the share of successes.
pub(crate) const SUCCESS: &str = "success";
/// The beginning of the names of metrics that are columns of totals.
pub(crate) const COLUMN: &str = "columns.";

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
    /// The share of correct requests that were followed, which the metrics in brief leave out.
    #[serde(skip)]
    pub responding: Option<f64>,
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
    /// Totals of the episode, by name in lower case.
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

    /// Requests by class.
    pub(crate) fn requests(&self, class: &str) -> Option<f64> {
        let counts = self
            .process
            .as_ref()?
            .pointer("/collaboration/initiation")?;
        counts.get(class)?.as_f64()
    }

    /// The number that its group ends in, such as that of a level or an interval, and the word before it.
    pub(crate) fn numbered(&self) -> Option<(&str, f64)> {
        let group = self.group.as_deref()?;
        let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '_' | '.');
        let text = group.trim_end_matches(is_number);
        let number = group[text.len()..].trim_start_matches(['_', '.']);
        let number = number.replace('_', ".").parse().ok()?;
        let word = text.trim_end_matches(['-', '_', ' ']);
        let word = word.rsplit(['-', '_', ' ']).next().unwrap_or(word);
        Some((word, number))
    }

    /// The key that episodes of two set-ups share if they are a pair.
    pub(crate) fn place(&self) -> (&str, u64, u32) {
        (&self.problem, self.seed, self.epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::Finished;

    #[test]
    fn a_group_may_end_in_a_number() {
        let of = |group: &str| {
            let line = serde_json::json!({
                "id": "e", "problem": "p", "setup": "s", "seed": 1, "epoch": 1, "reason": "goal", "success": true,
                "ticks": 1, "labels": 1, "refused": 0, "group": group,
            });
            let finished: Finished = serde_json::from_value(line).expect("a line");
            finished
                .numbered()
                .map(|(word, number)| (word.to_owned(), number))
        };
        let found = |word: &str, number| Some((word.to_owned(), number));
        assert_eq!(of("level_3"), found("level", 3.0));
        assert_eq!(of("level-0-cooks-2-alpha-1_5"), found("alpha", 1.5));
        assert_eq!(of("12"), found("", 12.0));
        assert_eq!(of("hard"), None);
        assert_eq!(of("v1.2.3"), None);
    }
}
