//! Distances in projections to a few variables and groups, where some operators cost something.
//!
//! What variables can be together is enumerated, as far as pairs of values and conjunctions tell;
//! values that look alike are one. With it goes where something was done last, or that there was a
//! move since. Operators that others pay for cost nothing, but are done somewhere too.

mod automorphism;
mod known;
mod order;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::builder::Builder;
use super::super::goals::Row;
use super::charges::Charges;
use super::conjunctions::Conjunctions;
use super::names;
use crate::search::options::Control;
pub(super) use automorphism::Automorphism;
use known::{Held, Known, go_together};

/// Classes of the values of a variable, at most.
const MOST_CLASSES: usize = 64;
/// That no goal can be reached.
pub(super) const FAR: u16 = u16::MAX;
/// The longest distance that is told; longer ones count as this.
const LONGEST: usize = FAR as usize - 1;
/// No state.
pub(super) const NONE: u32 = u32::MAX;

/// What projections are made of.
pub(super) struct Context<'a, 'b, 'm, 't> {
    pub(super) builder: &'a Builder<'m, 't>,
    pub(super) conjunctions: &'a Conjunctions,
    pub(super) charges: &'a Charges,
    /// The texts of the values of all variables and groups.
    pub(super) texts: &'a [Vec<String>],
    /// The ways to reach the part of the goal.
    pub(super) rows: &'a [Row],
    /// The objects that may be left out of what is told apart.
    pub(super) objects: &'a BTreeSet<String>,
    /// States of a projection, at most.
    pub(super) most_states: usize,
    pub(super) control: &'b dyn Control,
}

/// What is told apart of a variable or group.
pub(super) struct Told {
    pub(super) id: u32,
    /// Whether it matters what the goal asks of it.
    pub(super) is_own: bool,
    /// Whether values are told apart of which the goal allows one and not the other.
    pub(super) is_asked: bool,
    /// Whether all that matters is whether it is 0.
    pub(super) is_running: bool,
}

/// The distances of a projection.
pub(super) struct Projection {
    /// The variables and groups.
    pub(super) variables: Vec<u32>,
    /// For each of them the class of each value.
    pub(super) classes: Vec<Box<[u32]>>,
    /// For each of them what the class makes of what those before lead to; `NONE` if that cannot be.
    next: Vec<Level>,
    /// For each state: where something was done last at each of the places, then after a move.
    distances: Vec<u16>,
    columns: usize,
}

struct Level {
    classes: u32,
    next: Vec<u32>,
}

/// What a label does to a projection.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Kind {
    at: Option<u32>,
    /// What it costs, and what more after a move.
    costs: (u32, u32),
    /// For each variable the classes before, and after if it is written.
    before: Vec<u64>,
    after: Vec<Option<Vec<u32>>>,
}

struct Edge {
    from: u32,
    at: u32,
    costs: (u32, u32),
}

impl Projection {
    /// To some variables, which are about these objects; `None` if it has too many states.
    pub(super) fn new(
        context: &Context,
        told: &[Told],
        objects: &BTreeSet<String>,
        pays: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let classes = told.iter().map(|told| classes(context, told, objects));
        let mut found = Self {
            variables: told.iter().map(|told| told.id).collect(),
            classes: classes.collect::<Option<_>>()?,
            next: Vec::new(),
            distances: Vec::new(),
            columns: context.charges.places as usize + 1,
        };
        let (states, known) = found.enumerate(context)?;
        let edges = found.edges(context, &states, &known, pays)?;
        found.measure(context, told, &states, &edges);
        Some(found)
    }

    /// Whether some distance is not 0.
    pub(super) fn tells(&self) -> bool {
        self.distances.iter().any(|&distance| distance > 0)
    }

    pub(super) fn bytes(&self) -> usize {
        let next: usize = self.next.iter().map(|level| 4 * level.next.len()).sum();
        next + 2 * self.distances.len()
    }

    /// The number of the state with these classes of its variables, if that can be.
    pub(super) fn state(&self, classes: impl Iterator<Item = u32>) -> Option<u32> {
        let mut state = 0;
        for (level, class) in (0..self.next.len() as u32).zip(classes) {
            state = self.next(level, state, class);
            if state == NONE {
                return None;
            }
        }
        Some(state)
    }

    /// What the class of one more variable makes of what those before lead to; `NONE` if that cannot be.
    pub(super) fn next(&self, level: u32, state: u32, class: u32) -> u32 {
        let level = &self.next[level as usize];
        level.next[(state * level.classes + class) as usize]
    }

    /// The distances from a state where something was done last at a place, and after a move.
    pub(super) fn distances(&self, state: u32, at: Option<u32>) -> (u16, u16) {
        let row = &self.distances[state as usize * self.columns..][..self.columns];
        let moved = row[self.columns - 1];
        (at.map_or(moved, |at| row[at as usize]), moved)
    }

    /// All states by the classes of their variables, and for each what is known to hold by the number
    /// of the set of conjunctions.
    fn enumerate(&mut self, context: &Context) -> Option<(Vec<Vec<u8>>, Known)> {
        let counts: Vec<usize> = self.classes.iter().map(|classes| count(classes)).collect();
        let mut known = Known::new(context, &self.variables, &self.classes);
        let mut states: Vec<(Vec<u8>, Held)> = vec![Default::default()];
        for (place, &count) in counts.iter().enumerate() {
            let may_be: Vec<Vec<bool>> = (0..place)
                .map(|other| may_be(context, self, (other, counts[other]), (place, count)))
                .collect();
            let mut longer = Vec::new();
            let mut next = Vec::with_capacity(states.len() * count);
            for (state, held) in &states {
                for class in 0..count {
                    let goes = state
                        .iter()
                        .zip(&may_be)
                        .all(|(&other, may_be)| may_be[usize::from(other) * count + class]);
                    let held = || known.with(context, held, (place, class));
                    let Some(held) = goes.then(held).flatten() else {
                        next.push(NONE);
                        continue;
                    };
                    next.push(longer.len() as u32);
                    longer.push(([state.as_slice(), &[class as u8]].concat(), held));
                }
                if longer.len() > context.most_states || context.control.stop().is_some() {
                    return None;
                }
            }
            self.next.push(Level {
                classes: count as u32,
                next,
            });
            states = longer;
        }
        let (states, held): (Vec<Vec<u8>>, Vec<Held>) = states.into_iter().unzip();
        let numbers = held.into_iter().map(|held| known.number(held.both));
        let numbers: Vec<u32> = numbers.collect();
        known.of_states = numbers;
        Some((states, known))
    }

    /// What leads to each state. `None` once control says stop.
    fn edges(
        &self,
        context: &Context,
        states: &[Vec<u8>],
        known: &Known,
        pays: impl Fn(usize) -> bool,
    ) -> Option<Vec<Vec<Edge>>> {
        let kinds = self.kinds(context, pays);
        let kinds: Vec<(Kind, Vec<bool>)> = kinds
            .into_iter()
            .map(|(kind, labels)| {
                let goes = known.sets.iter().map(|held| {
                    let labels = labels.iter().map(|&label| &context.charges.labels[label]);
                    labels.into_iter().any(|label| {
                        let mut held = held.iter();
                        held.all(|&fact| context.conjunctions.is_among(&label.before, fact))
                    })
                });
                (kind, goes.collect())
            })
            .collect();
        let first = self.next.first().map_or(0, |level| level.classes as usize);
        let mut by_first: Vec<Vec<&(Kind, Vec<bool>)>> = vec![Vec::new(); first];
        for kind in &kinds {
            for (class, kinds) in by_first.iter_mut().enumerate() {
                if kind.0.before[0] >> class & 1 == 1 {
                    kinds.push(kind);
                }
            }
        }
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        edges.resize_with(states.len(), Vec::new);
        for (from, state) in states.iter().enumerate() {
            if from % 1024 == 0 && context.control.stop().is_some() {
                return None;
            }
            let mut seen: FxHashSet<(u32, u32, (u32, u32))> = FxHashSet::default();
            for (kind, goes) in &by_first[usize::from(state[0])] {
                let mut needs = kind.before.iter().zip(state);
                if !goes[known.of_states[from] as usize]
                    || !needs.all(|(mask, &class)| mask >> class & 1 == 1)
                {
                    continue;
                }
                let at = kind.at.unwrap_or(NONE);
                self.results(state, &kind.after, &mut |to| {
                    if (to != from as u32 || at != NONE) && seen.insert((to, at, kind.costs)) {
                        edges[to as usize].push(Edge {
                            from: from as u32,
                            at,
                            costs: kind.costs,
                        });
                    }
                });
            }
        }
        Some(edges)
    }

    /// The states that come after one.
    fn results(&self, state: &[u8], after: &[Option<Vec<u32>>], each: &mut impl FnMut(u32)) {
        let mut found = vec![0];
        for ((level, &class), after) in self.next.iter().zip(state).zip(after) {
            let own = [u32::from(class)];
            let classes = after.as_deref().unwrap_or(&own);
            let longer = found.iter().flat_map(|&state: &u32| {
                let next = move |&class: &u32| level.next[(state * level.classes + class) as usize];
                classes.iter().map(next)
            });
            found = longer.filter(|&state| state != NONE).collect();
        }
        found.into_iter().for_each(each);
    }

    /// What labels do to the projection, and which labels do so.
    fn kinds(&self, context: &Context, pays: impl Fn(usize) -> bool) -> BTreeMap<Kind, Vec<usize>> {
        let mut kinds: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
        for (index, label) in context.charges.labels.iter().enumerate() {
            let mut before = Vec::with_capacity(self.variables.len());
            let mut after = Vec::with_capacity(self.variables.len());
            for (&id, classes) in self.variables.iter().zip(&self.classes) {
                let class = |value: &u32| classes[*value as usize];
                let mask =
                    |values: &[u32]| values.iter().fold(0, |all, it| all | 1_u64 << class(it));
                before.push(label.case.values_before(id).map_or(u64::MAX, mask));
                after.push(label.case.written(id).map(|written| {
                    let mut classes: Vec<u32> = written.after.iter().map(class).collect();
                    classes.sort_unstable();
                    classes.dedup();
                    classes
                }));
            }
            if label.at.is_none() && after.iter().all(Option::is_none) {
                continue;
            }
            let costs = match (pays(index), label.at) {
                (false, _) => (0, 0),
                (true, None) => (label.cost, 0),
                (true, Some(_)) => (label.cost, context.charges.charge),
            };
            let kind = Kind {
                at: label.at,
                costs,
                before,
                after,
            };
            kinds.entry(kind).or_default().push(index);
        }
        kinds
    }

    /// Measures the distances (E. W. Dijkstra's algorithm, backward).
    fn measure(
        &mut self,
        context: &Context,
        told: &[Told],
        states: &[Vec<u8>],
        edges: &[Vec<Edge>],
    ) {
        let columns = self.columns as u32;
        let moved = columns - 1;
        let mut queue: Vec<Vec<u32>> = vec![Vec::new()];
        self.distances = vec![FAR; states.len() * self.columns];
        let goals: Vec<Vec<u64>> = context
            .rows
            .iter()
            .map(|row| {
                let variables = told.iter().zip(&self.classes);
                let masks = variables.map(|(told, classes)| {
                    if !told.is_own {
                        return u64::MAX;
                    }
                    let values = context.builder.values_in(row, told.id).into_iter();
                    values.fold(0, |all, value| all | 1_u64 << classes[value as usize])
                });
                masks.collect()
            })
            .collect();
        for (state, node) in states.iter().zip((0..).step_by(self.columns)) {
            let holds = |masks: &Vec<u64>| {
                let mut masks = masks.iter().zip(state);
                masks.all(|(mask, &class)| mask >> class & 1 == 1)
            };
            if goals.iter().any(holds) {
                for node in node..node + columns {
                    self.distances[node as usize] = 0;
                    queue[0].push(node);
                }
            }
        }
        let mut distance = 0;
        while distance < queue.len() {
            while let Some(node) = queue[distance].pop() {
                if usize::from(self.distances[node as usize]) != distance {
                    continue;
                }
                let (state, column) = (node / columns, node % columns);
                let distances = &mut self.distances;
                let mut reach = |node: u32, cost: u32| {
                    let new = (distance + cost as usize).min(LONGEST);
                    if new < usize::from(distances[node as usize]) {
                        distances[node as usize] = new as u16;
                        if queue.len() <= new {
                            queue.resize_with(new + 1, Vec::new);
                        }
                        queue[new].push(node);
                    }
                };
                if column == moved {
                    (0..moved).for_each(|at| reach(state * columns + at, 0));
                }
                for edge in &edges[state as usize] {
                    let from = edge.from * columns;
                    if edge.at == NONE {
                        reach(from + column, edge.costs.0);
                    } else if edge.at == column {
                        reach(from + column, edge.costs.0);
                        reach(from + moved, edge.costs.0 + edge.costs.1);
                    }
                }
            }
            distance += 1;
        }
    }
}

/// How many classes there are.
fn count(classes: &[u32]) -> usize {
    classes.iter().max().map_or(0, |&last| last as usize + 1)
}

/// For each class of a variable of a projection, and each of another one, whether both may be.
fn may_be(
    context: &Context,
    projection: &Projection,
    (left, lefts): (usize, usize),
    (right, rights): (usize, usize),
) -> Vec<bool> {
    let mut found = vec![false; lefts * rights];
    let (left_id, right_id) = (projection.variables[left], projection.variables[right]);
    for (left_value, &left_class) in (0..).zip(&projection.classes[left]) {
        for (right_value, &right_class) in (0..).zip(&projection.classes[right]) {
            let entry = &mut found[left_class as usize * rights + right_class as usize];
            *entry = *entry || go_together(context, (left_id, left_value), (right_id, right_value));
        }
    }
    found
}

/// For each value of a variable or group its class; `None` if there are too many.
///
/// Values are alike that differ in objects which the projection is not about; where the goal is asked as
/// long as each of the ways to it allows both or neither.
fn classes(context: &Context, told: &Told, objects: &BTreeSet<String>) -> Option<Box<[u32]>> {
    let builder = context.builder;
    if told.is_running {
        return Some((0..builder.size(told.id)).map(|it| it.min(1)).collect());
    }
    let texts = &context.texts[told.id as usize];
    let asked = context.rows.iter().filter(|_| told.is_asked);
    let goals: Vec<Vec<u32>> = asked.map(|row| builder.values_in(row, told.id)).collect();
    let is_left_out = |word: &str| context.objects.contains(word) && !objects.contains(word);
    let mut known: FxHashMap<(String, Vec<bool>), u32> = FxHashMap::default();
    let classes = texts.iter().zip(0..).map(|(text, value)| {
        let allowed = goals.iter().map(|values| values.contains(&value));
        let next = known.len() as u32;
        *known
            .entry((names::without(text, is_left_out), allowed.collect()))
            .or_insert(next)
    });
    let classes: Box<[u32]> = classes.collect();
    (known.len() <= MOST_CLASSES).then_some(classes)
}
