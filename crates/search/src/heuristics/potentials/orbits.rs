//! Orbits of potentials: those that permutations of objects make of each other share one number.
//!
//! Where a permutation leaves the task and a part of the goal as they are, the distance to that
//! part is the same from a state and from what the permutation makes of it. Little is lost if
//! potentials are the same too, as what they bound is a whole orbit; the linear program has one
//! variable for an orbit of potentials and one row for an orbit of operators (symmetry reduction of
//! linear programs: R. Bödi, K. Herr, M. Joswig, "Algorithms for Highly Symmetric Linear and
//! Integer Programs", Mathematical Programming, 2013).

use super::features::Features;
use super::images::Image;
use super::program::Weight;

/// A partition of the potentials into orbits.
#[derive(PartialEq, Eq)]
pub(crate) struct WeightOrbits {
    /// For each potential the number of its orbit.
    numbers: Vec<Weight>,
    count: usize,
}

impl WeightOrbits {
    /// The orbits of the potentials of `features` under the group that these permutations generate.
    pub(crate) fn new(features: &Features, images: &[Image]) -> Self {
        let mut parents: Vec<Weight> = (0..features.weights() as Weight).collect();
        for image in images {
            for (weight, other) in (0..).zip(features.image(image)) {
                let (left, right) = (root(&mut parents, weight), root(&mut parents, other));
                parents[left.max(right) as usize] = left.min(right);
            }
        }
        let mut numbers = vec![0; parents.len()];
        let mut count = 0;
        for weight in 0..parents.len() as Weight {
            // The root is the least of its set.
            let root = root(&mut parents, weight);
            if root == weight {
                numbers[weight as usize] = count as Weight;
                count += 1;
            } else {
                numbers[weight as usize] = numbers[root as usize];
            }
        }
        Self { numbers, count }
    }

    /// The number of orbits.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The orbit of a potential.
    pub(crate) fn of(&self, weight: Weight) -> Weight {
        self.numbers[weight as usize]
    }

    /// The orbits of potentials, ascending, each once.
    pub(crate) fn all(&self, weights: impl Iterator<Item = Weight>) -> Vec<Weight> {
        let mut numbers: Vec<Weight> = weights.map(|weight| self.of(weight)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The value of each potential, from those of the orbits.
    pub(crate) fn weights(&self, numbers: &[i64]) -> Vec<i64> {
        let weights = self.numbers.iter();
        weights.map(|&number| numbers[number as usize]).collect()
    }
}

fn root(parents: &mut [Weight], mut weight: Weight) -> Weight {
    while parents[weight as usize] != weight {
        parents[weight as usize] = parents[parents[weight as usize] as usize];
        weight = parents[weight as usize];
    }
    weight
}
