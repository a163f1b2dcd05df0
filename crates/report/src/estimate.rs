//! Estimates with their 95 % confidence intervals.

use std::collections::BTreeMap;

use brigade_task::split_mix::SplitMix;
use serde::Serialize;

/// The normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;
/// The number of resamples. The ends of an interval then vary by about a hundredth of its length.
const RESAMPLES: usize = 2_000;

/// A figure, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure; `None` where it is not known.
    pub value: Option<f64>,
    /// The lower end of its interval; `None` where there is too little to say: a bootstrap knows nothing of the spread of
    /// a single sample, or of samples that are all equal.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number of episodes that it is made of.
    pub n: usize,
}

/// A value and the cluster that it belongs to: values of one problem are not independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The cluster: a problem.
    pub cluster: &'a str,
    /// The value.
    pub value: f64,
    /// The number of things that it is a sum over; 1 for a single one.
    pub weight: f64,
}

impl Estimate {
    /// The estimate of nothing.
    pub const UNKNOWN: Self = Self {
        value: None,
        low: None,
        high: None,
        n: 0,
    };

    /// The figure as text, with its interval: `0.67 [0.21, 0.94]`.
    pub fn text(&self) -> String {
        match (self.value, self.low.zip(self.high)) {
            (None, _) => "-".to_owned(),
            (Some(value), None) => format!("{value:.2}"),
            (Some(value), Some((low, high))) => format!("{value:.2} [{low:.2}, {high:.2}]"),
        }
    }

    /// The share of successes with the score interval of E. B. Wilson, "Probable Inference, the Law of Succession, and
    /// Statistical Inference", JASA 22, 1927. It is never of length 0, and never leaves `0..=1`.
    pub fn share(successes: usize, n: usize) -> Self {
        if n == 0 {
            return Self::UNKNOWN;
        }
        let (number, share) = (n as f64, successes as f64 / n as f64);
        let square = Z * Z;
        let middle = (share + square / (2.0 * number)) / (1.0 + square / number);
        let variance = share * (1.0 - share) / number + square / (4.0 * number * number);
        let half = Z * variance.sqrt() / (1.0 + square / number);
        // Rounding must not leave a certain end a little inside.
        let low = if successes == 0 {
            0.0
        } else {
            (middle - half).max(0.0)
        };
        let high = if successes == n {
            1.0
        } else {
            (middle + half).min(1.0)
        };
        Self {
            value: Some(share),
            low: Some(low),
            high: Some(high),
            n,
        }
    }

    /// The sum of values divided by that of weights, with a percentile interval of the bootstrap: B. Efron, R. J.
    /// Tibshirani, "An Introduction to the Bootstrap", 1993. Clusters are drawn first, then samples within each. There
    /// is no interval of a single sample, nor of equal ones. With weights of 1 this is the mean.
    ///
    /// Equal samples have equal intervals: the draws do not depend on anything else.
    pub fn mean(samples: &[Sample<'_>]) -> Self {
        let n = samples.len();
        let weight: f64 = samples.iter().map(|sample| sample.weight).sum();
        if weight <= 0.0 {
            return Self::UNKNOWN;
        }
        let mut clusters: BTreeMap<&str, Vec<Sample<'_>>> = BTreeMap::new();
        for sample in samples {
            clusters.entry(sample.cluster).or_default().push(*sample);
        }
        let clusters: Vec<Vec<Sample<'_>>> = clusters.into_values().collect();
        let value = samples.iter().map(|sample| sample.value).sum::<f64>() / weight;
        let interval = if n > 1 { interval(&clusters) } else { None };
        Self {
            value: Some(value),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            n,
        }
    }
}

impl Estimate {
    /// A statistic of groups of episodes, with a percentile interval of the bootstrap that draws groups first, then
    /// episodes of each, as of [`Estimate::mean`]. There is no interval of a single episode, nor of equal ones.
    pub fn of_groups<T>(groups: &[Vec<T>], statistic: impl Fn(&[Vec<&T>]) -> Option<f64>) -> Self {
        let all: Vec<Vec<&T>> = groups.iter().map(|group| group.iter().collect()).collect();
        let Some(value) = statistic(&all) else {
            return Self::UNKNOWN;
        };
        let n = all.iter().map(Vec::len).sum();
        let mut random = SplitMix::new(0, 0);
        let resamples = (0..RESAMPLES).filter_map(|_| {
            let drawn = groups.iter().map(|_| {
                let group = &groups[random.below(groups.len())];
                let episodes = group.iter().map(|_| &group[random.below(group.len())]);
                episodes.collect::<Vec<&T>>()
            });
            statistic(&drawn.collect::<Vec<_>>())
        });
        let interval = if n > 1 {
            ends(resamples.collect())
        } else {
            None
        };
        Self {
            value: Some(value),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            n,
        }
    }
}

/// The ends of the middle 95 % of resamples; `None` if all are equal, as those of equal samples are.
fn ends(mut resamples: Vec<f64>) -> Option<(f64, f64)> {
    resamples.sort_unstable_by(f64::total_cmp);
    if is_same(*resamples.first()?, *resamples.last()?) {
        return None;
    }
    let last = (resamples.len() - 1) as f64;
    let at = |share: f64| resamples[(last * share).round() as usize];
    Some((at(0.025), at(0.975)))
}

/// Returns true if two values differ by no more than rounding.
fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}

/// The interval of the mean of clustered values.
fn interval(clusters: &[Vec<Sample<'_>>]) -> Option<(f64, f64)> {
    let mut random = SplitMix::new(0, 0);
    let resamples = (0..RESAMPLES).filter_map(|_| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for _ in 0..clusters.len() {
            let cluster = &clusters[random.below(clusters.len())];
            for _ in 0..cluster.len() {
                let sample = cluster[random.below(cluster.len())];
                sum += sample.value;
                weight += sample.weight;
            }
        }
        (weight > 0.0).then(|| sum / weight)
    });
    ends(resamples.collect())
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Sample};

    fn rounded(estimate: Estimate) -> [Option<f64>; 3] {
        let round = |end: Option<f64>| end.map(|end| (end * 1e4).round() / 1e4);
        [
            round(estimate.value),
            round(estimate.low),
            round(estimate.high),
        ]
    }

    #[test]
    fn a_share_has_the_interval_of_the_textbook() {
        // R. G. Newcombe, Statistics in Medicine 17, 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for ((successes, n), expected) in [
            ((81, 263), [0.2553, 0.3662]),
            ((15, 148), [0.0624, 0.1605]),
            ((0, 20), [0.0, 0.1611]),
            ((1, 29), [0.0061, 0.1718]),
        ] {
            let [_, low, high] = rounded(Estimate::share(successes, n));
            assert_eq!([low, high], expected.map(Some), "{successes} of {n}");
        }
    }

    #[test]
    fn nothing_has_no_estimate_and_a_single_value_no_interval() {
        assert_eq!(Estimate::share(0, 0), Estimate::UNKNOWN);
        assert_eq!(Estimate::mean(&[]), Estimate::UNKNOWN);
        let single = [Sample {
            cluster: "soup",
            value: 2.0,
            weight: 1.0,
        }];
        assert_eq!(rounded(Estimate::mean(&single)), [Some(2.0), None, None]);
    }

    #[test]
    fn equal_values_have_no_interval() {
        for value in [0.0, 1.0, 0.1, -240.0] {
            let samples: Vec<Sample<'_>> = ["soup", "soup", "stew", "salad"]
                .into_iter()
                .map(|cluster| Sample {
                    cluster,
                    value,
                    weight: 1.0,
                })
                .collect();
            let mean = Estimate::mean(&samples);
            assert_eq!(rounded(mean), [Some(value), None, None]);
            assert_eq!(mean.n, 4);
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_normal_approximation_where_this_holds() {
        let names: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let samples: Vec<Sample<'_>> = names
            .iter()
            .zip(0..)
            .map(|(cluster, number)| Sample {
                cluster,
                value: f64::from(number % 10),
                weight: 1.0,
            })
            .collect();
        let [value, low, high] = rounded(Estimate::mean(&samples)).map(Option::unwrap);
        // Uniform over 0 to 9: the standard deviation is 2.872, the half length 1.96 · 2.872 / √200 = 0.398.
        assert!((value - 4.5).abs() < 1e-9);
        assert!(
            (low - 4.102).abs() < 0.04 && (high - 4.898).abs() < 0.04,
            "{low} {high}"
        );
    }

    #[test]
    fn values_of_one_problem_count_less_than_values_of_many() {
        let names: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let value = |number: usize| if number % 20 < 10 { 1.0 } else { 0.0 };
        let of = |clusters: usize| {
            let samples: Vec<Sample<'_>> = (0..200)
                .map(|number| Sample {
                    cluster: &names[number % 20 % clusters],
                    value: value(number),
                    weight: 1.0,
                })
                .collect();
            let [_, low, high] = rounded(Estimate::mean(&samples)).map(Option::unwrap);
            high - low
        };
        // With 20 clusters each is all ones or all zeros; with one cluster the 200 values vary freely.
        assert!(of(20) > 2.0 * of(1), "{} {}", of(20), of(1));
    }
}
