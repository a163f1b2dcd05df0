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
//! Where objects may change places, that changes no distance: potentials that such an exchange makes
//! of each other are one (`ties`) as far as it leaves a part of the goal as it is, and the potentials
//! of a part are also those of what the part becomes (`goals`). The estimate is the same for all
//! states of an orbit, and one linear program serves many parts, about as small as if each orbit of
//! objects were one object.
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
mod images;
mod mutexes;
mod pairs;
mod program;
mod solver;
mod ties;
mod transitions;

use rustc_hash::FxHashMap;

use super::model::Model;
use super::{Estimate, Heuristic};
use crate::search::measure::Measure;
use crate::search::options::Control;
use crate::search::symmetry::Symmetries;
use crate::task::Task;
use builder::Builder;
use features::Features;
use goals::{Origin, Parts, Row};
use groups::Reader;
use program::{Goals, Program, Solution, Weight};
use ties::Ties;

/// Tasks with more operators have no potentials.
const MOST_OPERATORS: usize = 30_000;
/// Numbers in the constraints, at most.
const MOST_NUMBERS: usize = 100_000;
/// Numbers in the constraints with pairs of variables, at most.
const MOST_NUMBERS_WITH_PAIRS: usize = 30_000;
/// The same where objects may change places: few programs then serve many parts of the goal.
const MOST_NUMBERS_WITH_EXCHANGES: usize = 60_000;
/// Numbers in the constraints of all parts of the goal, about.
const MOST_NUMBERS_OF_PARTS: usize = 150_000;

/// The potentials of one feature, ready to be looked up.
#[derive(Clone)]
struct Lookup {
    /// The places of its variables among the readers.
    readers: Box<[u32]>,
    /// The number of values of the second.
    width: u32,
    /// For each value those of each part of the goal.
    weights: Box<[i64]>,
}

/// What potentials say of the distance to a part of the goal, and to what it becomes when objects
/// change places.
#[derive(Clone)]
struct Scale {
    /// The number of these parts, which follow each other.
    parts: usize,
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
    /// Control said stop, or what is minimised may fall.
    Impossible,
    /// The constraints hold so many numbers, which are too many.
    TooLarge(usize),
    /// The constraints of all parts of the goal hold too many numbers together.
    TooManyParts,
}

/// The estimate.
#[derive(Clone)]
pub(crate) struct Potential {
    /// The variables and groups that have potentials.
    readers: Vec<Reader>,
    lookups: Vec<Lookup>,
    scales: Vec<Scale>,
    /// Working space: what the readers read.
    values: Vec<u32>,
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
        let all = Parts::new(&builder, goals::MOST_PARTS);
        let mut fewer = None;
        loop {
            let parts = fewer.as_ref().unwrap_or(&all);
            let features = builder.features(&pairs);
            let images = builder.images.neighbours.iter();
            let images: Vec<Vec<Weight>> = images.map(|image| features.image(image)).collect();
            let solver = Solver {
                builder: &builder,
                features: &features,
                images: &images,
                most: match (pairs.is_empty(), images.is_empty()) {
                    (true, _) => MOST_NUMBERS,
                    (false, true) => MOST_NUMBERS_WITH_PAIRS,
                    (false, false) => MOST_NUMBERS_WITH_EXCHANGES,
                },
                start,
                control,
            };
            // What is too much, or what the solver cannot do exactly enough, may do without some.
            let mut left = pairs.len() * 3 / 4;
            match solver.solve(parts) {
                Found::Potentials(found) => return Some(found),
                Found::Impossible => return None,
                // Fewer pairs cannot tell more, unless they leave room for more parts.
                Found::Nothing if !parts.are_cut => return None,
                Found::Nothing | Found::Inexact => {}
                Found::TooManyParts => {
                    fewer = Some(Parts::new(&builder, parts.rows.len() / 2));
                    continue;
                }
                Found::TooLarge(numbers) => left = left.min(pairs.len() * solver.most / numbers),
            }
            if pairs.is_empty() {
                return None;
            }
            pairs.truncate(left);
            fewer = None;
        }
    }

    /// With the potentials of each part of the goal.
    fn new_from(
        builder: &Builder,
        features: &Features,
        origins: &[Origin],
        solutions: &[Solution],
    ) -> Self {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut readers = Vec::new();
        let mut reader = |variable: u32| {
            *numbers.entry(variable).or_insert_with(|| {
                readers.push(builder.reader(variable));
                readers.len() as u32 - 1
            })
        };
        let mut lookups = Vec::new();
        for feature in &features.list {
            let first = feature.first as usize;
            let weights = (first..first + feature.values as usize)
                .flat_map(|weight| solutions.iter().map(move |it| it.weights[weight]));
            let weights: Box<[i64]> = weights.collect();
            if weights.iter().any(|&weight| weight != 0) {
                lookups.push(Lookup {
                    readers: feature.variables.iter().map(|&id| reader(id)).collect(),
                    width: feature.width,
                    weights,
                });
            }
        }
        let mut scales: Vec<Scale> = Vec::new();
        for (origin, solution) in origins.iter().zip(solutions) {
            match (origin, scales.last_mut()) {
                (Origin::Image(..), Some(scale)) => scale.parts += 1,
                _ => scales.push(Scale {
                    parts: 1,
                    unit: solution.unit,
                    per_step: solution.per_step,
                    per_label: solution.per_label,
                    at_goal: solution.at_goal,
                }),
            }
        }
        let bytes = lookups.iter().map(|lookup| size_of_val(&*lookup.weights));
        Self {
            bytes: bytes.sum(),
            values: vec![0; readers.len()],
            readers,
            lookups,
            scales,
            sums: vec![0; solutions.len()],
            by_makespan: builder.measure.is_by_makespan(),
        }
    }
}

/// Finds the best potentials of some features.
struct Solver<'a, 'm, 't> {
    builder: &'a Builder<'m, 't>,
    features: &'a Features,
    /// What the potentials become when neighbours change places.
    images: &'a [Vec<Weight>],
    /// Numbers in the constraints, at most.
    most: usize,
    start: &'a [u64],
    control: &'a dyn Control,
}

impl Solver<'_, '_, '_> {
    /// For all parts of the goal.
    fn solve(&self, parts: &Parts) -> Found {
        let builder = self.builder;
        let starts = self.starts(parts);
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
            let Some((solution, is_best)) = self.best(program, ties, rows, &starts[part]) else {
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
    fn starts(&self, parts: &Parts) -> Vec<Vec<Vec<Weight>>> {
        let features = self.features.list.iter();
        let start = features.map(|feature| self.builder.weight_in(feature, self.start));
        let start: Vec<Weight> = start.collect();
        let mut starts = vec![Vec::new(); parts.origins.len()];
        for part in 0..parts.origins.len() {
            let (mut own, mut part) = (start.clone(), part);
            while let Origin::Image(from, exchange) = parts.origins[part] {
                for weight in &mut own {
                    *weight = self.images[exchange][*weight as usize];
                }
                part = from;
            }
            starts[part].push(own);
        }
        starts
    }

    /// The best potentials for a part of the goal, not tied any more, and whether the solver vouches
    /// for their being the best.
    fn best(
        &self,
        program: &Program,
        ties: &Ties,
        rows: &[Row],
        starts: &[Vec<Weight>],
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
        let maximum = solver::maximize(&program.rows(&goals, &starts))?;
        let mut solution = program.check(&maximum.values, &goals)?;
        solution.weights = ties.untied(&solution.weights);
        Some((solution, maximum.is_reached))
    }

    /// The potentials of what an exchange of neighbours makes of a part.
    fn image(&self, solution: &Solution, exchange: usize) -> Solution {
        let mut weights = vec![0; solution.weights.len()];
        for (&weight, &image) in solution.weights.iter().zip(&self.images[exchange]) {
            weights[image as usize] = weight;
        }
        Solution {
            weights,
            ..*solution
        }
    }
}

impl Heuristic for Potential {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        for (value, reader) in self.values.iter_mut().zip(&self.readers) {
            *value = reader.get(state);
        }
        self.sums.fill(0);
        for lookup in &self.lookups {
            let first = lookup.index(&self.values) * self.sums.len();
            let weights = &lookup.weights[first..first + self.sums.len()];
            for (sum, weight) in self.sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        let mut sums = &self.sums[..];
        let estimates = self.scales.iter().map(|scale| {
            let (own, others) = sums.split_at(scale.parts);
            sums = others;
            let least = own.iter().min().copied().unwrap_or(scale.at_goal);
            scale.estimate(least, self.by_makespan)
        });
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
    fn index(&self, values: &[u32]) -> usize {
        let values = self.readers.iter().map(|&reader| values[reader as usize]);
        values.fold(0, |index, value| index * self.width + value) as usize
    }
}
