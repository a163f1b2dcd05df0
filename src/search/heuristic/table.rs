//! The abstract states that can be reached and their exact distances to the goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Estimate;
use super::abstraction::Abstraction;
use super::numbering::{Number, TooLarge};
use crate::search::measure::Measure;
use crate::task::layout::Variable;

/// Whether to stop is asked after this many abstract states.
const POLL: usize = 256;

/// Limits of one enumeration.
#[derive(Clone, Copy)]
pub(super) struct Limits<'c> {
    /// Abstract states.
    pub(super) states: usize,
    /// Parts visited while effects are applied.
    pub(super) work: u64,
    /// Asked now and then.
    pub(super) is_stopped: &'c dyn Fn() -> bool,
    /// Whether it ends as soon as the goal may hold or something is supplied.
    pub(super) until_supplied: bool,
}

/// Abstract states and the steps between them.
pub(super) trait Space {
    /// Whether a path may end in an abstract state.
    fn end(&mut self, number: Number) -> End;
    /// Lists steps that stand for all those from an abstract state.
    fn successors(&mut self, number: Number, steps: &mut Vec<Step>) -> Result<(), TooLarge>;
    /// Grows with the work done.
    fn work(&self) -> u64;
}

/// How a path may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The goal may hold, and failure is not certain.
    Goal,
    /// Failure is certain.
    Dead,
    /// Neither.
    Open,
}

/// What a step leads to, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) target: Number,
    /// What the agent that is followed supplies others with.
    pub(super) supplies: u64,
    pub(super) cost: i64,
    pub(super) labels: u32,
}

/// A step of an abstract space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// The place of the state it leads to.
    pub(super) target: u32,
    /// What it adds to the last key.
    pub(super) labels: u32,
    /// What it adds to the first key.
    pub(super) first: i64,
    /// What the agent that is followed supplies others with.
    pub(super) supplies: u64,
}

/// The reachable part of an abstract space.
pub(super) struct Explored {
    pub(super) numbers: Vec<Number>,
    /// The first step of each state, and the number of steps.
    first: Vec<u32>,
    steps: Vec<Arc>,
    pub(super) is_goal: Vec<bool>,
    pub(super) estimates: Vec<Estimate>,
}

/// Distances by the number of an abstract state.
#[derive(Debug)]
pub(crate) struct Table {
    lookup: Vec<(Variable, Box<[Number]>)>,
    estimates: FxHashMap<Number, Estimate>,
}

impl Explored {
    /// Enumerates what can be reached from the abstract state `initial`.
    pub(super) fn new(
        space: &mut impl Space,
        measure: Measure,
        initial: Number,
        limits: Limits,
    ) -> Result<Self, TooLarge> {
        let mut explored = Self {
            numbers: vec![initial],
            first: Vec::new(),
            steps: Vec::new(),
            is_goal: Vec::new(),
            estimates: Vec::new(),
        };
        let mut ids = FxHashMap::default();
        ids.insert(initial, 0);
        let mut found: Vec<Step> = Vec::new();
        while let Some(&number) = explored.numbers.get(explored.first.len()) {
            explored.first.push(explored.steps.len() as u32);
            let end = space.end(number);
            explored.is_goal.push(end == End::Goal);
            if end == End::Goal && limits.until_supplied {
                return Err(TooLarge);
            }
            if end != End::Open {
                continue;
            }
            found.clear();
            space.successors(number, &mut found)?;
            least(&mut found);
            if limits.until_supplied && found.iter().any(|step| step.supplies != 0) {
                return Err(TooLarge);
            }
            for step in &found {
                let next = explored.numbers.len() as u32;
                let target = *ids.entry(step.target).or_insert(next);
                if target == next {
                    explored.numbers.push(step.target);
                }
                let (first, labels) = measure.least(step.cost, step.labels);
                explored.steps.push(Arc {
                    target,
                    labels,
                    first,
                    supplies: step.supplies,
                });
            }
            if explored.numbers.len() > limits.states
                || space.work() > limits.work
                || explored.steps.len() > u32::MAX as usize / 2
                || explored.first.len().is_multiple_of(POLL) && (limits.is_stopped)()
            {
                return Err(TooLarge);
            }
        }
        explored.first.push(explored.steps.len() as u32);
        let seeds = explored.is_goal.iter().map(|&is_goal| {
            if is_goal {
                Estimate::ZERO
            } else {
                Estimate::DEAD
            }
        });
        let seeds = seeds.collect();
        explored.estimates = explored.backward(seeds, |arc, rest: Estimate| {
            Some(rest.plus(arc.first, 1, arc.labels))
        });
        Ok(explored)
    }

    /// Keeps the states and their distances alone.
    pub(super) fn forget_steps(&mut self) {
        self.steps = Vec::new();
        self.first = Vec::new();
        self.numbers = Vec::new();
    }

    /// The steps from a place.
    pub(super) fn arcs(&self, place: usize) -> &[Arc] {
        &self.steps[self.first[place] as usize..self.first[place + 1] as usize]
    }

    /// Uniform-cost search from all places along reversed steps: `values` gives each place the
    /// distance that it has by itself, `through` that which a step gives its source, if any.
    pub(super) fn backward<V: Ord + Copy>(
        &self,
        mut values: Vec<V>,
        through: impl Fn(&Arc, V) -> Option<V>,
    ) -> Vec<V> {
        let Some(&worst) = values.iter().max() else {
            return values;
        };
        let states = self.numbers.len();
        let mut first = vec![0_u32; states + 1];
        for arc in &self.steps {
            first[arc.target as usize + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![(0, 0); self.steps.len()];
        for source in 0..states {
            for index in self.first[source]..self.first[source + 1] {
                let place = &mut next[self.steps[index as usize].target as usize];
                sources[*place as usize] = (source as u32, index);
                *place += 1;
            }
        }
        let own = values
            .iter()
            .zip(0_u32..)
            .filter(|(value, _)| **value < worst);
        let mut open: BinaryHeap<_> = own.map(|(&value, id)| Reverse((value, id))).collect();
        while let Some(Reverse((value, id))) = open.pop() {
            if values[id as usize] != value {
                continue;
            }
            let entering = first[id as usize] as usize..first[id as usize + 1] as usize;
            for &(source, index) in &sources[entering] {
                if let Some(through) = through(&self.steps[index as usize], value)
                    && through < values[source as usize]
                {
                    values[source as usize] = through;
                    open.push(Reverse((through, source)));
                }
            }
        }
        values
    }

    /// The place of the first state after `id` on a best path.
    pub(super) fn best_step(&self, id: u32) -> Option<u32> {
        let is_best = |arc: &&Arc| {
            let rest = self.estimates[arc.target as usize];
            rest != Estimate::DEAD
                && rest.plus(arc.first, 1, arc.labels) == self.estimates[id as usize]
        };
        let mut arcs = self.arcs(id as usize).iter();
        arcs.find(is_best).map(|arc| arc.target)
    }

    /// Keeps the distances alone.
    pub(super) fn into_table(self, abstraction: &Abstraction) -> Table {
        let variables = &abstraction.model.task.variables;
        let lookup = abstraction.numbering.lookup().into_iter();
        Table {
            lookup: lookup
                .map(|(variable, table)| (variables[variable as usize].clone(), table))
                .collect(),
            estimates: self.numbers.into_iter().zip(self.estimates).collect(),
        }
    }
}

impl Table {
    /// The distance of the abstract state of a state.
    pub(super) fn estimate(&self, state: &[u64]) -> Estimate {
        let parts = self.lookup.iter();
        let number: Number = parts
            .map(|(variable, table)| table[variable.get(state) as usize])
            .sum();
        self.estimates
            .get(&number)
            .copied()
            .unwrap_or(Estimate::ZERO)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.estimates.capacity() * size_of::<(Number, Estimate)>()
    }
}

/// Keeps one of the steps to each abstract state with the same supplies: with the least cost, and
/// the least labels, of all.
pub(super) fn least(steps: &mut Vec<Step>) {
    let key = |step: &Step| (step.target, step.supplies);
    merge_by_key(steps, key, |step, other| {
        step.cost = step.cost.min(other.cost);
        step.labels = step.labels.min(other.labels);
    });
}

/// Sorts, and keeps one of all with the same key, merged with each of the others.
pub(super) fn merge_by_key<T, K: Ord>(
    items: &mut Vec<T>,
    key: impl Fn(&T) -> K,
    merge: impl Fn(&mut T, &T),
) {
    if items.len() < 2 {
        return;
    }
    items.sort_unstable_by_key(&key);
    items.dedup_by(|later, earlier| {
        let is_same = key(later) == key(earlier);
        if is_same {
            merge(earlier, later);
        }
        is_same
    });
}
