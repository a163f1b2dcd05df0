//! The nodes of a beam at one tick.

use hashbrown::HashTable;

use super::pursuit::Pursuit;
use crate::space::words::{hash, is_same};
use brigade_task::{OperatorId, State};

/// States of one array, by their hash.
#[derive(Default)]
pub(super) struct States(HashTable<u32>);

impl States {
    /// Adds the last state of the array, unless there is an equal one.
    pub(super) fn insert(&mut self, states: &[u64], index: usize, words: usize) -> bool {
        self.find_or_insert(states, index, words).is_none()
    }

    /// The number of a state that equals the last one, which is added else.
    fn find_or_insert(&mut self, states: &[u64], index: usize, words: usize) -> Option<usize> {
        let state = |index: u32| &states[index as usize * words..][..words];
        let own = state(index as u32);
        let found = self.0.find(hash(own), |&other| is_same(state(other), own));
        if let Some(&found) = found {
            return Some(found as usize);
        }
        self.0
            .insert_unique(hash(own), index as u32, |&other| hash(state(other)));
        None
    }
}

/// The time since a rank last improved on the way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age {
    /// The best rank so far.
    pub(super) rank: f64,
    /// The number of ticks since.
    pub(super) ticks: f64,
}

/// A way to a node: less is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// The first key so far.
    pub(super) value: i64,
    /// The tie-break.
    pub(super) tie: i64,
}

/// The place of a state among others: less is better.
pub(super) struct Place {
    /// True if it comes after all others.
    pub(super) is_last: bool,
    /// The key that comes before the rank by each measure.
    pub(super) before: [i64; 2],
    /// By each measure.
    pub(super) ranks: [f64; 2],
    /// The key that decides between equal ranks.
    pub(super) tie: i64,
}

/// A state at the end of a tick.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) way: Way,
    /// The node of the layer before that it was reached from best.
    pub(super) parent: u32,
    /// By each measure; `None` where it leads nowhere.
    pub(super) ranks: Option<[f64; 2]>,
    pub(super) ages: [Age; 2],
    /// The least first key of a plan through it, as far as that is known; the first key so far, where nothing is.
    pub(super) promise: i64,
    /// The promise in [`PARTS`](super::pursuit::PARTS) of the divisor of gains, where a bound knows it so exactly.
    pub(super) fine_promise: i64,
    /// The operators with which its relaxed plans start.
    pub(super) helpful: Vec<OperatorId>,
    /// True if nothing can be gained after it.
    pub(super) is_over: bool,
    /// True if the beam has met it at an earlier tick.
    pub(super) is_stale: bool,
}

/// The nodes of one tick.
pub(super) struct Layer {
    words: usize,
    states: Vec<u64>,
    pub(super) nodes: Vec<Node>,
    /// The joint choice that led to each.
    joints: Vec<Vec<OperatorId>>,
    table: States,
}

/// The choice that led to a node.
pub(super) struct Choice<'l> {
    pub(super) parent: u32,
    pub(super) joint: &'l [OperatorId],
}

impl Layer {
    pub(super) fn new(words: usize) -> Self {
        Self {
            words,
            states: Vec::new(),
            nodes: Vec::new(),
            joints: Vec::new(),
            table: States::default(),
        }
    }

    /// The start alone.
    pub(super) fn start(state: &State) -> Self {
        let mut layer = Self::new(state.words().len());
        layer.meet(state, Way::default(), 0, &[]);
        layer
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let joints = self.joints.first().map_or(0, |joint| size_of_val(&**joint));
        let node = size_of::<Node>() + size_of::<Vec<OperatorId>>() + joints;
        size_of_val(&*self.states) + self.nodes.len() * node
    }

    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if nothing can be gained after any of its states.
    pub(super) fn is_over(&self) -> bool {
        self.nodes.iter().all(|node| node.is_over)
    }

    pub(super) const fn words(&self) -> usize {
        self.words
    }

    pub(super) fn states(&self) -> &[u64] {
        &self.states
    }

    pub(super) fn state(&self, node: usize) -> &State {
        State::from_words(&self.states[node * self.words..][..self.words])
    }

    pub(super) fn choice(&self, node: usize) -> Choice<'_> {
        Choice {
            parent: self.nodes[node].parent,
            joint: &self.joints[node],
        }
    }

    /// Adds a state, or a better way to one; returns its node.
    pub(super) fn meet(
        &mut self,
        state: &State,
        way: Way,
        parent: u32,
        joint: &[OperatorId],
    ) -> usize {
        let index = self.nodes.len();
        self.states.extend_from_slice(state.words());
        if let Some(found) = self.table.find_or_insert(&self.states, index, self.words) {
            self.states.truncate(index * self.words);
            let node = &mut self.nodes[found];
            if way < node.way {
                (node.way, node.promise, node.parent) = (way, way.value, parent);
                node.fine_promise = way.value;
                self.joints[found] = joint.to_vec();
            }
            return found;
        }
        self.nodes.push(Node {
            way,
            parent,
            ranks: None,
            ages: [Age {
                rank: f64::MAX,
                ticks: 0.0,
            }; 2],
            promise: way.value,
            fine_promise: way.value,
            helpful: Vec::new(),
            is_over: false,
            is_stale: false,
        });
        self.joints.push(joint.to_vec());
        index
    }

    /// Retains those nodes that may be among so many best, whatever their ranks are, and `kept`: the others come after as
    /// many by the keys that come before ranks. For example, of five nodes with the promises 7, 7, 5, 5, 3, two of which
    /// lead on, the first two need no ranks.
    pub(super) fn retain_eligible(
        &self,
        nodes: &mut Vec<usize>,
        width: usize,
        pursuit: Pursuit,
        kept: Option<usize>,
    ) {
        let before = |index: usize| {
            let node = &self.nodes[index];
            pursuit.before_each(node.way.value, node.promise, node.fine_promise)
        };
        let last = [0, 1].map(|measure| {
            let fresh = nodes.iter().filter(|&&index| !self.nodes[index].is_stale);
            let mut keys: Vec<i64> = fresh.map(|&index| before(index)[measure]).collect();
            let last = width.saturating_sub(1);
            if last < keys.len() {
                *keys.select_nth_unstable(last).1
            } else {
                i64::MAX
            }
        });
        nodes.retain(|&index| {
            let [one, other] = before(index);
            one <= last[0] || other <= last[1] || Some(index) == kept
        });
    }

    /// The best nodes by each measure in turn, so many at most, and `kept`, with its place among them. Those met
    /// before come last, or not at all.
    pub(super) fn best(
        mut self,
        width: usize,
        pursuit: Pursuit,
        kept: Option<usize>,
    ) -> (Self, Option<usize>) {
        let place = |index: usize| {
            let node = &self.nodes[index];
            let keeps_stale = pursuit == Pursuit::Gains;
            let ranks = node.ranks.filter(|_| keeps_stale || !node.is_stale)?;
            Some(Place {
                is_last: node.is_stale,
                before: pursuit.before_each(node.way.value, node.promise, node.fine_promise),
                ranks,
                tie: node.way.tie,
            })
        };
        let mut taken = best(self.len(), width, place, |index| {
            hash(self.state(index).words())
        });
        let kept = kept.filter(|&kept| self.nodes[kept].ranks.is_some());
        taken.extend(kept.filter(|kept| !taken.contains(kept)));
        let kept = taken.iter().position(|&index| Some(index) == kept);
        let mut best = Self::new(self.words);
        for index in taken {
            best.states.extend_from_slice(self.state(index).words());
            best.nodes.push(self.nodes[index].clone());
            best.joints.push(std::mem::take(&mut self.joints[index]));
        }
        (best, kept)
    }
}

/// The best of so many states by each of two measures in turn, `most` at most, where those that may be taken have a
/// place. Equals are ordered by a hash.
pub(super) fn best(
    count: usize,
    most: usize,
    place: impl Fn(usize) -> Option<Place>,
    hash: impl Fn(usize) -> u64,
) -> Vec<usize> {
    let by = |measure: usize| {
        let ranked = (0..count).filter_map(|index| Some((place(index)?, hash(index), index)));
        let mut ranked: Vec<(Place, u64, usize)> = ranked.collect();
        ranked.sort_by(|one, other| {
            let first = |place: &Place| (place.is_last, place.before[measure]);
            let ranks = [&one.0, &other.0].map(|place| place.ranks[measure]);
            (first(&one.0).cmp(&first(&other.0)))
                .then(ranks[0].total_cmp(&ranks[1]))
                .then((one.0.tie, one.1, one.2).cmp(&(other.0.tie, other.1, other.2)))
        });
        ranked
    };
    let orders = [by(0), by(1)];
    let mut places = [0, 0];
    let mut is_taken = vec![false; count];
    let mut taken = Vec::new();
    while taken.len() < most {
        let before = taken.len();
        for (order, place) in orders.iter().zip(&mut places) {
            while let Some(&(.., index)) = order.get(*place) {
                *place += 1;
                if !std::mem::replace(&mut is_taken[index], true) {
                    taken.push(index);
                    break;
                }
            }
        }
        if taken.len() == before {
            break;
        }
    }
    taken.truncate(most);
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_task::split_mix::SplitMix;

    /// A layer of random nodes, whose ranks are known only where `is_ranked`.
    fn layer(seed: u64, is_ranked: impl Fn(usize) -> bool) -> Layer {
        let mut random = SplitMix::new(seed, 0);
        let mut layer = Layer::new(1);
        for number in 0..40_u64 {
            let mut below = |bound: usize| random.below(bound) as i64;
            let way = Way {
                value: -below(4),
                tie: below(3),
            };
            let node = layer.meet(State::from_words(&[number]), way, 0, &[]);
            let fine_promise = -below(12);
            let ranks = [below(5) as f64, below(5) as f64];
            let node = &mut layer.nodes[node];
            (node.promise, node.fine_promise) = (fine_promise / 4, fine_promise);
            node.ranks = is_ranked(number as usize).then_some(ranks);
        }
        layer
    }

    #[test]
    fn the_best_nodes_are_the_same_where_only_the_eligible_ones_are_ranked() {
        let mut left_out = 0;
        for seed in 0..200 {
            let kept = (seed % 3 == 0).then_some(seed as usize % 40);
            for pursuit in [Pursuit::Promise, Pursuit::NextGain, Pursuit::Goal] {
                for width in [1, 5, 20, 60] {
                    let mut eligible: Vec<usize> = (0..40).collect();
                    layer(seed, |_| true).retain_eligible(&mut eligible, width, pursuit, kept);
                    left_out += 40 - eligible.len();
                    let (all, place) = layer(seed, |_| true).best(width, pursuit, kept);
                    let some = layer(seed, |node| eligible.contains(&node));
                    let (some, other) = some.best(width, pursuit, kept);
                    assert_eq!(
                        (all.states(), place),
                        (some.states(), other),
                        "{seed}, {width}"
                    );
                }
            }
        }
        assert!(left_out > 10_000, "{left_out}");
    }
}
