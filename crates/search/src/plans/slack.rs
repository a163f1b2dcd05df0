//! Slack: the factor by which a plan may be worse than the optimum, and the bounds that it puts on
//! every key that counts.

use std::str::FromStr;

use super::plan::Value;
use crate::measure::Measure;
use crate::options::Objective;
use brigade_task::{Metric, PackedTask};

/// The most decimals that a factor may have.
const MOST_DECIMALS: usize = 6;
/// The greatest factor.
const MOST: u64 = 1_000_000;

/// An exact factor, from 1 to a million.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack {
    numerator: u64,
    denominator: u64,
}

/// A text that is no [`Slack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a factor from 1 to {MOST}, such as 1.1, with at most {MOST_DECIMALS} decimals")]
pub struct NoSlack;

impl FromStr for Slack {
    type Err = NoSlack;

    /// Reads a decimal, exactly.
    fn from_str(text: &str) -> Result<Self, NoSlack> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| {
            !part.is_empty() && part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_number(whole) || !is_number(decimals) || decimals.len() > MOST_DECIMALS {
            return Err(NoSlack);
        }
        let denominator = 10_u64.pow(decimals.len() as u32);
        let parts = [whole, decimals].map(str::parse::<u64>);
        let [Ok(whole), Ok(decimals)] = parts else {
            return Err(NoSlack);
        };
        let numerator = whole * denominator + decimals;
        if !(denominator..=MOST * denominator).contains(&numerator) {
            return Err(NoSlack);
        }
        Ok(Self {
            numerator,
            denominator,
        })
    }
}

impl std::fmt::Display for Slack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (
            self.numerator / self.denominator,
            self.numerator % self.denominator,
        );
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let width = self.denominator.ilog10() as usize;
        let decimals = format!("{rest:0width$}");
        write!(f, "{whole}.{}", decimals.trim_end_matches('0'))
    }
}

impl Slack {
    /// The greatest whole number that is at most so many times `value`, where that is not less than
    /// `value`.
    fn times(self, value: i128) -> i128 {
        let product = value * i128::from(self.numerator);
        value.max(product / i128::from(self.denominator))
    }

    /// Returns whether a factor means something: what comes first is minimised, and no step lowers
    /// it.
    pub fn applies_to(task: &PackedTask, objective: Objective) -> bool {
        let of_cost = match objective {
            Objective::Declared => task.metric != Metric::Makespan,
            Objective::Cost => true,
            Objective::Makespan | Objective::Labels => false,
        };
        Measure::new(task, objective).is_monotone(task)
            && !(of_cost && task.metric == Metric::NegatedCost)
    }
}

/// Bounds on the keys of a plan; `None` where a key does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The sum of the steps' costs, in units of 1 /
    /// [`Task::cost_scale`](brigade_task::Task::cost_scale).
    pub cost: Option<i64>,
    /// Ticks.
    pub makespan: u32,
    /// Labels recorded.
    pub labels: Option<u32>,
}

impl Bounds {
    /// The bounds of plans within a factor of the optimum, of which
    /// [`Task::initial_cost`](brigade_task::Task::initial_cost) is a part.
    ///
    /// Where the makespan comes first, it may be the factor times the optimum's, with no more
    /// labels than the optimum has, if they count. Otherwise each key that counts may be the factor
    /// times the optimum's. With factor 1 just the optimal plans are within.
    ///
    /// `None` where a bound is greater than the sums that are exact.
    pub fn new(
        task: &PackedTask,
        objective: Objective,
        optimum: Value,
        slack: Slack,
    ) -> Option<Self> {
        let times = |count: u32| u32::try_from(slack.times(count.into())).ok();
        let cost = || {
            let initial = i128::from(task.initial_cost);
            let most = slack.times(i128::from(optimum.cost) + initial) - initial;
            // The greatest number also stands for all that are greater.
            i64::try_from(most).ok().filter(|&most| most < i64::MAX)
        };
        let has_metric = task.metric != Metric::Makespan;
        Some(Self {
            cost: match objective {
                Objective::Declared if has_metric => Some(cost()?),
                Objective::Cost => Some(cost()?),
                _ => None,
            },
            makespan: times(optimum.makespan)?,
            labels: match objective {
                Objective::Declared if has_metric => Some(times(optimum.labels)?),
                Objective::Declared => Some(optimum.labels),
                Objective::Labels => Some(times(optimum.labels)?),
                Objective::Makespan | Objective::Cost => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_read_and_multiplied_exactly() {
        let slack = |text: &str| text.parse::<Slack>();
        for (text, value, expected) in [
            ("1", 7, 7),
            ("1.1", 10, 11),
            ("1.1", 9, 9),
            ("1.15", 20, 23),
            ("2.0", 3, 6),
            ("1.000001", 999_999, 999_999),
            ("1.000001", 1_000_000, 1_000_001),
            ("1000000", 3, 3_000_000),
        ] {
            assert_eq!(
                slack(text).map(|it| it.times(value)),
                Ok(expected),
                "{text}"
            );
        }
        for text in [
            "0.9",
            "-1",
            "",
            ".5",
            "1.",
            "one",
            "1e3",
            "1.1234567",
            "1000001",
            "1000000.1",
            "99999999999999999999999",
        ] {
            assert_eq!(slack(text), Err(NoSlack), "{text}");
        }
    }

    #[test]
    fn a_factor_is_written_as_short_as_it_can_be() {
        for (text, shown) in [("1", "1"), ("1.10", "1.1"), ("2.0", "2"), ("1.05", "1.05")] {
            assert_eq!(
                text.parse::<Slack>().map(|it| it.to_string()),
                Ok(shown.to_owned())
            );
        }
    }
}
