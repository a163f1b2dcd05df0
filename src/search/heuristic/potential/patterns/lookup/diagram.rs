//! Rows of images as a decision diagram, and the least sum of what is told of those of a row.
//!
//! Rows choose one image at each depth; where the rest of the rows is the same after several choices,
//! it is one node (R. E. Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", IEEE
//! Transactions on Computers 35, 1986). How many there are depends on the order of the depths.

use rustc_hash::FxHashMap;

use crate::search::options::Control;

/// Images in all rows that are looked at while an order is looked for, at most.
const MOST_LOOKED_AT: usize = 100_000_000;
/// More than any sum.
const UNREACHED: (u32, u32) = (u32::MAX, u32::MAX);

/// The diagram.
pub(super) struct Diagram {
    /// How many choices a row has.
    pub(super) depths: usize,
    /// At which place in the rows is what is chosen at each depth.
    pub(super) order: Vec<usize>,
    /// The first edge of each node, and the end of all edges.
    nodes: Vec<u32>,
    edges: Vec<Edge>,
    root: u32,
}

/// The choice of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    image: u32,
    /// The node after it; nothing at the last depth.
    to: u32,
}

/// Looks for the least sum of a row.
#[derive(Clone, Default)]
pub(super) struct Descent {
    /// At each depth the least of what comes from there on.
    rest: Vec<(u32, u32)>,
    /// With which sums each node was reached.
    reached: Vec<(u32, u32)>,
    touched: Vec<u32>,
    /// The image that is looked at, at each depth.
    path: Vec<u32>,
    /// The images of the least sum of the last state: often that of the next is no greater.
    last: Vec<u32>,
}

impl Diagram {
    /// Of rows of at least one image, in an order that makes it small. Where `control` says stop, in
    /// another one.
    pub(super) fn new(rows: &[Vec<u32>], control: &dyn Control) -> Self {
        let depths = rows.first().map_or(0, Vec::len);
        let mut best = Self::in_order(rows, (0..depths).collect());
        let mut left = MOST_LOOKED_AT;
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (from, to) in (0..depths * depths).map(|both| (both / depths, both % depths)) {
                if from == to || left < rows.len() * depths || control.stop().is_some() {
                    continue;
                }
                left -= rows.len() * depths;
                let mut order = best.order.clone();
                let moved = order.remove(from);
                order.insert(to, moved);
                let other = Self::in_order(rows, order);
                if other.edges.len() < best.edges.len() {
                    best = other;
                    has_changed = true;
                }
            }
        }
        best
    }

    fn in_order(rows: &[Vec<u32>], order: Vec<usize>) -> Self {
        let depths = order.len();
        let reordered = |row: &Vec<u32>| order.iter().map(|&place| row[place]).collect();
        let mut rows: Vec<Vec<u32>> = rows.iter().map(reordered).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut found = Self {
            depths,
            order,
            nodes: vec![0],
            edges: Vec::new(),
            root: 0,
        };
        // For the first row of each prefix the node after it.
        let mut heads: Vec<(usize, u32)> = (0..rows.len()).map(|row| (row, 0)).collect();
        for depth in (0..depths).rev() {
            let mut known: FxHashMap<Vec<Edge>, u32> = FxHashMap::default();
            let alike = |one: &(usize, u32), other: &(usize, u32)| {
                rows[one.0][..depth] == rows[other.0][..depth]
            };
            let shorter = heads.chunk_by(alike).map(|group| {
                let edges = group.iter().map(|&(row, to)| Edge {
                    image: rows[row][depth],
                    to,
                });
                let edges: Vec<Edge> = edges.collect();
                let node = *known.entry(edges).or_insert_with_key(|edges| {
                    found.edges.extend(edges);
                    found.nodes.push(found.edges.len() as u32);
                    found.nodes.len() as u32 - 2
                });
                (group[0].0, node)
            });
            heads = shorter.collect();
        }
        found.root = heads.first().map_or(0, |head| head.1);
        found
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<u32>() + self.edges.len() * size_of::<Edge>()
    }
}

impl Descent {
    /// The least, in the rows of a diagram, of the greater of two sums that begin with `first`, if it is
    /// less than `most`; `least` are the least told of the images at each depth.
    pub(super) fn least(
        &mut self,
        diagram: &Diagram,
        told: &[(u32, u32)],
        least: impl DoubleEndedIterator<Item = (u32, u32)>,
        first: (u32, u32),
        most: u32,
    ) -> Option<u32> {
        self.rest.clear();
        self.rest.resize(diagram.depths + 1, (0, 0));
        for (depth, least) in (0..diagram.depths).rev().zip(least.rev()) {
            self.rest[depth] = plus(self.rest[depth + 1], least);
        }
        self.reached.resize(diagram.nodes.len(), UNREACHED);
        self.path.resize(diagram.depths, 0);
        let mut bound = most;
        if !self.last.is_empty() {
            let told = self.last.iter().map(|&image| told[image as usize]);
            let sum = told.fold(first, plus);
            bound = bound.min(sum.0.max(sum.1));
        }
        self.descend(diagram, told, (diagram.root, 0), first, &mut bound);
        for node in self.touched.drain(..) {
            self.reached[node as usize] = UNREACHED;
        }
        (bound < most).then_some(bound)
    }

    fn descend(
        &mut self,
        diagram: &Diagram,
        told: &[(u32, u32)],
        (node, depth): (u32, usize),
        above: (u32, u32),
        bound: &mut u32,
    ) {
        let edges =
            diagram.nodes[node as usize] as usize..diagram.nodes[node as usize + 1] as usize;
        let rest = self.rest[depth + 1];
        for edge in &diagram.edges[edges] {
            let sum = plus(above, told[edge.image as usize]);
            let in_all = plus(sum, rest);
            if in_all.0.max(in_all.1) >= *bound {
                continue;
            }
            self.path[depth] = edge.image;
            if depth + 1 == diagram.depths {
                *bound = sum.0.max(sum.1);
                self.last.clone_from(&self.path);
                continue;
            }
            let reached = &mut self.reached[edge.to as usize];
            if sum.0 >= reached.0 && sum.1 >= reached.1 {
                continue;
            }
            *reached = sum;
            self.touched.push(edge.to);
            self.descend(diagram, told, (edge.to, depth + 1), sum, bound);
        }
    }
}

/// Both sums; what is too much stays so.
fn plus(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    (one.0.saturating_add(other.0), one.1.saturating_add(other.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::options::Unlimited;
    use crate::split_mix::SplitMix;

    const MUCH: u32 = 1 << 30;

    /// Rows of each choice of each of these.
    fn product(choices: &[&[u32]]) -> Vec<Vec<u32>> {
        choices.iter().fold(vec![Vec::new()], |rows, choices| {
            let longer = rows.iter().flat_map(|row| {
                let with = |&image: &u32| [row.as_slice(), &[image]].concat();
                choices.iter().map(with).collect::<Vec<_>>()
            });
            longer.collect()
        })
    }

    #[test]
    fn choices_that_do_not_depend_on_each_other_are_told_apart_once() {
        let rows = product(&[&[0, 1, 2], &[3, 4, 5, 6], &[7, 8]]);
        let diagram = Diagram::new(&rows, &Unlimited);
        assert_eq!((rows.len(), diagram.edges.len()), (24, 3 + 4 + 2));
    }

    #[test]
    fn depths_are_put_in_an_order_in_which_choices_that_depend_on_each_other_are_side_by_side() {
        // What is chosen first and last is the same.
        let rows = product(&[&[0, 1, 2], &[3, 4, 5, 6], &[7, 8]]);
        let rows = rows
            .iter()
            .map(|row| [row.as_slice(), &[row[0] + 9]].concat());
        let rows: Vec<Vec<u32>> = rows.collect();
        let diagram = Diagram::new(&rows, &Unlimited);
        assert_eq!(diagram.edges.len(), 4 + 2 + 3 + 3);
    }

    #[test]
    fn the_least_sum_is_that_of_the_least_row() {
        for seed in 0..200 {
            let mut random = SplitMix::new(seed, 0);
            let depths = 1 + random.below(5);
            let count = 1 + random.below(30);
            let rows = (0..count).map(|_| {
                let image = |depth: usize| (4 * depth + random.below(4)) as u32;
                (0..depths).map(image).collect()
            });
            let rows: Vec<Vec<u32>> = rows.collect();
            let diagram = Diagram::new(&rows, &Unlimited);
            let mut descent = Descent::default();
            // What was found last must not matter.
            for _ in 0..5 {
                let image = |_| match (random.below(8) as u32, random.below(8) as u32) {
                    (7, _) => (MUCH, MUCH),
                    told => told,
                };
                let told: Vec<(u32, u32)> = (0..4 * depths).map(image).collect();
                let first = (random.below(3) as u32, 0);
                let sums = rows.iter().map(|row| {
                    let told = row.iter().map(|&image| told[image as usize]);
                    let sum = told.fold(first, plus);
                    sum.0.max(sum.1)
                });
                let expected = sums.min().filter(|&sum| sum < MUCH);
                let least = diagram.order.iter().map(|&place| {
                    let images = rows.iter().map(|row| told[row[place] as usize]);
                    let least =
                        images.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)));
                    least.unwrap()
                });
                let found = descent.least(&diagram, &told, least, first, MUCH);
                assert_eq!(found, expected, "seed {seed}");
            }
        }
    }
}
