//! Results: per episode, per task, per level, as serialisable structs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::dialog_scores::{Collaboration, Tally};
use super::fraction::Fraction;
use super::options::Options;
use super::tes::MatchCounts;

/// The version of the JSON that [`Report`] serialises to.
pub const SCHEMA: u32 = 1;

/// The scores of one agent in one episode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentScore {
    /// The agent.
    pub agent: usize,
    /// TES under the rule's arithmetic.
    pub tes: f64,
    /// TES exactly.
    pub tes_exact: Fraction,
    /// D/m.
    pub recall: f64,
    /// D/n.
    pub precision: f64,
    /// D, m and n.
    #[serde(flatten)]
    pub counts: MatchCounts,
    /// The best-matching reference, where references are named.
    #[serde(rename = "best_reference")]
    pub reference: Option<String>,
    /// Actions that were dropped as unknown.
    pub dropped: u32,
}

/// The time limit of an episode.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct TimeLimit {
    /// The largest index of a successful episode's last timestep.
    pub limit: u32,
    /// True if the episode ran longer, so that it was cut and failed.
    pub missed: bool,
}

/// The scores of one episode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EpisodeScore {
    /// The episode's id; may be empty.
    pub id: String,
    /// The order, which names the task.
    pub order: String,
    /// The task's level.
    pub level: u32,
    /// True if the episode counts as a success; `None` for a task without a goal.
    pub success: Option<bool>,
    /// The index of the last recorded timestep; one less than the number of steps.
    pub last_timestamp: u32,
    /// The time limit, if the rule has one.
    pub time_limit: Option<TimeLimit>,
    /// PC: the mean of the agents' TES, each against its own best-matching reference.
    pub pc: f64,
    /// The same against one reference for all agents; `None` if the references cannot show it, or the
    /// match was stopped.
    pub joint_pc: Option<f64>,
    /// The scores of each agent.
    pub agents: Vec<AgentScore>,
    /// ITES, IC and RC.
    pub collaboration: Collaboration,
}

/// The scores of one task, over its episodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskScore {
    /// The task's level.
    pub level: u32,
    /// The order, which names the task.
    pub order: String,
    /// The number of episodes.
    pub episodes: u32,
    /// SR: the share of successes; `None` of a task without a goal.
    pub sr: Option<f64>,
    /// The mean index of the last timestep over the successes.
    pub time: Option<f64>,
    /// The population standard deviation of the same; the published output calls it a variance.
    pub time_deviation: Option<f64>,
    /// The mean PC.
    pub pc: f64,
    /// The mean TES of each agent.
    pub tes: Vec<f64>,
    /// The mean recall of each agent.
    pub recall: Vec<f64>,
    /// The mean precision of each agent.
    pub precision: Vec<f64>,
    /// IC, pooled: successes of all episodes over denominators of all episodes.
    pub ic: f64,
    /// RC, pooled.
    pub rc: f64,
    /// The numbers behind IC and RC.
    pub tally: Tally,
    /// The number of scored dialogs.
    pub events: u32,
}

/// The scores of one level: unweighted means over its tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelScore {
    /// The level.
    pub level: u32,
    /// The number of tasks that have episodes.
    pub tasks: u32,
    /// The mean SR over the tasks that have a goal.
    pub sr: Option<f64>,
    /// The mean time over the tasks with a success.
    pub time: Option<f64>,
    /// The mean PC.
    pub pc: f64,
    /// The mean TES of each agent.
    pub tes: Vec<f64>,
    /// The mean IC.
    pub ic: f64,
    /// The mean RC.
    pub rc: f64,
}

/// Everything that scoring a set of episodes gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub schema: u32,
    /// The rule, with every option.
    pub options: Options,
    /// Per episode, in the order given.
    pub episodes: Vec<EpisodeScore>,
    /// Per task, by level and name.
    pub tasks: Vec<TaskScore>,
    /// Per level.
    pub levels: Vec<LevelScore>,
}

impl Report {
    /// Aggregates episodes that were scored under one rule.
    pub fn new(options: Options, episodes: Vec<EpisodeScore>) -> Self {
        let mut by_task = BTreeMap::<(u32, &str), Vec<&EpisodeScore>>::new();
        for episode in &episodes {
            by_task
                .entry((episode.level, &episode.order))
                .or_default()
                .push(episode);
        }
        let tasks: Vec<TaskScore> = by_task
            .values()
            .filter_map(|of| TaskScore::of(of))
            .collect();
        let mut by_level = BTreeMap::<u32, Vec<&TaskScore>>::new();
        for task in &tasks {
            by_level.entry(task.level).or_default().push(task);
        }
        let levels = by_level
            .iter()
            .map(|(level, tasks)| LevelScore::of(*level, tasks))
            .collect();
        Self {
            schema: SCHEMA,
            options,
            episodes,
            tasks,
            levels,
        }
    }
}

impl TaskScore {
    fn of(episodes: &[&EpisodeScore]) -> Option<Self> {
        let first = episodes.first()?;
        let times: Vec<f64> = (episodes.iter())
            .filter(|episode| episode.success == Some(true))
            .map(|episode| f64::from(episode.last_timestamp))
            .collect();
        let time = mean(times.iter().copied());
        let deviation = time
            .and_then(|center| mean(times.iter().map(|at| (at - center).powi(2))).map(f64::sqrt));
        let of_agents = |value: fn(&AgentScore) -> f64| {
            column_means(episodes, |episode| {
                episode.agents.iter().map(value).collect()
            })
        };
        let tally = (episodes.iter()).fold(Tally::default(), |sum, episode| {
            sum.plus(episode.collaboration.tally)
        });
        Some(Self {
            level: first.level,
            order: first.order.clone(),
            episodes: episodes.len() as u32,
            sr: mean(
                (episodes.iter())
                    .filter_map(|episode| episode.success)
                    .map(|success| f64::from(u8::from(success))),
            ),
            time,
            time_deviation: deviation,
            pc: mean(episodes.iter().map(|episode| episode.pc))?,
            tes: of_agents(|agent| agent.tes),
            recall: of_agents(|agent| agent.recall),
            precision: of_agents(|agent| agent.precision),
            ic: tally.ic(),
            rc: tally.rc(),
            tally,
            events: episodes
                .iter()
                .map(|e| e.collaboration.events.len() as u32)
                .sum(),
        })
    }
}

impl LevelScore {
    fn of(level: u32, tasks: &[&TaskScore]) -> Self {
        let of_tasks = |value: fn(&TaskScore) -> f64| {
            mean(tasks.iter().map(|task| value(task))).unwrap_or_default()
        };
        Self {
            level,
            tasks: tasks.len() as u32,
            sr: mean(tasks.iter().filter_map(|task| task.sr)),
            time: mean(tasks.iter().filter_map(|task| task.time)),
            pc: of_tasks(|task| task.pc),
            tes: column_means(tasks, |task| task.tes.clone()),
            ic: of_tasks(|task| task.ic),
            rc: of_tasks(|task| task.rc),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (total, count) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    (count > 0).then(|| total / f64::from(count))
}

/// The mean of each column over rows; a row that is shorter has no say in the columns it lacks.
fn column_means<T>(rows: &[T], values: impl Fn(&T) -> Vec<f64>) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = rows.iter().map(values).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |at: usize| mean(rows.iter().filter_map(|row| row.get(at).copied()));
    (0..width).filter_map(column).collect()
}
