//! Any permutation of interchangeable objects as a few exchanges of two.
//!
//! Exchanges of neighbours make all permutations of a class, but a permutation of n members may
//! take n² of them. Any is also made by 3n/2 exchanges with the first member at most, and those are
//! made from the exchanges of neighbours: the first and the third change places as the second and
//! the third, then the first and the second, then the second and the third again.

use super::exchange::Exchange;
use super::moves::{Moves, Shifts};
use brigade_task::layout::Field;

/// For each member of a class, by its place, the first of the class and what happens when the two
/// change places.
pub(super) struct Transpositions {
    first: Vec<u16>,
    /// Of the first itself, nothing.
    with_first: Vec<Shifts>,
}

impl Transpositions {
    /// The transpositions of so many members, by exchanges of neighbours. `values` are their
    /// values, `size` gives the number of values of a variable.
    pub(super) fn new(
        members: usize,
        exchanges: &[Exchange],
        values: &[u32],
        size: impl Fn(Field) -> u32,
    ) -> Self {
        let mut first: Vec<u16> = (0..members as u16).collect();
        let mut with_first: Vec<Moves> = (0..members).map(|_| Moves::default()).collect();
        for exchange in exchanges {
            let neighbours = Moves::of(exchange, values, &size);
            let (left, right) = exchange.members;
            first[right] = first[left];
            with_first[right] = if usize::from(first[left]) == left {
                neighbours
            } else {
                Moves::in_turn(&[&neighbours, &with_first[left], &neighbours])
            };
        }
        Self {
            first,
            with_first: with_first.iter().map(Moves::shifts).collect(),
        }
    }

    /// The members that change places with the first of their class, one after another, to make a
    /// permutation.
    pub(super) fn of(&self, permutation: &[u16]) -> Vec<u16> {
        let mut left = permutation.to_vec();
        let mut made = Vec::new();
        for place in 0..left.len() {
            let first = usize::from(self.first[place]);
            if left[place] as usize != place && place != first {
                left.swap(first, place);
                made.push(place as u16);
            }
            while usize::from(left[first]) != first {
                let place = left[first];
                left.swap(first, place.into());
                made.push(place);
            }
        }
        made
    }

    /// The moves by which a member changes places with the first of its class.
    pub(super) fn with_first(&self, member: u16) -> &Shifts {
        &self.with_first[usize::from(member)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reductions::symmetry::boxes::{Boxes, MEMBERS, Scene};
    use brigade_task::StateBuf;
    use brigade_task::split_mix::SplitMix;

    #[test]
    fn a_permutation_is_made_of_exchanges_with_the_first_of_each_class() {
        let boxes = Boxes::new();
        let (exchanges, values) = boxes.exchanges();
        let size = |field| boxes.size(field);
        let all = Transpositions::new(MEMBERS, &exchanges, &values, size);
        let mut random = SplitMix::new(5, 0);
        for permutation in [
            [0, 1, 2, 3, 4, 5, 6],
            [4, 3, 2, 1, 0, 6, 5],
            [1, 2, 3, 4, 0, 5, 6],
            [0, 3, 4, 2, 1, 6, 5],
            [2, 1, 0, 4, 3, 5, 6],
        ] {
            let made = all.of(&permutation);
            assert!(made.len() <= MEMBERS * 3 / 2, "{made:?}");
            for _ in 0..20 {
                let mut state = boxes.state(&Scene::any(&mut random));
                let expected = boxes.permuted(&state, &permutation);
                let (before, mut space) = (state.clone(), StateBuf::default());
                for &member in &made {
                    all.with_first(member).apply(&mut state, &mut space);
                }
                assert_eq!(state, expected, "{permutation:?}");
                for &member in made.iter().rev() {
                    all.with_first(member).apply(&mut state, &mut space);
                }
                assert_eq!(state, before, "{permutation:?}");
            }
        }
    }
}
