//! The linear program whose solutions are potentials, and the exact check of one.
//!
//! A *drop* is what the sum of potentials falls by in a transition, at most. Every part of a step
//! has cases, every case is a sum of drops. The program asks for potentials of which no step drops
//! more than it costs. A solver's numbers are rounded; [`Program::greatest_drops`] then measures in
//! whole numbers what each part of a step drops at most, so that nothing rests on the solver.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// Index of a potential.
pub(crate) type Weight = u32;

/// Potentials that may hold before and after a change of one feature, by groups: the drop is the
/// greatest, over the groups, of the greatest before less the least after.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Drop(pub(crate) Vec<(Vec<Weight>, Vec<Weight>)>);

/// One case of a part of a step: its drops, what it costs, and the labels that it records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outcome {
    pub(crate) drops: Vec<u32>,
    pub(crate) cost: i64,
    pub(crate) labels: u32,
}

/// The quantity that plans minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Steps, in each of which every agent chooses once.
    Steps,
    /// Costs of choices.
    Costs,
}

/// Parts of a step.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// For each agent, or one for all where they take turns, the cases of its operators.
    pub(crate) agents: Vec<Vec<Outcome>>,
    /// The cases of each part of the tick. Any part may also do nothing.
    pub(crate) tick: Vec<Vec<Outcome>>,
}

/// Potentials in whole numbers, and what the sum is divided by.
pub(crate) struct Solution {
    pub(crate) weights: Vec<i64>,
    pub(crate) unit: i64,
    /// The most that a step drops.
    pub(crate) per_step: i64,
    /// The most that a label comes with; `None` where something drops without one.
    pub(crate) per_label: Option<i64>,
    /// The greatest sum of a state in which the goal holds.
    pub(crate) at_goal: i64,
}

/// The constraints.
pub(crate) struct Program {
    weights: usize,
    /// The number of potentials that make a sum.
    terms: usize,
    unit: Unit,
    /// The distance of potentials from 0, at most, as a multiple of the greatest cost.
    farthest: f64,
    drops: Vec<Drop>,
    numbers: FxHashMap<Drop, u32>,
    parts: Parts,
}

/// For each way to reach the goal the potentials of each feature that may hold.
pub(crate) type Goals = Vec<Vec<Vec<Weight>>>;

/// Whole numbers are so many times the solver's: a multiple of all small denominators.
const SCALE: f64 = 5040.0 * 11.0;
/// Sums of whole potentials stay below this.
const GREATEST_SUM: f64 = (1_u64 << 52) as f64;
/// A step that must not drop the sum does so by no more than this because of rounding.
const ROUNDING: i64 = 1000;
/// The rounds in which rounding errors are mended, at most.
const MOST_ROUNDS: usize = 100;
/// Potentials are no farther from 0 than this many times the greatest cost, or than the greatest
/// number of values of a variable if that is more.
const FARTHEST: f64 = 100.0;

/// The point at which a sum is greatest, about.
pub(crate) struct Maximum {
    /// The value of each variable there.
    pub(crate) values: Vec<f64>,
    /// True where the solver vouches for it; else it is how far the solver got.
    pub(crate) is_reached: bool,
}

/// Rows `sum(coefficient × variable) ≤ limit`.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) constraints: Vec<(Vec<(u32, f64)>, f64)>,
    /// Bounds of each variable.
    pub(crate) bounds: Vec<(f64, f64)>,
    /// The sum that is to be as great as can be.
    pub(crate) gains: Vec<(u32, f64)>,
}

impl Rows {
    pub(crate) fn variable(&mut self, bounds: (f64, f64)) -> u32 {
        self.bounds.push(bounds);
        self.bounds.len() as u32 - 1
    }

    pub(crate) fn row(&mut self, terms: Vec<(u32, f64)>, limit: f64) {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (variable, coefficient) in terms {
            *sums.entry(variable).or_default() += coefficient;
        }
        let terms: Vec<(u32, f64)> = sums.into_iter().filter(|term| term.1 != 0.0).collect();
        if !terms.is_empty() {
            self.constraints.push((terms, limit));
        }
    }
}

impl Program {
    /// For so many potentials, of which so many make a sum, of variables with so many values.
    pub(crate) fn new(weights: usize, terms: usize, values: u32, unit: Unit) -> Self {
        Self {
            weights,
            terms,
            unit,
            farthest: FARTHEST.max(values.into()),
            drops: Vec::new(),
            numbers: FxHashMap::default(),
            parts: Parts::default(),
        }
    }

    /// The number of a drop.
    pub(crate) fn drop(&mut self, drop: Drop) -> u32 {
        let next = self.drops.len() as u32;
        let number = *self.numbers.entry(drop.clone()).or_insert(next);
        if number == next {
            self.drops.push(drop);
        }
        number
    }

    pub(crate) fn set_parts(&mut self, mut parts: Parts) {
        for outcomes in parts.agents.iter_mut().chain(&mut parts.tick) {
            outcomes.sort();
            outcomes.dedup();
        }
        self.parts = parts;
    }

    /// The numbers that the constraints hold, about.
    pub(crate) fn size(&self) -> usize {
        let sets = self.drops.iter().flat_map(|drop| &drop.0);
        let sets: usize = sets.map(|(before, after)| before.len() + after.len()).sum();
        let outcomes = self.parts.agents.iter().chain(&self.parts.tick).flatten();
        let outcomes: usize = outcomes.map(|outcome| outcome.drops.len() + 1).sum();
        sets + outcomes
    }

    /// The constraints as rows; the first variables are the potentials. Of the sums of potentials
    /// at the starts the least is to be as great as can be.
    pub(crate) fn rows(&self, goals: &Goals, starts: &[Vec<Weight>]) -> Rows {
        let costs = || {
            self.parts
                .agents
                .iter()
                .flatten()
                .map(|outcome| outcome.cost)
        };
        let greatest = match self.unit {
            Unit::Steps => 1,
            Unit::Costs => costs().max().unwrap_or(1).max(1),
        };
        let far = self.farthest * greatest as f64;
        let mut rows = Rows::default();
        for _ in 0..self.weights {
            rows.variable((-far, far));
        }
        let mut extremes = Extremes::default();
        let drops: Vec<Vec<(u32, f64)>> = self
            .drops
            .iter()
            .map(|drop| extremes.drop(&mut rows, drop, far))
            .collect();
        let sum = |outcome: &Outcome| -> Vec<(u32, f64)> {
            let terms = outcome.drops.iter();
            terms
                .flat_map(|&drop| drops[drop as usize].iter().copied())
                .collect()
        };
        // What the tick drops, at most.
        let tick: Vec<u32> = self
            .parts
            .tick
            .iter()
            .map(|outcomes| {
                let greatest = rows.variable((0.0, far));
                for outcome in outcomes {
                    let mut terms = sum(outcome);
                    terms.push((greatest, -1.0));
                    rows.row(terms, 0.0);
                }
                greatest
            })
            .collect();
        let is_shared = self.unit == Unit::Steps && self.parts.agents.len() > 1;
        let mut all: Vec<(u32, f64)> = tick.iter().map(|&part| (part, 1.0)).collect();
        if all.len() > 1 {
            // One variable in its stead keeps the rows of the operators short.
            let whole = rows.variable((0.0, far));
            all.push((whole, -1.0));
            rows.row(std::mem::replace(&mut all, vec![(whole, 1.0)]), 0.0);
        }
        for outcomes in &self.parts.agents {
            let share = is_shared.then(|| rows.variable((-far, far)));
            for outcome in outcomes {
                let mut terms = sum(outcome);
                let limit = match (self.unit, share) {
                    (Unit::Steps, Some(share)) => {
                        terms.push((share, -1.0));
                        0.0
                    }
                    (Unit::Steps, None) => {
                        terms.extend_from_slice(&all);
                        1.0
                    }
                    (Unit::Costs, _) => {
                        if self.parts.agents.len() == 1 {
                            terms.extend_from_slice(&all);
                        }
                        outcome.cost as f64
                    }
                };
                rows.row(terms, limit);
            }
            if let Some(share) = share {
                all.push((share, 1.0));
            }
        }
        if is_shared {
            rows.row(all, 1.0);
        } else if self.parts.agents.len() > 1 {
            rows.row(all, 0.0);
        }
        for goal in goals {
            let terms = goal
                .iter()
                .map(|weights| extremes.greatest(&mut rows, weights, far));
            let terms: Vec<(u32, f64)> = terms.map(|variable| (variable, 1.0)).collect();
            rows.row(terms, 0.0);
        }
        let sum = |start: &Vec<Weight>| start.iter().map(|&it| (it, 1.0)).collect();
        if let [start] = starts {
            rows.gains = sum(start);
        } else {
            let most = far * self.terms as f64;
            let least = rows.variable((-most, most));
            for start in starts {
                let mut terms: Vec<(u32, f64)> = sum(start);
                for term in &mut terms {
                    term.1 = -1.0;
                }
                terms.push((least, 1.0));
                rows.row(terms, 0.0);
            }
            rows.gains = vec![(least, 1.0)];
        }
        rows
    }

    /// Rounds a solver's potentials and measures exactly what they prove; `None` if nothing.
    pub(crate) fn check(&self, potentials: &[f64], goals: &Goals) -> Option<Solution> {
        let potentials = &potentials[..self.weights];
        let farthest = potentials
            .iter()
            .fold(1.0_f64, |most, it| most.max(it.abs()));
        let most = self.weights.max(self.terms) as f64;
        let scale = SCALE.min(GREATEST_SUM / (farthest * most));
        let potentials = potentials.iter();
        let mut weights: Vec<i64> = potentials
            .map(|potential| (potential * scale).round() as i64)
            .collect();
        if self.unit == Unit::Costs {
            self.mend(&mut weights);
        }
        let drops: Vec<i64> = self.drops.iter().map(|drop| drop.value(&weights)).collect();
        let sum = |outcome: &Outcome| outcome.drops.iter().map(|&drop| drops[drop as usize]).sum();
        let greatest =
            |outcomes: &Vec<Outcome>| -> i64 { outcomes.iter().map(sum).max().unwrap_or(0) };
        let tick: i64 = self
            .parts
            .tick
            .iter()
            .map(|part| greatest(part).max(0))
            .sum();
        let agents: i64 = self.parts.agents.iter().map(greatest).sum();
        let per_step = (agents + tick).max(1);
        let mut per_label = Some(1);
        let parts = self.parts.agents.iter().chain(&self.parts.tick);
        for outcome in parts.flatten() {
            let drop: i64 = sum(outcome);
            let labels = i64::from(outcome.labels);
            if drop > 0 {
                let share = (labels > 0).then(|| (drop + labels - 1) / labels);
                per_label = per_label
                    .zip(share)
                    .map(|(most, share): (i64, i64)| share.max(most));
            }
        }
        let unit = match self.unit {
            Unit::Steps => per_step,
            Unit::Costs => {
                let is_alone = self.parts.agents.len() == 1;
                if !is_alone && tick > 0 {
                    return None;
                }
                let mut unit = 1;
                for outcome in self.parts.agents.iter().flatten() {
                    let drop = sum(outcome) + tick;
                    if outcome.cost > 0 {
                        unit = unit.max((drop + outcome.cost - 1).div_euclid(outcome.cost));
                    } else if drop > 0 {
                        return None;
                    }
                }
                unit
            }
        };
        let at_goal = goals.iter().map(|goal| {
            let greatest = |weights_: &Vec<Weight>| {
                let values = weights_.iter().map(|&weight| weights[weight as usize]);
                values.max().unwrap_or(0)
            };
            goal.iter().map(greatest).sum()
        });
        let at_goal = at_goal.max()?;
        Some(Solution {
            weights,
            unit,
            per_step,
            per_label,
            at_goal,
        })
    }

    /// Raises potentials where something that costs nothing drops the sum a little, which rounding
    /// may cause.
    fn mend(&self, weights: &mut [i64]) {
        let is_alone = self.parts.agents.len() == 1;
        for _ in 0..MOST_ROUNDS {
            let mut is_mended = false;
            let mut tick = 0;
            for part in &self.parts.tick {
                let dropped = part.iter().map(|outcome| {
                    let is_lowered = self.raise(outcome, 0, weights);
                    is_mended |= is_lowered;
                    self.dropped(outcome, weights)
                });
                tick += dropped.max().unwrap_or(0).max(0);
            }
            let allowed = if is_alone { -tick } else { 0 };
            let choices = self.parts.agents.iter().flatten();
            for outcome in choices.filter(|outcome| outcome.cost == 0) {
                is_mended |= self.raise(outcome, allowed, weights);
            }
            if !is_mended {
                return;
            }
        }
    }

    /// The drop of the sum in a case.
    fn dropped(&self, outcome: &Outcome, weights: &[i64]) -> i64 {
        let drops = outcome.drops.iter();
        drops
            .map(|&drop| self.drops[drop as usize].value(weights))
            .sum()
    }

    /// Raises what holds after a case that drops a little more than is allowed. Returns whether it
    /// was one.
    fn raise(&self, outcome: &Outcome, allowed: i64, weights: &mut [i64]) -> bool {
        let mut excess = self.dropped(outcome, weights) - allowed;
        if !(1..=ROUNDING).contains(&excess) {
            return false;
        }
        for &drop in &outcome.drops {
            let drop = &self.drops[drop as usize];
            let value = drop.value(weights);
            for (before, after) in &drop.0 {
                let greatest = before.iter().map(|&it| weights[it as usize]).max();
                let least = greatest.unwrap_or(0) - (value - excess);
                for &it in after {
                    weights[it as usize] = weights[it as usize].max(least);
                }
            }
            excess -= value - drop.value(weights);
            if excess <= 0 {
                break;
            }
        }
        true
    }
}

impl Drop {
    fn value(&self, weights: &[i64]) -> i64 {
        let of = |&weight: &Weight| weights[weight as usize];
        let groups = self.0.iter().map(|(before, after)| {
            let greatest = before.iter().map(of).max().unwrap_or(0);
            greatest - after.iter().map(of).min().unwrap_or(0)
        });
        groups.max().unwrap_or(0)
    }
}

/// Variables that are at least, or at most, all of some potentials.
#[derive(Default)]
struct Extremes {
    greatest: FxHashMap<Vec<Weight>, u32>,
    least: FxHashMap<Vec<Weight>, u32>,
}

impl Extremes {
    fn greatest(&mut self, rows: &mut Rows, weights: &[Weight], far: f64) -> u32 {
        if let [only] = *weights {
            return only;
        }
        if let Some(&known) = self.greatest.get(weights) {
            return known;
        }
        let variable = rows.variable((-far, far));
        for &weight in weights {
            rows.row(vec![(weight, 1.0), (variable, -1.0)], 0.0);
        }
        self.greatest.insert(weights.to_vec(), variable);
        variable
    }

    fn least(&mut self, rows: &mut Rows, weights: &[Weight], far: f64) -> u32 {
        if let [only] = *weights {
            return only;
        }
        if let Some(&known) = self.least.get(weights) {
            return known;
        }
        let variable = rows.variable((-far, far));
        for &weight in weights {
            rows.row(vec![(variable, 1.0), (weight, -1.0)], 0.0);
        }
        self.least.insert(weights.to_vec(), variable);
        variable
    }

    /// A drop as a sum of variables.
    fn drop(&mut self, rows: &mut Rows, drop: &Drop, far: f64) -> Vec<(u32, f64)> {
        let mut group = |rows: &mut Rows, (before, after): &(Vec<Weight>, Vec<Weight>)| {
            let greatest = self.greatest(rows, before, far);
            let least = self.least(rows, after, far);
            [(greatest, 1.0), (least, -1.0)]
        };
        if let [only] = &drop.0[..] {
            return group(rows, only).into();
        }
        let value = rows.variable((-2.0 * far, 2.0 * far));
        for groups in &drop.0 {
            let mut terms = group(rows, groups).to_vec();
            terms.push((value, -1.0));
            rows.row(terms, 0.0);
        }
        vec![(value, 1.0)]
    }
}
