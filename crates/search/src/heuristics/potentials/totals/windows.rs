//! Windows: the paths that a run can take from a start, by the values that each variable can have at each tick.
//!
//! Each tick every agent may do anything that its operators allow in some state with these values; then the effects
//! of the tick apply in order. A variable's values may also become fewer: an order that is overdue is closed.

use std::collections::BTreeMap;

use super::parts::Parts;
use super::path::{Path, Space, Write};
use super::values::Values;
use brigade_task::State;

/// The values that each variable can have.
struct Reached(Vec<Values>);

impl Reached {
    fn allows(&self, path: &Path) -> bool {
        (path.before.iter()).all(|(&variable, values)| self.0[variable as usize].meets(values))
    }
}

/// The paths that were taken, and the values met.
struct Taken {
    agents: Vec<Vec<bool>>,
    tick: Vec<Vec<Vec<bool>>>,
    values: Vec<Values>,
}

/// Leaves the paths that a run from a start of this clock can take; returns the values that each variable can
/// have in the midst of a step or between steps.
pub(super) fn narrow(
    space: Space,
    parts: &mut Parts,
    start: &State,
    (clock, first, last): (u32, u32, u32),
) -> Vec<Values> {
    let variables = &space.0.variables;
    let now = variables
        .iter()
        .map(|it| Values::one(it.size, it.get(start)));
    let mut now = Reached(now.collect());
    // What follows from others is not followed.
    for (id, values) in (0..).zip(&mut now.0) {
        if space.is_derived(id) {
            *values = Values::all(space.size(id));
        }
    }
    let marks = |paths: &Vec<Path>| vec![false; paths.len()];
    let mut taken = Taken {
        agents: parts.agents.iter().map(marks).collect(),
        tick: (parts.tick.iter())
            .map(|block| block.iter().map(marks).collect())
            .collect(),
        values: now.0.clone(),
    };
    for tick in first..last {
        now.0[clock as usize] = Values::one(space.size(clock), tick.min(space.size(clock) - 1));
        for (paths, marks) in parts.agents.iter().zip(&mut taken.agents) {
            act(space, &mut now, paths, marks);
            join_all(&mut taken.values, &now);
        }
        for (block, marks) in parts.tick.iter().zip(&mut taken.tick) {
            apply(space, &mut now, block, marks);
            join_all(&mut taken.values, &now);
        }
    }
    let keep = |paths: &mut Vec<Path>, marks: &[bool]| {
        let mut marks = marks.iter();
        paths.retain(|_| marks.next() == Some(&true));
        for path in paths {
            for (&variable, values) in &mut path.before {
                values.meet(&taken.values[variable as usize]);
            }
        }
    };
    for (paths, marks) in parts.agents.iter_mut().zip(&taken.agents) {
        keep(paths, marks);
    }
    for (block, marks) in parts.tick.iter_mut().zip(&taken.tick) {
        for (paths, marks) in block.iter_mut().zip(marks) {
            keep(paths, marks);
        }
    }
    taken.values
}

fn join_all(values: &mut [Values], now: &Reached) {
    for (all, now) in values.iter_mut().zip(&now.0) {
        all.join(now);
    }
}

/// One agent acts, or not.
fn act(space: Space, now: &mut Reached, paths: &[Path], marks: &mut [bool]) {
    let mut next: BTreeMap<u32, Values> = BTreeMap::new();
    for (path, mark) in paths.iter().zip(marks) {
        if !now.allows(path) {
            continue;
        }
        *mark = true;
        for &variable in path.writes.keys() {
            let results = results(space, &now.0[variable as usize], path, variable);
            let all = next.entry(variable);
            all.and_modify(|all| all.join(&results)).or_insert(results);
        }
    }
    for (variable, results) in next {
        now.0[variable as usize].join(&results);
    }
}

/// The parts of an effect apply, each along one of its paths.
fn apply(space: Space, now: &mut Reached, block: &[Vec<Path>], marks: &mut [Vec<bool>]) {
    let before = Reached(now.0.clone());
    for (paths, marks) in block.iter().zip(marks) {
        let mut written: BTreeMap<u32, Option<Values>> = BTreeMap::new();
        let mut known: BTreeMap<u32, Option<Values>> = BTreeMap::new();
        for path in paths {
            written.extend(path.writes.keys().map(|&variable| (variable, None)));
            known.extend(path.before.keys().map(|&variable| (variable, None)));
        }
        known.retain(|variable, _| !written.contains_key(variable));
        let join = |all: &mut Option<Values>, values: Values| match all {
            Some(all) => all.join(&values),
            None => *all = Some(values),
        };
        for (path, mark) in paths.iter().zip(marks) {
            if !before.allows(path) {
                continue;
            }
            *mark = true;
            for (&variable, all) in &mut written {
                // Counters are written by several parts, one after another.
                let from = &now.0[variable as usize];
                let values = if path.writes.contains_key(&variable) {
                    results(space, from, path, variable)
                } else if space.is_counter(variable) {
                    from.clone()
                } else {
                    kept(from, path, variable)
                };
                join(all, values);
            }
            for (&variable, all) in &mut known {
                join(all, kept(&before.0[variable as usize], path, variable));
            }
        }
        for (variable, values) in written {
            if let Some(values) = values {
                now.0[variable as usize] = values;
            }
        }
        for (variable, values) in known {
            if let Some(values) = values
                && !block
                    .iter()
                    .flatten()
                    .any(|path| path.writes.contains_key(&variable))
            {
                now.0[variable as usize].meet(&values);
            }
        }
    }
}

/// The values of a variable that a path leaves as it is.
fn kept(from: &Values, path: &Path, variable: u32) -> Values {
    let mut values = from.clone();
    if let Some(before) = path.before.get(&variable) {
        values.meet(before);
    }
    values
}

/// The values of a variable after a path that writes it.
fn results(space: Space, from: &Values, path: &Path, variable: u32) -> Values {
    let size = space.size(variable);
    match path.writes.get(&variable) {
        None => from.clone(),
        Some(Write::One(values)) => values.clone(),
        Some(Write::Unknown) => Values::all(size),
        Some(&Write::Add {
            by: (least, most), ..
        }) => {
            let top = i64::from(size) - 1;
            let sum =
                |value: u32, by: i64| i64::from(value).saturating_add(by).clamp(0, top) as u32;
            let ranges = from
                .iter()
                .map(|value| sum(value, least)..=sum(value, most));
            Values::of(size, ranges.flatten())
        }
    }
}
