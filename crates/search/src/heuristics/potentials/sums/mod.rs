//! Sums of potentials, by look-ups in tables.
//!
//! For each combination of values of some variables a table has a row with the potentials of each
//! part of the goal, or rather one for each set of parts that it does not distinguish (`columns`). A
//! sum adds up one row of each table, rows with the same columns first (`tree`).
//!
//! Only sums matter, so weights may move from one table to another. What is the same for all values
//! of one variable of a pair moves to the other variable: potentials are free to be large there, if
//! only their sum is not. Then tables are put together where that makes them no larger (`table`).
//! Where all sums fit in 32 bits, half the memory is read.

mod columns;
mod table;
mod tree;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{AddAssign, Range};

use rustc_hash::FxHashMap;

use columns::{Columns, Partitions};
use table::{Row, Table};
use tree::Tree;

/// A number that is looked up is added in the time of so many that follow each other, about.
const LOOKED_UP: usize = 4;

/// Tables of which sums are to be made.
pub(crate) struct Tables {
    parts: usize,
    partitions: Partitions,
    list: Vec<Table>,
    numbers: usize,
}

/// The sums of each part.
#[derive(Clone)]
pub(crate) enum Sums {
    Narrow(Adder<i32>),
    Wide(Adder<i64>),
}

/// Rows that are added up.
#[derive(Clone)]
pub(crate) struct Adder<W> {
    tables: Vec<Places>,
    weights: Box<[W]>,
    /// For rows that are added to wider sums, for each sum which of their numbers is added to it.
    lookups: Box<[u32]>,
    nodes: Vec<Summed>,
    /// The constant that is added to all sums.
    rest: i64,
    /// The sums of each scale.
    scales: Vec<Range<usize>>,
    /// Working space: the sums, which are 0 in between.
    sums: Box<[W]>,
    /// Working space: whether anything has been added to a node.
    is_added_to: Box<[bool]>,
}

/// The places of the rows of a table.
#[derive(Clone)]
struct Places {
    variables: Box<[(u32, u32)]>,
    rows: Box<[Place]>,
}

/// The place of a row, and of the sum that it is added to.
#[derive(Clone, Copy)]
struct Place {
    /// `NOWHERE` where it is 0.
    node: u32,
    weights: u32,
    /// `IN_ORDER` where it has as many numbers as the node.
    lookup: u32,
}

const NOWHERE: u32 = u32::MAX;
const IN_ORDER: u32 = u32::MAX;

/// Sums that are added up first.
#[derive(Clone)]
struct Summed {
    first: usize,
    width: usize,
    /// The first of the sums that they are added to, and for each of these which is added to it;
    /// none of the last ones.
    wider: usize,
    places: Box<[u32]>,
    wider_node: usize,
}

impl Tables {
    /// For so many parts.
    pub(crate) fn new(parts: usize) -> Self {
        Self {
            parts,
            partitions: Partitions::default(),
            list: Vec::new(),
            numbers: 0,
        }
    }

    /// The numbers that they hold, and the columns of parts in which those are.
    pub(crate) fn numbers(&self) -> usize {
        self.numbers + self.partitions.len() * self.parts
    }

    /// Adds a table for variables at these places among the values, with so many values each. For
    /// each part `of_parts` has the place of its potentials among `weights`: for each combination
    /// of values, that of the last variable first, one and its key.
    pub(crate) fn add(
        &mut self,
        variables: Box<[(u32, u32)]>,
        of_parts: impl Iterator<Item = usize>,
        weights: &[Vec<(u64, i64)>],
    ) {
        let of_parts: Vec<usize> = of_parts.collect();
        let columns = Columns::new(of_parts.iter());
        let mut kinds = vec![&weights[0]; columns.count()];
        for (column, &kind) in columns.of_parts().zip(&of_parts) {
            kinds[column] = &weights[kind];
        }
        let mut known = FxHashMap::default();
        let combinations: u32 = variables.iter().map(|it| it.1).product();
        let rows = (0..combinations as usize).map(|combination| {
            let keys = kinds.iter().map(|weights| weights[combination].0);
            Row::new(
                &columns,
                &keys.collect::<Vec<u64>>(),
                |column| kinds[column][combination].1,
                &mut known,
                &mut self.partitions,
            )
        });
        let table = Table {
            rows: rows.collect(),
            variables,
        };
        self.numbers += table.numbers();
        self.list.push(table);
    }
}

impl Sums {
    /// With so many parts of each scale.
    pub(crate) fn new(tables: Tables, scales: &[usize]) -> Self {
        let Tables {
            parts,
            mut partitions,
            list,
            ..
        } = tables;
        let of_scales = scales.iter().enumerate();
        let of_scales = of_scales.flat_map(|(scale, &parts)| std::iter::repeat_n(scale, parts));
        let of_scales = Columns::new(of_scales);
        let one = partitions.number(Columns::one(parts));
        let list = list.into_iter().flat_map(|table| table.split(one));
        let mut list = table::put_together(list.collect(), &partitions);
        let (mut rest, mut farthest) = (0, 0_i64);
        for table in &mut list {
            let (centre, far) = table.centre();
            rest += centre;
            farthest = farthest.saturating_add(far);
        }
        let plan = Plan::new(&list, &partitions, &of_scales);
        if farthest <= i64::from(i32::MAX) {
            Self::Narrow(plan.adder(list, rest, |weight| weight as i32))
        } else {
            Self::Wide(plan.adder(list, rest, |weight| weight))
        }
    }

    /// Adds up where variables have these values. Returns the least sum of each scale.
    pub(crate) fn least(&mut self, values: &[u32], each: impl FnMut(i64)) {
        match self {
            Self::Narrow(adder) => adder.least(values, each),
            Self::Wide(adder) => adder.least(values, each),
        }
    }

    /// The numbers that are added up for a state, weighted by time, at most.
    pub(crate) fn added(&self) -> u64 {
        match self {
            Self::Narrow(adder) => adder.added(),
            Self::Wide(adder) => adder.added(),
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(adder) => adder.bytes(),
            Self::Wide(adder) => adder.bytes(),
        }
    }
}

/// The order of additions.
struct Plan<'p> {
    partitions: &'p Partitions,
    tree: Tree,
    /// For each node the place of its first sum.
    firsts: Vec<usize>,
    /// For each scale its sums.
    scales: Vec<Range<usize>>,
    sums: usize,
}

/// The way in which rows with some columns are added up.
struct Added {
    node: usize,
    /// Its place among the lookups; `None` where rows have as many numbers as the node.
    lookup: Option<u32>,
    /// For each column of the node the one of the rows.
    within: Box<[u32]>,
}

impl<'p> Plan<'p> {
    fn new(tables: &[Table], partitions: &'p Partitions, of_scales: &Columns) -> Self {
        let mut often: BTreeMap<u32, usize> = BTreeMap::new();
        for row in tables.iter().flat_map(|table| &table.rows) {
            *often.entry(row.partition).or_default() += 1;
        }
        let mut used: Vec<u32> = often.keys().copied().collect();
        used.sort_by_key(|partition| (Reverse(often[partition]), *partition));
        let tree = Tree::new(&used, partitions, of_scales);
        let mut firsts = Vec::new();
        let mut sums = 0;
        for node in &tree.nodes {
            firsts.push(sums);
            sums += node.columns.count();
        }
        let mut scales = vec![0..0; of_scales.count()];
        if let (Some(root), Some(&first)) = (tree.nodes.last(), firsts.last()) {
            // Parts of a scale follow each other, so their columns do too.
            let within = root.columns.within(of_scales);
            for (column, &scale) in within.iter().flatten().enumerate() {
                let range = &mut scales[scale as usize];
                if range.end == 0 {
                    *range = first + column..first + column;
                }
                range.end += 1;
            }
        }
        Self {
            partitions,
            tree,
            firsts,
            scales,
            sums,
        }
    }

    fn adder<W>(self, tables: Vec<Table>, rest: i64, narrow: impl Fn(i64) -> W) -> Adder<W>
    where
        W: Copy + Default,
    {
        let mut weights = Vec::new();
        let mut lookups = Vec::new();
        let mut known: FxHashMap<u32, Added> = FxHashMap::default();
        let mut place = |row: &Row| {
            if row.weights.iter().all(|&weight| weight == 0) {
                return Place {
                    node: NOWHERE,
                    weights: 0,
                    lookup: IN_ORDER,
                };
            }
            let columns = self.partitions.columns(row.partition);
            let added = known.entry(row.partition).or_insert_with(|| {
                let (node, within) = self.tree.place(columns);
                let wider = &self.tree.nodes[node].columns;
                let lookup = (wider.count() > tree::FEW && wider != columns).then(|| {
                    lookups.extend_from_slice(&within);
                    (lookups.len() - wider.count()) as u32
                });
                Added {
                    node,
                    lookup,
                    within,
                }
            });
            let first = weights.len() as u32;
            if added.lookup.is_some() {
                weights.extend(row.weights.iter().map(|&weight| narrow(weight)));
            } else {
                let widened = row.widened(&added.within);
                weights.extend(widened.iter().map(|&weight| narrow(weight)));
            }
            Place {
                node: added.node as u32,
                weights: first,
                lookup: added.lookup.unwrap_or(IN_ORDER),
            }
        };
        let tables = tables.into_iter().map(|table| Places {
            rows: table.rows.iter().map(&mut place).collect(),
            variables: table.variables,
        });
        let tables = tables.collect();
        let nodes = self.tree.nodes.iter().zip(&self.firsts);
        let nodes = nodes.map(|(node, &first)| {
            let wider = node.wider.as_ref();
            Summed {
                first,
                width: node.columns.count(),
                wider: wider.map_or(self.sums, |wider| self.firsts[wider.0]),
                places: wider.map_or([].into(), |wider| wider.1.clone()),
                wider_node: wider.map_or(0, |wider| wider.0),
            }
        });
        let nodes: Vec<Summed> = nodes.collect();
        Adder {
            tables,
            weights: weights.into(),
            lookups: lookups.into(),
            is_added_to: vec![false; nodes.len()].into(),
            nodes,
            rest,
            scales: self.scales,
            sums: vec![W::default(); self.sums].into(),
        }
    }
}

impl<W> Adder<W> {
    fn added(&self) -> u64 {
        let rows = self.tables.iter().map(|table| {
            let rows = table.rows.iter().filter(|row| row.node != NOWHERE);
            let rows = rows.map(|row| {
                let width = self.nodes[row.node as usize].width;
                if row.lookup == IN_ORDER {
                    width
                } else {
                    width * LOOKED_UP
                }
            });
            rows.sum::<usize>() / table.rows.len().max(1)
        });
        let nodes = self.nodes.iter().map(|node| node.places.len() * LOOKED_UP);
        rows.chain(nodes).sum::<usize>() as u64
    }

    fn bytes(&self) -> usize {
        let tables = self.tables.iter().map(|table| size_of_val(&*table.rows));
        let nodes = self.nodes.iter().map(|node| size_of_val(&*node.places));
        let rest = size_of_val(&*self.weights) + size_of_val(&*self.lookups);
        tables.chain(nodes).sum::<usize>() + rest
    }
}

impl<W: Copy + Default + Ord + AddAssign + Into<i64>> Adder<W> {
    fn least(&mut self, values: &[u32], mut each: impl FnMut(i64)) {
        for table in &self.tables {
            let place = table.rows[Table::combination(&table.variables, values)];
            if place.node == NOWHERE {
                continue;
            }
            let node = &self.nodes[place.node as usize];
            self.is_added_to[place.node as usize] = true;
            let sums = &mut self.sums[node.first..node.first + node.width];
            let weights = &self.weights[place.weights as usize..];
            if place.lookup == IN_ORDER {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum += weight;
                }
            } else {
                let lookup = &self.lookups[place.lookup as usize..];
                for (sum, &column) in sums.iter_mut().zip(lookup) {
                    *sum += weights[column as usize];
                }
            }
        }
        for (node, index) in self.nodes.iter().zip(0..) {
            if node.places.is_empty() || !std::mem::take(&mut self.is_added_to[index]) {
                continue;
            }
            let (before, wider) = self.sums.split_at_mut(node.wider);
            let own = &mut before[node.first..node.first + node.width];
            for (sum, &place) in wider.iter_mut().zip(&node.places) {
                *sum += own[place as usize];
            }
            own.fill(W::default());
            self.is_added_to[node.wider_node] = true;
        }
        for scale in &self.scales {
            if let Some(&least) = self.sums[scale.clone()].iter().min() {
                each(least.into() + self.rest);
            }
        }
        if let Some(last) = self.nodes.last() {
            self.sums[last.first..].fill(W::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_task::split_mix::SplitMix;

    const SIZES: [u32; 4] = [2, 3, 5, 4];
    /// The parts of each of two scales.
    const PARTS: [usize; 2] = [300, 100];

    /// For some variables and pairs the potentials of each part, of which there are so many kinds,
    /// in each combination of values.
    struct Given {
        variables: Vec<u32>,
        of_parts: Vec<usize>,
        kinds: Vec<Vec<i64>>,
    }

    impl Given {
        fn variables(&self) -> Box<[(u32, u32)]> {
            let variables = self.variables.iter();
            variables.map(|&it| (it, SIZES[it as usize])).collect()
        }
    }

    /// Of weights of about this size.
    fn given(size: i64) -> Vec<Given> {
        let mut random = SplitMix::new(1, size as u64);
        let sets: [(&[u32], usize); 6] = [
            (&[0], 1),
            (&[2], 3),
            (&[0, 1], 2),
            (&[1, 2], 20),
            (&[0, 2], 400),
            (&[2, 3], 90),
        ];
        let given = |(variables, kinds): &(&[u32], usize)| {
            let rows: u32 = variables.iter().map(|&it| SIZES[it as usize]).product();
            let mut kind = || {
                let weights = (0..rows).map(|_| random.below(1000) as i64 * size);
                weights.collect()
            };
            Given {
                variables: variables.to_vec(),
                kinds: (0..*kinds).map(|_| kind()).collect(),
                of_parts: (0..PARTS.iter().sum())
                    .map(|_| random.below(*kinds))
                    .collect(),
            }
        };
        sets.iter().map(given).collect()
    }

    fn sums(given: &[Given]) -> Sums {
        let mut tables = Tables::new(PARTS.iter().sum());
        for (given, table) in given.iter().zip(0..) {
            let kinds = given.kinds.iter().zip(0..);
            let kinds = kinds.map(|(weights, kind)| {
                let key = |row: usize| (table << 32) + (kind << 16) + row as u64;
                let weights = weights.iter().enumerate();
                weights.map(|(row, &weight)| (key(row), weight)).collect()
            });
            let kinds: Vec<Vec<(u64, i64)>> = kinds.collect();
            tables.add(given.variables(), given.of_parts.iter().copied(), &kinds);
        }
        Sums::new(tables, &PARTS)
    }

    /// The least sums of each scale.
    fn least(sums: &mut Sums, values: &[u32]) -> Vec<i64> {
        let mut found = Vec::new();
        sums.least(values, |sum| found.push(sum));
        found
    }

    #[test]
    fn sums_are_those_of_the_tables_that_they_were_made_of() {
        for size in [1, -7, i64::from(i32::MAX)] {
            let given = given(size);
            let mut sums = sums(&given);
            assert_eq!(matches!(sums, Sums::Wide(_)), size > 1000);
            for combination in 0..SIZES.iter().product() {
                let mut rest = combination;
                let values = SIZES.map(|size| {
                    let value = rest % size;
                    rest /= size;
                    value
                });
                let sum = |part: usize| -> i64 {
                    let kinds = given.iter().map(|it| {
                        let row = Table::combination(&it.variables(), &values);
                        it.kinds[it.of_parts[part]][row]
                    });
                    kinds.sum()
                };
                let all: Vec<i64> = (0..PARTS.iter().sum()).map(sum).collect();
                let (first, second) = all.split_at(PARTS[0]);
                let expected = [first, second].map(|sums| sums.iter().copied().min().unwrap());
                assert_eq!(least(&mut sums, &values), expected, "{values:?}");
            }
        }
    }

    #[test]
    fn a_table_of_a_variable_is_added_to_one_of_a_pair() {
        let Sums::Narrow(sums) = sums(&given(1)) else {
            panic!("they are small");
        };
        let alone = sums.tables.iter();
        let alone: Vec<u32> = alone
            .filter(|table| table.variables.len() == 1)
            .map(|table| table.variables[0].0)
            .collect();
        // What distinguishes other parts than the tables of its pairs do stays alone.
        assert_eq!(alone, [2]);
    }

    #[test]
    fn what_two_pairs_of_a_variable_make_up_for_is_not_far() {
        let far = i64::from(i32::MAX);
        let mut tables = Tables::new(1);
        for (other, sign) in [(1, 1), (2, -1)] {
            let weights = [0, 1, sign * far, sign * far + 1];
            let weights = weights.iter().zip(0..).map(|(&weight, row)| (row, weight));
            let variables = [(0, 2), (other, 2)].into();
            tables.add(variables, std::iter::once(0), &[weights.collect()]);
        }
        let mut sums = Sums::new(tables, &[1]);
        assert!(matches!(sums, Sums::Narrow(_)));
        assert_eq!(least(&mut sums, &[1, 1, 0]), [1]);
    }
}
