//! Conditions without negations over numbered facts.

use std::collections::{BTreeMap, BTreeSet};

use super::numbering::{FactId, Numbering};
use crate::VarId;

/// A condition without negations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Formula {
    True,
    False,
    Fact(FactId),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    pub(super) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::All(more) => kept.extend(more),
                part => kept.push(part),
            }
        }
        kept.sort();
        kept.dedup();
        match kept.len() {
            0 => Self::True,
            1 => kept.remove(0),
            _ => Self::All(kept),
        }
    }

    pub(super) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::False => {}
                Self::True => return Self::True,
                Self::Any(more) => kept.extend(more),
                part => kept.push(part),
            }
        }
        kept.sort();
        kept.dedup();
        match kept.len() {
            0 => Self::False,
            1 => kept.remove(0),
            _ => Self::Any(kept),
        }
    }
}

impl Formula {
    /// Adds the variables on which it depends.
    pub(super) fn variables(&self, numbering: &Numbering, found: &mut BTreeSet<VarId>) {
        match self {
            Self::True | Self::False => {}
            Self::Fact(id) => found.extend(numbering.of(*id).map(|fact| fact.variable)),
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.variables(numbering, found);
                }
            }
        }
    }

    /// Returns true if it holds where variables have some values.
    pub(super) fn holds(&self, numbering: &Numbering, values: &BTreeMap<VarId, u32>) -> bool {
        let holds = |part: &Self| part.holds(numbering, values);
        match self {
            Self::True => true,
            Self::False => false,
            Self::Fact(id) => (numbering.of(*id))
                .is_some_and(|fact| values.get(&fact.variable) == Some(&fact.value)),
            Self::All(parts) => parts.iter().all(holds),
            Self::Any(parts) => parts.iter().any(holds),
        }
    }
}
