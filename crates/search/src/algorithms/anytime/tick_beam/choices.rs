//! Joint choices of some agents in one tick, and the states that they lead to.

use super::layer::{Layer, Place, best};
use super::pursuit::Pursuit;
use crate::space::words::hash;
use brigade_task::{OperatorId, State};

/// Joint choices of some agents, one after another, with the states that they lead to; those of one node of the
/// layer stand together.
pub(super) struct Choices {
    words: usize,
    pub(super) states: Vec<u64>,
    pub(super) joints: Vec<OperatorId>,
    /// The first key of each, relative to the start of the tick.
    pub(super) values: Vec<i64>,
    /// The node of the layer at which each is made.
    pub(super) parents: Vec<u32>,
    /// The operators with which relaxed plans go on from each; none once all agents have chosen.
    pub(super) helpful: Vec<Vec<OperatorId>>,
    /// By each measure, if they are known.
    pub(super) ranks: Vec<Option<[f64; 2]>>,
    /// The number of agents that have chosen.
    pub(super) agents: usize,
}

impl Choices {
    /// Nobody has chosen yet.
    pub(super) fn start(layer: &Layer) -> Self {
        let nodes = layer.nodes.iter();
        Self {
            states: layer.states().to_vec(),
            values: vec![0; layer.len()],
            parents: (0..layer.len() as u32).collect(),
            helpful: nodes.map(|node| node.helpful.clone()).collect(),
            ranks: vec![None; layer.len()],
            ..Self::empty(0, layer.words())
        }
    }

    pub(super) const fn empty(agents: usize, words: usize) -> Self {
        Self {
            words,
            states: Vec::new(),
            joints: Vec::new(),
            values: Vec::new(),
            parents: Vec::new(),
            helpful: Vec::new(),
            ranks: Vec::new(),
            agents,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes held, those of lists of operators by the length of the first.
    pub(super) fn bytes(&self) -> usize {
        let helpful = self.helpful.first().map_or(0, Vec::len) * size_of::<OperatorId>();
        let each = size_of::<(i64, u32, Vec<OperatorId>, Option<[f64; 2]>)>() + helpful;
        self.len() * each + size_of_val(&*self.states) + size_of_val(&*self.joints)
    }

    pub(super) fn state(&self, index: usize) -> &State {
        State::from_words(&self.states[index * self.words..][..self.words])
    }

    /// The first key so far, after a layer.
    pub(super) fn value(&self, index: usize, before: &Layer) -> i64 {
        before.nodes[self.parents[index] as usize].way.value + self.values[index]
    }

    pub(super) fn joint(&self, index: usize) -> &[OperatorId] {
        &self.joints[index * self.agents..][..self.agents]
    }

    /// Keeps the best by each measure in turn, so many at most.
    pub(super) fn keep(&mut self, most: usize, before: &Layer, pursuit: Pursuit) {
        let hash = |index| hash(&[hash(self.state(index).words()), self.parents[index].into()]);
        let place = |index: usize| {
            self.ranks[index].map(|ranks| Place {
                is_last: false,
                before: [pursuit.before_ranks(self.value(index, before)); 2],
                ranks,
                tie: 0,
            })
        };
        let mut order = best(self.len(), most, place, hash);
        order.sort_unstable();
        let mut kept = Self::empty(self.agents, self.words);
        for index in order {
            kept.states.extend_from_slice(self.state(index).words());
            kept.joints.extend_from_slice(self.joint(index));
            kept.values.push(self.values[index]);
            kept.parents.push(self.parents[index]);
            kept.helpful.push(std::mem::take(&mut self.helpful[index]));
            kept.ranks.push(self.ranks[index]);
        }
        *self = kept;
    }
}
