//! An evaluation for a page: its tables with intervals, paired differences, and the list of its episodes.

use std::collections::{BTreeMap, BTreeSet};

use brigade_report::estimate::{Estimate, Sample};
use brigade_report::formula::{Formula, Sums};
use brigade_report::matrix::{Cell, Matrix};
use brigade_report::pass_hat::{Repetition, pass_hat};
use indexmap::IndexMap;
use serde_json::Value;

use crate::charts::{Numbered, charts};
use crate::document::{Campaign, Difference, Entry, Key, Row, Table};
use crate::finished::{COLUMN, Finished, SUCCESS};
use crate::quantity::Quantity;

/// The most rows of the first table of which each two are compared.
const MOST_COMPARED: usize = 12;

/// The most repetitions of which the chance that all succeed is shown.
const MOST_REPETITIONS: u64 = 8;

/// A figure of an episode: a value, and the number of things that it is a sum over.
type Measure = fn(&Finished) -> Option<(f64, f64)>;

/// The metrics of tables that are means, by name, with their titles.
const MEANS: [(&str, &str, Measure); 15] = [
    ("ratio", "ticks / optimum", |it| {
        let optimum = it
            .optimum
            .filter(|&optimum| optimum > 0 && it.success == Some(true))?;
        Some((it.ticks as f64 / optimum as f64, 1.0))
    }),
    ("optimality", "optimality rate", |it| {
        Some((it.end()?.get("optimality_rate")?.as_f64()?, 1.0))
    }),
    ("progress", "progress", |it| {
        Some((it.end()?.get("progress")?.as_f64()?, 1.0))
    }),
    ("to_go", "steps to go", |it| {
        let failed = it.success == Some(false);
        failed
            .then(|| it.exact("to_go"))
            .flatten()
            .map(|to_go| (to_go, 1.0))
    }),
    ("optimal_share", "optimal choices", |it| {
        let choices = it.sum_over_agents("choices");
        (choices > 0.0).then(|| (it.sum_over_agents("optimal"), choices))
    }),
    ("pc", "PC", |it| Some((it.scores?.pc, 1.0))),
    ("ic", "IC", |it| {
        let scores = it.scores.filter(|scores| scores.requests > 0)?;
        Some((scores.initiated as f64, scores.requests as f64))
    }),
    ("rc", "RC", |it| {
        let scores = it.scores.filter(|scores| scores.requests > 0)?;
        Some((scores.responded as f64, scores.requests as f64))
    }),
    ("initiating", "correct requests", |it| {
        let correct = it.requests("correct")?;
        let others = ["premature", "repetitive", "irrelevant"].map(|class| it.requests(class));
        let all = correct + others.into_iter().flatten().sum::<f64>();
        (all > 0.0).then_some((correct, all))
    }),
    ("responding", "followed requests", |it| {
        let correct = it.requests("correct").filter(|&correct| correct > 0.0)?;
        Some((it.responding? * correct, correct))
    }),
    ("refused", "refused commands", |it| {
        Some((it.refused as f64, 1.0))
    }),
    ("ticks", "ticks", |it| Some((it.ticks as f64, 1.0))),
    ("calls", "model calls", |it| Some((it.calls as f64, 1.0))),
    ("tokens", "tokens", |it| {
        Some(((it.tokens.input + it.tokens.output) as f64, 1.0))
    }),
    ("cost", "cost", |it| it.cost.map(|cost| (cost, 1.0))),
];

/// Declarations of an evaluation beside its episodes.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The columns of totals, by title.
    pub columns: IndexMap<String, Formula>,
    /// The currency of costs.
    pub currency: Option<String>,
}

/// Makes an evaluation of the lines of its index, in their order.
pub fn campaign(name: &str, finished: &[Finished], declared: &Declared) -> Campaign {
    let mut labels = IndexMap::from([(SUCCESS.to_owned(), "success".to_owned())]);
    labels.extend((2..=MOST_REPETITIONS).map(|k| (repeated_success(k), format!("pass^{k}"))));
    labels.extend(MEANS.map(|(name, title, _)| (name.to_owned(), title.to_owned())));
    if let Some(currency) = &declared.currency {
        labels.insert("cost".to_owned(), format!("cost ({currency})"));
    }
    let columns = declared.columns.keys();
    labels.extend(columns.map(|title| (format!("{COLUMN}{title}"), title.clone())));
    let by: [&[&'static str]; 3] = [
        &["setup", "model"],
        &["group", "setup", "model"],
        &["problem", "setup", "model"],
    ];
    let has_groups = finished.iter().any(|episode| episode.group.is_some());
    let tables: Vec<Table> = by
        .into_iter()
        .filter(|by| by[0] != "group" || has_groups)
        .map(|by| Table {
            by: by.to_vec(),
            rows: rows(by, finished.iter(), declared),
        })
        .collect();
    // What no row knows is no column.
    labels.retain(|metric, _| {
        let rows = tables.iter().flat_map(|table| &table.rows);
        rows.filter_map(|row| row.values.get(metric))
            .any(|it| it.value.is_some())
    });
    let differences = differences(&tables[0].rows, finished);
    let matrices = matrices(&labels, &tables[0].rows, finished);
    let numbered = numbered(finished, declared);
    let charts = charts(&tables, numbered.as_ref(), &labels, finished);
    let notes = [
        "Intervals are at 95 %: of shares of successes Wilson's, of all else the percentiles of a bootstrap that draws \
         problems, then episodes of each, or for columns of totals groups, then episodes of each.",
        "pass^k is the chance that each of k repetitions of a problem and seed succeeds; its bootstrap draws problems, then \
         seeds of each.",
        "A difference is over the episodes of the same problem, seed and repetition.",
    ];
    Campaign {
        name: name.to_owned(),
        labels,
        tables,
        matrices,
        differences,
        notes: notes.map(str::to_owned).to_vec(),
        episodes: finished
            .iter()
            .zip(0..)
            .map(|(episode, place)| {
                let number = episode.numbered().filter(|_| numbered.is_some());
                Entry {
                    number: number.map(|(_, number)| number),
                    ..entry((episode, place))
                }
            })
            .collect(),
        charts,
    }
}

/// The name of the chance that each of k repetitions succeeds.
fn repeated_success(k: u64) -> String {
    format!("pass_hat_{k}")
}

fn key_of(by: &[&str], episode: &Finished) -> Key {
    let part =
        |part: &str, value: Option<&String>| by.contains(&part).then_some(value).flatten().cloned();
    Key {
        setup: part("setup", Some(&episode.setup)),
        model: part("model", episode.model.as_ref()),
        group: part("group", episode.group.as_ref()),
        problem: part("problem", Some(&episode.problem)),
    }
}

/// The episodes of each key, in order of their first ones.
fn rows<'f>(
    by: &[&str],
    finished: impl Iterator<Item = &'f Finished>,
    declared: &Declared,
) -> Vec<Row> {
    let mut parts: Vec<(Key, Vec<&Finished>)> = Vec::new();
    let mut places: BTreeMap<[Option<String>; 4], usize> = BTreeMap::new();
    for episode in finished {
        let key = key_of(by, episode);
        let sorted = [&key.problem, &key.group, &key.setup, &key.model].map(Clone::clone);
        let place = *places.entry(sorted).or_insert(parts.len());
        if place == parts.len() {
            parts.push((key, Vec::new()));
        }
        parts[place].1.push(episode);
    }
    parts
        .into_iter()
        .map(|(key, episodes)| row(key, &episodes, declared))
        .collect()
}

/// The episodes of each set-up and model by the number that their group ends in; `None` where there are fewer than three
/// numbers.
fn numbered(finished: &[Finished], declared: &Declared) -> Option<Numbered> {
    let words: BTreeSet<&str> = finished
        .iter()
        .filter_map(|episode| Some(episode.numbered()?.0))
        .collect();
    let word = match words.len() {
        1 => words.first().copied().filter(|word| !word.is_empty()),
        _ => None,
    };
    let mut numbers: Vec<f64> = finished
        .iter()
        .filter_map(|episode| Some(episode.numbered()?.1))
        .collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    if numbers.len() < 3 {
        return None;
    }
    let mut all = Vec::new();
    for number in numbers {
        let is_one = |episode: &&Finished| {
            episode
                .numbered()
                .is_some_and(|it| it.1.total_cmp(&number).is_eq())
        };
        let of_number = finished.iter().filter(is_one);
        let rows = rows(&["setup", "model"], of_number, declared);
        all.extend(rows.into_iter().map(|row| (number, row)));
    }
    Some(Numbered {
        word: word.unwrap_or("number").to_owned(),
        rows: all,
    })
}

fn row(key: Key, episodes: &[&Finished], declared: &Declared) -> Row {
    let with_goal = episodes
        .iter()
        .filter(|episode| episode.success.is_some())
        .count();
    let successes = episodes
        .iter()
        .filter(|episode| episode.success == Some(true))
        .count();
    let mut values = IndexMap::from([(SUCCESS.to_owned(), Estimate::share(successes, with_goal))]);
    let repetitions = episodes.iter().filter_map(|episode| {
        Some(Repetition {
            problem: &episode.problem,
            seed: episode.seed,
            success: episode.success?,
        })
    });
    // Of one repetition it is the success.
    for (estimate, k) in pass_hat(repetitions, MOST_REPETITIONS)
        .into_iter()
        .zip(1..)
        .skip(1)
    {
        values.insert(repeated_success(k), estimate);
    }
    for (name, _, measure) in MEANS {
        let samples: Vec<Sample<'_>> = episodes
            .iter()
            .filter_map(|episode| {
                let (value, weight) = measure(episode)?;
                Some(Sample {
                    cluster: &episode.problem,
                    value,
                    weight,
                })
            })
            .collect();
        values.insert(name.to_owned(), Estimate::mean(&samples));
    }
    if !declared.columns.is_empty() {
        let mut groups: BTreeMap<&str, Vec<Sums>> = BTreeMap::new();
        for episode in episodes {
            let group = episode.group.as_deref().unwrap_or(&episode.problem);
            groups.entry(group).or_default().push(episode.sums());
        }
        let groups: Vec<Vec<Sums>> = groups.into_values().collect();
        for (title, formula) in &declared.columns {
            values.insert(format!("{COLUMN}{title}"), formula.estimate(&groups));
        }
    }
    let mut outcomes = BTreeMap::new();
    let mut failures = BTreeMap::new();
    let mut regret: IndexMap<String, f64> = IndexMap::new();
    for episode in episodes {
        add(&mut outcomes, &episode.outcomes);
        let counts = episode
            .process
            .as_ref()
            .and_then(|it| it.pointer("/failures/counts"));
        let counts = counts.and_then(Value::as_object).into_iter().flatten();
        let counts = counts.filter_map(|(class, count)| Some((class.clone(), count.as_u64()?)));
        add(&mut failures, &counts.collect());
        let scale = episode
            .process
            .as_ref()
            .and_then(|it| it.get("scale")?.as_f64());
        for agent in episode.agents() {
            let name = agent
                .get("agent")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if let Some(Quantity::Exact(lost)) = Quantity::read(agent, "regret_before_dead_end") {
                *regret.entry(name.to_owned()).or_default() += lost as f64 / scale.unwrap_or(1.0);
            }
        }
    }
    Row {
        key,
        episodes: episodes.len(),
        successes: (with_goal > 0).then_some(successes),
        values,
        outcomes,
        failures,
        regret,
    }
}

fn add(sums: &mut BTreeMap<String, u64>, counts: &BTreeMap<String, u64>) {
    for (name, count) in counts {
        *sums.entry(name.clone()).or_default() += count;
    }
}

/// The differences between each two rows, in the metrics that papers compare.
fn differences(rows: &[Row], finished: &[Finished]) -> Vec<Difference> {
    let is_success: Measure = |it| {
        it.success
            .map(|success| (f64::from(u8::from(success)), 1.0))
    };
    let means = MEANS
        .iter()
        .filter(|(name, ..)| ["optimality", "progress"].contains(name));
    let compared = means.map(|&(name, _, measure)| (name, measure));
    let compared: Vec<(&str, Measure)> = [(SUCCESS, is_success)]
        .into_iter()
        .chain(compared)
        .collect();
    let rows = &rows[..rows.len().min(MOST_COMPARED)];
    let of = |row: &Row| -> Vec<&Finished> {
        let by = ["setup", "model"];
        finished
            .iter()
            .filter(|episode| key_of(&by, episode) == row.key)
            .collect()
    };
    let mut differences = Vec::new();
    for (index, a) in rows.iter().enumerate() {
        for b in &rows[index + 1..] {
            let of_b = of(b).into_iter().map(|episode| (episode.place(), episode));
            let (of_a, of_b) = (of(a), of_b.collect::<BTreeMap<_, _>>());
            for &(metric, measure) in &compared {
                let pairs = of_a.iter().filter_map(|one| {
                    let other = of_b.get(&one.place())?;
                    let (value, _) = measure(one)?;
                    let (less, _) = measure(other)?;
                    Some(Sample {
                        cluster: &one.problem,
                        value: value - less,
                        weight: 1.0,
                    })
                });
                let estimate = Estimate::mean(&pairs.collect::<Vec<_>>());
                if estimate.value.is_some() {
                    differences.push(Difference {
                        a: a.key.clone(),
                        b: b.key.clone(),
                        metric: metric.to_owned(),
                        estimate,
                    });
                }
            }
        }
    }
    differences
}

/// The matrices of set-ups that stand for several teams: of success or, where no problem has a goal, of the first
/// metric that is known.
fn matrices(labels: &IndexMap<String, String>, rows: &[Row], finished: &[Finished]) -> Vec<Matrix> {
    let Some((metric, title)) = labels.first() else {
        return Vec::new();
    };
    let cells = rows.iter().filter_map(|row| {
        let mut episodes = finished.iter();
        let first = episodes.find(|it| Some(&it.setup) == row.key.setup.as_ref())?;
        Some(Cell {
            setup: first.matrix.as_deref()?,
            model: row.key.model.as_deref(),
            policies: &first.cell,
            estimate: *row.values.get(metric)?,
        })
    });
    Matrix::all(title, &cells.collect::<Vec<_>>())
}

fn entry((episode, number): (&Finished, usize)) -> Entry {
    let end = episode.end();
    let quantity = |key: &str| end.and_then(|end| Quantity::read(end, key));
    let class = episode
        .process
        .as_ref()
        .and_then(|it| it.pointer("/failures/episode/class"));
    Entry {
        id: episode.id.clone(),
        file: number.to_string(),
        problem: episode.problem.clone(),
        group: episode.group.clone(),
        setup: episode.setup.clone(),
        model: episode.model.clone(),
        seed: episode.seed,
        epoch: episode.epoch,
        reason: episode.reason.clone(),
        success: episode.success,
        ticks: episode.ticks,
        optimum: episode.optimum,
        labels: episode.labels,
        refused: episode.refused,
        calls: episode.calls,
        input: episode.tokens.input,
        output: episode.tokens.output,
        cost: episode.cost,
        regret: quantity("regret"),
        to_go: quantity("to_go"),
        rate: end.and_then(|end| end.get("optimality_rate")?.as_f64()),
        dead_end: end.and_then(|end| end.get("dead_end")?.as_u64()),
        class: class.and_then(Value::as_str).map(str::to_owned),
        totals: episode.totals.clone(),
        number: None,
    }
}

/// The ids that several episodes share, which a folder cannot hold.
pub fn repeated(finished: &[Finished]) -> BTreeSet<&str> {
    let mut seen = BTreeSet::new();
    finished
        .iter()
        .map(|episode| &*episode.id)
        .filter(|id| !seen.insert(*id))
        .collect()
}
