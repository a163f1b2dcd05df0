//! Features, which have potentials: variables, some of them together, and counters.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::carriers::Carriers;
use super::parts::Parts;
use super::path::{Path, Space, Write};
use super::structure::written_by;
use super::values::Values;
use brigade_task::layout::VariableKind;
use brigade_task::variable_set::VariableSet;
use brigade_task::{Phase, State, VarId};

/// Combinations of values that variables with potentials together reach, at most.
const MOST_COMBINATIONS: usize = 1024;
/// Combinations of any values of theirs, at most.
const MOST_CODES: u32 = 1 << 16;
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
    /// The combinations that runs reach, each with its place among the potentials, by its code.
    places: FxHashMap<u32, u32>,
    combinations: Vec<Vec<u32>>,
}

/// A weighted sum of potentials.
pub(super) type Sum = Vec<(u32, i64)>;

/// The sets of variables that have potentials together: an agent's own, and a timer's with those that start and end it.
/// As many as reach few combinations.
pub(super) fn joined(
    space: Space,
    carriers: &Carriers,
    parts: &Parts,
    reached: &[Values],
    start: &State,
) -> Vec<Vec<u32>> {
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
        let count = reached[variable as usize].iter().count();
        kind && !is_special
            && !carriers.is_carrier(variable)
            && count > 1
            && (space.is_counter(variable) || count <= MOST_COMBINATIONS)
    };
    let all = (0..task.variables.len() as u32).filter(|&variable| has_values(variable));
    let mut left: Vec<u32> = all.collect();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    let mut tick = VariableSet::default();
    for phase in &task.tick {
        if let Phase::Effect { effect, .. } = phase {
            effect.writes(&mut tick);
        }
    }
    let written = task.agents.iter().map(|agent| written_by(task, agent));
    let written: Vec<_> = written.collect();
    for (own, writes) in written.iter().enumerate() {
        let is_own = |&variable: &u32| {
            let id = VarId(variable);
            let mut others = (0..written.len()).filter(|&other| other != own);
            carriers.to[own].contains(&variable)
                || writes.contains(id)
                    && !tick.contains(id)
                    && !space.is_counter(variable)
                    && !others.any(|other| written[other].contains(id))
        };
        // First those that most of its paths are about.
        let paths = |variable: u32| {
            let paths = parts.agents[own].iter();
            let is_about = |path: &&Path| {
                path.before.contains_key(&variable) || path.writes.contains_key(&variable)
            };
            paths.filter(is_about).count()
        };
        let mut own: Vec<u32> = left.iter().copied().filter(is_own).collect();
        own.sort_by_key(|&variable| std::cmp::Reverse(paths(variable)));
        sets.push(fitting(space, own, parts, start));
        left.retain(|variable| !sets[sets.len() - 1].contains(variable));
    }
    for timer in timers(parts) {
        if !left.contains(&timer) {
            continue;
        }
        let paths = parts
            .agents
            .iter()
            .chain(parts.tick.iter().flatten())
            .flatten();
        let paths = paths.filter(|path| path.writes.contains_key(&timer));
        let mut group = vec![timer];
        for variable in paths.flat_map(|path| path.writes.keys()) {
            if left.contains(variable) && !group.contains(variable) {
                group.push(*variable);
            }
        }
        let set = fitting(space, group, parts, start);
        if set.len() > 1 && set.contains(&timer) {
            left.retain(|variable| !set.contains(variable));
            sets.push(set);
        }
    }
    sets.extend(left.into_iter().map(|variable| vec![variable]));
    sets.retain(|set| !set.is_empty());
    sets
}

/// The variables to which the tick adds, and agents do not.
fn timers(parts: &Parts) -> Vec<u32> {
    fn added<'p>(paths: impl Iterator<Item = &'p Path>) -> BTreeSet<u32> {
        let writes = paths.flat_map(|path| &path.writes);
        let added = writes.filter(|(_, write)| matches!(write, Write::Add { .. }));
        added.map(|(&variable, _)| variable).collect()
    }
    let by_agents = added(parts.agents.iter().flatten());
    let by_tick = added(parts.tick.iter().flatten().flatten());
    by_tick.difference(&by_agents).copied().collect()
}

/// As many of some variables, in this order, as reach few enough combinations together.
fn fitting(space: Space, variables: Vec<u32>, parts: &Parts, start: &State) -> Vec<u32> {
    let mut set = Vec::new();
    for variable in variables {
        set.push(variable);
        if combinations(space, &set, parts, start, MOST_COMBINATIONS).is_none() {
            set.pop();
        }
    }
    set
}

/// The combinations of values that some variables reach from a start by the paths, whatever the others are. `None`
/// where they are more than so many.
fn combinations(
    space: Space,
    variables: &[u32],
    parts: &Parts,
    start: &State,
    most: usize,
) -> Option<Vec<Vec<u32>>> {
    let mut sizes = variables.iter().map(|&id| space.size(id));
    let codes = sizes.try_fold(1_u32, u32::checked_mul);
    codes.filter(|&codes| codes <= MOST_CODES)?;
    let is_own = |id: &u32| variables.contains(id);
    let paths = parts
        .agents
        .iter()
        .chain(parts.tick.iter().flatten())
        .flatten();
    let own = paths
        .filter(|path| path.writes.keys().any(is_own))
        .map(|path| {
            let before = path.before.iter().filter(|(id, _)| is_own(id));
            let writes = path.writes.iter().filter(|(id, _)| is_own(id));
            Path {
                before: before.map(|(&id, values)| (id, values.clone())).collect(),
                writes: writes.map(|(&id, write)| (id, write.clone())).collect(),
                ..Path::default()
            }
        });
    let mut own: Vec<Path> = own.collect();
    own.sort();
    own.dedup();
    let value = |&id: &u32| space.0.variables[id as usize].get(start);
    let first: Vec<u32> = variables.iter().map(value).collect();
    let mut met = FxHashSet::from_iter([first.clone()]);
    let mut found = vec![first];
    let mut next = 0;
    while next < found.len() {
        for path in &own {
            for after in after(space, variables, path, &found[next])? {
                if met.insert(after.clone()) {
                    found.push(after);
                    if found.len() > most {
                        return None;
                    }
                }
            }
        }
        next += 1;
    }
    Some(found)
}

/// The combinations that a path leads to from one; none where it may not be taken. `None` where they are too many.
fn after(
    space: Space,
    variables: &[u32],
    path: &Path,
    combination: &[u32],
) -> Option<Vec<Vec<u32>>> {
    let mut all = vec![Vec::new()];
    for (&id, &old) in variables.iter().zip(combination) {
        if path
            .before
            .get(&id)
            .is_some_and(|known| !known.contains(old))
        {
            return Some(Vec::new());
        }
        let top = i64::from(space.size(id)) - 1;
        let sum = |by: i64| i64::from(old).saturating_add(by).clamp(0, top) as u32;
        let values: Vec<u32> = match path.writes.get(&id) {
            None => vec![old],
            Some(Write::One(values)) => values.iter().collect(),
            Some(&Write::Add { by, .. }) => (sum(by.0)..=sum(by.1)).collect(),
            Some(Write::Unknown) => (0..space.size(id)).collect(),
        };
        if all.len().saturating_mul(values.len()) > MOST_CHANGES {
            return None;
        }
        let longer = all.iter().flat_map(|before: &Vec<u32>| {
            values.iter().map(|&value| [&before[..], &[value]].concat())
        });
        all = longer.collect();
    }
    Some(all)
}

impl Feature {
    /// The places of the potentials, each with the code of its combination.
    pub(super) fn codes(&self, space: Space) -> impl Iterator<Item = (u32, u32)> {
        let codes = self.combinations.iter().map(move |combination| {
            let values = self.variables.iter().zip(combination);
            values.fold(0, |code, (&id, value)| code * space.size(id) + value)
        });
        codes.zip(0..)
    }

    /// The features of sets of variables. `None` where one reaches too many combinations.
    pub(super) fn all(
        space: Space,
        sets: Vec<Vec<u32>>,
        parts: &Parts,
        start: &State,
    ) -> Option<Vec<Self>> {
        let mut first = 0;
        let features = sets.into_iter().map(|variables| {
            let is_counter = variables.len() == 1 && space.is_counter(variables[0]);
            let most = 4 * MOST_COMBINATIONS;
            let combinations = if is_counter {
                Vec::new()
            } else {
                combinations(space, &variables, parts, start, most)?
            };
            let count = if is_counter {
                1
            } else {
                combinations.len() as u32
            };
            let mut feature = Self {
                places: FxHashMap::default(),
                variables,
                first,
                count,
                is_counter,
                combinations,
            };
            feature.places = feature.codes(space).collect();
            first += count;
            Some(feature)
        });
        features.collect()
    }

    /// The potential that counts in a state, with the number of times; `None` if no run has the state.
    pub(super) fn at(&self, space: Space, state: &State) -> Option<(u32, i64)> {
        let value = |id: u32| space.0.variables[id as usize].get(state);
        if self.is_counter {
            return Some((self.first, value(self.variables[0]).into()));
        }
        let code = (self.variables.iter()).fold(0, |code, &id| code * space.size(id) + value(id));
        self.places.get(&code).map(|place| (self.first + place, 1))
    }

    /// The ways in which a path changes the sum; `None` where they are too many.
    pub(super) fn changes(&self, space: Space, path: &Path) -> Option<Vec<Sum>> {
        if !self.variables.iter().any(|id| path.writes.contains_key(id)) {
            return Some(Vec::new());
        }
        if self.is_counter {
            let top = i64::from(space.size(self.variables[0])) - 1;
            let (least, most) = match path.writes.get(&self.variables[0]) {
                Some(&Write::Add { change, .. }) => change,
                _ => (-top, top),
            };
            let mut changes = vec![vec![(self.first, least)], vec![(self.first, most)]];
            changes.dedup();
            return Some(changes);
        }
        let mut changes: Vec<Sum> = Vec::new();
        for (place, combination) in (0..).zip(&self.combinations) {
            for after in after(space, &self.variables, path, combination)? {
                let values = self.variables.iter().zip(&after);
                let code = values.fold(0, |code, (&id, value)| code * space.size(id) + value);
                changes.push(match self.places.get(&code) {
                    Some(&to) if to == place => Vec::new(),
                    Some(&to) => vec![(self.first + to, 1), (self.first + place, -1)],
                    None => continue,
                });
                if changes.len() > MOST_CHANGES {
                    return None;
                }
            }
        }
        changes.sort_unstable();
        changes.dedup();
        Some(changes)
    }
}
