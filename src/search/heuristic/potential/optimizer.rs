//! Chooses the potentials that are best at the start, for each part of the goal; of those that are
//! best there, about, those that are best at sampled states.

use std::collections::BTreeMap;

use super::Potential;
use super::builder::Builder;
use super::features::Features;
use super::goals::{GoalParts, Origin, Row};
use super::program::{Goals, Program, Solution, Weight};
use super::solver;
use super::ties::Ties;
use crate::search::heuristic::{Estimate, Heuristic};
use crate::search::options::Control;

/// Numbers in the constraints of all parts of the goal, about.
const MOST_NUMBERS_OF_PARTS: usize = 400_000;
/// What the mean of the sums at all samples counts, where the sum at the start counts 1.
const SHARE: f64 = 0.1;

/// What became of a linear program.
pub(super) enum Found {
    Potentials(Potential),
    /// The best potentials tell nothing of the start.
    Nothing,
    /// The solver did not get far enough, or its numbers prove nothing once they are rounded.
    Inexact,
    /// Control said stop, or what is minimised may fall.
    Impossible,
    /// The constraints hold so many numbers, which are too many.
    TooLarge(usize),
    /// The constraints of all parts of the goal hold too many numbers together.
    TooManyParts,
}

/// Finds the best potentials of some features.
pub(super) struct Optimizer<'a, 'm, 't> {
    pub(super) builder: &'a Builder<'m, 't>,
    pub(super) features: &'a Features,
    /// Numbers in the constraints, at most.
    pub(super) most: usize,
    /// The state that they are to be best at.
    pub(super) start: &'a [u64],
    /// The values of all variables and groups in that state.
    pub(super) values: &'a [u32],
    /// The same of states that they are to tell much of too.
    pub(super) samples: &'a [Vec<u32>],
    pub(super) control: &'a dyn Control,
}

impl Optimizer<'_, '_, '_> {
    /// For all parts of the goal.
    pub(super) fn optimize(&self, parts: &GoalParts) -> Found {
        let builder = self.builder;
        let starts = self.starts(parts);
        let orbits = self.orbits(parts);
        let mut known: Option<(Ties, Program)> = None;
        let mut solutions: Vec<Solution> = Vec::new();
        let mut are_best = true;
        for (part, (rows, origin)) in parts.rows.iter().zip(&parts.origins).enumerate() {
            if self.control.stop().is_some() {
                return Found::Impossible;
            }
            let exchanges = match origin {
                Origin::Own(exchanges) => exchanges,
                &Origin::Image(part, exchange) => {
                    solutions.push(self.image(&solutions[part], exchange));
                    continue;
                }
            };
            let ties = Ties::new(self.features, exchanges);
            if known.as_ref().is_none_or(|known| known.0 != ties) {
                let Some(program) = builder.program(self.features, &ties) else {
                    return Found::Impossible;
                };
                known = Some((ties, program));
            }
            let Some((ties, program)) = &known else {
                return Found::Nothing;
            };
            if program.size() > self.most {
                return Found::TooLarge(program.size());
            }
            if parts.rows.len() > 1 && program.size() * parts.programs() > MOST_NUMBERS_OF_PARTS {
                return Found::TooManyParts;
            }
            let samples = self.samples(parts, &orbits[&part]);
            let Some((solution, is_best)) = self.best(program, ties, rows, &starts[part], &samples)
            else {
                return Found::Inexact;
            };
            are_best &= is_best;
            solutions.push(solution);
        }
        let mut found = Potential::new_from(builder, self.features, &parts.origins, &solutions);
        if found.estimate(self.start) != Estimate::ZERO {
            Found::Potentials(found)
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

    /// How often potentials count in the samples, on average, each sample seen from one of the parts
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

    /// The best potentials for a part of the goal, not tied any more, and whether the solver vouches
    /// for their being the best.
    fn best(
        &self,
        program: &Program,
        ties: &Ties,
        rows: &[Row],
        starts: &[Vec<Weight>],
        samples: &[f64],
    ) -> Option<(Solution, bool)> {
        let goals = rows
            .iter()
            .map(|row| self.builder.goal(self.features, ties, row));
        let mut goals: Goals = goals.collect();
        goals.sort_unstable();
        goals.dedup();
        let of_start = |start: &Vec<Weight>| {
            let mut start: Vec<Weight> = start.iter().map(|&weight| ties.of(weight)).collect();
            start.sort_unstable();
            start
        };
        let mut starts: Vec<Vec<Weight>> = starts.iter().map(of_start).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut rows = program.rows(&goals, &starts);
        let of_samples = (0..).zip(samples).filter(|(_, often)| **often > 0.0);
        let of_samples = of_samples.map(|(weight, often)| (ties.of(weight), SHARE * often));
        rows.gains.extend(of_samples);
        let maximum = solver::maximize(&rows, self.control)?;
        let mut solution = program.check(&maximum.values, &goals)?;
        solution.weights = ties.untied(&solution.weights);
        Some((solution, maximum.is_reached))
    }

    /// The potentials of what an exchange of neighbours makes of a part.
    fn image(&self, solution: &Solution, exchange: usize) -> Solution {
        let images = self
            .features
            .image(&self.builder.images.neighbours[exchange]);
        let mut weights = vec![0; solution.weights.len()];
        for (&weight, image) in solution.weights.iter().zip(images) {
            weights[image as usize] = weight;
        }
        Solution {
            weights,
            ..*solution
        }
    }
}
