//! Distances in projections to a few variables and groups, where some operators cost something.
//!
//! The combinations of values that pairs of values and conjunctions allow are enumerated; values
//! that look alike are one. A state also holds where something was done last, or that there was a
//! move since. Operators that others pay for cost nothing, but are done somewhere too.

mod automorphism;
mod build;
mod edges;
mod implied_facts;
mod order;

use std::collections::BTreeSet;

use super::charges::Charges;
use super::conjunctions::Conjunctions;
use crate::control::Control;
use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::goals::Row;
pub(crate) use automorphism::Automorphism;
use brigade_task::ObjectId;
use brigade_task::symbols::Meaning;

/// That no goal can be reached.
pub(crate) const FAR: u16 = u16::MAX;
/// No state.
pub(crate) const NONE: u32 = u32::MAX;

/// The inputs of all projections.
pub(crate) struct Context<'a, 'b, 'm, 't> {
    pub(crate) builder: &'a Builder<'m, 't>,
    pub(crate) conjunctions: &'a Conjunctions,
    pub(crate) charges: &'a Charges,
    /// The meanings of the values of all variables and groups.
    pub(crate) meanings: &'a [Vec<Meaning>],
    /// The ways to reach the part of the goal.
    pub(crate) rows: &'a [Row],
    /// The objects that may be left out of what is distinguished.
    pub(crate) objects: &'a BTreeSet<ObjectId>,
    /// States of a projection, at most.
    pub(crate) most_states: usize,
    pub(crate) control: &'b dyn Control,
}

/// The distinctions that are made in a variable or group.
pub(crate) struct Distinctions {
    pub(crate) id: u32,
    /// True if it matters what the goal asks of it.
    pub(crate) is_own: bool,
    /// True if values are distinguished of which the goal allows one and not the other.
    pub(crate) is_asked: bool,
    /// True if all that matters is whether it is 0.
    pub(crate) is_running: bool,
}

/// The distances of a projection.
pub(crate) struct Projection {
    /// The variables and groups.
    pub(crate) variables: Vec<u32>,
    /// For each of them the class of each value.
    pub(crate) classes: Vec<Box<[u32]>>,
    /// For each of them what the class makes of what those before lead to; `NONE` if that cannot
    /// be.
    next: Vec<Level>,
    /// For each state: where something was done last at each of the places, then after a move.
    distances: Vec<u16>,
    columns: usize,
}

struct Level {
    classes: u32,
    next: Vec<u32>,
}

impl Projection {
    /// One with these numbers of classes, what each makes of what those before lead to, and these
    /// distances, so many of each state.
    #[cfg(test)]
    pub(crate) fn made_up(
        variables: Vec<u32>,
        classes: &[u32],
        next: Vec<Vec<u32>>,
        (distances, columns): (Vec<u16>, usize),
    ) -> Self {
        let levels = next.into_iter().zip(classes);
        Self {
            variables,
            classes: classes.iter().map(|&count| (0..count).collect()).collect(),
            next: levels
                .map(|(next, &classes)| Level { classes, next })
                .collect(),
            distances,
            columns,
        }
    }

    /// Returns whether some distance is not 0.
    pub(crate) fn is_informative(&self) -> bool {
        self.distances.iter().any(|&distance| distance > 0)
    }

    pub(crate) fn bytes(&self) -> usize {
        let next: usize = self.next.iter().map(|level| 4 * level.next.len()).sum();
        next + 2 * self.distances.len()
    }

    /// The number of the state with these classes of its variables, if that can be.
    pub(crate) fn state(&self, classes: impl Iterator<Item = u32>) -> Option<u32> {
        let mut state = 0;
        for (level, class) in (0..self.next.len() as u32).zip(classes) {
            state = self.next(level, state, class);
            if state == NONE {
                return None;
            }
        }
        Some(state)
    }

    /// The place that the class of one more variable leads to from the place of those before;
    /// `NONE` if that cannot be.
    pub(crate) fn next(&self, level: u32, state: u32, class: u32) -> u32 {
        let level = &self.next[level as usize];
        level.next[(state * level.classes + class) as usize]
    }

    /// The distances from a state where something was done last at a place, and after a move.
    pub(crate) fn distances(&self, state: u32, at: Option<u32>) -> (u16, u16) {
        let row = &self.distances[state as usize * self.columns..][..self.columns];
        let moved = row[self.columns - 1];
        (at.map_or(moved, |at| row[at as usize]), moved)
    }

    /// The distances of all states, one after another: from where something was done last at each
    /// of the places, then after a move.
    pub(crate) fn rows(&self) -> &[u16] {
        &self.distances
    }

    /// The number of distances of each state.
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }
}

/// The number of classes.
fn count(classes: &[u32]) -> usize {
    classes.iter().max().map_or(0, |&last| last as usize + 1)
}
