//! Figures of several episodes with their intervals: shares, means, columns of totals, pass^k.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::config::Bench;
use super::digest::Digest;
use crate::report::estimate::{Estimate, Sample};
use crate::report::formula::{Formula, Sums};
use crate::report::pass_hat::{self, Repetition};

/// The name of the share of successes.
pub(super) const SUCCESS_RATE: &str = "success_rate";

/// Ticks divided by the optimum, of a success.
pub(super) fn ratio(digest: &Digest) -> Option<f64> {
    let optimum = digest
        .optimum
        .filter(|optimum| *optimum > 0 && digest.success == Some(true))?;
    Some(f64::from(digest.ticks) / f64::from(optimum))
}

/// The intervals of the figures of a row; see [`Estimate`].
pub(super) fn intervals(
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
    let ends = estimates.map(|(name, it)| (name, ends(&it)));
    ends.into()
}

/// The ends of an interval.
pub(super) fn ends(estimate: &Estimate) -> Option<[f64; 2]> {
    let ends = estimate.low.zip(estimate.high);
    ends.map(|(low, high)| [low, high])
}

/// The columns of a bench file, over the groups of these episodes.
pub(super) fn columns(bench: &Bench, digests: &[&Digest]) -> IndexMap<String, Estimate> {
    let mut groups: BTreeMap<&str, Vec<Sums>> = BTreeMap::new();
    for digest in digests {
        let group = digest.group.as_deref().unwrap_or(&digest.problem);
        groups.entry(group).or_default().push(digest.sums());
    }
    let groups: Vec<Vec<Sums>> = groups.into_values().collect();
    let columns = bench.columns.iter();
    columns
        .map(|column| {
            let formula = Formula::read(&column.of).ok();
            let estimate = formula.map_or(Estimate::UNKNOWN, |formula| formula.estimate(&groups));
            (column.title().to_owned(), estimate)
        })
        .collect()
}

/// The standard error of the success rate, clustered by problem (Miller, "Adding error bars to
/// evals", 2024, §2.2): the root of the sum over problems of the squared sums of deviations, divided
/// by the number of episodes. Problems without a goal do not count.
pub(super) fn standard_error(digests: &[&Digest]) -> Option<f64> {
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

/// pass^k. Problems without a goal do not count.
pub(super) fn pass_hat(digests: &[&Digest]) -> Vec<Estimate> {
    let repetitions = digests.iter().filter_map(|digest| {
        Some(Repetition {
            problem: &digest.problem,
            seed: digest.seed,
            success: digest.success?,
        })
    });
    pass_hat::pass_hat(repetitions, u64::MAX)
}
