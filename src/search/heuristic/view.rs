//! Distances in what one agent sees: its own part of the task, where the others help as they can.
//!
//! The abstract states are values of the agent's own variables and what is known of the others (see
//! `sphere`). A state of the task lies in several: any that knows at least as much. The greatest of
//! their distances is admissible, because each step leads from an abstract state to
//! one that knows no less.

use rustc_hash::FxHashMap;

use super::Estimate;
use super::domains::{contains, insert, is_empty, values};
use super::graph::{Graph, Weight};
use super::model::Model;
use super::numbering::{Classes, Number, trivial_classes};
use super::solo::{KNOWN, Solo, known};
use super::sphere::Sphere;
use super::table::{Explored, Limits};
use crate::search::measure::Measure;
use crate::task::layout::{Variable, VariableKind};

/// No place.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Abstract states, found by what a state of the task is like.
#[derive(Debug)]
pub(super) struct Places {
    lookup: Vec<(Variable, Box<[Number]>)>,
    /// By the classes of the own variables: what is known, and the place; the farthest first.
    by_classes: FxHashMap<Number, Vec<(u32, u32)>>,
}

/// The abstract space of one agent.
pub(super) struct View {
    pub(super) explored: Explored,
    pub(super) places: Places,
    /// The least labels on any way to the goal, by place.
    least_labels: Vec<u32>,
}

impl View {
    /// `None` if there are too many abstract states.
    pub(super) fn new(
        model: &Model,
        sphere: &mut Sphere,
        start: &[u64],
        measure: Measure,
        limits: Limits,
    ) -> Option<Self> {
        let classes = own_classes(model, sphere);
        let mut space = Solo::new(model, sphere, classes).ok()?;
        let initial = space.number(start);
        let mut explored = Explored::new(&mut space, measure, initial, limits).ok()?;
        explored.steps = Graph::default();
        let variables = &model.task.variables;
        let lookup = space.lookup().into_iter();
        let lookup = lookup
            .map(|(variable, table)| (variables[variable as usize].clone(), table))
            .collect();
        let mut order: Vec<u32> = (0..explored.numbers.len() as u32).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(explored.estimates[place as usize]));
        let mut by_classes: FxHashMap<Number, Vec<(u32, u32)>> = FxHashMap::default();
        for place in order {
            let number = explored.numbers[place as usize];
            let places = by_classes.entry(number / KNOWN).or_default();
            places.push((known(number), place));
        }
        let seeds = explored.is_goal.iter();
        let seeds = seeds.map(|&is_goal| if is_goal { 0 } else { u32::MAX });
        let mut least_labels: Vec<u32> = seeds.collect();
        let through = |weight: &Weight, rest: u32| rest.checked_add(weight.labels);
        explored.entering.relax(&mut least_labels, through);
        Some(Self {
            explored,
            places: Places { lookup, by_classes },
            least_labels,
        })
    }

    /// How many abstract states there are.
    pub(super) const fn len(&self) -> usize {
        self.explored.numbers.len()
    }

    /// The landmarks of others that the agent can bring about, as a set of bits.
    pub(super) fn supplies(&self) -> u64 {
        let weights = self.explored.entering.weights().iter();
        weights.fold(0, |supplies, weight| supplies | weight.supplies)
    }

    /// The distance of a place to the goal.
    pub(super) fn estimate(&self, place: u32) -> Estimate {
        self.explored.estimates[place as usize]
    }

    /// The labels from a place to the goal, at least, if ticks do not matter.
    pub(super) fn least_labels(&self, place: u32) -> u32 {
        self.least_labels[place as usize]
    }

    /// Bytes held once the steps are forgotten.
    pub(super) fn bytes(&self) -> usize {
        let labels = size_of_val(&*self.least_labels);
        size_of_val(&*self.explored.estimates) + labels + self.places.bytes()
    }

    /// With what estimates need alone.
    pub(super) fn without_steps(mut self) -> Self {
        self.explored.forget_steps();
        self
    }
}

impl Places {
    /// The classes of the own variables in a state.
    pub(super) fn classes(&self, state: &[u64]) -> Number {
        let parts = self.lookup.iter();
        let number: Number = parts
            .map(|(variable, table)| table[variable.get(state) as usize])
            .sum();
        number / KNOWN
    }

    /// The farthest place with these classes at which no less is known, or [`NOWHERE`].
    pub(super) fn find(&self, sphere: &Sphere, classes: Number, known: u32) -> u32 {
        let places = self.by_classes.get(&classes);
        let mut places = places.into_iter().flatten();
        let found = places.find(|&&(other, _)| sphere.includes(other, known));
        found.map_or(NOWHERE, |&(_, place)| place)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let places = self.by_classes.values().map(Vec::capacity).sum::<usize>();
        self.by_classes.capacity() * size_of::<(Number, Vec<(u32, u32)>)>()
            + places * size_of::<(u32, u32)>()
    }
}

/// Tells apart the values that the agent's own variables can take, but for those aside.
fn own_classes(model: &Model, sphere: &Sphere) -> Classes {
    let mut classes = trivial_classes(model);
    for (variable, layout) in (0..).zip(&model.task.variables) {
        if sphere.is_red[variable as usize] || layout.kind == VariableKind::Derived {
            continue;
        }
        let classes = &mut classes[variable as usize];
        let mut rest = classes[0].clone();
        let mut aside = sphere.aside[variable as usize].clone();
        for (word, reached) in aside
            .iter_mut()
            .zip(model.domains.get(sphere.everything(), variable))
        {
            *word &= reached;
        }
        classes.clear();
        for value in values(model.domains.get(sphere.everything(), variable)) {
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
