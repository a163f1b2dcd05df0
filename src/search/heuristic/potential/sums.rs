//! Sums of potentials, as fast as can be looked up.
//!
//! For each combination of values of some variables a table has a row with the potentials of each
//! part of the goal. A sum adds up one row of each table.
//!
//! Only sums matter, so weights may move from one table to another. What is the same for all values of
//! one variable of a pair moves to the other variable: potentials are free to be large there, if only
//! their sum is not. Then tables are put together where that makes them no larger. Where all sums
//! fit in 32 bits, half the memory is read.

use std::cmp::Reverse;
use std::ops::AddAssign;

use rustc_hash::FxHashMap;

/// A table that another may be added to is looked for among so many that share a variable with it.
const MOST_COMPARED: usize = 64;

/// For each of several values of variables the potentials of each part of the goal.
#[derive(Clone)]
pub(super) struct Table<W> {
    /// The places of its variables among the values, and how many values each has.
    pub(super) variables: Box<[(u32, u32)]>,
    /// For each combination of values, that of the last variable first, those of each part.
    pub(super) weights: Box<[W]>,
}

/// The sums of each part.
#[derive(Clone)]
pub(super) enum Sums {
    Narrow(Tables<i32>),
    Wide(Tables<i64>),
}

/// Tables whose rows are added up.
#[derive(Clone)]
pub(super) struct Tables<W> {
    list: Vec<Table<W>>,
    /// What is to be added to each sum.
    rest: Vec<i64>,
    /// Working space: the sums.
    sums: Vec<W>,
}

impl Sums {
    /// Of so many parts.
    pub(super) fn new(tables: Vec<Table<i64>>, parts: usize) -> Self {
        let tables = tables.into_iter().flat_map(|table| table.split(parts));
        let mut tables = put_together(tables.collect(), parts);
        let mut rest = vec![0; parts];
        let farthest = tables.iter_mut().map(|table| table.centre(&mut rest));
        let farthest = farthest.fold(0, i64::saturating_add);
        if farthest > i64::from(i32::MAX) {
            return Self::Wide(Tables {
                list: tables,
                rest,
                sums: vec![0; parts],
            });
        }
        let narrow = |table: Table<i64>| Table {
            variables: table.variables,
            weights: table.weights.iter().map(|&weight| weight as i32).collect(),
        };
        Self::Narrow(Tables {
            list: tables.into_iter().map(narrow).collect(),
            rest,
            sums: vec![0; parts],
        })
    }

    /// Adds up where variables have these values. Returns the least sums of so many parts each.
    pub(super) fn least(
        &mut self,
        values: &[u32],
        parts: impl Iterator<Item = usize>,
        each: impl FnMut(i64),
    ) {
        match self {
            Self::Narrow(tables) => tables.least(values, parts, each),
            Self::Wide(tables) => tables.least(values, parts, each),
        }
    }

    /// How many numbers are added up for a state.
    pub(super) const fn added(&self) -> u64 {
        match self {
            Self::Narrow(tables) => tables.added(),
            Self::Wide(tables) => tables.added(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(tables) => tables.bytes(),
            Self::Wide(tables) => tables.bytes(),
        }
    }
}

impl<W> Tables<W> {
    const fn added(&self) -> u64 {
        (self.list.len() * self.sums.len()) as u64
    }
}

impl<W: Copy + Default + Ord + AddAssign + Into<i64>> Tables<W> {
    fn least(
        &mut self,
        values: &[u32],
        parts: impl Iterator<Item = usize>,
        mut each: impl FnMut(i64),
    ) {
        self.sums.fill(W::default());
        for table in &self.list {
            let first = table.index(values) * self.sums.len();
            let row = &table.weights[first..first + self.sums.len()];
            for (sum, &weight) in self.sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let sums = self.sums.iter().zip(&self.rest);
        let mut sums = sums.map(|(&sum, rest)| sum.into() + rest);
        for parts in parts {
            if let Some(least) = sums.by_ref().take(parts).min() {
                each(least);
            }
        }
    }

    fn bytes(&self) -> usize {
        let tables = self.list.iter();
        tables.map(|table| size_of_val(&*table.weights)).sum()
    }
}

impl<W> Table<W> {
    fn index(&self, values: &[u32]) -> usize {
        let index = self.variables.iter().fold(0, |index, &(place, size)| {
            index * size + values[place as usize]
        });
        index as usize
    }

    fn combinations(&self) -> usize {
        let sizes = self.variables.iter().map(|&(_, size)| size as usize);
        sizes.product()
    }
}

impl Table<i64> {
    /// Tables with the same sums: what is the same for all values of the others moves to a table of
    /// each variable.
    fn split(mut self, parts: usize) -> Vec<Self> {
        let mut tables = Vec::new();
        let mut stride = self.combinations();
        for &(place, size) in &self.variables {
            stride /= size as usize;
            let value = |row: usize| row / stride % size as usize;
            let centres = take_centres(&mut self.weights, parts, size as usize, value);
            tables.push(Self {
                variables: [(place, size)].into(),
                weights: centres.into(),
            });
        }
        tables.push(self);
        tables.retain(|table| table.weights.iter().any(|&weight| weight != 0));
        tables
    }

    /// Moves weights about 0, and what that takes from them to `rest`. Returns how far from 0 they
    /// are at most.
    fn centre(&mut self, rest: &mut [i64]) -> i64 {
        let centres = take_centres(&mut self.weights, rest.len(), 1, |_| 0);
        for (rest, centre) in rest.iter_mut().zip(centres) {
            *rest += centre;
        }
        let farthest = self.weights.iter().map(|weight| weight.abs()).max();
        farthest.unwrap_or(0)
    }
}

/// Takes from the weights in the rows of each value, part by part, the middle between the least and
/// the greatest. Returns what was taken: for each value that of each part.
fn take_centres(
    weights: &mut [i64],
    parts: usize,
    values: usize,
    value: impl Fn(usize) -> usize,
) -> Vec<i64> {
    let mut ranges = vec![(i64::MAX, i64::MIN); values * parts];
    for (row, weights) in weights.chunks_exact(parts).enumerate() {
        let ranges = &mut ranges[value(row) * parts..][..parts];
        for ((least, greatest), &weight) in ranges.iter_mut().zip(weights) {
            *least = weight.min(*least);
            *greatest = weight.max(*greatest);
        }
    }
    let centres = ranges.iter();
    let centres: Vec<i64> = centres
        .map(|(least, greatest)| least + (greatest - least) / 2)
        .collect();
    for (row, weights) in weights.chunks_exact_mut(parts).enumerate() {
        let centres = &centres[value(row) * parts..][..parts];
        for (weight, centre) in weights.iter_mut().zip(centres) {
            *weight -= centre;
        }
    }
    centres
}

/// Adds tables to others where the sum has no more combinations than both.
fn put_together(mut tables: Vec<Table<i64>>, parts: usize) -> Vec<Table<i64>> {
    tables.sort_by_key(|table| Reverse(table.combinations()));
    let mut sums: Vec<Table<i64>> = Vec::with_capacity(tables.len());
    let mut with: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for table in tables {
        let places = table.variables.iter();
        let others = places.flat_map(|(place, _)| with.get(place).into_iter().flatten());
        let fits = |&other: &usize| {
            let sizes = union(&sums[other], &table).into_iter();
            let combinations: usize = sizes.map(|(_, size)| size as usize).product();
            combinations <= sums[other].combinations() + table.combinations()
        };
        if let Some(other) = others.copied().take(MOST_COMPARED).find(fits) {
            let variables = union(&sums[other], &table);
            for &(place, _) in &variables[sums[other].variables.len()..] {
                with.entry(place).or_default().push(other);
            }
            sums[other] = sum(&sums[other], &table, variables, parts);
            continue;
        }
        for &(place, _) in &table.variables {
            with.entry(place).or_default().push(sums.len());
        }
        sums.push(table);
    }
    sums
}

/// The variables of two tables, those of the first first.
fn union(first: &Table<i64>, second: &Table<i64>) -> Vec<(u32, u32)> {
    let is_new = |variable: &&(u32, u32)| !first.variables.contains(variable);
    let new = second.variables.iter().filter(is_new);
    first.variables.iter().chain(new).copied().collect()
}

fn sum(
    first: &Table<i64>,
    second: &Table<i64>,
    variables: Vec<(u32, u32)>,
    parts: usize,
) -> Table<i64> {
    let places = variables.iter().map(|it| it.0).max().unwrap_or(0);
    let mut values = vec![0; places as usize + 1];
    let combinations: u32 = variables.iter().map(|it| it.1).product();
    let mut weights = Vec::with_capacity(combinations as usize * parts);
    for combination in 0..combinations {
        let mut rest = combination;
        for &(place, size) in variables.iter().rev() {
            values[place as usize] = rest % size;
            rest /= size;
        }
        let row = |table: &Table<i64>| table.index(&values) * parts;
        let (left, right) = (row(first), row(second));
        let left = &first.weights[left..left + parts];
        let right = &second.weights[right..right + parts];
        weights.extend(left.iter().zip(right).map(|(left, right)| left + right));
    }
    Table {
        variables: variables.into(),
        weights: weights.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    const SIZES: [u32; 4] = [2, 3, 5, 4];
    const PARTS: usize = 3;

    /// Tables of some variables and pairs, with weights of about this size.
    fn tables(size: i64) -> Vec<Table<i64>> {
        let mut random = SplitMix::new(1, size as u64);
        let sets: [&[u32]; 6] = [&[0], &[2], &[0, 1], &[1, 2], &[0, 2], &[2, 3]];
        let table = |places: &&[u32]| {
            let variables: Box<[(u32, u32)]> =
                places.iter().map(|&it| (it, SIZES[it as usize])).collect();
            let rows: u32 = variables.iter().map(|it| it.1).product();
            let weights = (0..rows as usize * PARTS).map(|_| random.below(1000) as i64 * size);
            Table {
                weights: weights.collect(),
                variables,
            }
        };
        sets.iter().map(table).collect()
    }

    /// The least sums of the first two parts and of the last one.
    fn least(sums: &mut Sums, values: &[u32]) -> Vec<i64> {
        let mut found = Vec::new();
        sums.least(values, [2, 1].into_iter(), |sum| found.push(sum));
        found
    }

    #[test]
    fn sums_are_those_of_the_tables_that_they_were_made_of() {
        for size in [1, -7, i64::from(i32::MAX)] {
            let tables = tables(size);
            let mut sums = Sums::new(tables.clone(), PARTS);
            assert_eq!(matches!(sums, Sums::Wide(_)), size > 1000);
            for combination in 0..SIZES.iter().product() {
                let mut rest = combination;
                let values = SIZES.map(|size| {
                    let value = rest % size;
                    rest /= size;
                    value
                });
                let sum = |part: usize| -> i64 {
                    let rows = tables.iter();
                    let rows = rows.map(|it| it.weights[it.index(&values) * PARTS + part]);
                    rows.sum()
                };
                let expected = [sum(0).min(sum(1)), sum(2)];
                assert_eq!(least(&mut sums, &values), expected, "{values:?}");
            }
        }
    }

    #[test]
    fn a_table_of_a_variable_is_added_to_one_of_a_pair() {
        let Sums::Narrow(sums) = Sums::new(tables(1), PARTS) else {
            panic!("they are small");
        };
        assert!(sums.list.iter().all(|table| table.variables.len() > 1));
        assert!(sums.list.len() <= 4);
    }

    #[test]
    fn what_two_pairs_of_a_variable_make_up_for_is_not_far() {
        let far = i64::from(i32::MAX);
        let pair = |other: u32, sign: i64| Table {
            variables: [(0, 2), (other, 2)].into(),
            weights: [0, 1, sign * far, sign * far + 1].into(),
        };
        let mut sums = Sums::new(vec![pair(1, 1), pair(2, -1)], 1);
        assert!(matches!(sums, Sums::Narrow(_)));
        let mut found = Vec::new();
        sums.least(&[1, 1, 0], [1].into_iter(), |sum| found.push(sum));
        assert_eq!(found, [1]);
    }
}
