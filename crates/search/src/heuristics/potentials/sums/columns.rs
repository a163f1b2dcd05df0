//! Columns: parts of the goal that have the same numbers.

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// For each part of the goal the column that holds its numbers. Columns are numbered as they first
/// appear.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Columns {
    of_parts: Box<[u32]>,
    count: u32,
}

/// Columns that distinguish other parts, by number.
#[derive(Default)]
pub(crate) struct Partitions {
    all: IndexSet<Columns, FxBuildHasher>,
}

impl Columns {
    /// One for each of some keys, of which there is one for each part.
    pub(crate) fn new<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Self {
        let mut numbers = FxHashMap::default();
        let of_parts = keys.map(|key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        });
        Self {
            of_parts: of_parts.collect(),
            count: numbers.len() as u32,
        }
    }

    /// One for all of so many parts.
    pub(crate) fn one(parts: usize) -> Self {
        Self::new(std::iter::repeat_n((), parts))
    }

    pub(crate) const fn count(&self) -> usize {
        self.count as usize
    }

    /// That of each part.
    pub(crate) fn of_parts(&self) -> impl Iterator<Item = usize> {
        self.of_parts.iter().map(|&column| column as usize)
    }

    /// One for each pair of columns of two.
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self::new(self.of_parts.iter().zip(&other.of_parts))
    }

    /// The number of columns that both have joined; `None` where these are more than so many.
    pub(crate) fn count_joined(&self, other: &Self, most: usize) -> Option<usize> {
        let mut met = FxHashSet::default();
        for pair in self.of_parts.iter().zip(&other.of_parts) {
            met.insert(pair);
            if met.len() > most {
                return None;
            }
        }
        Some(met.len())
    }

    /// For each column that of another which its parts share; `None` where some do not.
    pub(crate) fn within(&self, other: &Self) -> Option<Box<[u32]>> {
        if other.count > self.count {
            return None;
        }
        let mut within = vec![None; self.count()];
        let mut pairs = self.of_parts().zip(&other.of_parts);
        let refines = pairs.all(|(own, other)| within[own].get_or_insert(*other) == other);
        refines.then(|| within.into_iter().flatten().collect())
    }

    /// Returns whether parts that share a column of this one share one of the other.
    pub(crate) fn refines(&self, other: &Self) -> bool {
        self.within(other).is_some()
    }
}

impl Partitions {
    pub(crate) fn number(&mut self, columns: Columns) -> u32 {
        self.all.insert_full(columns).0 as u32
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn columns(&self, number: u32) -> &Columns {
        &self.all[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(keys: &str) -> Columns {
        Columns::new(keys.chars())
    }

    #[test]
    fn columns_are_numbered_as_they_appear() {
        let columns = columns("baba");
        assert_eq!(columns.of_parts().collect::<Vec<_>>(), [0, 1, 0, 1]);
        assert_eq!(columns.count(), 2);
    }

    #[test]
    fn joined_columns_distinguish_what_either_does() {
        let (left, right) = (columns("aabb"), columns("abbb"));
        assert_eq!(left.join(&right), columns("abcc"));
        assert_eq!(left.count_joined(&right, 3), Some(3));
        assert_eq!(left.count_joined(&right, 2), None);
    }

    #[test]
    fn columns_refine_those_that_distinguish_less() {
        let (coarse, fine) = (columns("aabb"), columns("xyzz"));
        assert_eq!(fine.within(&coarse), Some([0, 0, 1].into()));
        assert_eq!(coarse.within(&coarse), Some([0, 1].into()));
        assert_eq!(coarse.within(&fine), None);
        assert_eq!(coarse.within(&columns("abab")), None);
    }

    #[test]
    fn equal_columns_have_one_number() {
        let mut partitions = Partitions::default();
        let [coarse, fine] = ["aabb", "xyzz"].map(|keys| partitions.number(columns(keys)));
        assert_eq!(partitions.number(columns("ccdd")), coarse);
        assert_ne!(coarse, fine);
        assert_eq!(*partitions.columns(fine), columns("abcc"));
    }
}
