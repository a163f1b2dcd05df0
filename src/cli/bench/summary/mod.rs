//! The figures of an evaluation, by set-up and model, and by problem within these.

mod row;
mod text;

use indexmap::IndexMap;
use serde::Serialize;

use self::row::{Row, Way, row, way};
use super::columns::Column;
use super::digest::Digest;
use super::header::SCHEMA;
use super::setup::Team;
use super::stage::Stage;
use super::tally::Tokens;
use crate::cli::models::{Latency, Stack};
use crate::diagnostics::words::counted;
use crate::report::estimate::Estimate;
use crate::report::matrix::{Cell, Matrix};

/// The figures of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    schema: u32,
    /// Episodes in all, finished ones, and those that were cut short by what was out of order or by a
    /// limit: these are in no score.
    episodes: usize,
    finished: usize,
    unfinished: Vec<Unfinished>,
    rows: Vec<Row>,
    /// The columns of totals, with their formulas.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    columns: Vec<Column>,
    /// The success by the policies of two agents, of set-ups that list several for both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matrices: Vec<Matrix>,
    /// True if rows were measured in different ways, so that they say little of each other.
    ways_differ: bool,
    /// Tokens of finished episodes, and of all attempts.
    counted: Tokens,
    spent: Tokens,
    /// The currency of costs.
    currency: String,
    /// Their costs; `None` where a price is not known.
    cost_counted: Option<f64>,
    cost_spent: Option<f64>,
}

/// The figures with what differs between equal runs, which no file of them has.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Shown<'a> {
    #[serde(flatten)]
    pub(super) summary: &'a Summary,
    /// The latency of servers, by model.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) latency: IndexMap<String, Latency>,
}

impl Shown<'_> {
    /// The figures as text.
    pub(super) fn text(&self) -> String {
        let mut text = self.summary.text();
        for (model, Latency { calls, p50, p95 }) in &self.latency {
            text.push_str(&format!(
                "latency of {model}: {p50:.3} s in the median, {p95:.3} s at the 95th percentile of {}\n",
                counted(*calls, "call")
            ));
        }
        text
    }
}

/// An episode that is not finished.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Unfinished {
    pub(super) id: String,
    pub(super) reason: String,
}

impl Summary {
    /// Sums digests up, which are in the order of the bench file.
    pub(super) fn new(
        stage: &Stage<'_>,
        stacks: &[Stack],
        digests: &[Digest],
        unfinished: Vec<Unfinished>,
        (lost, lost_cost): (Tokens, Option<f64>),
    ) -> Self {
        let mut keys: Vec<(String, Option<String>)> = Vec::new();
        for digest in digests {
            let key = (digest.setup.clone(), digest.model.clone());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut rows = Vec::new();
        for (setup, model) in keys {
            let of_row: Vec<&Digest> = digests
                .iter()
                .filter(|digest| digest.setup == setup && digest.model == model)
                .collect();
            let way = way(stage, stacks, &setup, model.as_deref());
            rows.push(row(stage.bench, &of_row, None, way.clone()));
            for problem in &stage.problems {
                let on_problem: Vec<&Digest> = of_row
                    .iter()
                    .copied()
                    .filter(|digest| digest.problem == problem.title)
                    .collect();
                if !on_problem.is_empty() {
                    let title = Some(problem.title.clone());
                    rows.push(row(stage.bench, &on_problem, title, way.clone()));
                }
            }
        }
        for row in &mut rows {
            row.clairvoyant = stage.is_clairvoyant(&row.setup);
        }
        let mut ways: Vec<&Way> = Vec::new();
        for way in rows.iter().filter_map(|row| row.way.as_ref()) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        let ways_differ = ways.len() > 1;
        let mut counted = Tokens::default();
        for digest in digests {
            counted.add(digest.tally.tokens);
        }
        let mut spent = counted;
        spent.add(lost);
        let are_known = stage
            .bench
            .models
            .values()
            .all(|model| model.price.is_some());
        let costs = digests.iter().filter_map(|digest| digest.cost);
        // A sum of no numbers is -0.
        let cost_counted = are_known.then(|| costs.sum::<f64>() + 0.0);
        Self {
            schema: SCHEMA,
            episodes: digests.len() + unfinished.len(),
            finished: digests.len(),
            unfinished,
            matrices: matrices(stage, &rows),
            columns: stage.bench.columns.clone(),
            rows,
            ways_differ,
            counted,
            spent,
            currency: stage.bench.currency.clone(),
            cost_counted,
            cost_spent: cost_counted.zip(lost_cost).map(|(one, other)| one + other),
        }
    }

    /// Returns true if every episode is finished.
    pub(super) fn is_complete(&self) -> bool {
        self.unfinished.is_empty()
    }
}

/// The matrices of set-ups that stand for several teams: their success or, where no problem has a goal, the first
/// column of the bench file.
fn matrices(stage: &Stage<'_>, rows: &[Row]) -> Vec<Matrix> {
    let bench = stage.bench;
    let whole = rows.iter().filter(|row| row.problem.is_none());
    let has_goals = whole.clone().any(|row| row.successes.is_some());
    let column = bench.columns.first().filter(|_| !has_goals);
    let teams = whole.filter_map(|row| {
        let mut setups = bench.setups.iter();
        let setup = setups.find(|it| it.name == row.setup)?;
        let mut problems = stage.problems.iter();
        let problem = problems.find(|problem| setup.plays(&problem.title))?;
        Some((row, setup.team.as_ref()?.of(&problem.task.agents)))
    });
    let teams: Vec<(&Row, Team)> = teams.collect();
    let cells = teams.iter().map(|(row, team)| {
        let estimate = match column {
            Some(column) => {
                let ends = row.column_intervals.get(column.title()).copied().flatten();
                Estimate {
                    value: row.columns.get(column.title()).copied().flatten(),
                    low: ends.map(|[low, _]| low),
                    high: ends.map(|[_, high]| high),
                    n: row.episodes,
                }
            }
            None => row.success(),
        };
        Cell {
            setup: &team.setup,
            model: row.model.as_deref(),
            policies: &team.policies,
            estimate,
        }
    });
    let metric = column.map_or("success", Column::title);
    Matrix::all(metric, &cells.collect::<Vec<_>>())
}
