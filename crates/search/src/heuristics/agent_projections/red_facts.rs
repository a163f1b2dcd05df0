//! Red sets: which red facts have been reached, as a part of the number of an abstract state of one
//! agent.

use crate::heuristics::cartesian::numbering::Number;

/// Bits of a number that hold the red set.
pub(crate) const RED_BITS: u32 = 12;
/// The number of red sets that these bits can hold.
pub(crate) const RED_SETS: Number = 1 << RED_BITS;

/// The red set of an abstract state.
pub(crate) const fn red_set(number: Number) -> u32 {
    (number % RED_SETS) as u32
}
