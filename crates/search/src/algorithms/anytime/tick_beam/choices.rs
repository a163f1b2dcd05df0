//! Joint choices of some agents in one tick, and the states that they lead to.

use crate::space::words::hash;
use brigade_task::{OperatorId, State};

/// Joint choices of some agents, one after another, with the states that they lead to.
pub(super) struct Choices {
    pub(super) states: Vec<u64>,
    pub(super) joints: Vec<OperatorId>,
    /// The first key of each, relative to the start of the tick.
    pub(super) values: Vec<i64>,
    /// The number of agents that have chosen.
    pub(super) agents: usize,
}

impl Choices {
    /// Nobody has chosen yet.
    pub(super) fn start(state: &State) -> Self {
        Self {
            states: state.words().to_vec(),
            joints: Vec::new(),
            values: vec![0],
            agents: 0,
        }
    }

    pub(super) const fn empty(agents: usize) -> Self {
        Self {
            states: Vec::new(),
            joints: Vec::new(),
            values: Vec::new(),
            agents,
        }
    }

    pub(super) fn state(&self, index: usize, words: usize) -> &State {
        State::from_words(&self.states[index * words..][..words])
    }

    pub(super) fn joint(&self, index: usize) -> &[OperatorId] {
        &self.joints[index * self.agents..][..self.agents]
    }

    /// Keeps `most` of them, drawn by their hash.
    pub(super) fn keep(&mut self, most: usize, words: usize, round: u64) {
        let count = self.values.len();
        if count <= most {
            return;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&index| hash(&[hash(self.state(index, words).words()), round]));
        order.truncate(most);
        let mut kept = Self::empty(self.agents);
        for index in order {
            kept.states
                .extend_from_slice(self.state(index, words).words());
            kept.joints.extend_from_slice(self.joint(index));
            kept.values.push(self.values[index]);
        }
        *self = kept;
    }
}
