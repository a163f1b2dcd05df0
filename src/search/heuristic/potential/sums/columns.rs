//! Which parts of the goal have the same numbers.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

/// For each part of the goal the column that holds its numbers. Columns are numbered as they first
/// appear.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Columns {
    of_parts: Box<[u32]>,
    count: u32,
}

/// Columns that tell other parts apart, by number.
#[derive(Default)]
pub(super) struct Partitions {
    list: Vec<Columns>,
    numbers: FxHashMap<Columns, u32>,
    /// Which of two refines the other.
    compared: FxHashMap<(u32, u32), bool>,
}

impl Columns {
    /// One for each of some keys, of which there is one for each part.
    pub(super) fn new<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Self {
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
    pub(super) fn one(parts: usize) -> Self {
        Self::new(std::iter::repeat_n((), parts))
    }

    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// That of each part.
    pub(super) fn of_parts(&self) -> impl Iterator<Item = usize> {
        self.of_parts.iter().map(|&column| column as usize)
    }

    /// One for each pair of columns of two.
    pub(super) fn join(&self, other: &Self) -> Self {
        Self::new(self.of_parts.iter().zip(&other.of_parts))
    }

    /// How many columns both have joined; `None` where these are more than so many.
    pub(super) fn count_joined(&self, other: &Self, most: usize) -> Option<usize> {
        let mut met = FxHashSet::default();
        for pair in self.of_parts.iter().zip(&other.of_parts) {
            met.insert(pair);
            if met.len() > most {
                return None;
            }
        }
        Some(met.len())
    }

    /// Whether parts that share a column of this one share one of the other.
    pub(super) fn refines(&self, other: &Self) -> bool {
        let mut within = vec![None; self.count()];
        let mut pairs = self.of_parts().zip(&other.of_parts);
        other.count <= self.count
            && pairs.all(|(own, other)| within[own].get_or_insert(other) == &other)
    }

    /// For each column that of another which this one refines.
    pub(super) fn within(&self, other: &Self) -> Box<[u32]> {
        let mut within = vec![0; self.count()].into_boxed_slice();
        for (own, &other) in self.of_parts().zip(&other.of_parts) {
            within[own] = other;
        }
        within
    }
}

impl Partitions {
    pub(super) fn number(&mut self, columns: Columns) -> u32 {
        let next = self.list.len() as u32;
        *self.numbers.entry(columns).or_insert_with_key(|columns| {
            self.list.push(columns.clone());
            next
        })
    }

    pub(super) fn columns(&self, number: u32) -> &Columns {
        &self.list[number as usize]
    }

    /// The one of two that refines the other, if there is one.
    pub(super) fn finer(&mut self, left: u32, right: u32) -> Option<u32> {
        if self.refines(left, right) {
            Some(left)
        } else {
            self.refines(right, left).then_some(right)
        }
    }

    fn refines(&mut self, finer: u32, coarser: u32) -> bool {
        let list = &self.list;
        let compared = self.compared.entry((finer, coarser));
        *compared.or_insert_with(|| list[finer as usize].refines(&list[coarser as usize]))
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
    fn joined_columns_tell_apart_what_either_does() {
        let (left, right) = (columns("aabb"), columns("abbb"));
        assert_eq!(left.join(&right), columns("abcc"));
        assert_eq!(left.count_joined(&right, 3), Some(3));
        assert_eq!(left.count_joined(&right, 2), None);
    }

    #[test]
    fn columns_refine_those_that_tell_less_apart() {
        let (coarse, fine) = (columns("aabb"), columns("xyzz"));
        assert!(fine.refines(&coarse) && coarse.refines(&coarse));
        assert!(!coarse.refines(&fine) && !coarse.refines(&columns("abab")));
        assert_eq!(*fine.within(&coarse), [0, 0, 1]);
    }

    #[test]
    fn equal_columns_have_one_number() {
        let mut partitions = Partitions::default();
        let [coarse, fine] = ["aabb", "xyzz"].map(|keys| partitions.number(columns(keys)));
        assert_eq!(partitions.number(columns("ccdd")), coarse);
        assert_eq!(partitions.finer(coarse, fine), Some(fine));
        let other = partitions.number(columns("abab"));
        assert_eq!(partitions.finer(coarse, other), None);
    }
}
