//! Images: the ways in which the parts of an orbit see a projection.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::control::Control;
use crate::heuristics::patterns::projection::{Automorphism, Projection};
use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::images::Image as Exchange;

/// Exchanges of objects that are looked at, at most.
const MOST_EXCHANGES: usize = 1000;

/// The place of what is read, and what is made of each value.
pub(crate) type Reading = (u32, Box<[u32]>);

/// The way in which a part sees a projection.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Image {
    pub(crate) projection: usize,
    /// For each variable of the projection the place of what is seen as it, and the class of each
    /// value.
    pub(crate) variables: Vec<Reading>,
    /// The same of where the agent is.
    pub(crate) at: Option<Reading>,
}

impl Image {
    /// All that it reads: as the variables, then as where the agent is.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.variables.iter().chain(&self.at)
    }

    /// Replaces it by the first in order of those with the same distances.
    pub(crate) fn reduce(&mut self, kept: &[Automorphism]) {
        let Some((_, places)) = &mut self.at else {
            return;
        };
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for automorphism in kept {
                let image = places
                    .iter()
                    .map(|&place| automorphism.places[place as usize]);
                if image.clone().lt(places.iter().copied()) {
                    *places = image.collect();
                    for ((_, classes), to) in self.variables.iter_mut().zip(&automorphism.classes) {
                        for class in classes {
                            *class = to[*class as usize];
                        }
                    }
                    is_changed = true;
                }
            }
        }
    }
}

/// An order of the variables of the images of a projection in which images see many of the first
/// alike.
pub(crate) fn shared_first(images: &[Image]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..images.first().map_or(0, |it| it.variables.len())).collect();
    let mut order = Vec::with_capacity(left.len());
    // For each image the number of what it sees of those in order.
    let mut seen: Vec<usize> = vec![0; images.len()];
    while !left.is_empty() {
        let with = left.iter().map(|&place| {
            let mut known: IndexSet<(usize, &Reading), FxBuildHasher> = IndexSet::default();
            let numbers = seen.iter().zip(images);
            let numbers = numbers.map(|(&seen, image)| {
                let longer = (seen, &image.variables[place]);
                known.insert_full(longer).0
            });
            (numbers.collect::<Vec<usize>>(), known.len())
        });
        let with: Vec<(Vec<usize>, usize)> = with.collect();
        let least = (0..left.len()).min_by_key(|&it| with[it].1).unwrap_or(0);
        seen = with.into_iter().nth(least).unwrap_or_default().0;
        order.push(left.remove(least));
    }
    order
}

/// The automorphisms of a projection that exchanges of two objects are, and make of each other.
pub(crate) fn automorphisms(
    builder: &Builder,
    projection: &Projection,
    place: Option<u32>,
    control: &dyn Control,
) -> Vec<Automorphism> {
    let mut found: IndexSet<Automorphism, FxBuildHasher> = IndexSet::default();
    let fixes = |image: &Exchange| {
        let automorphism = projection.automorphism(image, place);
        let is_one = automorphism.is_some();
        let moving =
            automorphism.filter(|it| (0..).zip(&it.places).any(|(place, &to)| place != to));
        found.extend(moving);
        is_one
    };
    let is_over = || control.stop().is_some();
    builder.images.fixing(MOST_EXCHANGES, fixes, is_over);
    let mut next = 0;
    while next < found.len() && found.len() < MOST_EXCHANGES && !is_over() {
        for other in 0..found.len() {
            let between = found[next].conjugate(&found[other]);
            found.insert(between);
        }
        next += 1;
    }
    found.into_iter().collect()
}
