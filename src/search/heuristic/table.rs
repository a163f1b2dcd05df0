//! The abstract states that can be reached and their exact distances to the goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Estimate;
use super::abstraction::{Abstraction, Step, TooLarge};
use crate::search::measure::Measure;
use crate::task::layout::Variable;

/// Limits of one enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Abstract states.
    pub(super) states: usize,
    /// Parts visited while effects are applied.
    pub(super) work: u64,
}

/// The reachable part of an abstract space.
pub(super) struct Explored {
    pub(super) numbers: Vec<u64>,
    /// The first step of each state, and the number of steps.
    first: Vec<u32>,
    /// Targets by place, and what each adds to first key and labels.
    steps: Vec<(u32, i64, u32)>,
    pub(super) estimates: Vec<Estimate>,
}

/// Distances by the number of an abstract state.
#[derive(Debug)]
pub(crate) struct Table {
    lookup: Vec<(Variable, Box<[u64]>)>,
    estimates: FxHashMap<u64, Estimate>,
}

impl Explored {
    /// Enumerates what can be reached from the abstract state `initial`.
    pub(super) fn new(
        abstraction: &mut Abstraction,
        measure: Measure,
        initial: u64,
        limits: Limits,
    ) -> Result<Self, TooLarge> {
        let mut explored = Self {
            numbers: vec![initial],
            first: Vec::new(),
            steps: Vec::new(),
            estimates: Vec::new(),
        };
        let mut ids = FxHashMap::default();
        ids.insert(initial, 0);
        let mut is_goal = Vec::new();
        let mut found: Vec<Step> = Vec::new();
        while let Some(&number) = explored.numbers.get(explored.first.len()) {
            explored.first.push(explored.steps.len() as u32);
            let row = abstraction.row(number);
            let ends = abstraction.may_be_goal(&row);
            is_goal.push(ends);
            if ends || abstraction.is_dead(&row) {
                continue;
            }
            abstraction.successors(&row, &mut found)?;
            for step in &found {
                let next = explored.numbers.len() as u32;
                let target = *ids.entry(step.target).or_insert(next);
                if target == next {
                    explored.numbers.push(step.target);
                }
                let (first, labels) = measure.least(step.cost, step.labels);
                explored.steps.push((target, first, labels));
            }
            if explored.numbers.len() > limits.states
                || abstraction.work > limits.work
                || explored.steps.len() > u32::MAX as usize / 2
            {
                return Err(TooLarge);
            }
        }
        explored.first.push(explored.steps.len() as u32);
        explored.measure_distances(&is_goal);
        Ok(explored)
    }

    /// Uniform-cost search from the goals along reversed steps.
    fn measure_distances(&mut self, is_goal: &[bool]) {
        let states = self.numbers.len();
        let mut first = vec![0_u32; states + 1];
        for &(target, ..) in &self.steps {
            first[target as usize + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![(0, 0); self.steps.len()];
        for source in 0..states {
            for index in self.first[source]..self.first[source + 1] {
                let place = &mut next[self.steps[index as usize].0 as usize];
                sources[*place as usize] = (source as u32, index);
                *place += 1;
            }
        }
        self.estimates = vec![Estimate::DEAD; states];
        let mut open = BinaryHeap::new();
        for (id, _) in is_goal.iter().enumerate().filter(|(_, is_goal)| **is_goal) {
            self.estimates[id] = Estimate::ZERO;
            open.push(Reverse((Estimate::ZERO, id as u32)));
        }
        while let Some(Reverse((estimate, id))) = open.pop() {
            if self.estimates[id as usize] != estimate {
                continue;
            }
            let entering = first[id as usize] as usize..first[id as usize + 1] as usize;
            for &(source, step) in &sources[entering] {
                let (_, cost, labels) = self.steps[step as usize];
                let through = estimate.plus(cost, 1, labels);
                if through < self.estimates[source as usize] {
                    self.estimates[source as usize] = through;
                    open.push(Reverse((through, source)));
                }
            }
        }
    }

    /// The place of the first state after `id` on a best path.
    pub(super) fn best_step(&self, id: u32) -> Option<u32> {
        let steps = self.first[id as usize] as usize..self.first[id as usize + 1] as usize;
        let mut steps = self.steps[steps].iter();
        steps
            .find(|&&(target, cost, labels)| {
                let rest = self.estimates[target as usize];
                rest != Estimate::DEAD && rest.plus(cost, 1, labels) == self.estimates[id as usize]
            })
            .map(|&(target, ..)| target)
    }

    /// Keeps the distances alone.
    pub(super) fn into_table(self, abstraction: &Abstraction) -> Table {
        let variables = &abstraction.model.task.variables;
        let lookup = abstraction.lookup().into_iter();
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
        let number = parts
            .map(|(variable, table)| table[variable.get(state) as usize])
            .sum();
        self.estimates
            .get(&number)
            .copied()
            .unwrap_or(Estimate::ZERO)
    }
}
