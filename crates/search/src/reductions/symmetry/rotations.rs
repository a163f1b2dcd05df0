//! Objects that pass several others of their class at once.
//!
//! To move past others takes as many exchanges of neighbours, and each of these moves all variables
//! of two objects. What it comes to is found when it is first needed, and then takes little longer
//! than one exchange.

use std::ops::Range;
use std::sync::OnceLock;

use super::moves::{Moves, Shifts};

/// An object passes no more than so many others at once.
const FARTHEST: usize = 16;
/// Objects pass as many at once as give new names to so many values in all, at most, but one at
/// least.
const MOST_VALUES: usize = 1 << 22;

/// Exchanges of neighbours, one after another, each with a neighbour of the one before.
pub(super) struct Rotation {
    /// The exchanges.
    pub(super) exchanges: Range<usize>,
    /// True if the last comes first, so that the last object moves to the front.
    pub(super) is_to_front: bool,
}

/// The moves of rotations, found when they are first needed.
pub(super) struct Rotations {
    farthest: usize,
    /// By the first exchange, how many more there are, and whether the last comes first.
    found: Box<[OnceLock<Box<Shifts>>]>,
}

impl Rotation {
    /// An exchange.
    pub(super) const fn of_neighbours(exchange: usize) -> Self {
        Self {
            exchanges: exchange..exchange + 1,
            is_to_front: false,
        }
    }

    /// The exchanges in turn.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = usize> + use<> {
        let Range { start, end } = self.exchanges;
        let is_to_front = self.is_to_front;
        (0..end - start).map(move |index| {
            if is_to_front {
                end - 1 - index
            } else {
                start + index
            }
        })
    }
}

impl Rotations {
    /// For so many exchanges, of which each gives new names to so many values.
    pub(super) fn new(exchanges: usize, values: usize) -> Self {
        // Those that pass so many give new names to so many times as many values, to the front and back.
        let of_all = |farthest: usize| {
            (exchanges.saturating_mul(values)).saturating_mul(farthest * (farthest + 1))
        };
        let farthest = (1..=FARTHEST).take_while(|&it| of_all(it) <= MOST_VALUES);
        Self::passing(exchanges, farthest.last().unwrap_or(1))
    }

    /// For so many exchanges, where an object passes so many others at once.
    pub(super) fn passing(exchanges: usize, farthest: usize) -> Self {
        Self {
            farthest,
            found: (0..exchanges * farthest * 2)
                .map(|_| OnceLock::new())
                .collect(),
        }
    }

    /// The number of others that an object passes at once, at most.
    pub(super) const fn farthest(&self) -> usize {
        self.farthest
    }

    /// The moves of a rotation, which passes no more than that; `moves` are those of an exchange.
    pub(super) fn get(&self, rotation: &Rotation, moves: impl Fn(usize) -> Moves) -> &Shifts {
        let Range { start, end } = rotation.exchanges;
        let place = start * self.farthest + (end - start - 1);
        let place = &self.found[place * 2 + usize::from(rotation.is_to_front)];
        place.get_or_init(|| {
            let moves: Vec<Moves> = rotation.in_turn().map(moves).collect();
            let moves: Vec<&Moves> = moves.iter().collect();
            Box::new(Moves::in_turn(&moves).shifts())
        })
    }
}
