//! Distances, and sums of them: one where something was done last where the agent is, and one after
//! a move.

use std::ops::Add;

use crate::heuristics::patterns::projection::FAR;

/// That no goal can be reached: more than distances of thousands of projections add up to.
pub(crate) const MUCH: u32 = 1 << 30;

/// Two sums in the halves of a number, so that both are added at once. Three of at most `MUCH` each
/// can be added before they are capped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sums(u64);

impl Sums {
    /// More than any that is capped.
    pub(crate) const UNREACHED: Self = Self::new(u32::MAX, u32::MAX);

    pub(crate) const fn new(first: u32, second: u32) -> Self {
        Self((first as u64) << u32::BITS | second as u64)
    }

    /// Of two distances.
    pub(crate) const fn of(first: u16, second: u16) -> Self {
        const fn wide(distance: u16) -> u32 {
            match distance {
                FAR => MUCH,
                distance => distance as u32,
            }
        }
        Self::new(wide(first), wide(second))
    }

    #[inline]
    const fn halves(self) -> (u32, u32) {
        ((self.0 >> u32::BITS) as u32, self.0 as u32)
    }

    /// The greater of both.
    #[inline]
    pub(crate) fn greater(self) -> u32 {
        let (first, second) = self.halves();
        first.max(second)
    }

    /// The less of each of both.
    pub(crate) fn least(self, other: Self) -> Self {
        let (own, other) = (self.halves(), other.halves());
        Self::new(own.0.min(other.0), own.1.min(other.1))
    }

    /// Caps what is too much at `MUCH`.
    pub(crate) fn capped(self) -> Self {
        self.least(Self::new(MUCH, MUCH))
    }

    /// Returns whether neither is less than another.
    #[inline]
    pub(crate) const fn are_at_least(self, other: Self) -> bool {
        let (own, other) = (self.halves(), other.halves());
        own.0 >= other.0 && own.1 >= other.1
    }
}

impl Add for Sums {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_task::split_mix::SplitMix;

    #[test]
    fn sums_in_one_number_are_those_of_each_by_itself() {
        let mut random = SplitMix::new(0, 0);
        let mut any = || match random.below(4) {
            0 => MUCH,
            _ => random.below(1 << 16) as u32,
        };
        for _ in 0..10_000 {
            let [one, other, third] = [(); 3].map(|()| (any(), any()));
            let [own, with, last] =
                [one, other, third].map(|(first, second)| Sums::new(first, second));
            let sum = (one.0 + other.0 + third.0, one.1 + other.1 + third.1);
            assert_eq!(own + with + last, Sums::new(sum.0, sum.1));
            assert_eq!((own + with + last).greater(), sum.0.max(sum.1));
            let capped = Sums::new(sum.0.min(MUCH), sum.1.min(MUCH));
            assert_eq!((own + with + last).capped(), capped);
            let least = Sums::new(one.0.min(other.0), one.1.min(other.1));
            assert_eq!(own.least(with), least);
            let are_at_least = one.0 >= other.0 && one.1 >= other.1;
            assert_eq!(own.are_at_least(with), are_at_least);
            assert!(Sums::UNREACHED.are_at_least(own));
        }
    }

    #[test]
    fn a_distance_that_cannot_be_gone_is_much() {
        assert_eq!(Sums::of(FAR, 3), Sums::new(MUCH, 3));
        assert_eq!(Sums::of(FAR - 1, FAR), Sums::new(u32::from(FAR) - 1, MUCH));
    }
}
