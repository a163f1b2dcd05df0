//! A row of figures: those of a set-up with a model, on one problem or on all.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

use crate::cli::bench::config::Bench;
use crate::cli::bench::digest::Digest;
use crate::cli::bench::figures::{
    SUCCESS_RATE, columns, ends, intervals, pass_hat, ratio, standard_error,
};
use crate::cli::bench::process::{Brief, ProcessSum};
use crate::cli::bench::score_sum::ScoreSum;
use crate::cli::bench::setup::design_and_model;
use crate::cli::bench::stage::Stage;
use crate::cli::bench::tally::Tally;
use crate::cli::models::{Parse, Stack};
use crate::llm::design::ActionsShown;
use crate::report::estimate::Estimate;

/// The figures of a set-up with a model, on one problem or on all.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) setup: String,
    /// True if some policy knows facts that its agent does not observe.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) clairvoyant: bool,
    pub(super) model: Option<String>,
    /// `None` for all problems together.
    pub(super) problem: Option<String>,
    /// The way in which actions were chosen; `None` where no model is asked.
    pub(super) way: Option<Way>,
    pub(super) episodes: usize,
    /// Successes, and their share of the episodes of problems with a goal; `None` where none has one.
    pub(super) successes: Option<usize>,
    pub(super) success_rate: Option<f64>,
    /// The standard error of the rate, with problems as clusters; `None` for a single one.
    pub(super) standard_error: Option<f64>,
    /// The 95 % confidence intervals of figures of this row, by name; `None` where there is too little to say.
    pub(super) intervals: IndexMap<&'static str, Option<[f64; 2]>>,
    /// The chance that each of k repetitions succeeds, for k up to the number of epochs.
    pub(super) pass_hat: Vec<f64>,
    /// Their 95 % confidence intervals.
    pub(super) pass_hat_intervals: Vec<Option<[f64; 2]>>,
    /// Ticks of successes divided by the optimum, on average.
    pub(super) ticks_over_optimum: Option<f64>,
    /// The columns of the bench file; `None` where none of its groups has a value.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) columns: IndexMap<String, Option<f64>>,
    /// Their 95 % confidence intervals.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) column_intervals: IndexMap<String, Option<[f64; 2]>>,
    #[serde(flatten)]
    pub(super) tally: Tally,
    /// `None` where the bench file declares no references.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<ScoreSum>,
    /// `None` where no process metrics were computed.
    pub(super) process: Option<ProcessSum>,
}

impl Row {
    /// Returns the name of its set-up in tables.
    pub(super) fn name(&self) -> String {
        if self.clairvoyant {
            format!("{} (clairvoyant)", self.setup)
        } else {
            self.setup.clone()
        }
    }

    /// The share of successes.
    pub(super) fn success(&self) -> Estimate {
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
pub(super) struct Way {
    pub(super) format: String,
    pub(super) parse: Parse,
    /// `assisted`: possible actions are shown or enforced; `open`: forms of actions only.
    pub(super) track: &'static str,
}

/// The way in which a set-up with a model chooses actions.
pub(super) fn way(
    stage: &Stage<'_>,
    stacks: &[Stack],
    setup: &str,
    model: Option<&str>,
) -> Option<Way> {
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

/// The figures of these episodes.
pub(super) fn row(
    bench: &Bench,
    digests: &[&Digest],
    problem: Option<String>,
    way: Option<Way>,
) -> Row {
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
