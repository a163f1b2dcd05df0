//! Sets of facts that exclude each other but belong to several variables, as variables of their
//! own.
//!
//! The value of a group is the place of the fact that holds, or one more where none does. It
//! follows from the values of the variables; what a case does to it follows from what it does to
//! them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::mutexes::Mutexes;
use super::transitions::{Case, Written};
use crate::heuristics::cartesian::change::Change;
use crate::reductions::symmetry::FactRenaming;
use brigade_task::layout::{Field, Variable};
use brigade_task::{PackedTask, State};

/// So many groups are looked at.
const MOST_GROUPS: usize = 200;

/// The groups; they are numbered after the variables.
pub(crate) struct Groups {
    first: u32,
    groups: Vec<Vec<(u32, u32)>>,
}

/// Reads the value of a variable or of a group.
#[derive(Clone)]
pub(crate) enum Reader {
    Variable(Field),
    Group(Box<[(Field, u32)]>),
}

/// The truth of a fact where the variable has one of several values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    Never,
    Maybe,
    Surely,
}

impl Reader {
    pub(crate) fn get(&self, state: &State) -> u32 {
        match self {
            Self::Variable(field) => field.get(state),
            Self::Group(facts) => {
                let holds = |(field, value): &(Field, u32)| field.get(state) == *value;
                let found = facts.iter().position(holds);
                found.unwrap_or(facts.len()) as u32
            }
        }
    }
}

/// The truth of the fact that a variable has this value, where it has one of those.
pub(crate) fn truth(values: &[u32], value: u32) -> Truth {
    match *values {
        [only] if only == value => Truth::Surely,
        _ if values.contains(&value) => Truth::Maybe,
        _ => Truth::Never,
    }
}

impl Groups {
    /// The groups whose variables are all distinguished, and those that mutexes show: of facts that
    /// are in no other, and what groups become when objects change places. Those of most variables
    /// first.
    pub(crate) fn new(
        task: &PackedTask,
        distinguished: &[bool],
        mutexes: Option<&Mutexes>,
        exchanges: &[FactRenaming],
    ) -> Self {
        let mut groups: Vec<Vec<(u32, u32)>> = task
            .mutexes
            .iter()
            .filter(|facts| {
                facts
                    .iter()
                    .all(|fact| distinguished[fact.variable.index()])
            })
            .map(|facts| {
                let facts = facts.iter();
                facts.map(|fact| (fact.variable.0, fact.value)).collect()
            })
            .collect();
        if let Some(mutexes) = mutexes {
            let known: FxHashSet<(u32, u32)> = groups.iter().flatten().copied().collect();
            let is_known = |variable: u32, value: u32| known.contains(&(variable, value));
            groups.extend(mutexes.groups(&is_known));
        }
        if let Some(mutexes) = mutexes {
            add_images(&mut groups, mutexes, exchanges);
        }
        groups.sort_by_key(|facts| std::cmp::Reverse(facts.len()));
        groups.truncate(MOST_GROUPS);
        Self {
            first: task.variables.len() as u32,
            groups,
        }
    }

    pub(crate) const fn len(&self) -> u32 {
        self.groups.len() as u32
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> + use<> {
        self.first..self.first + self.len()
    }

    /// Returns whether two of these parts of an effect write facts of one group: between them its
    /// facts need not exclude each other.
    pub(crate) fn are_shared(&self, parts: &[&Change]) -> bool {
        let mut writer = FxHashMap::default();
        for (index, part) in parts.iter().enumerate() {
            part.writes(&mut |variable| {
                writer.insert(variable, index);
            });
        }
        self.groups.iter().any(|facts| {
            let mut writers = facts.iter().filter_map(|(id, _)| writer.get(id));
            let first = writers.next();
            writers.any(|other| Some(other) != first)
        })
    }

    /// Returns whether this is a group that a fact belongs to.
    pub(crate) fn contains(&self, id: u32, fact: (u32, u32)) -> bool {
        self.facts(id).is_some_and(|facts| facts.contains(&fact))
    }

    /// The facts of a group; `None` of a variable.
    pub(crate) fn facts(&self, id: u32) -> Option<&[(u32, u32)]> {
        let index = id.checked_sub(self.first)?;
        self.groups.get(index as usize).map(|facts| &**facts)
    }

    /// The number of values of a group; `None` of a variable.
    pub(crate) fn size(&self, id: u32) -> Option<u32> {
        self.facts(id).map(|facts| facts.len() as u32 + 1)
    }

    pub(crate) fn reader(&self, variables: &[Variable], id: u32) -> Option<Reader> {
        let facts = self.facts(id)?.iter();
        let facts = facts.map(|&(id, value)| (variables[id as usize].field(), value));
        Some(Reader::Group(facts.collect()))
    }

    /// The values that a group may have where its variables may have these; `None` of a variable.
    pub(crate) fn values(&self, id: u32, values: &dyn Fn(u32) -> Vec<u32>) -> Option<Vec<u32>> {
        let truths = self.facts(id)?.iter();
        let truths: Vec<Truth> = truths
            .map(|&(id, value)| truth(&values(id), value))
            .collect();
        Some(possible(&truths))
    }

    /// Adds to a case what becomes of each group. Returns whether there is such a case: not if two
    /// facts hold for sure that exclude each other.
    pub(crate) fn add_to(&self, case: &mut Case, sizes: &dyn Fn(u32) -> u32) -> bool {
        for facts in &self.groups {
            let sure = facts.iter().filter(|&&(id, value)| {
                let values = case.values_before(id);
                values.is_some_and(|values| truth(values, value) == Truth::Surely)
            });
            let sure: Vec<(u32, u32)> = sure.copied().collect();
            match sure[..] {
                [] => {}
                [only] => {
                    for &(id, value) in facts.iter().filter(|&&fact| fact != only) {
                        case.exclude(id, value, sizes(id));
                    }
                }
                _ => return false,
            }
        }
        for (id, facts) in self.ids().zip(&self.groups) {
            let mut before = Vec::with_capacity(facts.len());
            let mut after = Vec::with_capacity(facts.len());
            let mut is_written = false;
            for &(variable, value) in facts {
                let old = case.values_before(variable);
                let old = old.map_or(Truth::Maybe, |values| truth(values, value));
                before.push(old);
                let written = case.written(variable);
                let new = written.map_or(old, |written| truth(&written.after, value));
                after.push(new);
                is_written |= written.is_some() && (old, new) != (Truth::Never, Truth::Never);
            }
            let (before, after) = (possible(&before), possible(&after));
            if is_written {
                case.written.push(Written {
                    variable: id,
                    before,
                    after,
                });
            } else if before.len() <= facts.len() {
                case.kept.push((id, before));
            }
        }
        true
    }
}

/// Adds what groups become when objects change places, as far as mutexes show these too, and as
/// long as there are not too many.
fn add_images(groups: &mut Vec<Vec<(u32, u32)>>, mutexes: &Mutexes, exchanges: &[FactRenaming]) {
    let sorted = |mut facts: Vec<(u32, u32)>| {
        facts.sort_unstable();
        facts
    };
    let mut known: FxHashSet<Vec<(u32, u32)>> = groups.iter().cloned().map(sorted).collect();
    let mut next = 0;
    while let Some(facts) = groups.get(next).cloned() {
        for exchange in exchanges {
            let image = facts.iter().map(|&(id, value)| exchange(id, value));
            let image = sorted(image.collect());
            if groups.len() < MOST_GROUPS
                && known.insert(image.clone())
                && mutexes.exclude_each_other(&image)
            {
                groups.push(image);
            }
        }
        next += 1;
    }
}

/// The values that a group may have: the place of each fact that may hold, and one more where none
/// holds for sure.
fn possible(truths: &[Truth]) -> Vec<u32> {
    if let Some(sure) = truths.iter().position(|&truth| truth == Truth::Surely) {
        return vec![sure as u32];
    }
    let may_hold = (0..)
        .zip(truths)
        .filter(|(_, truth)| **truth == Truth::Maybe);
    let none = truths.len() as u32;
    may_hold.map(|(place, _)| place).chain([none]).collect()
}
