//! The numbers of facts: the values of variables one after another, then auxiliary facts.

use std::ops::Range;

use crate::VarId;
use crate::atom::Fact;
use crate::layout::Variable;
use crate::state::State;

/// The number of a fact in [`Rules`](super::Rules).
pub type FactId = u32;

/// The numbers of facts.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The number of the first value of each variable, and of the first auxiliary fact.
    first: Vec<FactId>,
    /// The number of facts, auxiliary ones included.
    len: u32,
}

impl Numbering {
    pub(super) fn new(variables: &[Variable]) -> Self {
        let mut first = Vec::with_capacity(variables.len() + 1);
        let mut len = 0;
        for variable in variables {
            first.push(len);
            len += variable.size;
        }
        first.push(len);
        Self { first, len }
    }

    /// The number of `variable = value`.
    pub fn fact(&self, variable: VarId, value: u32) -> FactId {
        self.first[variable.index()] + value
    }

    /// The numbers of all values of a variable.
    pub fn values(&self, variable: VarId) -> Range<FactId> {
        self.first[variable.index()]..self.first[variable.index() + 1]
    }

    /// The fact with a number; `None` for an auxiliary one.
    pub fn of(&self, fact: FactId) -> Option<Fact> {
        let variable = self.first.partition_point(|&first| first <= fact) - 1;
        let is_auxiliary = variable + 1 == self.first.len();
        (!is_auxiliary).then(|| Fact::new(variable, fact - self.first[variable]))
    }

    /// The number of facts, auxiliary ones included.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Returns true if there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Visits the facts of a state.
    pub fn for_each_fact(
        &self,
        variables: &[Variable],
        state: &State,
        mut visit: impl FnMut(FactId),
    ) {
        for (variable, first) in variables.iter().zip(&self.first) {
            visit(first + variable.get(state));
        }
    }

    /// A new auxiliary fact.
    pub const fn fresh(&mut self) -> FactId {
        self.len += 1;
        self.len - 1
    }
}
