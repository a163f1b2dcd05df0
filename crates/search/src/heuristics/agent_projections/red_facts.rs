//! The number of what is known, as a part of that of an abstract state of one agent.

use crate::heuristics::cartesian::numbering::Number;

/// Bits of a number that say what is known.
pub(crate) const KNOWN_BITS: u32 = 12;
/// One more than the greatest number of what is known.
pub(crate) const KNOWN: Number = 1 << KNOWN_BITS;

/// The number of what is known in an abstract state.
pub(crate) const fn known(number: Number) -> u32 {
    (number % KNOWN) as u32
}
