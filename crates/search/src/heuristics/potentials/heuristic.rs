//! The estimate: the sums of potentials, above those of states in which the goal holds.

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::features::Features;
use super::goals::Origin;
use super::groups::Reader;
use super::program::Solution;
use super::sums::{Sums, Tables};
use super::views::Views;
use crate::control::Control;
use crate::heuristics::{Estimate, Heuristic};

/// So many numbers are added in the time in which a state is stored, about.
const ADDED_PER_STATE: u64 = 300;

/// The scale by which potentials become a distance to a part of the goal, and to what it becomes
/// when objects change places.
#[derive(Clone)]
struct Scale {
    unit: i64,
    per_step: i64,
    per_label: Option<i64>,
    /// A bound on the sum in all states in which the goal holds.
    at_goal: i64,
}

/// The estimate.
#[derive(Clone)]
pub(crate) struct Potential {
    /// The variables and groups that have potentials.
    readers: Vec<Reader>,
    scales: Vec<Scale>,
    /// Working space: what the readers read.
    values: Vec<u32>,
    sums: Sums,
    /// The effort of an estimate, in states stored.
    effort: u64,
    by_makespan: bool,
    /// True if more detail might give greater estimates.
    pub(crate) is_cut: bool,
}

impl Potential {
    /// Returns whether potentials of more detail might give greater estimates.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// With the potentials of the parts of the goal that have a program of their own; `None` where
    /// their tables would hold more than so many numbers, or once `control` says stop.
    pub(crate) fn new_from(
        builder: &Builder,
        features: &Features,
        origins: &[Origin],
        solutions: &[Solution],
        most_numbers: usize,
        control: &dyn Control,
    ) -> Option<Self> {
        // A view has a number for each variable and group, and a table one for each part.
        let all = (builder.model.domains.len() + builder.groups.len()) as usize;
        if origins.len() * (all + features.list.len()) > most_numbers {
            return None;
        }
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut readers = Vec::new();
        let mut reader = |variable: u32| {
            *numbers.entry(variable).or_insert_with(|| {
                readers.push(builder.reader(variable));
                readers.len() as u32 - 1
            })
        };
        let views = Views::new(builder, origins);
        let mut tables = Tables::new(views.list.len());
        for feature in &features.list {
            if control.stop().is_some() {
                return None;
            }
            // What each part makes of the feature, and the potentials of what that is.
            let mut seen: FxHashMap<(usize, Box<[u32]>), usize> = FxHashMap::default();
            let mut potentials: Vec<Vec<(u64, i64)>> = Vec::new();
            let of_parts = views.list.iter().map(|view| {
                *seen.entry(view.key(&feature.variables)).or_insert_with(|| {
                    let solution = &solutions[view.program].weights;
                    let first = (view.program * solution.len()) as u64;
                    let variable = |id| views.variable(view, id);
                    let value = |id, value| views.value(view, id, value);
                    let weights = features.image_of(feature, variable, value).into_iter();
                    let weights = weights
                        .map(|weight| (first + u64::from(weight), solution[weight as usize]));
                    potentials.push(weights.collect());
                    potentials.len() - 1
                })
            });
            let of_parts: Vec<usize> = of_parts.collect();
            if potentials.iter().flatten().any(|&(_, weight)| weight != 0) {
                let variables = feature.variables.iter();
                let variables = variables.map(|&id| (reader(id), builder.size(id)));
                tables.add(variables.collect(), of_parts.into_iter(), &potentials);
            }
            if tables.numbers() > most_numbers {
                return None;
            }
        }
        let mut parts = vec![0; solutions.len()];
        for view in &views.list {
            parts[view.program] += 1;
        }
        let scales = solutions.iter().map(|solution| Scale {
            unit: solution.unit,
            per_step: solution.per_step,
            per_label: solution.per_label,
            at_goal: solution.at_goal,
        });
        let sums = Sums::new(tables, &parts);
        Some(Self {
            values: vec![0; readers.len()],
            readers,
            effort: sums.added() / ADDED_PER_STATE,
            sums,
            scales: scales.collect(),
            by_makespan: builder.measure.is_by_makespan(),
            is_cut: false,
        })
    }
}

impl Heuristic for Potential {
    fn estimate(&mut self, state: &State) -> Estimate {
        for (value, reader) in self.values.iter_mut().zip(&self.readers) {
            *value = reader.get(state);
        }
        let mut scales = self.scales.iter();
        let mut least: Option<Estimate> = None;
        self.sums.least(&self.values, |sum| {
            if let Some(scale) = scales.next() {
                let estimate = scale.estimate(sum, self.by_makespan);
                least = Some(least.map_or(estimate, |least| least.min(estimate)));
            }
        });
        least.unwrap_or(Estimate::ZERO)
    }

    fn bytes(&self) -> usize {
        self.sums.bytes()
    }

    fn effort(&self) -> u64 {
        self.effort
    }

    fn is_cheap(&self) -> bool {
        true
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}

impl Scale {
    /// The estimate by a sum: its height above the sums of the goal.
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
