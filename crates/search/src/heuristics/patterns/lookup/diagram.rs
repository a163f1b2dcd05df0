//! Rows of images as a decision diagram, and the least sum of the distances in a row.
//!
//! Rows choose one image at each depth; where the rest of the rows is the same after several
//! choices, it is one node (R. E. Bryant, "Graph-Based Algorithms for Boolean Function
//! Manipulation", IEEE Transactions on Computers 35, 1986). The number of nodes depends on the
//! order of the depths.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::sums::Sums;
use crate::control::Control;

/// Edges that are looked at while an order is looked for, at most.
const MOST_LOOKED_AT: usize = 100_000_000;
/// A depth is moved on while there are at most so many times the fewest edges.
const MOST_GROWTH: usize = 4;
/// By so much more than the least sum of the last state that of the next is looked for at first.
const FIRST_STEP: u32 = 2;

/// The diagram; `P` is the place where the distance of an image is found.
pub(crate) struct Diagram<P> {
    /// The number of choices of a row.
    pub(crate) depths: usize,
    /// At which place in the rows is what is chosen at each depth.
    pub(crate) order: Vec<usize>,
    /// The first edge of each node, and the end of all edges.
    nodes: Vec<u32>,
    edges: Vec<(Edge, P)>,
    root: u32,
}

/// The choice of an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Edge {
    image: u32,
    /// The node after it; nothing at the last depth.
    to: u32,
}

/// Looks for the least sum of a row.
#[derive(Clone, Default)]
pub(crate) struct Descent {
    /// At each depth the least of what comes from there on.
    rest: Vec<Sums>,
    /// With which sums each node was reached.
    reached: Vec<Sums>,
    touched: Vec<u32>,
    /// The edge that is looked at, at each depth.
    path: Vec<u32>,
    /// The edges of the least sum of the last state: often that of the next is no greater.
    last: Vec<u32>,
    /// The least sum of the last state that had one: that of the next is seldom much greater.
    before: u32,
    /// No row is looked for that has a sum less than one of at most this.
    enough: u32,
}

impl<P: Copy> Diagram<P> {
    /// Of rows of at least one image, in an order that makes it small. Where `control` says stop,
    /// in another one.
    pub(crate) fn new(rows: &[Vec<u32>], place: impl Fn(u32) -> P, control: &dyn Control) -> Self {
        let mut layers = Layers::new(rows);
        layers.sift(control);
        let mut found = Self {
            depths: layers.order.len(),
            order: layers.order,
            nodes: vec![0],
            edges: Vec::new(),
            root: 0,
        };
        // Those of a layer come after those of the layer below it.
        let mut below = 0;
        for nodes in layers.nodes.iter().rev() {
            let first = found.nodes.len() as u32 - 1;
            for edges in nodes {
                let moved = edges.iter().map(|edge| {
                    let moved = Edge {
                        image: edge.image,
                        to: below + edge.to,
                    };
                    (moved, place(edge.image))
                });
                found.edges.extend(moved);
                found.nodes.push(found.edges.len() as u32);
            }
            below = first;
        }
        found.root = below;
        found
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<u32>() + self.edges.len() * size_of::<(Edge, P)>()
    }
}

/// A diagram whose depths can change places.
struct Layers {
    order: Vec<usize>,
    /// For each depth the edges of its nodes, to the places of others among those of the next
    /// depth.
    nodes: Vec<Vec<Vec<Edge>>>,
}

impl Layers {
    fn new(rows: &[Vec<u32>]) -> Self {
        let depths = rows.first().map_or(0, Vec::len);
        let mut rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut nodes = Vec::with_capacity(depths);
        // For the first row of each prefix the node after it.
        let mut heads: Vec<(usize, u32)> = (0..rows.len()).map(|row| (row, 0)).collect();
        for depth in (0..depths).rev() {
            let mut layer: IndexSet<Vec<Edge>, FxBuildHasher> = IndexSet::default();
            let alike = |one: &(usize, u32), other: &(usize, u32)| {
                rows[one.0][..depth] == rows[other.0][..depth]
            };
            let shorter = heads.chunk_by(alike).map(|group| {
                let edges = group.iter().map(|&(row, to)| Edge {
                    image: rows[row][depth],
                    to,
                });
                (group[0].0, layer.insert_full(edges.collect()).0 as u32)
            });
            heads = shorter.collect();
            nodes.push(layer.into_iter().collect());
        }
        nodes.reverse();
        Self {
            order: (0..depths).collect(),
            nodes,
        }
    }

    /// Moves one depth after another to where there are fewest edges, until none is better
    /// elsewhere (R. Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams",
    /// ICCAD 1993).
    fn sift(&mut self, control: &dyn Control) {
        let depths = self.order.len();
        let mut left = MOST_LOOKED_AT;
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for chosen in 0..depths {
                let Some(start) = self.order.iter().position(|&it| it == chosen) else {
                    continue;
                };
                let (mut at, mut best, mut least) = (start, start, self.edges());
                for is_up in [true, false] {
                    loop {
                        let to = if is_up { at.wrapping_sub(1) } else { at + 1 };
                        if to >= depths || left == 0 || control.stop().is_some() {
                            break;
                        }
                        left = left.saturating_sub(self.exchange(at.min(to)));
                        at = to;
                        let edges = self.edges();
                        if edges < least {
                            (best, least) = (at, edges);
                            has_changed = true;
                        }
                        let is_beyond = (at < start) == is_up;
                        if is_beyond && edges > MOST_GROWTH * least {
                            break;
                        }
                    }
                }
                while at != best {
                    let to = if at < best { at + 1 } else { at - 1 };
                    self.exchange(at.min(to));
                    at = to;
                }
            }
        }
    }

    fn edges(&self) -> usize {
        self.nodes.iter().flatten().map(Vec::len).sum()
    }

    /// Lets a depth and the next change places. Returns how many edges there are at both, with
    /// those looked at.
    fn exchange(&mut self, depth: usize) -> usize {
        let mut lower: IndexSet<Vec<Edge>, FxBuildHasher> = IndexSet::default();
        let mut looked_at = 0;
        let mut both: Vec<(u32, Edge)> = Vec::new();
        let upper = self.nodes[depth].iter().map(|edges| {
            both.clear();
            for edge in edges {
                let below = self.nodes[depth + 1][edge.to as usize].iter();
                both.extend(below.map(|it| {
                    let first = Edge {
                        image: edge.image,
                        to: it.to,
                    };
                    (it.image, first)
                }));
            }
            looked_at += both.len();
            both.sort_unstable();
            let same = both.chunk_by(|one, other| one.0 == other.0);
            let edges = same.map(|same| Edge {
                image: same[0].0,
                to: lower.insert_full(same.iter().map(|it| it.1).collect()).0 as u32,
            });
            edges.collect()
        });
        self.nodes[depth] = upper.collect();
        self.nodes[depth + 1] = lower.into_iter().collect();
        self.order.swap(depth, depth + 1);
        looked_at
    }
}

impl Descent {
    /// The least, in the rows of a diagram, of the greater of two sums that begin with `first`, if
    /// it is less than `most`; `least` are the least distances of the images at each depth. All are
    /// at most `MUCH`.
    pub(crate) fn least<P: Copy>(
        &mut self,
        diagram: &Diagram<P>,
        sums_of: impl Fn(u32, P) -> Sums,
        least: impl DoubleEndedIterator<Item = Sums>,
        first: Sums,
        most: u32,
    ) -> Option<u32> {
        self.prepare(diagram, least);
        let known = (!self.last.is_empty()).then(|| self.sum_of_last(diagram, &sums_of, first));
        let known = known.filter(|&sum| sum < most);
        let most = known.unwrap_or(most);
        self.enough = 0;
        // What is far more than the least is not looked at where the least is about what it was.
        let mut step = FIRST_STEP;
        let mut limit = most.min(self.before.saturating_add(step));
        let found = loop {
            let mut bound = limit;
            self.start(diagram, &sums_of, first, &mut bound);
            if bound < limit {
                break Some(bound);
            }
            if limit == most {
                break known;
            }
            step *= 2;
            limit = most.min(limit.saturating_add(step));
        };
        self.before = found.unwrap_or(self.before);
        found
    }

    /// Returns whether a row has a sum of at most `most`, and if not, what all have at least; the
    /// rest is as above.
    pub(crate) fn is_at_most<P: Copy>(
        &mut self,
        diagram: &Diagram<P>,
        sums_of: impl Fn(u32, P) -> Sums,
        least: impl DoubleEndedIterator<Item = Sums>,
        first: Sums,
        most: u32,
    ) -> Result<(), u32> {
        if !self.last.is_empty() && self.sum_of_last(diagram, &sums_of, first) <= most {
            return Ok(());
        }
        self.prepare(diagram, least);
        let least = (first + self.rest[0]).capped().greater();
        if least > most {
            return Err(least);
        }
        self.enough = most;
        let mut bound = most.saturating_add(1);
        self.start(diagram, &sums_of, first, &mut bound);
        if bound <= most { Ok(()) } else { Err(bound) }
    }

    /// Adds up the least that is to come from each depth on.
    fn prepare<P: Copy>(
        &mut self,
        diagram: &Diagram<P>,
        least: impl DoubleEndedIterator<Item = Sums>,
    ) {
        self.rest.clear();
        self.rest.resize(diagram.depths + 1, Sums::default());
        for (depth, least) in (0..diagram.depths).rev().zip(least.rev()) {
            self.rest[depth] = (self.rest[depth + 1] + least).capped();
        }
        self.reached.resize(diagram.nodes.len(), Sums::UNREACHED);
        self.path.resize(diagram.depths, 0);
    }

    fn sum_of_last<P: Copy>(
        &self,
        diagram: &Diagram<P>,
        sums_of: &impl Fn(u32, P) -> Sums,
        first: Sums,
    ) -> u32 {
        let edges = self.last.iter();
        let sums = edges.map(|&edge| {
            let (edge, place) = diagram.edges[edge as usize];
            sums_of(edge.image, place)
        });
        sums.fold(first, |sum, more| (sum + more).capped())
            .greater()
    }

    fn start<P: Copy>(
        &mut self,
        diagram: &Diagram<P>,
        sums_of: &impl Fn(u32, P) -> Sums,
        first: Sums,
        bound: &mut u32,
    ) {
        self.descend(diagram, sums_of, (diagram.root, 0), first, bound);
        for node in self.touched.drain(..) {
            self.reached[node as usize] = Sums::UNREACHED;
        }
    }

    /// Looks for a row whose sum is less than `bound`, which becomes that sum.
    fn descend<P: Copy>(
        &mut self,
        diagram: &Diagram<P>,
        sums_of: &impl Fn(u32, P) -> Sums,
        (node, depth): (u32, usize),
        above: Sums,
        bound: &mut u32,
    ) {
        let edges = diagram.nodes[node as usize]..diagram.nodes[node as usize + 1];
        let rest = self.rest[depth + 1];
        let of_node = &diagram.edges[edges.start as usize..edges.end as usize];
        for (number, &(edge, place)) in edges.zip(of_node) {
            // What is above is less than the bound, so no more than three of at most `MUCH` are added.
            let sum = above + sums_of(edge.image, place);
            if (sum + rest).greater() >= *bound {
                continue;
            }
            self.path[depth] = number;
            if depth + 1 == diagram.depths {
                *bound = sum.greater();
                self.last.clone_from(&self.path);
                if *bound <= self.enough {
                    return;
                }
                continue;
            }
            let reached = &mut self.reached[edge.to as usize];
            if sum.are_at_least(*reached) {
                continue;
            }
            *reached = sum;
            self.touched.push(edge.to);
            self.descend(diagram, sums_of, (edge.to, depth + 1), sum, bound);
            if *bound <= self.enough {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Unlimited;
    use crate::heuristics::patterns::lookup::sums::MUCH;
    use brigade_task::split_mix::SplitMix;

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
    fn choices_that_do_not_depend_on_each_other_are_distinguished_once() {
        let rows = product(&[&[0, 1, 2], &[3, 4, 5, 6], &[7, 8]]);
        let diagram = Diagram::new(&rows, |_| (), &Unlimited);
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
        let diagram = Diagram::new(&rows, |_| (), &Unlimited);
        assert_eq!(diagram.edges.len(), 4 + 2 + 3 + 3);
    }

    #[test]
    fn the_least_sum_is_that_of_the_least_row_also_where_it_is_asked_whether_it_is_more() {
        for seed in 0..200 {
            let mut random = SplitMix::new(seed, 0);
            let depths = 1 + random.below(5);
            let count = 1 + random.below(30);
            let rows = (0..count).map(|_| {
                let image = |depth: usize| (4 * depth + random.below(4)) as u32;
                (0..depths).map(image).collect()
            });
            let rows: Vec<Vec<u32>> = rows.collect();
            let diagram = Diagram::new(&rows, |_| (), &Unlimited);
            let mut descent = Descent::default();
            // What was found last must not matter.
            for _ in 0..5 {
                let image = |_| match (random.below(8) as u32, random.below(8) as u32) {
                    (7, second) => Sums::new(MUCH, if second < 4 { MUCH } else { second }),
                    (first, second) => Sums::new(first, second),
                };
                let of_images: Vec<Sums> = (0..4 * depths).map(image).collect();
                let first = Sums::new(random.below(3) as u32, 0);
                let sums = rows.iter().map(|row| {
                    let sums = row.iter().map(|&image| of_images[image as usize]);
                    sums.fold(first, |sum, more| (sum + more).capped())
                        .greater()
                });
                let expected = sums.min().filter(|&sum| sum < MUCH);
                let least = diagram.order.iter().map(|&place| {
                    let images = rows.iter().map(|row| of_images[row[place] as usize]);
                    images.reduce(Sums::least).unwrap()
                });
                let found = |image: u32, ()| of_images[image as usize];
                let least_found = descent.least(&diagram, found, least.clone(), first, MUCH);
                assert_eq!(least_found, expected, "seed {seed}");
                let most = random.below(30) as u32;
                let answer = descent.is_at_most(&diagram, found, least, first, most);
                let expected = expected.unwrap_or(u32::MAX);
                match answer {
                    Ok(()) => assert!(expected <= most, "seed {seed}"),
                    Err(more) => assert!((most + 1..=expected).contains(&more), "seed {seed}"),
                }
            }
        }
    }
}
