//! Features, which have potentials: variables, the own variables of an agent together, and counters.

use super::parts::written_by;
use super::path::{Path, Space, Write};
use super::values::Values;
use brigade_task::layout::VariableKind;
use brigade_task::{State, VarId};

/// Values, or combinations of values, of one feature, at most.
const MOST_VALUES: u32 = 1024;
/// Ways in which a path changes one feature, at most.
const MOST_CHANGES: usize = 1 << 14;

/// Variables whose values together have potentials, or a counter with a potential for each unit.
#[derive(Clone, Debug)]
pub(super) struct Feature {
    pub(super) variables: Vec<u32>,
    /// The number of its first potential.
    pub(super) first: u32,
    /// The number of its potentials.
    pub(super) count: u32,
    pub(super) is_counter: bool,
}

/// A weighted sum of potentials.
pub(super) type Sum = Vec<(u32, i64)>;

/// The features of a task.
pub(super) fn features(space: Space) -> Vec<Feature> {
    let task = space.0;
    let has_values = |variable: u32| {
        let known = &task.variables[variable as usize];
        let kind = matches!(
            known.kind,
            VariableKind::Facts
                | VariableKind::Object
                | VariableKind::Integer { .. }
                | VariableKind::Activity
        );
        let is_special = [task.clock, task.turn].contains(&Some(VarId(variable)));
        kind && !is_special
            && known.size > 1
            && (space.is_counter(variable) || known.size <= MOST_VALUES)
    };
    let all = (0..task.variables.len() as u32).filter(|&variable| has_values(variable));
    let mut left: Vec<u32> = all.collect();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut tick = brigade_task::variable_set::VariableSet::default();
    for phase in &task.tick {
        if let brigade_task::Phase::Effect { effect, .. } = phase {
            effect.writes(&mut tick);
        }
    }
    let written: Vec<_> = task
        .agents
        .iter()
        .map(|agent| written_by(task, agent))
        .collect();
    for (own, writes) in written.iter().enumerate() {
        let is_own = |&variable: &u32| {
            let id = VarId(variable);
            let mut others = written
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != own);
            writes.contains(id)
                && !tick.contains(id)
                && !space.is_counter(variable)
                && !others.any(|(_, others)| others.contains(id))
        };
        let mut set: Vec<u32> = Vec::new();
        let mut size = 1;
        for variable in left.iter().copied().filter(is_own) {
            if size * space.size(variable) <= MOST_VALUES {
                size *= space.size(variable);
                set.push(variable);
            }
        }
        left.retain(|variable| !set.contains(variable));
        sets.push(set);
    }
    sets.extend(left.into_iter().map(|variable| vec![variable]));
    sets.retain(|set| !set.is_empty());
    let mut first = 0;
    let features = sets.into_iter().map(|variables| {
        let is_counter = space.is_counter(variables[0]);
        let sizes = variables.iter().map(|&variable| space.size(variable));
        let count = if is_counter { 1 } else { sizes.product() };
        let feature = Feature {
            variables,
            first,
            count,
            is_counter,
        };
        first += count;
        feature
    });
    features.collect()
}

impl Feature {
    /// The potentials that count in a state, each so many times.
    pub(super) fn at(&self, space: Space, state: &State) -> (u32, i64) {
        let value = |id: u32| space.0.variables[id as usize].get(state);
        if self.is_counter {
            return (self.first, value(self.variables[0]).into());
        }
        let index =
            (self.variables.iter()).fold(0, |index, &id| index * space.size(id) + value(id));
        (self.first + index, 1)
    }

    /// The ways in which a path changes the sum, where the variables have some of these values; `None` where they
    /// are too many.
    pub(super) fn changes(
        &self,
        space: Space,
        path: &Path,
        reached: &[Values],
    ) -> Option<Vec<Sum>> {
        if !self.variables.iter().any(|id| path.writes.contains_key(id)) {
            return Some(Vec::new());
        }
        if self.is_counter {
            let top = i64::from(space.size(self.variables[0])) - 1;
            let (least, most) = match path.writes.get(&self.variables[0]) {
                Some(&Write::Add(least, most)) => (least, most),
                _ => (-top, top),
            };
            let mut changes = vec![vec![(self.first, least)], vec![(self.first, most)]];
            changes.dedup();
            return Some(changes);
        }
        // Pairs of indices before and after.
        let mut pairs: Vec<(u32, u32)> = vec![(0, 0)];
        for &id in &self.variables {
            let size = space.size(id);
            let mut before = reached[id as usize].clone();
            if let Some(known) = path.before.get(&id) {
                before.meet(known);
            }
            let all = Values::all(size);
            let after = match path.writes.get(&id) {
                None => None,
                Some(Write::One(values)) => Some(values),
                Some(_) => Some(&all),
            };
            let mut next = Vec::new();
            for &(from, to) in &pairs {
                for old in before.iter() {
                    match after {
                        None => next.push((from * size + old, to * size + old)),
                        Some(after) => {
                            next.extend(
                                after.iter().map(|new| (from * size + old, to * size + new)),
                            );
                        }
                    }
                }
            }
            pairs = next;
            if pairs.len() > MOST_CHANGES {
                return None;
            }
        }
        let changes = pairs.into_iter().map(|(from, to)| {
            if from == to {
                Vec::new()
            } else {
                vec![(self.first + to, 1), (self.first + from, -1)]
            }
        });
        let mut changes: Vec<Sum> = changes.collect();
        changes.sort_unstable();
        changes.dedup();
        Some(changes)
    }
}
