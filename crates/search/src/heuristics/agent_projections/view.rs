//! Distances in what one agent sees: its own part of the task, where the others help as they can.
//!
//! The abstract states are values of the agent's own variables and what is known of the others (see
//! `red_black_task`). A state of the task lies in several: any that knows at least as much. The
//! greatest of their distances is admissible, because each step leads from an abstract state to one
//! that knows no less.

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::agent_space::AgentSpace;
use super::red_black_task::RedBlackTask;
use super::red_facts::{RED_SETS, red_set};
use crate::heuristics::Estimate;
use crate::heuristics::abstractions::graph::{Graph, Weight};
use crate::heuristics::abstractions::table::{Explored, Limits};
use crate::heuristics::cartesian::domains::{contains, insert, is_empty, values};
use crate::heuristics::cartesian::model::Model;
use crate::heuristics::cartesian::numbering::{Classes, Number, trivial_classes};
use crate::measure::Measure;
use brigade_task::layout::{Variable, VariableKind};

/// No place.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Abstract states, found by what a state of the task is like.
#[derive(Debug)]
pub(crate) struct Places {
    lookup: Vec<(Variable, Box<[Number]>)>,
    /// By the classes of the own variables: what is known, and the place; the farthest first.
    by_classes: FxHashMap<Number, Vec<(u32, u32)>>,
    bytes: usize,
}

/// The abstract space of one agent.
pub(crate) struct View {
    pub(crate) explored: Explored,
    pub(crate) places: Places,
    /// The least labels on any way to the goal, by place.
    least_labels: Vec<u32>,
    /// For each place the landmarks without which it can be reached.
    without: Vec<u64>,
    /// The landmarks that the agent can do without, or bring about itself.
    pub(crate) dispensable: u64,
}

impl View {
    /// `None` if there are too many abstract states.
    pub(crate) fn new(
        model: &Model,
        red_black: &mut RedBlackTask,
        start: &State,
        measure: Measure,
        limits: Limits,
    ) -> Option<Self> {
        let classes = own_classes(model, red_black);
        let every = red_black
            .landmarks
            .iter()
            .fold(0, |all, (bit, _)| all | bit);
        let mut space = AgentSpace::new(model, red_black, classes).ok()?;
        let initial = space.number(start);
        let mut explored = Explored::new(&mut space, measure, initial, limits).ok()?;
        let (without, dispensable) = without(&explored, every);
        explored.steps = Graph::default();
        let variables = &model.task.variables;
        let lookup = space.lookup().into_iter();
        let lookup = lookup
            .map(|(variable, table)| (variables[variable as usize].clone(), table))
            .collect();
        let mut order: Vec<u32> = (0..explored.numbers.len() as u32).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(explored.estimates[place as usize]));
        let numbers = order.iter().map(|&place| explored.numbers[place as usize]);
        let places = Places::new(lookup, numbers.zip(order.iter().copied()));
        let seeds = explored.is_goal.iter();
        let seeds = seeds.map(|&is_goal| if is_goal { 0 } else { u32::MAX });
        let mut least_labels: Vec<u32> = seeds.collect();
        let through = |weight: &Weight, rest: u32| rest.checked_add(weight.labels);
        explored.entering.relax(&mut least_labels, through);
        Some(Self {
            explored,
            places,
            least_labels,
            without,
            dispensable,
        })
    }

    /// The number of abstract states.
    pub(crate) const fn len(&self) -> usize {
        self.explored.numbers.len()
    }

    /// The landmarks that the agent can bring about, of others and its own, as a set of bits.
    pub(crate) fn achievable(&self) -> u64 {
        let weights = self.explored.entering.weights().iter();
        weights.fold(0, |achieves, weight| achieves | weight.achieves)
    }

    /// The places that can be reached without a landmark.
    pub(crate) fn reached_without(&self, landmark: u64) -> Vec<u32> {
        let places = self.without.iter().zip(0..);
        let reached = places.filter(|&(&without, _)| without & landmark != 0);
        reached.map(|(_, place)| place).collect()
    }

    /// An index of abstract states of these places: the earlier ones first.
    pub(crate) fn some_places(&self, places: &[u32]) -> Places {
        let numbers = places.iter();
        let numbers = numbers.map(|&place| self.explored.numbers[place as usize]);
        Places::new(self.places.lookup.clone(), numbers.zip(0..))
    }

    /// The distance of a place to the goal.
    pub(crate) fn estimate(&self, place: u32) -> Estimate {
        self.explored.estimates[place as usize]
    }

    /// The labels from a place to the goal, at least, if ticks do not matter.
    pub(crate) fn least_labels(&self, place: u32) -> u32 {
        self.least_labels[place as usize]
    }

    /// Bytes held once the steps are forgotten.
    pub(crate) fn bytes(&self) -> usize {
        let labels = size_of_val(&*self.least_labels);
        size_of_val(&*self.explored.estimates) + labels + self.places.bytes()
    }

    /// With what estimates need alone.
    pub(crate) fn without_steps(mut self) -> Self {
        self.explored.forget_steps();
        self.without = Vec::new();
        self
    }
}

impl Places {
    /// Of abstract states by their numbers, in this order.
    fn new(
        lookup: Vec<(Variable, Box<[Number]>)>,
        numbers: impl Iterator<Item = (Number, u32)>,
    ) -> Self {
        let mut by_classes: FxHashMap<Number, Vec<(u32, u32)>> = FxHashMap::default();
        for (number, place) in numbers {
            let places = by_classes.entry(number / RED_SETS).or_default();
            places.push((red_set(number), place));
        }
        let places = by_classes.values().map(Vec::capacity).sum::<usize>();
        let bytes = by_classes.capacity() * size_of::<(Number, Vec<(u32, u32)>)>()
            + places * size_of::<(u32, u32)>();
        Self {
            lookup,
            by_classes,
            bytes,
        }
    }

    /// The classes of the own variables in a state.
    pub(crate) fn classes(&self, state: &State) -> Number {
        let parts = self.lookup.iter();
        let number: Number = parts
            .map(|(variable, table)| table[variable.get(state) as usize])
            .sum();
        number / RED_SETS
    }

    /// The farthest place with these classes at which no less is known, or [`NOWHERE`].
    pub(crate) fn find(&self, red_black: &RedBlackTask, classes: Number, red_set: u32) -> u32 {
        let places = self.by_classes.get(&classes);
        let mut places = places.into_iter().flatten();
        let found = places.find(|&&(other, _)| red_black.includes(other, red_set));
        found.map_or(NOWHERE, |&(_, place)| place)
    }

    /// Bytes held.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }
}

/// For each place those of the landmarks without which it can be reached, and those of them that
/// are dispensable: without them the goal may hold, or the agent can bring them about.
fn without(explored: &Explored, every: u64) -> (Vec<u64>, u64) {
    let mut without = vec![0; explored.numbers.len()];
    let mut dispensable = 0;
    without[0] = every;
    let mut open = vec![0_u32];
    let mut next = Vec::new();
    while !open.is_empty() {
        for place in open.drain(..) {
            let reached = without[place as usize];
            for (target, weight) in explored.steps.at(place as usize) {
                let still = reached & !weight.needs;
                dispensable |= still & weight.achieves;
                let target_without = &mut without[target as usize];
                if still & !*target_without != 0 {
                    *target_without |= still;
                    next.push(target);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        std::mem::swap(&mut open, &mut next);
    }
    for &(place, needs) in &explored.goals {
        dispensable |= without[place as usize] & !needs;
    }
    (without, dispensable)
}

/// Distinguishes the values that the agent's own variables can take, but for those aside.
fn own_classes(model: &Model, red_black: &RedBlackTask) -> Classes {
    let mut classes = trivial_classes(model);
    for (variable, layout) in (0..).zip(&model.task.variables) {
        if red_black.is_red[variable as usize] || layout.kind == VariableKind::Derived {
            continue;
        }
        let classes = &mut classes[variable as usize];
        let mut rest = classes[0].clone();
        let mut aside = red_black.aside[variable as usize].clone();
        for (word, reached) in aside
            .iter_mut()
            .zip(model.domains.get(red_black.everything(), variable))
        {
            *word &= reached;
        }
        classes.clear();
        for value in values(model.domains.get(red_black.everything(), variable)) {
            rest[value as usize / 64] &= !(1 << (value % 64));
            if !contains(&aside, value) {
                let mut class = vec![0; rest.len()];
                insert(&mut class, value);
                classes.push(class.into());
            }
        }
        classes.extend([aside, rest].into_iter().filter(|class| !is_empty(class)));
    }
    classes
}
