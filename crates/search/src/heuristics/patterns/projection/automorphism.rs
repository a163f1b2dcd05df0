//! Permutations of objects that leave the distances of a projection as they are.

use super::{NONE, Projection, count};
use crate::heuristics::potentials::images::Image;

/// The image of each class of each variable, and of each place, under a permutation that keeps all
/// distances.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Automorphism {
    pub(crate) classes: Vec<Vec<u32>>,
    pub(crate) places: Vec<u32>,
}

impl Automorphism {
    /// This one between twice another that is its own inverse.
    pub(crate) fn conjugate(&self, other: &Self) -> Self {
        let between = |own: &[u32], other: &[u32]| -> Vec<u32> {
            let images = other.iter().map(|&it| other[own[it as usize] as usize]);
            images.collect()
        };
        let classes = self.classes.iter().zip(&other.classes);
        Self {
            classes: classes.map(|(own, other)| between(own, other)).collect(),
            places: between(&self.places, &other.places),
        }
    }
}

impl Projection {
    /// The image of classes and places under a permutation of values that leaves all distances as
    /// they are; `None` if it does not.
    pub(crate) fn automorphism(&self, image: &Image, place: Option<u32>) -> Option<Automorphism> {
        let of_classes = self
            .variables
            .iter()
            .zip(&self.classes)
            .map(|(&id, classes)| {
                if image.variable(id) != id {
                    return None;
                }
                let mut to = vec![NONE; count(classes)];
                for (&class, value) in classes.iter().zip(0..) {
                    let image = classes[image.value(id, value) as usize];
                    let known = &mut to[class as usize];
                    if *known != NONE && *known != image {
                        return None;
                    }
                    *known = image;
                }
                Some(to)
            });
        let classes: Vec<Vec<u32>> = of_classes.collect::<Option<_>>()?;
        let places = (0..self.columns as u32 - 1).map(|value| {
            let place = place?;
            (image.variable(place) == place).then(|| image.value(place, value))
        });
        let found = Automorphism {
            classes,
            places: places.collect::<Option<_>>()?,
        };
        self.is_kept(&found, 0, (0, 0)).then_some(found)
    }

    /// Returns whether the distances of all states below one are those of what they become below
    /// another.
    fn is_kept(&self, by: &Automorphism, depth: usize, (from, to): (u32, u32)) -> bool {
        let Some(level) = self.next.get(depth) else {
            let row = |state: u32| &self.distances[state as usize * self.columns..][..self.columns];
            let (from, to) = (row(from), row(to));
            let moved = self.columns - 1;
            let mut places = by.places.iter().zip(from);
            return from[moved] == to[moved]
                && places.all(|(&place, &distance)| to[place as usize] == distance);
        };
        (0..level.classes).all(|class| {
            let image = by.classes[depth][class as usize];
            let from = level.next[(from * level.classes + class) as usize];
            let to = level.next[(to * level.classes + image) as usize];
            match (from == NONE, to == NONE) {
                (true, true) => true,
                (false, false) => self.is_kept(by, depth + 1, (from, to)),
                _ => false,
            }
        })
    }
}
