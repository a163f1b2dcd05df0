//! The parts of a step: the operators of each agent, then the effects of the tick, each with its paths.

use std::collections::{BTreeMap, BTreeSet};

use super::carriers::{Carriers, project};
use super::counters::{Part, stays_above};
use super::path::{Path, Read, Space, Write};
use super::structure::{has_sequence, in_sequence, written_by};
use super::values::Values;
use super::walk::{TooMany, Walker};
use brigade_task::cond::Cond;
use brigade_task::cost_range::{join, of_once};
use brigade_task::effect::Effect;
use brigade_task::variable_set::VariableSet;
use brigade_task::{Operator, Phase, TurnMode, VarId};

/// The paths of all parts.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// For each agent those of all its operators.
    pub(super) agents: Vec<Vec<Path>>,
    /// For each effect of the tick, in order, those of its parts. Each part reads the state before the effect, and
    /// writes no potential that another does.
    pub(super) tick: Vec<Vec<Vec<Path>>>,
}

impl Parts {
    /// `None` where there are too many, or the effects of a tick cannot be split into paths.
    ///
    /// `is_joint` returns true for two variables that have potentials together.
    pub(super) fn new(
        space: Space,
        carriers: &Carriers,
        is_joint: &dyn Fn(u32, u32) -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let task = space.0;
        let mut parts = Self::default();
        let written: Vec<VariableSet> = task
            .agents
            .iter()
            .map(|agent| written_by(task, agent))
            .collect();
        for (index, agent) in task.agents.iter().enumerate() {
            let shared = |variable: u32| {
                let mut others = written
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != index);
                task.turns == TurnMode::Simultaneous
                    && others.any(|(_, written)| written.contains(VarId(variable)))
            };
            let mut paths = Vec::new();
            for &operator in &agent.operators {
                if stop() {
                    return None;
                }
                let between = carriers.of[index].iter();
                let between = between
                    .map(|(&id, &value)| (id, Values::one(space.size(id), value)))
                    .collect();
                let start = Path {
                    before: between,
                    ..Path::default()
                };
                paths.extend(of_operator(space, task.operator(operator), start, &shared));
            }
            for phase in &task.tick {
                if let Phase::Effect { effect, .. } = phase {
                    for effect in in_sequence(effect) {
                        let own = project(effect, &|id| carriers.has(index, id), false);
                        if !own.is_idle() {
                            paths =
                                followed(space, merged(paths), &own, &|id| carriers.has(index, id));
                        }
                    }
                }
            }
            forget(&mut paths, &|id| {
                carriers.is_carrier(id) && !carriers.has(index, id)
            });
            parts.agents.push(merged(paths));
        }
        for phase in &task.tick {
            match phase {
                Phase::Timers => {
                    for timer in &task.timers {
                        let mut paths = walk(space, &timer.effect);
                        paths.push(Path::default());
                        for path in &mut paths {
                            clamp(space, path, &|_| false, &|_| false);
                            path.writes.insert(timer.variable.0, Write::Unknown);
                            let places = task.live.iter().flat_map(|live| &live.places);
                            path.writes.extend(places.map(|id| (id.0, Write::Unknown)));
                        }
                        parts.tick.push(vec![merged(paths)]);
                    }
                }
                Phase::Effect { effect, .. } => {
                    for effect in in_sequence(effect) {
                        let rest = project(effect, &|id| !carriers.has_any(id), true);
                        let of_block = of_block(space, &rest, is_joint);
                        let of_block = of_block.into_iter().map(merged);
                        parts.tick.push(of_block.collect());
                    }
                }
            }
        }
        // Followed with the choices, carriers have no values that others could read.
        for paths in parts.tick.iter_mut().flatten() {
            forget(paths, &|id| carriers.is_carrier(id));
        }
        Some(parts)
    }
}

/// Leaves out what is known of some variables before paths.
fn forget(paths: &mut [Path], is_forgotten: &dyn Fn(u32) -> bool) {
    for path in paths {
        path.before.retain(|&id, _| !is_forgotten(id));
    }
}

fn merged(mut paths: Vec<Path>) -> Vec<Path> {
    paths.sort();
    paths.dedup();
    paths
}

/// The paths of an effect of the tick.
fn walk(space: Space, effect: &Effect) -> Vec<Path> {
    let walker = Walker {
        space,
        guard: &Cond::True,
    };
    let paths = walker.walk(vec![Path::default()], Read::Now, effect);
    paths.unwrap_or_else(|TooMany| vec![anything(space, effect)])
}

/// Paths that go on by what an effect of the tick does to an agent's own variables, whatever the others are by then.
fn followed(
    space: Space,
    paths: Vec<Path>,
    effect: &Effect,
    is_own: &dyn Fn(u32) -> bool,
) -> Vec<Path> {
    let walker = Walker {
        space,
        guard: &Cond::True,
    };
    let mut next = Vec::new();
    for path in paths {
        let mut own = Path {
            cost: (0, 0),
            ..path.clone()
        };
        own.before.retain(|&id, _| is_own(id));
        own.writes.retain(|&id, _| is_own(id));
        let ways = walker.walk(vec![own.clone()], Read::Now, effect);
        let ways = ways.unwrap_or_else(|TooMany| {
            own.writes.extend(anything(space, effect).writes);
            vec![own]
        });
        for mut way in ways {
            way.before.retain(|&id, _| is_own(id));
            let mut path = path.clone();
            path.before.extend(way.before);
            path.writes.extend(way.writes);
            next.push(path);
        }
    }
    next
}

/// The paths of an operator, where other agents may write some variables after it was chosen.
fn of_operator(
    space: Space,
    operator: &Operator,
    start: Path,
    shared: &dyn Fn(u32) -> bool,
) -> Vec<Path> {
    let mut start = vec![start];
    let facts = operator.facts.iter().map(|&fact| Cond::Fact(fact));
    for cond in facts.chain([operator.guard.clone()]) {
        let paths = start.into_iter();
        start = paths
            .flat_map(|path| space.assume(path, Read::Now, &cond, true))
            .collect();
    }
    let mut guard = &operator.guard;
    for path in &mut start {
        let known = path.before.len();
        path.before.retain(|&variable, _| !shared(variable));
        if path.before.len() < known {
            guard = &Cond::True;
        }
    }
    let walker = Walker { space, guard };
    let paths = walker.walk(start, Read::Now, &operator.effect);
    let mut paths = paths.unwrap_or_else(|TooMany| vec![anything(space, &operator.effect)]);
    for path in &mut paths {
        clamp(space, path, &|_| false, &|_| true);
    }
    paths
}

/// A path that writes anything that an effect may write.
fn anything(space: Space, effect: &Effect) -> Path {
    let mut written = VariableSet::default();
    effect.writes(&mut written);
    Path {
        writes: written.iter().map(|id| (id.0, Write::Unknown)).collect(),
        cost: of_once(space.0, effect).map_or((i64::MIN, i64::MAX), |cost| join((0, 0), cost)),
        ..Path::default()
    }
}

/// Notes that counters stay within their bounds: less may be added where they are full, and taken where they are
/// empty, if not `stays_above` or what is known before rules it out.
fn clamp(
    space: Space,
    path: &mut Path,
    stays_above: &dyn Fn(u32) -> bool,
    is_alone: &dyn Fn(u32) -> bool,
) {
    for (&variable, write) in &mut path.writes {
        let Write::Add {
            change: (least, most),
            ..
        } = write
        else {
            continue;
        };
        let known = path.before.get(&variable).filter(|_| is_alone(variable));
        let lowest = known.and_then(|known| known.iter().next()).unwrap_or(0);
        let highest = known.and_then(|known| known.iter().last());
        let highest = highest.unwrap_or(space.size(variable) - 1);
        if i64::from(lowest) + *least < 0 && !stays_above(variable) {
            *most = (*most).max(0);
        }
        if i64::from(highest) + *most >= space.size(variable).into() {
            *least = (*least).min(0);
        }
    }
}

/// Adds the parts of a block that all apply to the state before it.
fn flatten<'e>(effect: &'e Effect, cond: &[&'e Cond], parts: &mut Vec<Part<'e>>) {
    match effect {
        Effect::Block { effects, .. } => {
            for effect in effects {
                flatten(effect, cond, parts);
            }
        }
        Effect::When(own, effect) => {
            let cond = [cond, &[own]].concat();
            flatten(effect, &cond, parts);
        }
        Effect::Nothing | Effect::Log(_) | Effect::Total(..) => {}
        effect => match parts.iter_mut().find(|part| part.0 == cond) {
            Some(part) => part.1.push(effect),
            None => parts.push((cond.to_vec(), vec![effect])),
        },
    }
}

/// The parts of an effect, each with its paths.
fn of_block(space: Space, effect: &Effect, is_joint: &dyn Fn(u32, u32) -> bool) -> Vec<Vec<Path>> {
    let mut flat = Vec::new();
    flatten(effect, &[], &mut flat);
    if flat
        .iter()
        .flat_map(|part| &part.1)
        .any(|effect| has_sequence(effect))
    {
        let paths = walk(space, effect);
        return vec![
            paths
                .into_iter()
                .map(|mut path| {
                    clamp(space, &mut path, &|_| false, &|_| false);
                    path
                })
                .collect(),
        ];
    }
    let mut found = Vec::new();
    for members in joint_parts(space, &flat, is_joint) {
        let whens = members.iter().map(|&part| {
            let (conds, effects) = &flat[part];
            let effects = effects.iter().map(|&effect| effect.clone()).collect();
            let block = Effect::Block {
                effects,
                snapshot: false,
            };
            let cond = Cond::all(conds.iter().map(|&cond| cond.clone()));
            Effect::When(cond, Box::new(block))
        });
        let part = Effect::Block {
            effects: whens.collect(),
            snapshot: true,
        };
        let mut paths = walk(space, &part);
        for path in &mut paths {
            clamp(
                space,
                path,
                &|variable| {
                    space.0.variables[variable as usize].low() <= 0 && stays_above(&flat, variable)
                },
                &|_| false,
            );
        }
        found.push(paths);
    }
    found
}

/// Groups the parts of a block of which two write one variable, or two that have potentials together.
fn joint_parts(
    space: Space,
    flat: &[Part],
    is_joint: &dyn Fn(u32, u32) -> bool,
) -> impl Iterator<Item = Vec<usize>> {
    let is_counted = |effect: &&Effect, variable: u32| {
        matches!(effect, Effect::Increase(of, _) if of.0 == variable) && space.is_counter(variable)
    };
    let writes = |effect: &&Effect| -> Vec<u32> {
        let mut written = VariableSet::default();
        effect.writes(&mut written);
        written.iter().map(|id| id.0).collect()
    };
    let effects = || flat.iter().flat_map(|part| &part.1);
    // Counters that parts do nothing to but add.
    let mut counted: BTreeSet<u32> = effects().flat_map(writes).collect();
    counted.retain(|&id| {
        !is_joint(id, id)
            && effects().all(|effect| is_counted(effect, id) || !writes(effect).contains(&id))
    });
    let written: Vec<Vec<u32>> = (flat.iter())
        .map(|(_, effects)| {
            let all = effects.iter().flat_map(writes);
            all.filter(|id| !counted.contains(id)).collect()
        })
        .collect();
    let mut group: Vec<usize> = (0..flat.len()).collect();
    for one in 0..flat.len() {
        for other in 0..one {
            let meets = |left: u32| {
                let mut others = written[other].iter();
                others.any(|&right| left == right || is_joint(left, right))
            };
            if group[one] != group[other] && written[one].iter().any(|&left| meets(left)) {
                let (from, to) = (group[one], group[other]);
                let from_it = group.iter_mut().filter(|it| **it == from);
                from_it.for_each(|it| *it = to);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (part, group) in group.into_iter().enumerate() {
        groups.entry(group).or_default().push(part);
    }
    groups.into_values()
}
