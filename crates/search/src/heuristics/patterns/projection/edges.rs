//! The edges that lead to each state of a projection.
//!
//! Labels that differ only in where they are done are one kind, with a set of places; and the kinds
//! that apply in a state are found in sets of all of them, one for each class of its variables.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::implied_facts::ImpliedFacts;
use super::{Context, NONE, Projection, count};
use crate::heuristics::cartesian::domains;

type Fact = (u32, u32);
type Bits = Vec<u64>;

/// Bits in a word.
const BITS: usize = u64::BITS as usize;

/// The edges to each state, by the states.
pub(crate) struct Edges {
    list: Vec<Edge>,
    /// The place where those of each state begin, and where the last ones end.
    starts: Vec<usize>,
    groups: Vec<Group>,
}

/// Labels that lead from a state to another one, and cost the same.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    group: u32,
    /// The places where it is done, of those that the group distinguishes.
    places: u64,
}

/// The costs of labels that are done at some of so many places as a set distinguishes, or wherever
/// the agent is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    /// Their costs, and the surcharges after a move.
    costs: (u32, u32),
    /// The first of the places, if it matters where.
    first: Option<u32>,
}

/// The effect of labels on a projection, but for where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    group: Group,
    /// For each variable the classes before, and after if it is written.
    before: Vec<u64>,
    after: Vec<Option<Vec<u32>>>,
}

/// A label, and its place in the set of its group.
type Placed = (u32, u64);

/// The kinds of labels of a projection.
struct Kinds<'p> {
    projection: &'p Projection,
    list: Vec<(Kind, Vec<Placed>)>,
    groups: Vec<Group>,
    /// For each kind its group.
    of_groups: Vec<u32>,
    /// For each variable and class the kinds that go from there.
    by_class: Vec<Vec<Bits>>,
}

impl Edges {
    /// Between states of a projection, by the labels that may be applied there. `None` once control
    /// says stop.
    pub(crate) fn new(
        projection: &Projection,
        context: &Context,
        states: &[Vec<u8>],
        implied: &ImpliedFacts,
        pays: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let kinds = Kinds::new(projection, context, pays);
        let mut by_set: Vec<Vec<u32>> = vec![Vec::new(); implied.sets.len()];
        for (state, &set) in (0..).zip(&implied.of_states) {
            by_set[set as usize].push(state);
        }
        let mut allowing = Allowing::new(context);
        let mut found: Vec<(u32, Edge)> = Vec::new();
        let mut asked = 0;
        let sets = implied.sets.iter().zip(&by_set);
        for (held, of_set) in sets.filter(|(_, of_set)| !of_set.is_empty()) {
            let labels = allowing.all(context, held);
            let kind_places = kinds.list.iter();
            let kind_places = kind_places.map(|(_, labels_of)| places(labels_of, &labels));
            let kind_places: Vec<u64> = kind_places.collect();
            for &from in of_set {
                asked += 1;
                if asked % 1024 == 0 && context.control.stop().is_some() {
                    return None;
                }
                kinds.edges_from(from, &states[from as usize], &kind_places, &mut found);
            }
        }
        Some(Self::by_state(states.len(), &found, kinds.groups))
    }

    fn by_state(states: usize, found: &[(u32, Edge)], groups: Vec<Group>) -> Self {
        let mut starts = vec![0; states + 1];
        for (to, _) in found {
            starts[*to as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let unset = Edge {
            from: NONE,
            group: 0,
            places: 0,
        };
        let mut list = vec![unset; found.len()];
        let mut next = starts.clone();
        for &(to, edge) in found {
            list[next[to as usize]] = edge;
            next[to as usize] += 1;
        }
        Self {
            list,
            starts,
            groups,
        }
    }

    /// From where one comes to a state where something was done at a place, or there was a move
    /// since, where that is none; whether it was done just then, and what that costs, and what more
    /// after a move.
    pub(crate) fn each(
        &self,
        state: u32,
        at: Option<u32>,
        mut each: impl FnMut(u32, bool, (u32, u32)),
    ) {
        for edge in &self.list[self.starts[state as usize]..self.starts[state as usize + 1]] {
            let group = self.groups[edge.group as usize];
            match (group.first, at) {
                (None, _) => each(edge.from, false, group.costs),
                (Some(first), Some(at)) => {
                    let bit = at.checked_sub(first).filter(|&bit| bit < BITS as u32);
                    if bit.is_some_and(|bit| edge.places >> bit & 1 == 1) {
                        each(edge.from, true, group.costs);
                    }
                }
                (Some(_), None) => {}
            }
        }
    }
}

impl<'p> Kinds<'p> {
    fn new(projection: &'p Projection, context: &Context, pays: impl Fn(usize) -> bool) -> Self {
        let list = kinds(projection, context, pays);
        let mut groups: Vec<Group> = Vec::new();
        let of_groups = list.iter().map(|(kind, _)| {
            // Kinds of a group come one after another.
            if groups.last() != Some(&kind.group) {
                groups.push(kind.group);
            }
            groups.len() as u32 - 1
        });
        let of_groups = of_groups.collect();
        let variables = projection.classes.iter().enumerate();
        let by_class = variables.map(|(variable, classes)| {
            let of_class = |class: usize| {
                let going = list.iter().zip(0..);
                let going = going.filter(|((kind, _), _)| kind.before[variable] >> class & 1 == 1);
                let mut bits = vec![0; list.len().div_ceil(BITS)];
                going.for_each(|(_, number)| domains::insert(&mut bits, number));
                bits
            };
            (0..count(classes)).map(of_class).collect()
        });
        Self {
            by_class: by_class.collect(),
            projection,
            list,
            groups,
            of_groups,
        }
    }

    /// Adds what a state leads to, where the labels of each kind may be applied in these places.
    fn edges_from(&self, from: u32, state: &[u8], places: &[u64], found: &mut Vec<(u32, Edge)>) {
        let path = self.projection.path(state);
        let first = found.len();
        for word in 0..places.len().div_ceil(BITS) {
            let classes = self.by_class.iter().zip(state);
            let mut left = classes.fold(u64::MAX, |left, (by_class, &class)| {
                left & by_class[usize::from(class)][word]
            });
            while left != 0 {
                let kind = word * BITS + left.trailing_zeros() as usize;
                left &= left - 1;
                if places.get(kind).is_none_or(|&places| places == 0) {
                    continue;
                }
                let group = self.of_groups[kind];
                let is_anywhere = self.groups[group as usize].first.is_none();
                let after = &self.list[kind].0.after;
                self.projection.results(state, &path, after, &mut |to| {
                    if to != from || !is_anywhere {
                        let places = places[kind];
                        let edge = Edge {
                            from,
                            group,
                            places,
                        };
                        found.push((to, edge));
                    }
                });
            }
        }
        // Those of one group that lead to one state are one.
        found[first..].sort_unstable_by_key(|(to, edge)| (*to, edge.group));
        let mut kept = first;
        for next in first..found.len() {
            let (to, edge) = found[next];
            match found[first..kept].last_mut() {
                Some((last, known)) if (*last, known.group) == (to, edge.group) => {
                    known.places |= edge.places;
                }
                _ => {
                    found[kept] = (to, edge);
                    kept += 1;
                }
            }
        }
        found.truncate(kept);
    }
}

/// For each fact the labels that may be applied where it holds.
struct Allowing {
    of_facts: FxHashMap<Fact, Bits>,
    words: usize,
}

impl Allowing {
    fn new(context: &Context) -> Self {
        Self {
            of_facts: FxHashMap::default(),
            words: context.charges.labels.len().div_ceil(BITS),
        }
    }

    /// The labels that may be applied where all these facts hold.
    fn all(&mut self, context: &Context, facts: &[Fact]) -> Bits {
        let mut all = vec![u64::MAX; self.words];
        for &fact in facts {
            let allowing = self.of_facts.entry(fact).or_insert_with(|| {
                let mut bits = vec![0; self.words];
                let labels = context.charges.labels.iter().zip(0..);
                labels
                    .filter(|(label, _)| context.conjunctions.is_among(&label.before, fact))
                    .for_each(|(_, label)| domains::insert(&mut bits, label));
                bits
            });
            for (word, allowing) in all.iter_mut().zip(allowing) {
                *word &= *allowing;
            }
        }
        all
    }
}

impl Projection {
    /// The places that the first of the classes of a state lead to, for each number of them.
    fn path(&self, state: &[u8]) -> Vec<u32> {
        let mut path = vec![0];
        for (level, &class) in (0..).zip(state) {
            path.push(self.next(level, path[level as usize], class.into()));
        }
        path
    }

    /// Hands on the states that come after one, on the path to it, by a label.
    fn results(
        &self,
        state: &[u8],
        path: &[u32],
        after: &[Option<Vec<u32>>],
        each: &mut impl FnMut(u32),
    ) {
        let stays = after.iter().take_while(|after| after.is_none()).count();
        self.go_on(stays, path[stays], state, after, each);
    }

    fn go_on(
        &self,
        level: usize,
        reached: u32,
        state: &[u8],
        after: &[Option<Vec<u32>>],
        each: &mut impl FnMut(u32),
    ) {
        if level == after.len() {
            each(reached);
            return;
        }
        let own = [u32::from(state[level])];
        for &class in after[level].as_deref().unwrap_or(&own) {
            let next = self.next(level as u32, reached, class);
            if next != NONE {
                self.go_on(level + 1, next, state, after, each);
            }
        }
    }
}

/// The effects of labels on the projection, and the labels that have each, by their costs.
fn kinds(
    projection: &Projection,
    context: &Context,
    pays: impl Fn(usize) -> bool,
) -> Vec<(Kind, Vec<Placed>)> {
    let mut kinds: BTreeMap<Kind, Vec<Placed>> = BTreeMap::new();
    for (index, label) in context.charges.labels.iter().enumerate() {
        let mut before = Vec::with_capacity(projection.variables.len());
        let mut after = Vec::with_capacity(projection.variables.len());
        for (&id, classes) in projection.variables.iter().zip(&projection.classes) {
            let class = |value: &u32| classes[*value as usize];
            let mask = |values: &[u32]| values.iter().fold(0, |all, it| all | 1_u64 << class(it));
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
        let bit = label.at.unwrap_or(0) % BITS as u32;
        let group = Group {
            costs,
            first: label.at.map(|at| at - bit),
        };
        let kind = Kind {
            group,
            before,
            after,
        };
        kinds
            .entry(kind)
            .or_default()
            .push((index as u32, 1 << bit));
    }
    kinds.into_iter().collect()
}

/// The places where some of the labels of a kind are done that are among these.
fn places(of_kind: &[Placed], labels: &[u64]) -> u64 {
    let among = of_kind.iter().filter(|it| domains::contains(labels, it.0));
    among.fold(0, |all, it| all | it.1)
}
