//! A report as rows of text; printing them is the command line's.

use super::report::{EpisodeScore, Report};

/// A table: columns, and rows with as many cells.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A column of a [`Table`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Column {
    /// The header.
    pub name: &'static str,
    /// True if its cells are single numbers.
    pub is_number: bool,
}

/// The text of a cell without a value.
const ABSENT: &str = "–";

impl Report {
    /// One row per episode. `last tick` is the index of the last timestep, from 0.
    ///
    /// Here and in the other tables, levels are left out where no task has one, and what comes of
    /// dialogs where none was scored.
    pub fn episode_table(&self) -> Table {
        let mut table = Builder::default();
        let of = &self.episodes;
        table.text("episode", of, |score| score.id.clone());
        table.text("task", of, |score| score.order.clone());
        if self.has_levels() {
            table.number("level", of, |score| score.level.to_string());
        }
        table.text("done", of, |score| done(score).to_owned());
        table.number("last tick", of, |score| score.last_timestamp.to_string());
        table.text("TES by agent", of, |score| {
            per_agent(score.agents.iter().map(|agent| agent.tes))
        });
        table.number("PC", of, |score| decimal(score.pc));
        if self.has_dialogs() {
            table.number("IC", of, |score| {
                share(
                    score.collaboration.ic,
                    score.collaboration.tally.initiations,
                )
            });
            table.number("RC", of, |score| {
                share(score.collaboration.rc, score.collaboration.tally.responses)
            });
            table.number("dialogs", of, |score| {
                score.collaboration.events.len().to_string()
            });
        }
        table.finish()
    }

    /// One row per task; times are means over the successes.
    pub fn task_table(&self) -> Table {
        let mut table = Builder::default();
        let of = &self.tasks;
        table.text("task", of, |score| score.order.clone());
        if self.has_levels() {
            table.number("level", of, |score| score.level.to_string());
        }
        table.number("runs", of, |score| score.episodes.to_string());
        table.number("SR", of, |score| rate(score.sr));
        table.number("mean last tick", of, |score| time(score.time));
        table.text("TES by agent", of, |score| {
            per_agent(score.tes.iter().copied())
        });
        table.number("PC", of, |score| decimal(score.pc));
        if self.has_dialogs() {
            table.number("IC", of, |score| share(score.ic, score.tally.initiations));
            table.number("RC", of, |score| share(score.rc, score.tally.responses));
            table.number("dialogs", of, |score| score.events.to_string());
        }
        table.finish()
    }

    /// One row per level; `None` where no task has one.
    pub fn level_table(&self) -> Option<Table> {
        if !self.has_levels() {
            return None;
        }
        let mut table = Builder::default();
        let of = &self.levels;
        table.number("level", of, |score| score.level.to_string());
        table.number("tasks", of, |score| score.tasks.to_string());
        table.number("SR", of, |score| rate(score.sr));
        table.number("mean last tick", of, |score| time(score.time));
        table.text("TES by agent", of, |score| {
            per_agent(score.tes.iter().copied())
        });
        table.number("PC", of, |score| decimal(score.pc));
        if self.has_dialogs() {
            table.number("IC", of, |score| decimal(score.ic));
            table.number("RC", of, |score| decimal(score.rc));
        }
        Some(table.finish())
    }

    /// Levels count from 1; 0 says that there is none.
    fn has_levels(&self) -> bool {
        self.levels.iter().any(|score| score.level > 0)
    }

    fn has_dialogs(&self) -> bool {
        self.tasks.iter().any(|score| {
            score.events > 0 || score.tally.initiations > 0 || score.tally.responses > 0
        })
    }
}

/// A table under construction, column by column.
#[derive(Default)]
struct Builder {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Builder {
    fn text<S>(&mut self, name: &'static str, of: &[S], cell: impl Fn(&S) -> String) {
        self.column(name, false, of, cell);
    }

    fn number<S>(&mut self, name: &'static str, of: &[S], cell: impl Fn(&S) -> String) {
        self.column(name, true, of, cell);
    }

    fn column<S>(
        &mut self,
        name: &'static str,
        is_number: bool,
        of: &[S],
        cell: impl Fn(&S) -> String,
    ) {
        self.columns.push(Column { name, is_number });
        self.rows.resize(of.len(), Vec::new());
        for (row, score) in self.rows.iter_mut().zip(of) {
            row.push(cell(score));
        }
    }

    fn finish(self) -> Table {
        Table {
            columns: self.columns,
            rows: self.rows,
        }
    }
}

fn done(score: &EpisodeScore) -> &'static str {
    let late = score.time_limit.is_some_and(|limit| limit.missed);
    match (score.success, late) {
        (None, _) => ABSENT,
        (Some(true), _) => "yes",
        (Some(false), true) => "late",
        (Some(false), false) => "no",
    }
}

fn decimal(value: f64) -> String {
    format!("{value:.4}")
}

fn rate(value: Option<f64>) -> String {
    value.map_or_else(|| ABSENT.to_owned(), decimal)
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
