//! A set of variables: those that a condition reads, or an effect writes.

use std::collections::BTreeSet;

use super::ids::VarId;

/// A set of variables, few of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableSet(BTreeSet<VarId>);

impl VariableSet {
    /// Adds a variable.
    pub fn insert(&mut self, variable: VarId) {
        self.0.insert(variable);
    }

    /// Returns true if a variable is in it.
    pub fn contains(&self, variable: VarId) -> bool {
        self.0.contains(&variable)
    }

    /// Its variables, ascending.
    pub fn iter(&self) -> impl Iterator<Item = VarId> {
        self.0.iter().copied()
    }

    /// Returns true if the two have a variable in common; fast where one of them is small.
    pub fn meets(&self, other: &Self) -> bool {
        let (few, many) = if self.0.len() < other.0.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.0.iter().any(|&variable| many.contains(variable))
    }
}

impl Extend<VarId> for VariableSet {
    fn extend<I: IntoIterator<Item = VarId>>(&mut self, variables: I) {
        self.0.extend(variables);
    }
}

impl FromIterator<VarId> for VariableSet {
    fn from_iter<I: IntoIterator<Item = VarId>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}
