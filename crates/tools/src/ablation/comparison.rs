//! Two configurations compared on the instances that both were run on.

use std::collections::BTreeMap;

use super::configuration::Configuration;
use super::record::{Line, Run};
use crate::results::Results;

/// Runs of one configuration, by instance.
pub(super) type Runs<'r> = BTreeMap<&'r str, &'r Run>;

/// The runs of a configuration on instances that can be compiled.
pub(super) fn runs(results: &Results<Line>, configuration: Configuration) -> Runs<'_> {
    let all = results.iter().filter_map(|line| match line {
        Line::Run(run) if run.configuration == configuration => Some(run),
        _ => None,
    });
    all.filter(|run| run.outcome != super::record::Outcome::Refused)
        .map(|run| (&*run.instance, run))
        .collect()
}

/// The change of the runs by a technique.
#[derive(Debug, PartialEq)]
pub(super) struct Comparison<'r> {
    /// The instances that were run with and without it.
    pub(super) compared: usize,
    /// Of these the proven ones, with it and without.
    pub(super) proven: [usize; 2],
    /// Those proven both ways.
    pub(super) both: usize,
    /// The geometric mean over these of how many times as long the search takes without it.
    pub(super) time: f64,
    /// The geometric mean over these of how many times as many states are stored without it.
    pub(super) states: f64,
    /// Those proven with it alone.
    pub(super) gained: Vec<&'r str>,
    /// Those proven without it alone.
    pub(super) lost: Vec<&'r str>,
}

impl<'r> Comparison<'r> {
    /// Compares runs with a technique to those without it.
    pub(super) fn new(with: &Runs<'r>, without: &Runs<'r>) -> Self {
        let pairs = with
            .iter()
            .filter_map(|(name, run)| Some((*name, [*run, *without.get(name)?])));
        let pairs: Vec<(&str, [&Run; 2])> = pairs.collect();
        let proven = |at: usize| {
            let of_one = pairs
                .iter()
                .filter(|(_, runs)| runs[at].outcome.is_proven());
            of_one.count()
        };
        let by_ends = |ends: [bool; 2]| {
            pairs
                .iter()
                .filter(move |(_, runs)| runs.map(|run| run.outcome.is_proven()) == ends)
        };
        let ratio = |of: fn(&Run) -> f64| {
            geometric_mean(by_ends([true; 2]).map(|(_, [with, without])| of(without) / of(with)))
        };
        let names = |ends| by_ends(ends).map(|(name, _)| *name).collect();
        Self {
            compared: pairs.len(),
            proven: [proven(0), proven(1)],
            both: by_ends([true; 2]).count(),
            time: ratio(|run| run.cpu.max(1e-4)),
            states: ratio(|run| run.states.max(1) as f64),
            gained: names([true, false]),
            lost: names([false, true]),
        }
    }
}

/// The geometric mean of some ratios; 1 of none.
pub(super) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, number) = ratios.fold((0.0, 0_u32), |(sum, number), ratio| {
        (sum + ratio.ln(), number + 1)
    });
    (sum / f64::from(number.max(1))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablation::record::Outcome;

    fn run(instance: &str, outcome: Outcome, cpu: f64, states: u64) -> Run {
        Run {
            states,
            cpu,
            ..Run::new(instance, Configuration::Default, outcome)
        }
    }

    fn by_name(runs: &[Run]) -> Runs<'_> {
        runs.iter().map(|run| (&*run.instance, run)).collect()
    }

    #[test]
    fn only_what_was_run_both_ways_is_compared() {
        use Outcome::{Limit, Proven, Unsolvable};
        let with = [
            run("a", Proven, 1.0, 100),
            run("b", Unsolvable, 1.0, 100),
            run("c", Proven, 1.0, 100),
            run("d", Limit, 5.0, 100),
            run("e", Proven, 1.0, 100),
        ];
        let without = [
            run("a", Proven, 2.0, 900),
            run("b", Unsolvable, 8.0, 100),
            run("c", Limit, 5.0, 100),
            run("d", Proven, 1.0, 100),
        ];
        let found = Comparison::new(&by_name(&with), &by_name(&without));
        assert_eq!((found.compared, found.proven, found.both), (4, [3, 3], 2));
        assert!((found.time - 4.0).abs() < 1e-9 && (found.states - 3.0).abs() < 1e-9);
        assert_eq!((found.gained, found.lost), (vec!["c"], vec!["d"]));
    }
}
