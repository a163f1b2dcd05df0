//! In what order numbers of parts of the goal are added up, so that little is added for each part.
//!
//! Most potentials tell few parts apart: what a thing is for decides about its own, not what all
//! others are for. Those with the same columns are added up first, as narrow as they are; such sums
//! are then added to wider ones, and in the end to those of all parts.

use rustc_hash::FxHashMap;

use super::columns::{Columns, Partitions};

/// Sums of no more columns than this are not worth narrower ones: a row of so many numbers is added
/// almost as fast as a number.
pub(super) const FEW: usize = 64;
/// Columns that have sums of their own, at most; others are added to wider sums.
const MOST_NODES: usize = 64;

/// A sum for each of some columns.
pub(super) struct Node {
    pub(super) columns: Columns,
    /// The wider sum, which comes later, that this one is added to; `None` of the last one.
    pub(super) wider: Option<usize>,
}

/// Sums, of which the last ones tell all parts apart that any number does.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// For rows with columns of these numbers, of which the first come most often, so that parts stay
    /// apart that `parts` tells apart.
    pub(super) fn new(used: &[u32], partitions: &Partitions, parts: &Columns) -> Self {
        let mut grown = Grown::default();
        grown.add(parts.clone());
        let all = used.iter().map(|&number| partitions.columns(number));
        for columns in all.clone().take(MOST_NODES) {
            if columns != parts {
                grown.add(columns.clone());
            }
        }
        let mut root = grown.join_all();
        for columns in all.skip(MOST_NODES) {
            if !grown.nodes[root].columns.refines(columns) {
                let wider = grown.nodes[root].columns.join(columns);
                let wider = grown.add(wider);
                grown.nodes[root].wider = Some(wider);
                root = wider;
            }
        }
        grown.in_order(root)
    }

    /// The sum of fewest columns that numbers with these can be added to.
    pub(super) fn place(&self, columns: &Columns) -> usize {
        let fitting = self.nodes.iter().enumerate();
        let fitting = fitting.filter(|(_, node)| node.columns.refines(columns));
        let narrowest = fitting.min_by_key(|(_, node)| node.columns.count());
        narrowest.map_or(self.nodes.len() - 1, |(place, _)| place)
    }
}

/// Nodes in the order in which they came up.
#[derive(Default)]
struct Grown {
    nodes: Vec<Node>,
}

impl Grown {
    fn add(&mut self, columns: Columns) -> usize {
        self.nodes.push(Node {
            columns,
            wider: None,
        });
        self.nodes.len() - 1
    }

    fn width(&self, node: usize) -> usize {
        self.nodes[node].columns.count()
    }

    /// Joins nodes until all are added to one, which is returned.
    fn join_all(&mut self) -> usize {
        let mut left: Vec<usize> = (0..self.nodes.len()).collect();
        while left.len() > 1 {
            left.sort_by_key(|&node| (self.width(node), node));
            let narrowest = left.remove(0);
            let place = self.partner(narrowest, &left);
            let partner = left[place];
            let columns = &self.nodes[partner].columns;
            if columns.refines(&self.nodes[narrowest].columns) {
                self.nodes[narrowest].wider = Some(partner);
            } else {
                let columns = columns.join(&self.nodes[narrowest].columns);
                let joined = self.add(columns);
                self.nodes[narrowest].wider = Some(joined);
                self.nodes[partner].wider = Some(joined);
                left[place] = joined;
            }
        }
        left[0]
    }

    /// The place of the node with which the sum of both costs least.
    fn partner(&self, node: usize, others: &[usize]) -> usize {
        let columns = &self.nodes[node].columns;
        let mut best = (usize::MAX, 0);
        for (place, &other) in others.iter().enumerate() {
            let width = self.width(other);
            if width >= best.0 {
                break;
            }
            match self.nodes[other].columns.count_joined(columns, best.0 - 1) {
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
        let Self { nodes } = self;
        let is_kept: Vec<bool> = (0..nodes.len())
            .map(|node| {
                let wider = nodes[node].wider.map(|wider| nodes[wider].columns.count());
                node == root || wider.is_some_and(|wider| wider > FEW)
            })
            .collect();
        let depth = |mut node: usize| {
            let mut depth = 0;
            while let Some(wider) = nodes[node].wider {
                depth += 1;
                node = wider;
            }
            depth
        };
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| is_kept[node]).collect();
        order.sort_by_key(|&node| (std::cmp::Reverse(depth(node)), node));
        let places: FxHashMap<usize, usize> = order
            .iter()
            .enumerate()
            .map(|(place, &node)| (node, place))
            .collect();
        let nodes = order.iter().map(|&node| Node {
            columns: nodes[node].columns.clone(),
            wider: nodes[node].wider.map(|wider| places[&wider]),
        });
        Tree {
            nodes: nodes.collect(),
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
        // What tells 6 or 8 sets of parts apart is added to what tells 48 apart.
        assert_eq!(widths, [48, 10, 480]);
        assert!(
            tree.nodes
                .iter()
                .zip(0..)
                .all(|(node, place)| node.wider.is_none_or(|it| it > place))
        );
        assert_eq!(tree.place(&keys[0]), 0);
        assert_eq!(tree.place(&keys[3]), 1);
        assert_eq!(tree.place(&Columns::new(parts.map(|part| part % 7))), 2);
    }
}
