//! Sets of small numbers as the bits of words.

/// Returns whether a set has a value.
pub(crate) fn contains(set: &[u64], value: u32) -> bool {
    set[value as usize / 64] >> (value % 64) & 1 == 1
}

/// Adds a value to a set.
pub(crate) fn insert(set: &mut [u64], value: u32) {
    set[value as usize / 64] |= 1 << (value % 64);
}

/// Returns whether a set has no value.
pub(crate) fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

/// The only value of a set, if it has but one.
pub(crate) fn single(set: &[u64]) -> Option<u32> {
    if let [word] = *set {
        return word.is_power_of_two().then(|| word.trailing_zeros());
    }
    let mut found = values(set);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The values of a set, ascending.
pub(crate) fn values(set: &[u64]) -> impl Iterator<Item = u32> + use<'_> {
    set.iter().zip(0_u32..).flat_map(|(&word, index)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let value = (left != 0).then(|| index * 64 + left.trailing_zeros());
            left &= left.wrapping_sub(1);
            value
        })
    })
}
