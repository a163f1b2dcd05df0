//! The words of states, mostly few: compared, copied and hashed without the calls that slices of any length
//! make.

/// Returns whether two states of one task, or two keys of one table, have the same words.
pub(crate) fn is_same(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).all(|(left, right)| left == right)
}

/// Copies the words of a state or a key.
pub(crate) fn copy(from: &[u64], to: &mut [u64]) {
    match (from, to) {
        ([from], [to]) => *to = *from,
        ([a, b], [to, next]) => (*to, *next) = (*a, *b),
        ([a, b, c], [to, next, last]) => (*to, *next, *last) = (*a, *b, *c),
        (from, to) => to.copy_from_slice(from),
    }
}

/// The hash of some words: each is mixed in by a multiplication to 128 bits, whose halves
/// are joined, so that all bits of the words reach the upper bits of the hash.
pub(crate) fn hash(words: &[u64]) -> u64 {
    /// 2 to the power 64, divided by the golden ratio.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    words.iter().fold(FACTOR, |hash, &word| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        (product as u64) ^ (product >> 64) as u64
    })
}
