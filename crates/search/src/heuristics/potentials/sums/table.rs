//! Tables of potentials, and how they are made fewer and their numbers smaller.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::columns::{Columns, Partitions};

/// A table that another may be added to is looked for among so many that share a variable with it.
const MOST_COMPARED: usize = 64;

/// For each combination of values of some variables the potentials of each part of the goal.
pub(crate) struct Table {
    /// The places of its variables among the values, and how many values each has.
    pub(crate) variables: Box<[(u32, u32)]>,
    /// For each combination of values, that of the last variable first.
    pub(crate) rows: Vec<Row>,
}

/// The potentials of each part.
#[derive(Clone)]
pub(crate) struct Row {
    /// The number of its columns.
    pub(crate) partition: u32,
    /// The potential of each column.
    pub(crate) weights: Box<[i64]>,
}

impl Row {
    /// From more columns than there need be: those with the same key are one, and all where they
    /// have the same weight. `known` is for rows from the same columns.
    pub(crate) fn new(
        columns: &Columns,
        keys: &[u64],
        weight: impl Fn(usize) -> i64,
        known: &mut FxHashMap<Box<[u32]>, u32>,
        partitions: &mut Partitions,
    ) -> Self {
        let first = weight(0);
        if (1..keys.len()).all(|column| weight(column) == first) {
            let one = Columns::one(columns.of_parts().count());
            return Self::same(first, partitions.number(one));
        }
        let fewer = Columns::new(keys.iter());
        let mut weights = vec![0; fewer.count()].into_boxed_slice();
        for (column, own) in fewer.of_parts().enumerate() {
            weights[own] = weight(column);
        }
        let own: Box<[u32]> = fewer.of_parts().map(|own| own as u32).collect();
        let partition = *known.entry(own).or_insert_with_key(|own| {
            partitions.number(Columns::new(columns.of_parts().map(|column| own[column])))
        });
        Self { partition, weights }
    }

    fn same(weight: i64, one: u32) -> Self {
        Self {
            partition: one,
            weights: [weight].into(),
        }
    }

    /// With columns that refine its own.
    pub(crate) fn widened(&self, within: &[u32]) -> Box<[i64]> {
        within.iter().map(|&it| self.weights[it as usize]).collect()
    }

    /// The sum of two.
    fn sum(&self, other: &Self, joined: &Joined) -> Self {
        let sum = |(&left, &right): (&u32, &u32)| {
            self.weights[left as usize] + other.weights[right as usize]
        };
        Self {
            partition: joined.partition,
            weights: joined.left.iter().zip(&joined.right).map(sum).collect(),
        }
    }
}

/// The columns of the sum of two rows, of which one distinguishes all parts that the other does.
struct Joined {
    partition: u32,
    /// For each column that of either row.
    left: Box<[u32]>,
    right: Box<[u32]>,
}

impl Joined {
    /// `None` where neither distinguishes all parts that the other does.
    fn new(left: u32, right: u32, partitions: &Partitions) -> Option<Self> {
        let (left_columns, right_columns) = (partitions.columns(left), partitions.columns(right));
        let same = |columns: &Columns| (0..columns.count() as u32).collect();
        if let Some(within) = left_columns.within(right_columns) {
            return Some(Self {
                partition: left,
                left: same(left_columns),
                right: within,
            });
        }
        let within = right_columns.within(left_columns)?;
        Some(Self {
            partition: right,
            left: within,
            right: same(right_columns),
        })
    }
}

impl Table {
    fn combinations(&self) -> usize {
        let sizes = self.variables.iter().map(|&(_, size)| size as usize);
        sizes.product()
    }

    /// The combination of these values.
    pub(crate) fn combination(variables: &[(u32, u32)], values: &[u32]) -> usize {
        let combination = variables.iter().fold(0, |combination, &(place, size)| {
            combination * size + values[place as usize]
        });
        combination as usize
    }

    /// The numbers that it holds.
    pub(crate) fn numbers(&self) -> usize {
        self.rows.iter().map(|row| row.weights.len()).sum()
    }

    fn is_zero(&self) -> bool {
        let mut weights = self.rows.iter().flat_map(|row| &row.weights);
        weights.all(|&weight| weight == 0)
    }

    /// Tables with the same sums: what is about the same for all values of the others moves to a
    /// table of each variable. `one` is the number of columns that distinguish no parts.
    pub(crate) fn split(mut self, one: u32) -> Vec<Self> {
        let mut tables = Vec::new();
        let mut stride = self.combinations();
        for &(place, size) in &self.variables {
            stride /= size as usize;
            let value = |row: usize| row / stride % size as usize;
            let centres = take_centres(&mut self.rows, size as usize, value).into_iter();
            tables.push(Self {
                variables: [(place, size)].into(),
                rows: centres.map(|centre| Row::same(centre, one)).collect(),
            });
        }
        tables.push(self);
        tables.retain(|table| !table.is_zero());
        tables
    }

    /// Moves weights about 0. Returns what that takes from each, and how far from 0 they then are
    /// at most.
    pub(crate) fn centre(&mut self) -> (i64, i64) {
        let centre = take_centres(&mut self.rows, 1, |_| 0)[0];
        let weights = self.rows.iter().flat_map(|row| &row.weights);
        let farthest = weights.map(|weight| weight.abs()).max();
        (centre, farthest.unwrap_or(0))
    }

    /// The sum of two tables, where that holds no more numbers than both.
    fn sum(&self, other: &Self, partitions: &Partitions) -> Option<Self> {
        let is_new = |variable: &&(u32, u32)| !self.variables.contains(variable);
        let new = other.variables.iter().filter(is_new);
        let variables: Box<[(u32, u32)]> = self.variables.iter().chain(new).copied().collect();
        let combinations: u32 = variables.iter().map(|it| it.1).product();
        let most = self.numbers() + other.numbers();
        if combinations as usize > most {
            return None;
        }
        let places = variables.iter().map(|it| it.0).max().unwrap_or(0);
        let mut values = vec![0; places as usize + 1];
        let mut rows = Vec::with_capacity(combinations as usize);
        let mut known: FxHashMap<(u32, u32), Option<Joined>> = FxHashMap::default();
        let mut numbers = 0;
        for combination in 0..combinations {
            let mut rest = combination;
            for &(place, size) in variables.iter().rev() {
                values[place as usize] = rest % size;
                rest /= size;
            }
            let row = |table: &'_ Self| Self::combination(&table.variables, &values);
            let (left, right) = (&self.rows[row(self)], &other.rows[row(other)]);
            let (own, other) = (left.partition, right.partition);
            let joined = known
                .entry((own, other))
                .or_insert_with(|| Joined::new(own, other, partitions));
            let sum = left.sum(right, joined.as_ref()?);
            numbers += sum.weights.len();
            if numbers > most {
                return None;
            }
            rows.push(sum);
        }
        Some(Self { variables, rows })
    }
}

/// Takes from the weights in the rows of each value the middle between the least and the greatest.
/// Returns what was taken.
fn take_centres(rows: &mut [Row], values: usize, value: impl Fn(usize) -> usize) -> Vec<i64> {
    let mut ranges = vec![(i64::MAX, i64::MIN); values];
    for (place, row) in rows.iter().enumerate() {
        let (least, greatest) = &mut ranges[value(place)];
        for &weight in &row.weights {
            *least = weight.min(*least);
            *greatest = weight.max(*greatest);
        }
    }
    let centres = ranges.iter();
    let centres: Vec<i64> = centres
        .map(|(least, greatest)| least + (greatest - least) / 2)
        .collect();
    for (place, row) in rows.iter_mut().enumerate() {
        for weight in &mut row.weights {
            *weight -= centres[value(place)];
        }
    }
    centres
}

/// Adds tables to others where the sum has no more numbers than both.
pub(crate) fn put_together(mut tables: Vec<Table>, partitions: &Partitions) -> Vec<Table> {
    tables.sort_by_key(|table| Reverse(table.numbers()));
    let mut sums: Vec<Table> = Vec::with_capacity(tables.len());
    let mut with: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for table in tables {
        let places = table.variables.iter();
        let others = places.flat_map(|(place, _)| with.get(place).into_iter().flatten());
        let mut others = others.copied().take(MOST_COMPARED);
        let found = others.find_map(|other| Some((other, sums[other].sum(&table, partitions)?)));
        if let Some((other, sum)) = found {
            for &(place, _) in &sum.variables[sums[other].variables.len()..] {
                with.entry(place).or_default().push(other);
            }
            sums[other] = sum;
            continue;
        }
        for &(place, _) in &table.variables {
            with.entry(place).or_default().push(sums.len());
        }
        sums.push(table);
    }
    sums
}
