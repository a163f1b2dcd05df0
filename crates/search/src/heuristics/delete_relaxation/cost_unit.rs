//! The costs of operators in a relaxation, and what a bound on their sum says of the keys.

use super::relaxation::Relaxation;
use crate::heuristics::Estimate;
use crate::measure::Measure;
use brigade_task::Task;
use brigade_task::cost_range;
use brigade_task::effect::Effect;

/// The unit of the costs of operators.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CostUnit {
    /// Choices: so many are made in a tick, and each records so many labels at least.
    Choices { per_tick: u32, labels: u32 },
    /// `scale` of the first key: a choice adds `most` of it at most, and so many are made in a
    /// tick.
    Key {
        scale: i64,
        most: i64,
        per_tick: u32,
    },
}

impl CostUnit {
    /// The unit, and what each operator costs at least. The costs of a chain of operators that adds
    /// no fact twice sum up to less than `u32::MAX`. `None` where labels come first.
    pub(crate) fn new(
        task: &Task,
        measure: Measure,
        relaxation: &Relaxation,
    ) -> Option<(Self, Vec<u32>)> {
        let per_tick = task.choices_per_step().max(1) as u32;
        if measure.is_by_makespan() {
            let chosen = (0..relaxation.adders()).filter_map(|adder| relaxation.operator(adder));
            let labels = chosen.map(|operator| {
                let effect = &task.operator(operator).effect;
                measure.least(0, least_labels(effect)).1
            });
            let labels = labels.min().unwrap_or(0);
            let unit = Self::Choices { per_tick, labels };
            return Some((unit, vec![1; task.operators.len()]));
        }
        let costs = task.operators.iter().map(|operator| {
            let cost = measure.least_cost(cost_range::of_operator(task, operator)?);
            cost.map(|cost| cost.max(0))
        });
        let costs: Vec<i64> = costs.collect::<Option<_>>()?;
        let most = costs.iter().copied().max().unwrap_or(0);
        let mut scale = costs.iter().copied().fold(0, common_divisor).max(1);
        let room = i64::from(u32::MAX - 1) / (i64::from(relaxation.facts) + 1);
        while most / scale > room {
            scale = scale.saturating_mul(2);
        }
        let scaled = costs.iter().map(|cost| (cost / scale) as u32).collect();
        let unit = Self::Key {
            scale,
            most,
            per_tick,
        };
        Some((unit, scaled))
    }

    /// The estimate by costs that sum up to `bound` at least.
    pub(crate) fn estimate(self, bound: i64) -> Estimate {
        let quotient = |bound: i64, by: i64| {
            let whole = bound.div_euclid(by) + i64::from(bound.rem_euclid(by) > 0);
            u32::try_from(whole).unwrap_or(u32::MAX - 1)
        };
        match self {
            Self::Choices { per_tick, labels } => {
                let choices = u32::try_from(bound).unwrap_or(u32::MAX - 1);
                let ticks = quotient(bound, i64::from(per_tick));
                Estimate::ZERO.plus(0, ticks, choices.saturating_mul(labels))
            }
            Self::Key {
                scale,
                most,
                per_tick,
            } => {
                let bound = bound.saturating_mul(scale);
                let most = most.saturating_mul(i64::from(per_tick));
                let ticks = if most > 0 { quotient(bound, most) } else { 0 };
                Estimate::ZERO.plus(bound, ticks, 0)
            }
        }
    }
}

/// The greatest common divisor; 0 is a multiple of everything.
const fn common_divisor(mut left: i64, mut right: i64) -> i64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// The least number of labels that an effect records.
fn least_labels(effect: &Effect) -> u32 {
    let least =
        |effects: &mut dyn Iterator<Item = &Effect>| effects.map(least_labels).min().unwrap_or(0);
    match effect {
        Effect::Log(_) => 1,
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            effects.iter().map(least_labels).sum()
        }
        Effect::Switch(_, effects) => least(&mut effects.iter()),
        Effect::Case(cases, otherwise) => {
            let effects = cases.iter().map(|(_, effect)| effect);
            least(&mut effects.chain(std::iter::once(&**otherwise)))
        }
        Effect::Choose(candidates, otherwise) => {
            let effects = candidates.iter().map(|candidate| &candidate.effect);
            least(&mut effects.chain(std::iter::once(&**otherwise)))
        }
        _ => 0,
    }
}
