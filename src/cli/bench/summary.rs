//! The figures of an evaluation, by set-up and model, and by problem within these.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

use super::columns::Column;
use super::config::Bench;
use super::digest::Digest;
use super::figures::{SUCCESS_RATE, columns, ends, intervals, pass_hat, ratio, standard_error};
use super::header::SCHEMA;
use super::process::{Brief, ProcessSum};
use super::score_sum::ScoreSum;
use super::setup::{Team, design_and_model};
use super::stage::Stage;
use super::tally::{Tally, Tokens};
use crate::cli::models::{Latency, Parse, Stack};
use crate::diagnostics::words::{agent_name, counted};
use crate::llm::design::ActionsShown;
use crate::report::estimate::Estimate;
use crate::report::matrix::{Cell, Matrix};
use crate::report::table::Table;

/// The most values of pass^k that are shown; the document has them all.
const SHOWN_REPETITIONS: usize = 8;

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

/// The figures of a set-up with a model, on one problem or on all.
#[derive(Clone, Debug, Serialize)]
struct Row {
    setup: String,
    /// True if some policy knows facts that its agent does not observe.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    clairvoyant: bool,
    model: Option<String>,
    /// `None` for all problems together.
    problem: Option<String>,
    /// The way in which actions were chosen; `None` where no model is asked.
    way: Option<Way>,
    episodes: usize,
    /// Successes, and their share of the episodes of problems with a goal; `None` where none has one.
    successes: Option<usize>,
    success_rate: Option<f64>,
    /// The standard error of the rate, with problems as clusters; `None` for a single one.
    standard_error: Option<f64>,
    /// The 95 % confidence intervals of figures of this row, by name; `None` where there is too little to say.
    intervals: IndexMap<&'static str, Option<[f64; 2]>>,
    /// The chance that each of k repetitions succeeds, for k up to the number of epochs.
    pass_hat: Vec<f64>,
    /// Their 95 % confidence intervals.
    pass_hat_intervals: Vec<Option<[f64; 2]>>,
    /// Ticks of successes divided by the optimum, on average.
    ticks_over_optimum: Option<f64>,
    /// The columns of the bench file; `None` where none of its groups has a value.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    columns: IndexMap<String, Option<f64>>,
    /// Their 95 % confidence intervals.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    column_intervals: IndexMap<String, Option<[f64; 2]>>,
    #[serde(flatten)]
    tally: Tally,
    /// `None` where the bench file declares no references.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<ScoreSum>,
    /// `None` where no process metrics were computed.
    process: Option<ProcessSum>,
}

impl Row {
    /// Returns the name of its set-up in tables.
    fn name(&self) -> String {
        if self.clairvoyant {
            format!("{} (clairvoyant)", self.setup)
        } else {
            self.setup.clone()
        }
    }
}

impl Row {
    /// The share of successes.
    fn success(&self) -> Estimate {
        let ends = self.intervals.get(SUCCESS_RATE).copied().flatten();
        Estimate {
            value: self.success_rate,
            low: ends.map(|[low, _]| low),
            high: ends.map(|[_, high]| high),
            n: self.episodes,
        }
    }
}

/// The way in which actions were chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Way {
    format: String,
    parse: Parse,
    /// `assisted`: possible actions are shown or enforced; `open`: forms of actions only.
    track: &'static str,
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

    fn text(&self) -> String {
        let columns = [
            "set-up",
            "model",
            "format",
            "episodes",
            "success",
            "ticks/opt",
            "ok",
            "unparseable",
            "illegal",
            "truncated",
            "filtered",
            "strict",
            "lenient",
            "tokens",
        ];
        let of_totals = self.rows.first().map(|row| row.columns.keys());
        let of_totals = of_totals.into_iter().flatten().map(String::as_str);
        let columns: Vec<&str> = columns.into_iter().chain(of_totals).collect();
        let mut table = Table::new(columns.iter().copied());
        for column in 3..columns.len() {
            table = table.right(column);
        }
        let whole = self.rows.iter().filter(|row| row.problem.is_none());
        for row in whole {
            let tally = &row.tally;
            let outcomes: Vec<String> = crate::episode::Outcome::ALL[..5]
                .iter()
                .map(|outcome| {
                    tally
                        .outcomes
                        .get(outcome)
                        .copied()
                        .unwrap_or(0)
                        .to_string()
                })
                .collect();
            let share = |part: u64| {
                if tally.read == 0 {
                    "-".to_owned()
                } else {
                    format!("{:.2}", part as f64 / tally.read as f64)
                }
            };
            let way = row.way.as_ref();
            let mut line = vec![
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                way.map_or_else(
                    || "-".to_owned(),
                    |way| format!("{}, {}", way.format, way.track),
                ),
                row.episodes.to_string(),
                row.success().text(),
                row.ticks_over_optimum
                    .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
            ];
            line.extend(outcomes);
            line.push(share(tally.strict));
            line.push(share(tally.lenient));
            line.push((tally.tokens.input + tally.tokens.output).to_string());
            line.extend(row.columns.iter().map(|(title, value)| {
                let ends = row.column_intervals.get(title).copied().flatten();
                match (value, ends) {
                    (None, _) => "-".to_owned(),
                    (Some(value), None) => format!("{value:.3}"),
                    (Some(value), Some([low, high])) => {
                        format!("{value:.3} [{low:.3}, {high:.3}]")
                    }
                }
            }));
            table.row(line);
        }
        let mut text = table.render();
        text.push_str(&self.scores_text());
        text.push_str(&self.process_text());
        for matrix in &self.matrices {
            text.push_str(&format!("\n{}", matrix.text()));
        }
        for row in self.rows.iter().filter(|row| row.problem.is_none()) {
            if row.pass_hat.len() > 1 {
                let model = row.model.as_deref().unwrap_or("-");
                let estimates = row.pass_hat.iter().zip(&row.pass_hat_intervals);
                let shares: Vec<String> = estimates
                    .take(SHOWN_REPETITIONS)
                    .map(|(share, ends)| match ends {
                        Some([low, high]) => format!("{share:.2} [{low:.2}, {high:.2}]"),
                        None => format!("{share:.2}"),
                    })
                    .collect();
                text.push_str(&format!(
                    "pass^k of {}, {model}, for k = 1 to {}: {}\n",
                    row.name(),
                    shares.len(),
                    shares.join(", ")
                ));
            }
        }
        if self.ways_differ {
            text.push_str(
                "note: rows differ in the way in which actions were chosen or read; they do not rank \
                 models\n",
            );
        }
        if !self.unfinished.is_empty() {
            text.push_str(&format!(
                "\n{} of {} episodes are not finished, and in no figure above:\n",
                self.unfinished.len(),
                self.episodes
            ));
            for unfinished in self.unfinished.iter().take(10) {
                text.push_str(&format!("  {}: {}\n", unfinished.id, unfinished.reason));
            }
            if self.unfinished.len() > 10 {
                text.push_str(&format!("  and {} more\n", self.unfinished.len() - 10));
            }
        }
        let spent = self.spent;
        let uncounted = match spent.uncounted {
            0 => String::new(),
            several => format!(", and {several} answers whose tokens the server did not count"),
        };
        text.push_str(&format!(
            "\ntokens: {} in questions, {} in answers{uncounted}; cost: {}\n",
            spent.input,
            spent.output,
            match self.cost_spent {
                Some(cost) => format!("{cost:.4} {}", self.currency),
                None => "not known (a model has no `price`)".to_owned(),
            }
        ));
        text
    }

    /// The scores against references as text; empty where there are none.
    fn scores_text(&self) -> String {
        let columns = ["set-up", "model", "SR", "PC", "TES by agent", "IC", "RC"];
        let mut table = Table::new(columns);
        let whole = self.rows.iter().filter(|row| row.problem.is_none());
        let mut rows = whole
            .filter_map(|row| Some((row, row.scores.as_ref()?)))
            .peekable();
        if rows.peek().is_none() {
            return String::new();
        }
        for (row, scores) in rows {
            let tes = scores.tes.iter();
            let tes = tes.map(|(name, tes)| format!("{} {}", agent_name(name), tes.text()));
            table.row([
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                row.success().text(),
                scores.pc.text(),
                tes.collect::<Vec<_>>().join(", "),
                scores.ic.text(),
                scores.rc.text(),
            ]);
        }
        format!("\n{}", table.render())
    }

    /// The process metrics as text; empty where there are none.
    fn process_text(&self) -> String {
        let columns = [
            "set-up",
            "model",
            "optimality",
            "to go",
            "dead ends",
            "optimal choices",
            "regret by agent",
            "S/A/T/G",
            "requests",
            "followed",
        ];
        let mut table = [2, 3, 4, 5, 7, 8, 9]
            .into_iter()
            .fold(Table::new(columns), Table::right);
        let rows = self.rows.iter().filter(|row| row.problem.is_none());
        let mut rows = rows
            .filter_map(|row| Some((row, row.process.as_ref()?)))
            .peekable();
        if rows.peek().is_none() {
            return String::new();
        }
        let decimal = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
        };
        let mut incomplete = 0;
        for (row, process) in rows {
            incomplete += process.incomplete;
            let regrets = process.agents.iter().map(|(name, agent)| {
                let regret = agent
                    .regret
                    .map_or_else(|| "?".to_owned(), |regret| format!("{regret}"));
                format!("{} {regret}", agent_name(name))
            });
            // What is known of none is not nothing.
            let is_known = process.incomplete < process.episodes;
            let or_dash = |text: String| if is_known { text } else { "-".to_owned() };
            let failures = process.failures;
            let (initiation, response) = (process.initiation, process.response);
            table.row([
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                decimal(process.optimality_rate),
                decimal(process.to_go),
                process.dead_ends.to_string(),
                decimal(process.optimal_share()),
                or_dash(regrets.collect::<Vec<_>>().join(", ")),
                or_dash(format!(
                    "{}/{}/{}/{}",
                    failures.state, failures.action, failures.transition, failures.goal
                )),
                match initiation.classed() + initiation.unknown {
                    0 => "-".to_owned(),
                    all => format!("{} of {all}", initiation.correct),
                },
                match response.all() {
                    0 => "-".to_owned(),
                    all => format!("{} of {all}", response.followed),
                },
            ]);
        }
        let mut text = format!("\n{}", table.render());
        if incomplete > 0 {
            text.push_str(&format!(
                "note: of {} some process metrics are bounds, which are in no figure: a search met a \
                 limit (`--metric-states`)\n",
                counted(incomplete, "episode")
            ));
        }
        text
    }

    /// Returns true if every episode is finished.
    pub(super) fn is_complete(&self) -> bool {
        self.unfinished.is_empty()
    }
}

fn way(stage: &Stage<'_>, stacks: &[Stack], setup: &str, model: Option<&str>) -> Option<Way> {
    let mut setups = stage.bench.setups.iter();
    let index = setups.position(|it| it.name == setup)?;
    let is_open = stage.designs[index]
        .iter()
        .any(|used| used.design.actions == ActionsShown::Forms);
    let designs = stage.bench.setups[index].designs();
    let asked = designs.iter().map(|it| design_and_model(it).1.or(model));
    let (mut formats, mut parse) = (BTreeSet::new(), Parse::Strict);
    for name in asked.flatten() {
        let (place, _, config) = stage.bench.models.get_full(name)?;
        formats.insert(stacks.get(place)?.format.name());
        if config.parse == Parse::Lenient {
            parse = Parse::Lenient;
        }
    }
    let formats: Vec<&str> = formats.into_iter().collect();
    (!formats.is_empty()).then(|| Way {
        format: formats.join("/"),
        parse,
        track: if is_open { "open" } else { "assisted" },
    })
}

fn row(bench: &Bench, digests: &[&Digest], problem: Option<String>, way: Option<Way>) -> Row {
    let mut tally = Tally::new();
    for digest in digests {
        tally.add(&digest.tally);
    }
    let judged: Vec<bool> = digests.iter().filter_map(|digest| digest.success).collect();
    let successes = judged.iter().filter(|success| **success).count();
    let has_goal = !judged.is_empty();
    let ratios: Vec<f64> = digests.iter().filter_map(|digest| ratio(digest)).collect();
    let briefs = digests.iter().filter_map(|digest| digest.process.as_ref());
    let briefs: Vec<&Brief> = briefs.collect();
    let first = digests.first();
    let columns = columns(bench, digests);
    let pass_hat = pass_hat(digests);
    Row {
        setup: first.map_or_else(String::new, |digest| digest.setup.clone()),
        clairvoyant: false,
        model: first.and_then(|digest| digest.model.clone()),
        problem,
        way,
        episodes: digests.len(),
        successes: has_goal.then_some(successes),
        success_rate: has_goal.then(|| successes as f64 / judged.len() as f64),
        standard_error: standard_error(digests),
        intervals: intervals(digests, successes, judged.len()),
        pass_hat_intervals: pass_hat.iter().map(ends).collect(),
        pass_hat: pass_hat.iter().filter_map(|it| it.value).collect(),
        ticks_over_optimum: (!ratios.is_empty())
            .then(|| ratios.iter().sum::<f64>() / ratios.len() as f64),
        columns: columns
            .iter()
            .map(|(title, column)| (title.clone(), column.value))
            .collect(),
        column_intervals: columns
            .iter()
            .map(|(title, column)| (title.clone(), ends(column)))
            .collect(),
        tally,
        scores: ScoreSum::of(digests),
        process: ProcessSum::of(&briefs),
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
