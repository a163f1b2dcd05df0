//! Renders process metrics for tables: those of an episode in brief, and sums of them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::score::process::{
    Bin, ClassCounts, FailureClass, InitiationCounts, Quantity, ResponseCounts, Unit, field,
};

/// The metrics of an episode in brief, as `process.jsonl` has them; see docs/reference/metrics.md.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Brief {
    unit: Unit,
    scale: i64,
    end: Ending,
    agents: Vec<OfAgent>,
    failures: Failures,
    collaboration: Collaboration,
    stopped: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ending {
    success: Option<bool>,
    spent: i128,
    #[serde(flatten, with = "field::optimum")]
    optimum: Quantity,
    #[serde(flatten, with = "field::to_go")]
    to_go: Quantity,
    #[serde(flatten, with = "field::regret")]
    regret: Quantity,
    #[serde(flatten, with = "field::regret_before_dead_end")]
    regret_before_dead_end: Quantity,
    dead_end: Option<u32>,
    optimality_rate: Option<f64>,
    optimality_bin: Option<Bin>,
    progress: Option<f64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct OfAgent {
    agent: String,
    choices: u64,
    optimal: u64,
    #[serde(flatten, with = "field::regret")]
    regret: Quantity,
    #[serde(flatten, with = "field::regret_before_dead_end")]
    regret_before_dead_end: Quantity,
    failures: ClassCounts,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Failures {
    counts: ClassCounts,
    episode: Option<EpisodeFailure>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct EpisodeFailure {
    class: Option<FailureClass>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Collaboration {
    initiation: InitiationCounts,
    response: ResponseCounts,
    stopped: Option<String>,
}

/// Process metrics of several episodes.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProcessSum {
    /// The number of these, and of those in which a search was stopped, so that something is not known: these count
    /// below only in what their ends say exactly.
    pub(super) episodes: usize,
    pub(super) incomplete: usize,
    /// The mean of `optimality_rate`, over successes of which it is known.
    pub(super) optimality_rate: Option<f64>,
    /// The mean cost-to-go at the end of episodes without success from whose end a plan leads to the
    /// goal, as far as it is known; `None` also where episodes count in different units.
    pub(super) to_go: Option<f64>,
    /// Episodes that ended where no plan leads to the goal.
    pub(super) dead_ends: usize,
    /// The mean share of the way that was gone, where it is known.
    pub(super) progress: Option<f64>,
    /// By agent, as far as agents of the same name are the same.
    pub(super) agents: IndexMap<String, AgentSum>,
    pub(super) failures: ClassCounts,
    pub(super) initiation: InitiationCounts,
    pub(super) response: ResponseCounts,
}

/// The sum of an agent's choices in several episodes.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct AgentSum {
    /// Choices while there was a plan, and those of them that are on an optimal one.
    pub(super) choices: u64,
    pub(super) optimal: u64,
    /// The regret of its choices, without those that ended all hope; `None` where episodes count in different units.
    pub(super) regret: Option<f64>,
    /// Episodes in which its choice ended all hope.
    pub(super) dead_ends: usize,
    pub(super) failures: ClassCounts,
}

impl ProcessSum {
    /// The sum of these, if there are any.
    pub(super) fn of(briefs: &[&Brief]) -> Option<Self> {
        let first = briefs.first()?;
        let is_one_unit = briefs
            .iter()
            .all(|brief| (brief.unit, brief.scale) == (first.unit, first.scale));
        let in_units = |value: i64| value as f64 / first.scale as f64;
        let ends = || briefs.iter().map(|brief| &brief.end);
        let failed = ends().filter(|end| end.success == Some(false));
        let to_go = failed.filter_map(|end| end.to_go.exact()).map(in_units);
        let mut agents: IndexMap<String, AgentSum> = IndexMap::new();
        let mut failures = ClassCounts::default();
        let mut initiation = InitiationCounts::default();
        let mut response = ResponseCounts::default();
        for brief in briefs.iter().filter(|brief| brief.is_complete()) {
            failures += brief.failures.counts;
            initiation += brief.collaboration.initiation;
            response += brief.collaboration.response;
            for agent in &brief.agents {
                let sum = agents.entry(agent.agent.clone()).or_default();
                sum.add(agent, is_one_unit, in_units);
            }
        }
        Some(Self {
            episodes: briefs.len(),
            incomplete: briefs.iter().filter(|brief| !brief.is_complete()).count(),
            optimality_rate: mean(ends().filter_map(|end| end.optimality_rate)),
            to_go: mean(to_go).filter(|_| is_one_unit),
            dead_ends: ends().filter(|end| end.to_go == Quantity::Infinite).count(),
            progress: mean(ends().filter_map(|end| end.progress)),
            agents,
            failures,
            initiation,
            response,
        })
    }

    /// Of the choices while there was a plan, the share on an optimal one.
    pub(super) fn optimal_share(&self) -> Option<f64> {
        let choices: u64 = self.agents.values().map(|agent| agent.choices).sum();
        let optimal: u64 = self.agents.values().map(|agent| agent.optimal).sum();
        (choices > 0).then(|| optimal as f64 / choices as f64)
    }
}

impl AgentSum {
    fn add(&mut self, agent: &OfAgent, is_one_unit: bool, in_units: impl Fn(i64) -> f64) {
        self.choices += agent.choices;
        self.optimal += agent.optimal;
        if is_one_unit && let Some(lost) = agent.regret_before_dead_end.exact() {
            self.regret = Some(self.regret.unwrap_or(0.0) + in_units(lost));
        }
        self.dead_ends += usize::from(agent.regret == Quantity::Infinite);
        self.failures += agent.failures;
    }
}

impl Brief {
    /// `optimum / spent`, where it is known.
    pub(super) const fn optimality_rate(&self) -> Option<f64> {
        self.end.optimality_rate
    }

    /// The share of the way that was gone, where it is known.
    pub(super) const fn progress(&self) -> Option<f64> {
        self.end.progress
    }

    fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.collaboration.stopped.is_none()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}
