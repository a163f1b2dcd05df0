//! A report as rows of text; printing them is the command line's.

use super::report::{EpisodeScore, LevelScore, Report, TaskScore};

/// A table: a header, and rows with as many cells.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Table {
    /// The header.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// What a cell shows where there is no value.
const ABSENT: &str = "–";

impl Report {
    /// One row per episode.
    pub fn episode_table(&self) -> Table {
        let columns = vec![
            "episode", "task", "L", "done", "time", "TES", "PC", "IC", "RC", "dialogs",
        ];
        Table {
            columns,
            rows: self.episodes.iter().map(episode_row).collect(),
        }
    }

    /// One row per task.
    pub fn task_table(&self) -> Table {
        let columns = vec![
            "task", "L", "runs", "SR", "time", "TES", "PC", "IC", "RC", "dialogs",
        ];
        Table {
            columns,
            rows: self.tasks.iter().map(task_row).collect(),
        }
    }

    /// One row per level.
    pub fn level_table(&self) -> Table {
        let columns = vec!["L", "tasks", "SR", "time", "TES", "PC", "IC", "RC"];
        Table {
            columns,
            rows: self.levels.iter().map(level_row).collect(),
        }
    }
}

fn episode_row(score: &EpisodeScore) -> Vec<String> {
    let late = score.time_limit.is_some_and(|limit| limit.missed);
    let together = &score.collaboration;
    vec![
        score.id.clone(),
        score.order.clone(),
        score.level.to_string(),
        match (score.success, late) {
            (true, _) => "yes",
            (false, true) => "late",
            (false, false) => "no",
        }
        .to_owned(),
        score.last_timestamp.to_string(),
        per_agent(score.agents.iter().map(|agent| agent.tes)),
        decimal(score.pc),
        share(together.ic, together.tally.initiations),
        share(together.rc, together.tally.responses),
        together.events.len().to_string(),
    ]
}

fn task_row(score: &TaskScore) -> Vec<String> {
    vec![
        score.order.clone(),
        score.level.to_string(),
        score.episodes.to_string(),
        decimal(score.sr),
        time(score.time),
        per_agent(score.tes.iter().copied()),
        decimal(score.pc),
        share(score.ic, score.tally.initiations),
        share(score.rc, score.tally.responses),
        score.events.to_string(),
    ]
}

fn level_row(score: &LevelScore) -> Vec<String> {
    vec![
        score.level.to_string(),
        score.tasks.to_string(),
        decimal(score.sr),
        time(score.time),
        per_agent(score.tes.iter().copied()),
        decimal(score.pc),
        decimal(score.ic),
        decimal(score.rc),
    ]
}

fn decimal(value: f64) -> String {
    format!("{value:.4}")
}

fn share(value: f64, whole: u32) -> String {
    if whole == 0 {
        ABSENT.to_owned()
    } else {
        decimal(value)
    }
}

fn time(value: Option<f64>) -> String {
    value.map_or_else(|| ABSENT.to_owned(), |value| format!("{value:.1}"))
}

fn per_agent(values: impl Iterator<Item = f64>) -> String {
    values.map(decimal).collect::<Vec<_>>().join(" / ")
}
