//! The linear program of the potentials of a total, and the exact check of a solution.

use std::collections::BTreeMap;

use super::features::{Feature, Sum};
use super::parts::Parts;
use super::path::{Path, Space};
use super::values::Values;
use crate::control::Control;
use crate::heuristics::potentials::program::Rows;
use crate::heuristics::potentials::solver;
use brigade_task::{State, TurnMode};

/// Numbers in the constraints, at most.
const MOST_NUMBERS: usize = 200_000;
/// Potentials are whole multiples of a gain of 1, divided by this.
pub(super) const SCALE: i64 = 1 << 20;
/// The most that a potential is worth, as a multiple of the greatest gain.
const FARTHEST: f64 = 100.0;

/// A path by what it changes: a sum of potentials, then for each feature that may change in several ways these; and
/// what it gains at most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    sum: Sum,
    open: Vec<Vec<Sum>>,
    gain: i64,
}

/// The number of times that something can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Times {
    /// In each step.
    EachStep,
    /// In the step that begins when the clock has this value.
    At(u32),
}

/// Alternative changes, of which one is made at a time, with the times at which that is.
type Choice = (Times, Vec<Change>);

/// The changes of a step.
pub(super) struct Program {
    weights: u32,
    choices: Vec<Choice>,
    /// Of all gains and costs, in units of the first key.
    pub(super) divisor: i64,
}

/// Potentials, and what steps add to their sum and to the total together, at most.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// In parts of [`SCALE`].
    pub(super) weights: Vec<i64>,
    pub(super) per_step: i64,
    /// For each value of the clock.
    pub(super) at: BTreeMap<u32, i64>,
}

impl Program {
    /// `None` where it is too large, or nothing is gained. `gain` is what a path gains at most, in units of the
    /// first key.
    pub(super) fn new(
        space: Space,
        parts: &Parts,
        features: &[Feature],
        gain: &dyn Fn(&Path) -> Option<(i64, i64)>,
    ) -> Option<Self> {
        let weights = features.iter().map(|feature| feature.count).sum();
        let mut numbers = 0;
        let mut divisor = 0;
        let mut is_gained = false;
        let mut choices = Vec::new();
        let mut add = |paths: &mut dyn Iterator<Item = &Path>| -> Option<()> {
            let mut by_times: BTreeMap<Times, Vec<Change>> = BTreeMap::new();
            for path in paths {
                let (least, most) = gain(path)?;
                // Between two amounts there may be any.
                divisor = gcd(divisor, if least == most { most } else { 1 });
                is_gained |= most > 0;
                let mut change = Change {
                    sum: Vec::new(),
                    open: Vec::new(),
                    gain: most,
                };
                for feature in features {
                    let changes = feature.changes(space, path)?;
                    match &changes[..] {
                        [] => {}
                        [only] => change.sum.extend(only),
                        _ => change.open.push(changes),
                    }
                }
                if change.sum.is_empty() && change.open.is_empty() && most <= 0 {
                    continue;
                }
                change.sum.sort_unstable();
                let open = change.open.iter().flatten().map(Vec::len);
                numbers += change.sum.len() + open.sum::<usize>() + 1;
                let clock = space.0.clock.and_then(|clock| path.before.get(&clock.0));
                let at = clock.and_then(Values::single);
                let times = at.map_or(Times::EachStep, Times::At);
                by_times.entry(times).or_default().push(change);
            }
            for (times, mut changes) in by_times {
                changes.sort_unstable();
                changes.dedup();
                choices.push((times, changes));
            }
            (numbers <= MOST_NUMBERS).then_some(())
        };
        if space.0.turns == TurnMode::Alternate {
            add(&mut parts.agents.iter().flatten())?;
        } else {
            for paths in &parts.agents {
                add(&mut paths.iter())?;
            }
        }
        for paths in parts.tick.iter().flatten() {
            add(&mut paths.iter())?;
        }
        is_gained.then_some(Self {
            weights,
            choices,
            divisor,
        })
    }

    /// The potentials by which the bound at a start is least, so many steps before the horizon.
    pub(super) fn solve(
        &self,
        space: Space,
        features: &[Feature],
        start: &State,
        (first, last): (u32, u32),
        control: &dyn Control,
    ) -> Option<Solution> {
        let mut rows = Rows::default();
        let all = self.choices.iter().flat_map(|(_, changes)| changes);
        let greatest = all.map(|change| change.gain).max().unwrap_or(1).max(1);
        for _ in 0..self.weights {
            rows.variable((0.0, FARTHEST));
        }
        let far = FARTHEST * features.len() as f64;
        let mut known: BTreeMap<&Vec<Sum>, u32> = BTreeMap::new();
        for (times, changes) in &self.choices {
            let often = match *times {
                Times::EachStep => f64::from(last - first),
                Times::At(clock) if clock < first || clock >= last => 0.0,
                Times::At(_) => 1.0,
            };
            let allowance = rows.variable((0.0, far));
            rows.gains.push((allowance, -often));
            for change in changes {
                let gain = change.gain as f64 / greatest as f64;
                let mut terms = float(&change.sum);
                terms.push((allowance, -1.0));
                if let [only] = &change.open[..] {
                    for way in only {
                        rows.row([&terms[..], &float(way)].concat(), -gain);
                    }
                    continue;
                }
                for ways in &change.open {
                    let most = *known.entry(ways).or_insert_with(|| {
                        let most = rows.variable((-far, far));
                        for way in ways {
                            let mut terms = float(way);
                            terms.push((most, -1.0));
                            if way.is_empty() {
                                rows.constraints.push((terms, 0.0));
                            } else {
                                rows.row(terms, 0.0);
                            }
                        }
                        most
                    });
                    terms.push((most, 1.0));
                }
                rows.row(terms, -gain);
            }
        }
        for feature in features {
            let (weight, count) = feature.at(space, start)?;
            rows.gains.push((weight, -(count as f64)));
        }
        let found = solver::maximize(&rows, control)?;
        let weights = found.values[..self.weights as usize].iter();
        let unit = greatest as f64 * SCALE as f64;
        let weights = weights.map(|weight| (weight * unit).round() as i64);
        self.check(weights.collect())
    }

    /// Measures what potentials prove.
    fn check(&self, weights: Vec<i64>) -> Option<Solution> {
        let sum = |terms: &Sum| -> Option<i64> {
            terms.iter().try_fold(0_i64, |sum, &(weight, count)| {
                sum.checked_add(weights[weight as usize].checked_mul(count)?)
            })
        };
        let mut per_step = 0_i64;
        let mut at: BTreeMap<u32, i64> = BTreeMap::new();
        for (times, changes) in &self.choices {
            let mut most = 0;
            for change in changes {
                let mut rise = change
                    .gain
                    .checked_mul(SCALE)?
                    .checked_add(sum(&change.sum)?)?;
                for ways in &change.open {
                    let ways = ways.iter().map(sum).collect::<Option<Vec<i64>>>()?;
                    rise = rise.checked_add(ways.into_iter().max()?)?;
                }
                most = most.max(rise);
            }
            let all = match *times {
                Times::EachStep => &mut per_step,
                Times::At(clock) => at.entry(clock).or_default(),
            };
            *all = all.checked_add(most)?;
        }
        Some(Solution {
            weights,
            per_step,
            at,
        })
    }
}

fn float(terms: &Sum) -> Vec<(u32, f64)> {
    let terms = terms.iter();
    terms
        .map(|&(weight, count)| (weight, count as f64))
        .collect()
}

fn gcd(left: i64, right: i64) -> i64 {
    let (mut left, mut right) = (left.saturating_abs(), right.saturating_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
