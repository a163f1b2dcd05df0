//! Potentials (F. Pommerening, M. Helmert, G. Röger, J. Seipp, "From Non-Negative to General
//! Operator Cost Partitioning", AAAI 2015), also over pairs of variables.
//!
//! Each value of a variable, and each pair of values of two variables that depend on each other,
//! has a potential; the estimate is the sum of those that hold. A linear program chooses them so
//! that no step drops the sum by more than it costs, no state in which the goal holds has a
//! positive sum, and that of the start is as great as can be: there it is the bound of the state
//! equation, over pairs the one over products of variables. A pair of place and hand, say, makes
//! every grasp ask for a walk. Sets of facts that exclude each other but belong to several
//! variables (`groups`) count as variables too: what the hand holds, where each thing knows only
//! that it is held. `mutexes` finds such sets, and what else excludes each other; `features` and
//! `pairs` choose what has potentials. Where the goal can be reached in several ways (`goals`),
//! parts of it have potentials of their own, and the estimate is the least of theirs.
//!
//! What the sum drops by with every step and every label at most also bounds ticks and labels.
//!
//! Admissible and consistent: `transitions` finds for every part of a step (an operator of each
//! agent, a delayed effect that advances, an event) all values before and after that it can lead
//! from and to, conditional effects by their cases; a step is one operator of each agent, then the
//! tick, so it drops the sum by no more than its parts together. That is measured in whole numbers
//! for the potentials as they are used (`program`), whatever the solver says. Derived variables
//! have no potentials.

mod builder;
mod cases;
mod features;
mod goals;
mod groups;
mod mutexes;
mod pairs;
mod program;
mod solver;
mod transitions;

use super::model::Model;
use super::{Estimate, Heuristic};
use crate::search::measure::Measure;
use crate::search::options::Control;
use crate::search::symmetry::Symmetries;
use crate::task::Task;
use builder::Builder;
use features::Feature;
use goals::{Parts, Row};
use groups::Reader;
use program::{Goals, Program, Solution, Weight};

/// Tasks with more operators have no potentials.
const MOST_OPERATORS: usize = 30_000;
/// Numbers in the constraints, at most.
const MOST_NUMBERS: usize = 100_000;
/// Numbers in the constraints with pairs of variables, at most.
const MOST_NUMBERS_WITH_PAIRS: usize = 30_000;
/// Numbers in the constraints of all parts of the goal, about.
const MOST_NUMBERS_OF_PARTS: usize = 150_000;

/// The potentials of one feature, ready to be looked up.
#[derive(Clone)]
struct Lookup {
    readers: Vec<Reader>,
    /// The number of values of the second.
    width: u32,
    /// For each value those of each part of the goal.
    weights: Box<[i64]>,
}

/// What potentials say of the distance to one part of the goal.
#[derive(Clone)]
struct Scale {
    unit: i64,
    per_step: i64,
    per_label: Option<i64>,
    /// What no state in which the goal holds exceeds.
    at_goal: i64,
}

/// What became of a linear program.
enum Found {
    Potentials(Potential),
    /// The best potentials tell nothing of the start.
    Nothing,
    /// The solver did not get far enough, or its numbers prove nothing once they are rounded.
    Inexact,
    /// Control said stop.
    Stopped,
}

/// The estimate.
#[derive(Clone)]
pub(crate) struct Potential {
    lookups: Vec<Lookup>,
    /// One for each part of the goal.
    scales: Vec<Scale>,
    /// Working space: the sums for each part.
    sums: Vec<i64>,
    by_makespan: bool,
    bytes: usize,
}

impl Potential {
    /// Potentials that are best at a state; `None` where they tell nothing of it.
    ///
    /// Once `control` says stop, none are found.
    pub(crate) fn new(
        task: &Task,
        start: &[u64],
        measure: Measure,
        symmetries: Option<&Symmetries>,
        control: &dyn Control,
    ) -> Option<Self> {
        if task.operators.len() > MOST_OPERATORS {
            return None;
        }
        if measure.least_cost((0, 0)).is_none() && !measure.is_by_makespan() {
            return None;
        }
        let model = Model::new(task);
        let builder = Builder::new(&model, measure, start, symmetries);
        let mut pairs = builder.pairs();
        let mut parts: Option<Parts> = None;
        loop {
            let features = builder.features(&pairs);
            let program = builder.program(&features)?;
            let most = if pairs.is_empty() {
                MOST_NUMBERS
            } else {
                MOST_NUMBERS_WITH_PAIRS
            };
            if program.size() <= most {
                let most = (MOST_NUMBERS_OF_PARTS / program.size().max(1)).max(1);
                let known = parts.take().filter(|parts| parts.are_those_for(most));
                let parts = parts.insert(known.unwrap_or_else(|| Parts::new(&builder, most)));
                match Self::solve(&builder, &features, &program, &parts.rows, start, control) {
                    Found::Potentials(found) => return Some(found),
                    Found::Stopped => return None,
                    // Fewer pairs cannot tell more, unless they leave room for more parts.
                    Found::Nothing if !parts.are_cut() => return None,
                    Found::Nothing | Found::Inexact => {}
                }
            }
            if pairs.is_empty() {
                return None;
            }
            // What is too much, or what the solver cannot do exactly enough, may do without some.
            pairs.truncate(pairs.len() * 3 / 4);
        }
    }

    /// The best potentials of these features for each part of the goal.
    fn solve(
        builder: &Builder,
        features: &[Feature],
        program: &Program,
        parts: &[Vec<Row>],
        start: &[u64],
        control: &dyn Control,
    ) -> Found {
        let at_start = features
            .iter()
            .map(|feature| builder.weight_in(feature, start));
        let at_start: Vec<Weight> = at_start.collect();
        let mut solutions = Vec::new();
        let mut are_best = true;
        for part in parts {
            if control.stop().is_some() {
                return Found::Stopped;
            }
            let goals = part.iter().map(|row| builder.goal(features, row));
            let goals: Goals = goals.collect();
            let maximum = solver::maximize(&program.rows(&goals), &at_start);
            let Some(maximum) = maximum else {
                return Found::Inexact;
            };
            let Some(solution) = program.check(&maximum.values, &goals) else {
                return Found::Inexact;
            };
            are_best &= maximum.is_reached;
            solutions.push(solution);
        }
        let mut found = Self::lookups(builder, features, &solutions);
        if found.estimate(start) != Estimate::ZERO {
            Found::Potentials(found)
        } else if are_best {
            Found::Nothing
        } else {
            Found::Inexact
        }
    }

    fn lookups(builder: &Builder, features: &[Feature], solutions: &[Solution]) -> Self {
        let lookups: Vec<Lookup> = features
            .iter()
            .map(|feature| {
                let first = feature.first as usize;
                let size = builder.size_of(&feature.variables) as usize;
                let readers = feature.variables.iter();
                let weights = (first..first + size)
                    .flat_map(|weight| solutions.iter().map(move |it| it.weights[weight]));
                Lookup {
                    readers: readers.map(|&variable| builder.reader(variable)).collect(),
                    width: feature.width,
                    weights: weights.collect(),
                }
            })
            .filter(|lookup| lookup.weights.iter().any(|&weight| weight != 0))
            .collect();
        let bytes = lookups.iter().map(|lookup| size_of_val(&*lookup.weights));
        let scales = solutions.iter().map(|solution| Scale {
            unit: solution.unit,
            per_step: solution.per_step,
            per_label: solution.per_label,
            at_goal: solution.at_goal,
        });
        Self {
            bytes: bytes.sum(),
            lookups,
            scales: scales.collect(),
            sums: vec![0; solutions.len()],
            by_makespan: builder.measure.is_by_makespan(),
        }
    }
}

impl Heuristic for Potential {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        self.sums.fill(0);
        for lookup in &self.lookups {
            let first = lookup.index(state) * self.scales.len();
            let weights = &lookup.weights[first..first + self.scales.len()];
            for (sum, weight) in self.sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        let parts = self.scales.iter().zip(&self.sums);
        let estimates = parts.map(|(scale, &sum)| scale.estimate(sum, self.by_makespan));
        estimates.min().unwrap_or(Estimate::ZERO)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Scale {
    /// What a sum says, which is the distance above the sums of the goal.
    fn estimate(&self, sum: i64, by_makespan: bool) -> Estimate {
        let height = (sum - self.at_goal).max(0);
        let share = |unit: i64| (height + unit - 1) / unit;
        let count = |unit: i64| share(unit).try_into().unwrap_or(u32::MAX - 1);
        Estimate {
            first: if by_makespan { 0 } else { share(self.unit) },
            makespan: count(self.per_step),
            labels: self.per_label.map_or(0, count),
        }
    }
}

impl Lookup {
    fn index(&self, state: &[u64]) -> usize {
        let values = self.readers.iter().map(|reader| reader.get(state));
        values.fold(0, |index, value| index * self.width + value) as usize
    }
}
