//! Describes the end of an episode: steps to go, optimality, progress.
//!
//! The bins are those of the paper of Robotouille, which divides the steps of successes by the optimum.

use serde::{Deserialize, Serialize};

use super::cost_to_go::{CostToGo, Unit};
use super::quantity::{Quantity, field};
use super::walk::Walk;
use brigade_play::episode::Log;

/// The end of an episode, against the optimum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ending {
    /// True if the agents reached the goal; `None` in a task without one.
    pub success: Option<bool>,
    /// Timesteps played.
    pub steps: usize,
    /// The cost of the episode, with the value of the metric before the first step, in the unit.
    pub spent: i128,
    /// The cost of an optimal plan, with the value of the metric before its first step.
    #[serde(flatten, with = "field::optimum")]
    pub optimum: Quantity,
    /// The cost-to-go of the last state: with the unit `ticks`, the steps to go.
    #[serde(flatten, with = "field::to_go")]
    pub to_go: Quantity,
    /// The regret of all steps.
    #[serde(flatten, with = "field::regret")]
    pub regret: Quantity,
    /// The regret of the steps before any dead end.
    #[serde(flatten, with = "field::regret_before_dead_end")]
    pub regret_before_dead_end: Quantity,
    /// The first timestep after which no plan leads to the goal; 0 too if none did from the start.
    pub dead_end: Option<u32>,
    /// `optimum / spent` of a success, or without a goal of an episode that came to its end; `None` where
    /// it is unknown or has no meaning.
    pub optimality_rate: Option<f64>,
    /// `spent / optimum` of the same, likewise.
    pub optimality_ratio: Option<f64>,
    /// In which bin that ratio is.
    pub optimality_bin: Option<Bin>,
    /// The share of the initial cost-to-go that is gone, `1 − to_go / optimum`: 1 at the goal, negative
    /// where the goal is further away than at the start.
    pub progress: Option<f64>,
}

/// A range of the optimality ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Bin {
    /// No more than the optimum.
    #[serde(rename = "1")]
    Optimal,
    /// Up to a quarter more.
    #[serde(rename = "(1, 1.25]")]
    Quarter,
    /// More, up to a half.
    #[serde(rename = "(1.25, 1.5]")]
    Half,
    /// Still more.
    #[serde(rename = "(1.5, ∞)")]
    More,
}

impl Bin {
    /// The bin of `spent / optimum`.
    pub(super) fn of(spent: i128, optimum: i128) -> Self {
        if spent <= optimum {
            Self::Optimal
        } else if 4 * spent <= 5 * optimum {
            Self::Quarter
        } else if 2 * spent <= 3 * optimum {
            Self::Half
        } else {
            Self::More
        }
    }

    /// The range in words of mathematics.
    pub const fn range(self) -> &'static str {
        match self {
            Self::Optimal => "1",
            Self::Quarter => "(1, 1.25]",
            Self::Half => "(1.25, 1.5]",
            Self::More => "(1.5, ∞)",
        }
    }
}

/// The ending of a log's walk whose points have these costs-to-go, and whose steps lose `regrets`.
pub(super) fn ending(
    log: &Log,
    walk: &Walk<'_>,
    values: &[Quantity],
    regrets: &[Quantity],
    costs: &CostToGo<'_>,
) -> Ending {
    let task = costs.task();
    let is_whole = log.is_whole(task);
    let initial = costs.initial();
    let spent = walk.costs().into_iter().map(i128::from).sum::<i128>() + i128::from(initial);
    let (way, to_go) = (values[0], values[values.len() - 1]);
    let optimum = way.plus(initial);
    // A share of what is wanted most says nothing of how much was lost.
    let exact = |of: Quantity| of.exact().filter(|_| costs.unit() != Unit::NegatedCost);
    let of_whole = exact(optimum).map(i128::from);
    let of_whole = of_whole.filter(|&optimum| is_whole && optimum >= 0 && spent >= optimum);
    let ratio = |part: i128, whole: i128| match (part, whole) {
        (0, 0) => Some(1.0),
        (_, 0) => None,
        (part, whole) => Some(part as f64 / whole as f64),
    };
    let dead = |quantity: &Quantity| *quantity == Quantity::Infinite;
    let into_dead_end = || {
        let end = walk.timesteps.iter().find(|step| dead(&values[step.end]));
        end.map(|timestep| timestep.step.tick)
    };
    let finite = regrets.iter().copied().filter(|regret| !dead(regret));
    Ending {
        success: log.is_success(task),
        steps: walk.timesteps.len(),
        spent,
        optimum,
        to_go,
        regret: if dead(&optimum) {
            Quantity::Undefined
        } else {
            Quantity::sum(regrets.iter().copied())
        },
        regret_before_dead_end: Quantity::sum(finite),
        dead_end: if dead(&optimum) {
            Some(0)
        } else {
            into_dead_end()
        },
        optimality_rate: of_whole.and_then(|optimum| ratio(optimum, spent)),
        optimality_ratio: of_whole.and_then(|optimum| ratio(spent, optimum)),
        optimality_bin: of_whole.map(|optimum| Bin::of(spent, optimum)),
        progress: exact(way).zip(to_go.exact()).and_then(|(way, to_go)| {
            let (way, to_go) = (i128::from(way), i128::from(to_go));
            ratio(way - to_go, way)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_on_the_edge_of_a_bin_is_within_it() {
        let bins = [
            (8, Bin::Optimal),
            (9, Bin::Quarter),
            (10, Bin::Quarter),
            (11, Bin::Half),
            (12, Bin::Half),
            (13, Bin::More),
        ];
        for (spent, bin) in bins {
            assert_eq!(Bin::of(spent, 8), bin, "{spent} steps");
        }
    }
}
