//! The order in which numbers of parts of the goal are added up, so that little is added for each
//! part.
//!
//! Most potentials distinguish few parts: what a thing is for decides about its own, not what all
//! others are for. Those with the same columns are added up first, as narrow as they are; such sums
//! are then added to wider ones, and in the end to those of all parts.

use std::cmp::Reverse;

use super::columns::{Columns, Partitions};

/// Sums of no more columns than this are not worth narrower ones: a row of so many numbers is added
/// almost as fast as a number.
pub(crate) const FEW: usize = 64;
/// Columns that have sums of their own, at most; others are added to wider sums.
const MOST_NODES: usize = 64;

/// A sum for each of some columns.
pub(crate) struct Node {
    pub(crate) columns: Columns,
    /// The wider sum, which comes later, that this one is added to, and for each column of that one
    /// the own one; `None` of the last one.
    pub(crate) wider: Option<(usize, Box<[u32]>)>,
}

/// Sums, of which the last ones distinguish all parts that any number does.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// For rows with columns of these numbers, of which the first come most often, so that parts
    /// stay apart that `parts` distinguishes.
    pub(crate) fn new(used: &[u32], partitions: &Partitions, parts: &Columns) -> Self {
        let mut grown = Grown::default();
        grown.add(parts.clone());
        let mut all = used.iter().map(|&number| partitions.columns(number));
        for columns in all.by_ref().take(MOST_NODES) {
            if columns != parts {
                grown.add(columns.clone());
            }
        }
        let mut root = grown.join_all();
        let joined = grown.columns[root].clone();
        let all_joined = all.fold(joined, |joined, columns| {
            if joined.refines(columns) {
                joined
            } else {
                joined.join(columns)
            }
        });
        if all_joined != grown.columns[root] {
            let wider = grown.add(all_joined);
            grown.wider[root] = Some(wider);
            root = wider;
        }
        grown.in_order(root)
    }

    /// The sum of fewest columns that numbers with these can be added to, and for each of its
    /// columns the one of these.
    pub(crate) fn place(&self, columns: &Columns) -> (usize, Box<[u32]>) {
        let fitting = self.nodes.iter().enumerate();
        let fitting =
            fitting.filter_map(|(place, node)| Some((place, node.columns.within(columns)?)));
        let narrowest = fitting.min_by_key(|(_, within)| within.len());
        narrowest
            .unwrap_or_else(|| unreachable!("the last sums distinguish all that a number does"))
    }
}

/// Sums in the order in which they came up.
#[derive(Default)]
struct Grown {
    columns: Vec<Columns>,
    /// The wider sum that each is added to.
    wider: Vec<Option<usize>>,
}

impl Grown {
    fn add(&mut self, columns: Columns) -> usize {
        self.columns.push(columns);
        self.wider.push(None);
        self.columns.len() - 1
    }

    fn width(&self, node: usize) -> usize {
        self.columns[node].count()
    }

    /// Joins nodes until all are added to one, which is returned.
    fn join_all(&mut self) -> usize {
        let mut left: Vec<usize> = (0..self.columns.len()).collect();
        while left.len() > 1 {
            left.sort_by_key(|&node| (self.width(node), node));
            let narrowest = left.remove(0);
            let place = self.partner(narrowest, &left);
            let partner = left[place];
            let columns = &self.columns[partner];
            if columns.refines(&self.columns[narrowest]) {
                self.wider[narrowest] = Some(partner);
            } else {
                let columns = columns.join(&self.columns[narrowest]);
                let joined = self.add(columns);
                self.wider[narrowest] = Some(joined);
                self.wider[partner] = Some(joined);
                left[place] = joined;
            }
        }
        left[0]
    }

    /// The place of the node with which the sum of both costs least.
    fn partner(&self, node: usize, others: &[usize]) -> usize {
        let columns = &self.columns[node];
        let mut best = (usize::MAX, 0);
        for (place, &other) in others.iter().enumerate() {
            let width = self.width(other);
            if width >= best.0 {
                break;
            }
            match self.columns[other].count_joined(columns, best.0 - 1) {
                Some(joined) if joined == width => best = (width, place),
                // Both are added to a third.
                Some(joined) if 2 * joined < best.0 => best = (2 * joined, place),
                _ => {}
            }
        }
        best.1
    }

    /// Those that are wide enough, each before what it is added to.
    fn in_order(self, root: usize) -> Tree {
        let is_kept = |node: usize| {
            node == root || self.wider[node].is_some_and(|wider| self.width(wider) > FEW)
        };
        let depth = |node: usize| {
            let to_root = std::iter::successors(Some(node), |&node| self.wider[node]);
            to_root.count()
        };
        let mut order: Vec<usize> = (0..self.columns.len()).filter(|&it| is_kept(it)).collect();
        order.sort_by_key(|&node| (Reverse(depth(node)), node));
        let mut places = vec![0; self.columns.len()];
        for (place, &node) in order.iter().enumerate() {
            places[node] = place;
        }
        let node = |&node: &usize| Node {
            columns: self.columns[node].clone(),
            wider: self.wider[node].map(|wider| {
                let Some(within) = self.columns[wider].within(&self.columns[node]) else {
                    unreachable!("a sum is added to one that distinguishes more");
                };
                (places[wider], within)
            }),
        };
        Tree {
            nodes: order.iter().map(node).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(keys: &[&str], parts: &str) -> Tree {
        let mut partitions = Partitions::default();
        let keys = keys.iter().map(|keys| Columns::new(keys.chars()));
        let used: Vec<u32> = keys.map(|columns| partitions.number(columns)).collect();
        Tree::new(&used, &partitions, &Columns::new(parts.chars()))
    }

    #[test]
    fn few_columns_are_added_up_at_once() {
        let tree = tree(&["aabb", "abab"], "xxxy");
        assert_eq!(tree.nodes.len(), 1);
        assert_eq!(tree.nodes[0].columns.count(), 4);
    }

    #[test]
    fn narrow_sums_are_added_to_wider_ones_before_these_are_added_on() {
        let parts = 0..6 * 8 * 10;
        let keys = [
            Columns::new(parts.clone().map(|part| part % 6)),
            Columns::new(parts.clone().map(|part| part / 6 % 8)),
            Columns::new(parts.clone().map(|part| part % 48)),
            Columns::new(parts.clone().map(|part| part / 48)),
        ];
        let mut partitions = Partitions::default();
        let used: Vec<u32> = keys
            .iter()
            .map(|it| partitions.number(it.clone()))
            .collect();
        let tree = Tree::new(&used, &partitions, &Columns::one(parts.len()));
        let widths: Vec<usize> = tree.nodes.iter().map(|node| node.columns.count()).collect();
        // What distinguishes 6 or 8 sets of parts is added to what distinguishes 48.
        assert_eq!(widths, [48, 10, 480]);
        assert!(
            tree.nodes
                .iter()
                .zip(0..)
                .all(|(node, place)| node.wider.as_ref().is_none_or(|it| it.0 > place))
        );
        assert_eq!(tree.place(&keys[0]).0, 0);
        assert_eq!(tree.place(&keys[3]).0, 1);
        assert_eq!(tree.place(&Columns::new(parts.map(|part| part % 7))).0, 2);
    }

    #[test]
    fn what_has_no_sums_of_its_own_is_distinguished_by_the_last_ones() {
        let bits = MOST_NODES as u32 + 2;
        let parts = 0..2 * bits;
        let bit = |bit| Columns::new(parts.clone().map(move |part| part == bit));
        let mut partitions = Partitions::default();
        let used: Vec<u32> = (0..bits).map(|it| partitions.number(bit(it))).collect();
        let tree = Tree::new(&used, &partitions, &Columns::one(parts.len()));
        let last = tree.nodes.len() - 1;
        assert_eq!(tree.nodes[last].columns.count(), bits as usize + 1);
        assert_eq!(tree.place(&bit(bits - 1)).0, last);
    }
}
