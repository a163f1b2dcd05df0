//! Enumerates the states of a projection, and measures their distances.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::edges::Edges;
use super::implied_facts::ImpliedFacts;
use super::{Context, Distinctions, FAR, Level, NONE, Projection};
use crate::heuristics::patterns::names;
use brigade_task::ObjectId;
use brigade_task::symbols::Meaning;

/// Classes of the values of a variable, at most.
const MOST_CLASSES: usize = 64;
/// The longest distance that is represented; longer ones count as this.
const LONGEST: usize = FAR as usize - 1;

impl Projection {
    /// To some variables, which are about these objects; `None` if it has too many states.
    pub(crate) fn new(
        context: &Context,
        variables: &[Distinctions],
        objects: &BTreeSet<ObjectId>,
        pays: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let classes = variables
            .iter()
            .map(|variable| classes(context, variable, objects));
        let mut found = Self {
            variables: variables.iter().map(|variable| variable.id).collect(),
            classes: classes.collect::<Option<_>>()?,
            next: Vec::new(),
            distances: Vec::new(),
            columns: context.charges.places as usize + 1,
        };
        let (states, implied) = found.enumerate(context)?;
        let edges = Edges::new(&found, context, &states, &implied, pays)?;
        found.measure(context, variables, &states, &edges);
        found.merge_alike();
        Some(found)
    }

    /// All states by the classes of their variables, and for each what is known to hold by the
    /// number of the set of conjunctions.
    fn enumerate(&mut self, context: &Context) -> Option<(Vec<Vec<u8>>, ImpliedFacts)> {
        let mut implied = ImpliedFacts::new(context, &self.variables, &self.classes);
        let mut states: Vec<u8> = Vec::new();
        implied.of_states = vec![0];
        for variable in 0..self.variables.len() {
            let mut more = implied.next(context, self, variable);
            let classes = more.classes;
            let shorter = std::mem::take(&mut implied.of_states);
            let mut longer: Vec<u8> = Vec::new();
            let mut next = Vec::with_capacity(shorter.len() * classes);
            for (number, set) in shorter.into_iter().enumerate() {
                let state = &states[number * variable..][..variable];
                for class in 0..classes {
                    let Some(set) = implied.with(context, (state, set), &mut more, class) else {
                        next.push(NONE);
                        continue;
                    };
                    next.push(implied.of_states.len() as u32);
                    implied.of_states.push(set);
                    longer.extend_from_slice(state);
                    longer.push(class as u8);
                }
                if implied.of_states.len() > context.most_states {
                    return None;
                }
                if number % 1024 == 0 && context.control.stop().is_some() {
                    return None;
                }
            }
            self.next.push(Level {
                classes: classes as u32,
                next,
            });
            states = longer;
        }
        let width = self.variables.len().max(1);
        Some((states.chunks(width).map(<[u8]>::to_vec).collect(), implied))
    }

    /// Measures the distances (E. W. Dijkstra's algorithm, backward).
    fn measure(
        &mut self,
        context: &Context,
        variables: &[Distinctions],
        states: &[Vec<u8>],
        edges: &Edges,
    ) {
        let columns = self.columns as u32;
        let moved = columns - 1;
        let mut queue: Vec<Vec<u32>> = vec![Vec::new()];
        self.distances = vec![FAR; states.len() * self.columns];
        let goals: Vec<Vec<u64>> = context
            .rows
            .iter()
            .map(|row| {
                let variables = variables.iter().zip(&self.classes);
                let masks = variables.map(|(variable, classes)| {
                    if !variable.is_own {
                        return u64::MAX;
                    }
                    let values = context.builder.values_in(row, variable.id).into_iter();
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
                let at = (column != moved).then_some(column);
                edges.each(state, at, |from, is_done, costs| {
                    let from = from * columns;
                    reach(from + column, costs.0);
                    if is_done {
                        reach(from + moved, costs.0 + costs.1);
                    }
                });
            }
            distance += 1;
        }
    }
}

/// For each value of a variable or group its class; `None` if there are too many.
///
/// Values are alike that differ in objects which the projection is not about; where the goal is
/// asked as long as each of the ways to it allows both or neither.
fn classes(
    context: &Context,
    variable: &Distinctions,
    objects: &BTreeSet<ObjectId>,
) -> Option<Box<[u32]>> {
    let builder = context.builder;
    if variable.is_running {
        return Some((0..builder.size(variable.id)).map(|it| it.min(1)).collect());
    }
    let meanings = &context.meanings[variable.id as usize];
    let asked = context.rows.iter().filter(|_| variable.is_asked);
    let goals: Vec<Vec<u32>> = asked
        .map(|row| builder.values_in(row, variable.id))
        .collect();
    let is_left_out =
        |object: &ObjectId| context.objects.contains(object) && !objects.contains(object);
    let mut known: FxHashMap<(Meaning, Vec<bool>), u32> = FxHashMap::default();
    let classes = meanings.iter().zip(0..).map(|(meaning, value)| {
        let allowed = goals.iter().map(|values| values.contains(&value));
        let next = known.len() as u32;
        *known
            .entry((names::without(meaning, is_left_out), allowed.collect()))
            .or_insert(next)
    });
    let classes: Box<[u32]> = classes.collect();
    (known.len() <= MOST_CLASSES).then_some(classes)
}
