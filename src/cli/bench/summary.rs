//! The figures of an evaluation, by set-up and model, and by problem within these.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;

use super::columns::{COUNTS, Formula, Sums};
use super::config::Bench;
use super::digest::Digest;
use super::header::SCHEMA;
use super::process::{Brief, ProcessSum};
use super::stage::Stage;
use super::tally::{Tally, Tokens};
use crate::cli::models::{Parse, Stack};
use crate::diagnostics::words::{agent_name, counted};
use crate::llm::design::ActionsShown;
use crate::report::estimate::{Estimate, Sample};
use crate::report::table::Table;

/// The name of the share of successes.
const SUCCESS_RATE: &str = "success_rate";

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
    /// True if rows were measured in different ways, so that they say little of each other.
    ways_differ: bool,
    /// Tokens of finished episodes, and of all attempts.
    counted: Tokens,
    spent: Tokens,
    /// Their costs; `None` where a price is not known.
    cost_counted: Option<f64>,
    cost_spent: Option<f64>,
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
    /// Ticks of successes divided by the optimum, on average.
    ticks_over_optimum: Option<f64>,
    /// The columns of the bench file; `None` where none of its groups has a value.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    columns: IndexMap<String, Option<f64>>,
    #[serde(flatten)]
    tally: Tally,
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
            rows,
            ways_differ,
            counted,
            spent,
            cost_counted,
            cost_spent: cost_counted.zip(lost_cost).map(|(one, other)| one + other),
        }
    }

    /// The figures as text.
    pub(super) fn text(&self) -> String {
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
                match (row.success_rate, row.intervals.get(SUCCESS_RATE)) {
                    (Some(rate), Some(Some([low, high]))) => {
                        format!("{rate:.2} [{low:.2}, {high:.2}]")
                    }
                    (Some(rate), _) => format!("{rate:.2}"),
                    (None, _) => "-".to_owned(),
                },
                row.ticks_over_optimum
                    .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
            ];
            line.extend(outcomes);
            line.push(share(tally.strict));
            line.push(share(tally.lenient));
            line.push((tally.tokens.input + tally.tokens.output).to_string());
            let values = row.columns.values();
            line.extend(
                values.map(|value| {
                    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
                }),
            );
            table.row(line);
        }
        let mut text = table.render();
        text.push_str(&self.process_text());
        for row in self.rows.iter().filter(|row| row.problem.is_none()) {
            if row.pass_hat.len() > 1 {
                let model = row.model.as_deref().unwrap_or("-");
                let shares: Vec<String> = row
                    .pass_hat
                    .iter()
                    .take(SHOWN_REPETITIONS)
                    .map(|share| format!("{share:.2}"))
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
                Some(cost) => format!("{cost:.4}"),
                None => "not known (a model has no `price`)".to_owned(),
            }
        ));
        text
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
    let (place, _, config) = stage.bench.models.get_full(model?)?;
    let setups = stage.bench.setups.iter();
    let index = setups.clone().position(|it| it.name == setup)?;
    let is_open = stage.designs[index]
        .iter()
        .any(|used| used.design.actions == ActionsShown::Forms);
    Some(Way {
        format: stacks.get(place)?.format.name().to_owned(),
        parse: config.parse,
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
        pass_hat: pass_hat(digests),
        ticks_over_optimum: (!ratios.is_empty())
            .then(|| ratios.iter().sum::<f64>() / ratios.len() as f64),
        columns: columns(bench, digests),
        tally,
        process: ProcessSum::of(&briefs),
    }
}

/// Ticks divided by the optimum, of a success.
fn ratio(digest: &Digest) -> Option<f64> {
    let optimum = digest
        .optimum
        .filter(|optimum| *optimum > 0 && digest.success == Some(true))?;
    Some(f64::from(digest.ticks) / f64::from(optimum))
}

/// The intervals of the figures of a row; see [`Estimate`].
fn intervals(
    digests: &[&Digest],
    successes: usize,
    judged: usize,
) -> IndexMap<&'static str, Option<[f64; 2]>> {
    let mean = |measure: &dyn Fn(&Digest) -> Option<f64>| {
        let samples = digests.iter().filter_map(|digest| {
            Some(Sample {
                cluster: &digest.problem,
                value: measure(digest)?,
                weight: 1.0,
            })
        });
        Estimate::mean(&samples.collect::<Vec<_>>())
    };
    let rate = |digest: &Digest| digest.process.as_ref()?.optimality_rate();
    let progress = |digest: &Digest| digest.process.as_ref()?.progress();
    let estimates = [
        (SUCCESS_RATE, Estimate::share(successes, judged)),
        ("ticks_over_optimum", mean(&ratio)),
        ("optimality_rate", mean(&rate)),
        ("progress", mean(&progress)),
    ];
    let ends =
        estimates.map(|(name, it)| (name, it.low.zip(it.high).map(|(low, high)| [low, high])));
    ends.into()
}

/// The columns of a bench file, over the groups of these episodes.
fn columns(bench: &Bench, digests: &[&Digest]) -> IndexMap<String, Option<f64>> {
    let mut groups: BTreeMap<&str, Sums> = BTreeMap::new();
    for digest in digests {
        let mut problems = bench.problems.iter();
        let problem = problems.find(|problem| problem.title() == digest.problem);
        let group = problem.and_then(|problem| problem.group.as_deref());
        let sums = groups.entry(group.unwrap_or(&digest.problem)).or_default();
        for (name, amount) in &digest.totals {
            *sums.entry(name.to_ascii_lowercase()).or_default() += amount.to_f64();
        }
        let (ticks, calls) = (f64::from(digest.ticks), digest.tally.calls as f64);
        let counts = COUNTS
            .into_iter()
            .zip([1.0, ticks, calls, digest.refused as f64]);
        let has = |name: &str| digest.totals.keys().any(|it| it.eq_ignore_ascii_case(name));
        for (name, count) in counts.filter(|(name, _)| !has(name)) {
            *sums.entry(name.to_owned()).or_default() += count;
        }
    }
    let columns = bench.columns.iter();
    columns
        .map(|column| {
            let formula = Formula::read(&column.of).ok();
            let value = formula.and_then(|formula| formula.mean(groups.values()));
            (column.title().to_owned(), value)
        })
        .collect()
}

/// The standard error of the success rate, clustered by problem (Miller, "Adding error bars to
/// evals", 2024, §2.2): the root of the sum over problems of the squared sums of deviations, divided
/// by the number of episodes. Problems without a goal do not count.
fn standard_error(digests: &[&Digest]) -> Option<f64> {
    let mut clusters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for digest in digests {
        if let Some(success) = digest.success {
            let value = f64::from(u8::from(success));
            clusters.entry(&digest.problem).or_default().push(value);
        }
    }
    if clusters.len() < 2 {
        return None;
    }
    let count = clusters.values().map(Vec::len).sum::<usize>() as f64;
    let mean = clusters.values().flatten().sum::<f64>() / count;
    let squares = clusters.values().map(|values| {
        let deviation: f64 = values.iter().map(|value| value - mean).sum();
        deviation * deviation
    });
    Some(squares.sum::<f64>().sqrt() / count)
}

/// pass^k (Yao et al., "τ-bench", 2024): the mean over problems and seeds of C(c, k) / C(n, k), c
/// successes in n repetitions. Problems without a goal do not count.
fn pass_hat(digests: &[&Digest]) -> Vec<f64> {
    let mut groups: BTreeMap<(&str, u64), (u64, u64)> = BTreeMap::new();
    for digest in digests {
        if let Some(success) = digest.success {
            let group = groups.entry((&digest.problem, digest.seed)).or_default();
            group.0 += u64::from(success);
            group.1 += 1;
        }
    }
    let most = groups.values().map(|(_, count)| *count).min().unwrap_or(0);
    (1..=most)
        .map(|k| {
            let chances = groups.values().map(|&(successes, count)| {
                (0..k)
                    .map(|i| successes.saturating_sub(i) as f64 / (count - i) as f64)
                    .product::<f64>()
            });
            chances.sum::<f64>() / groups.len() as f64
        })
        .collect()
}
