//! Chooses the potentials that are best at the start, for each part of the goal; of those that are
//! best there, about, those that are best at sampled states.

use std::cell::RefCell;
use std::collections::BTreeMap;

use brigade_task::State;
use rustc_hash::FxHashSet;

use super::builder::Builder;
use super::features::Features;
use super::goals::{GoalParts, Origin, Row};
use super::heuristic::Potential;
use super::mutexes::Given;
use super::orbits::WeightOrbits;
use super::program::{Goals, Maximum, Program, Solution, Weight};
use super::solver;
use crate::control::Control;
use crate::heuristics::{Estimate, Heuristic};

/// The weight of the mean of the sums at all samples, where the sum at the start has weight 1.
const SHARE: f64 = 0.1;
/// So many of the sums at the start count at first, and so many more if others are less.
const FEWEST_SUMS: usize = 16;
/// Sums that differ by no more than this are equal.
const TOLERANCE: f64 = 0.001;

/// Numbers in the sums that no way to reach a part of the goal may exceed, at most.
const MOST_NUMBERS_OF_GOALS: usize = 1_000_000;

/// The result of a linear program.
pub(crate) enum Found {
    Potentials(Box<Potential>),
    /// The best potentials are zero at the start.
    Nothing,
    /// The solver did not get far enough, or its numbers prove nothing once they are rounded.
    Inexact,
    /// Control said stop, or what is minimised may fall.
    Impossible,
    /// The constraints hold so many numbers, which are too many.
    TooLarge(usize),
    /// The constraints of all parts of the goal, or their tables, hold too many numbers together.
    TooManyParts,
    /// The distinctions between ways to reach a part of the goal take too many numbers.
    TooManyWays,
}

/// Finds the best potentials of some features.
pub(crate) struct Optimizer<'a, 'm, 't> {
    pub(crate) builder: &'a Builder<'m, 't>,
    pub(crate) features: &'a Features,
    /// Numbers in the constraints, at most.
    pub(crate) most: usize,
    /// The same of all parts of the goal together, about.
    pub(crate) most_of_parts: usize,
    /// Numbers in the tables of all parts, at most.
    pub(crate) most_of_tables: usize,
    /// The state that they are to be best at.
    pub(crate) start: &'a State,
    /// The values of all variables and groups in that state.
    pub(crate) values: &'a [u32],
    /// The same of states whose estimates are to be great too.
    pub(crate) samples: &'a [Vec<u32>],
    pub(crate) given: &'a RefCell<Given>,
    pub(crate) control: &'a dyn Control,
}

impl Optimizer<'_, '_, '_> {
    /// For all parts of the goal.
    pub(crate) fn optimize(&self, parts: &GoalParts) -> Found {
        let builder = self.builder;
        let starts = self.starts(parts);
        let orbits = self.orbits(parts);
        let mut known: Option<(WeightOrbits, Program)> = None;
        let mut solutions: Vec<Solution> = Vec::new();
        let mut are_best = true;
        for (part, (rows, origin)) in parts.rows.iter().zip(&parts.origins).enumerate() {
            if self.control.stop().is_some() {
                return Found::Impossible;
            }
            let Origin::Own(exchanges) = origin else {
                continue;
            };
            let weight_orbits = WeightOrbits::new(self.features, exchanges);
            if known.as_ref().is_none_or(|known| known.0 != weight_orbits) {
                let Some(program) = builder.program(self.features, &weight_orbits) else {
                    return Found::Impossible;
                };
                known = Some((weight_orbits, program));
            }
            let Some((weight_orbits, program)) = &known else {
                return Found::Nothing;
            };
            if program.size() > self.most {
                return Found::TooLarge(program.size());
            }
            if parts.rows.len() > 1 && program.size() * parts.programs() > self.most_of_parts {
                return Found::TooManyParts;
            }
            let Some(goals) = self.goals(weight_orbits, rows) else {
                return match self.control.stop() {
                    Some(_) => Found::Impossible,
                    None => Found::TooManyWays,
                };
            };
            let samples = self.samples(parts, &orbits[&part]);
            let Some((solution, is_best)) =
                self.best(program, weight_orbits, &goals, &starts[part], &samples)
            else {
                return Found::Inexact;
            };
            are_best &= is_best;
            solutions.push(solution);
        }
        let found = Potential::new_from(
            builder,
            self.features,
            &parts.origins,
            &solutions,
            self.most_of_tables,
            self.control,
        );
        let Some(mut found) = found else {
            return match self.control.stop() {
                Some(_) => Found::Impossible,
                None if parts.rows.len() > 1 => Found::TooManyParts,
                None => Found::TooLarge(2 * self.most),
            };
        };
        if found.estimate(self.start) != Estimate::ZERO {
            Found::Potentials(Box::new(found))
        } else if are_best {
            Found::Nothing
        } else {
            Found::Inexact
        }
    }

    /// For each part with a program of its own the potentials that make the sums at the start of
    /// the part and of its images.
    fn starts(&self, parts: &GoalParts) -> Vec<Vec<Vec<Weight>>> {
        let mut starts = vec![Vec::new(); parts.origins.len()];
        for part in 0..parts.origins.len() {
            let (own, values) = self.seen_from_own(parts, part, self.values.to_vec());
            starts[own].push(self.weights_at(&values).collect());
        }
        starts
    }

    /// For each part with a program of its own the part and its images.
    fn orbits(&self, parts: &GoalParts) -> BTreeMap<usize, Vec<usize>> {
        let mut orbits: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for part in 0..parts.origins.len() {
            let (own, _) = self.seen_from_own(parts, part, Vec::new());
            orbits.entry(own).or_default().push(part);
        }
        orbits
    }

    /// The weights of potentials in the samples, on average, each sample seen from one of the parts
    /// of an orbit, in turn.
    fn samples(&self, parts: &GoalParts, orbit: &[usize]) -> Vec<f64> {
        let mut often = vec![0.0; self.features.weights()];
        for (values, &part) in self.samples.iter().zip(orbit.iter().cycle()) {
            let (_, values) = self.seen_from_own(parts, part, values.clone());
            for weight in self.weights_at(&values) {
                often[weight as usize] += 1.0 / self.samples.len() as f64;
            }
        }
        often
    }

    /// The part with a program of its own that a part is an image of, and what values of variables
    /// and groups become when the part becomes that one.
    fn seen_from_own(
        &self,
        parts: &GoalParts,
        mut part: usize,
        mut values: Vec<u32>,
    ) -> (usize, Vec<u32>) {
        while let Origin::Image(from, exchange) = parts.origins[part] {
            values = self.builder.images.neighbours[exchange].of_values(&values);
            part = from;
        }
        (part, values)
    }

    /// The potentials that count where variables and groups have these values.
    fn weights_at(&self, values: &[u32]) -> impl Iterator<Item = Weight> {
        let features = self.features.list.iter();
        features.map(|feature| feature.weight_of(|id| values[id as usize]))
    }

    /// The sums that may not be positive where a part of the goal is reached; `None` where these
    /// hold too many numbers and fewer ways may do, or once control says stop.
    fn goals(&self, weight_orbits: &WeightOrbits, rows: &[Row]) -> Option<Goals> {
        let mut goals = FxHashSet::default();
        let mut numbers = 0;
        let rows = self.shaved(rows);
        for row in &rows {
            let goal = self.builder.goal(self.features, weight_orbits, row);
            let own: usize = goal.iter().map(Vec::len).sum();
            numbers += if goals.insert(goal) { own } else { 0 };
            let is_over = self.control.stop().is_some();
            if is_over || numbers > MOST_NUMBERS_OF_GOALS && rows.len() > 1 {
                return None;
            }
        }
        let mut goals: Goals = goals.into_iter().collect();
        goals.sort_unstable();
        Some(goals)
    }

    /// The ways to reach a part of the goal, without values that none of their states has; as they
    /// are if none is left.
    fn shaved(&self, rows: &[Row]) -> Vec<Row> {
        let mut given = self.given.borrow_mut();
        let mut work = 0;
        let shaved = rows.iter().filter_map(|row| {
            let mut row = row.clone();
            let is_left = self
                .builder
                .shave(&mut row, &mut given, &mut work, self.control);
            is_left.then_some(row)
        });
        let shaved: Vec<Row> = shaved.collect();
        if shaved.is_empty() {
            rows.to_vec()
        } else {
            shaved
        }
    }

    /// The best potentials for a part of the goal, one for each member of an orbit, and whether the
    /// solver vouches for their being the best.
    fn best(
        &self,
        program: &Program,
        weight_orbits: &WeightOrbits,
        goals: &Goals,
        starts: &[Vec<Weight>],
        samples: &[f64],
    ) -> Option<(Solution, bool)> {
        let of_start = |start: &Vec<Weight>| {
            let mut start: Vec<Weight> = start
                .iter()
                .map(|&weight| weight_orbits.of(weight))
                .collect();
            start.sort_unstable();
            start
        };
        let mut starts: Vec<Vec<Weight>> = starts.iter().map(of_start).collect();
        starts.sort_unstable();
        starts.dedup();
        let of_samples = (0..).zip(samples).filter(|(_, often)| **often > 0.0);
        let of_samples =
            of_samples.map(|(weight, often)| (weight_orbits.of(weight), SHARE * often));
        let of_samples: Vec<(Weight, f64)> = of_samples.collect();
        let maximum = maximize_least(&starts, |starts| {
            let mut rows = program.rows(goals, starts);
            rows.gains.extend_from_slice(&of_samples);
            solver::maximize(&rows, self.control)
        })?;
        let mut solution = program.check(&maximum.values, goals)?;
        solution.weights = weight_orbits.weights(&solution.weights);
        Some((solution, maximum.is_reached))
    }
}

/// Solves a program that makes the least of some sums as great as can be. `solve` takes the sums
/// that count.
///
/// Few of many are the least at the end, and each makes the program slower to solve: those are left
/// out that are greater than others anyway.
fn maximize_least(
    sums: &[Vec<Weight>],
    mut solve: impl FnMut(&[Vec<Weight>]) -> Option<Maximum>,
) -> Option<Maximum> {
    let step = sums.len().div_ceil(FEWEST_SUMS).max(1);
    let mut counts: Vec<bool> = (0..sums.len()).map(|it| it % step == 0).collect();
    loop {
        let counting = sums.iter().zip(&counts).filter(|(_, counts)| **counts);
        let counting: Vec<Vec<Weight>> = counting.map(|(sum, _)| sum.clone()).collect();
        let maximum = solve(&counting)?;
        let value = |sum: &Vec<Weight>| -> f64 {
            let potentials = sum.iter();
            potentials.map(|&it| maximum.values[it as usize]).sum()
        };
        let least = counting.iter().map(value).fold(f64::INFINITY, f64::min);
        let others = sums.iter().map(value).enumerate();
        let mut lower: Vec<(usize, f64)> = others
            .filter(|&(sum, value)| !counts[sum] && value < least - TOLERANCE)
            .collect();
        if lower.is_empty() || !maximum.is_reached {
            return Some(maximum);
        }
        lower.sort_by(|one, other| one.1.total_cmp(&other.1));
        for &(sum, _) in lower.iter().take(FEWEST_SUMS) {
            counts[sum] = true;
        }
    }
}
