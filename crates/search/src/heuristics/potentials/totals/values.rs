//! Sets of values of one variable.

/// A set of values of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Values(Box<[u64]>);

impl Values {
    pub(super) fn none(size: u32) -> Self {
        Self(vec![0; size.div_ceil(64).max(1) as usize].into())
    }

    pub(super) fn all(size: u32) -> Self {
        let mut values = Self::none(size);
        (0..size).for_each(|value| values.insert(value));
        values
    }

    pub(super) fn one(size: u32, value: u32) -> Self {
        let mut values = Self::none(size);
        values.insert(value);
        values
    }

    pub(super) fn of(size: u32, values: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::none(size);
        values.into_iter().for_each(|value| set.insert(value));
        set
    }

    pub(super) fn insert(&mut self, value: u32) {
        self.0[value as usize / 64] |= 1 << (value % 64);
    }

    pub(super) fn contains(&self, value: u32) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The values, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|&value| self.contains(value))
    }

    /// The only value, if there is but one.
    pub(super) fn single(&self) -> Option<u32> {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        if count == 1 { self.iter().next() } else { None }
    }

    pub(super) fn meet(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(word, other)| word & other != 0)
    }
}
