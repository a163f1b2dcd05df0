//! What becomes of variables, groups and their values when objects change places.

use rustc_hash::FxHashMap;

use super::groups::Groups;
use crate::search::symmetry::Symmetries;
use crate::task::layout::Variable;

/// Members of larger classes change places with their neighbours only.
const MOST_MEMBERS: usize = 64;

/// A permutation of variables, groups and their values that comes from one of objects.
#[derive(Clone)]
pub(super) struct Image {
    /// For each variable, then each group, what it and each of its values become; `None` if it stays
    /// as it is.
    moved: Vec<Option<(u32, Box<[u32]>)>>,
}

impl Image {
    /// Whether a variable or group, or a value of it, becomes another one.
    pub(super) fn moves(&self, id: u32) -> bool {
        self.moved[id as usize].is_some()
    }

    /// What a variable or group becomes.
    pub(super) fn variable(&self, id: u32) -> u32 {
        self.moved[id as usize].as_ref().map_or(id, |moved| moved.0)
    }

    /// What a value of a variable or group becomes.
    pub(super) fn value(&self, id: u32, value: u32) -> u32 {
        let moved = self.moved[id as usize].as_ref();
        moved.map_or(value, |(_, values)| values[value as usize])
    }

    /// This one between twice an exchange that is its own inverse.
    fn conjugate(&self, exchange: &Self) -> Self {
        let moved = (0..self.moved.len() as u32).map(|id| {
            let own = exchange.variable(id);
            let size = [id, own, self.variable(own)]
                .into_iter()
                .find_map(|id| self.size(id).or_else(|| exchange.size(id)))?;
            let (mut to, mut values) = (own, Vec::with_capacity(size));
            for value in 0..size as u32 {
                let first = exchange.value(id, value);
                let second = self.value(own, first);
                to = self.variable(own);
                values.push(exchange.value(to, second));
            }
            Some((exchange.variable(to), values.into()))
        });
        Self {
            moved: moved.collect(),
        }
    }

    /// The number of values of what moves.
    fn size(&self, id: u32) -> Option<usize> {
        let moved = self.moved[id as usize].as_ref();
        moved.map(|(_, values)| values.len())
    }
}

/// The exchanges of objects that may change places.
pub(super) struct Images {
    /// Of two neighbours of a class each, class by class.
    pub(super) neighbours: Vec<Image>,
    /// The classes: the first and last of their exchanges of neighbours.
    classes: Vec<(usize, usize)>,
}

impl Images {
    /// Without exchanges that make a group what is none, or what is told apart what is not.
    pub(super) fn new(
        symmetries: Option<&Symmetries>,
        variables: &[Variable],
        told_apart: &[bool],
        groups: &Groups,
    ) -> Self {
        let mut found = Self {
            neighbours: Vec::new(),
            classes: Vec::new(),
        };
        let Some(symmetries) = symmetries else {
            return found;
        };
        let sets: FxHashMap<Vec<(u32, u32)>, u32> = groups
            .ids()
            .map(|id| {
                let mut facts = groups.facts(id).unwrap_or_default().to_vec();
                facts.sort_unstable();
                (facts, id)
            })
            .collect();
        let mut last = None;
        let exchanges = symmetries.renamings(variables);
        for (exchange, (left, right)) in exchanges.iter().zip(symmetries.neighbours()) {
            let is_told_apart = |id: u32| told_apart[id as usize];
            let mut ids = 0..variables.len() as u32;
            if ids.any(|id| is_told_apart(id) != is_told_apart(exchange(id, 0).0)) {
                continue;
            }
            let of_variables = variables.iter().zip(0..).map(|(variable, id)| {
                let values = || (0..variable.size).map(|value| exchange(id, value).1);
                let is_moved = exchange(id, 0).0 != id || values().ne(0..variable.size);
                is_moved.then(|| (exchange(id, 0).0, values().collect()))
            });
            let of_groups = groups.ids().map(|id| {
                let facts = groups.facts(id).unwrap_or_default().iter();
                let facts: Vec<(u32, u32)> =
                    facts.map(|&(id, value)| exchange(id, value)).collect();
                let mut sorted = facts.clone();
                sorted.sort_unstable();
                let to = *sets.get(&sorted)?;
                let places = groups.facts(to).unwrap_or_default();
                let place = |fact| places.iter().position(|other| other == fact);
                let values = facts
                    .iter()
                    .map(|fact| place(fact).map(|place| place as u32));
                let values: Option<Vec<u32>> = values.chain([Some(facts.len() as u32)]).collect();
                Some((to, values?.into()))
            });
            let of_groups: Option<Vec<(u32, Box<[u32]>)>> = of_groups.collect();
            let Some(of_groups) = of_groups else {
                continue;
            };
            let index = found.neighbours.len();
            match found.classes.last_mut() {
                Some(class) if last == Some(left) => class.1 = index,
                _ => found.classes.push((index, index)),
            }
            last = Some(right);
            found.neighbours.push(Image {
                moved: of_variables
                    .chain(of_groups.into_iter().map(Some))
                    .collect(),
            });
        }
        found
    }

    /// Exchanges that generate all permutations which leave something as it is and are made of
    /// exchanges of two objects that do so.
    pub(super) fn fixing(&self, mut fixes: impl FnMut(&Image) -> bool) -> Vec<Image> {
        let mut found = Vec::new();
        for &(first, last) in &self.classes {
            let neighbours = &self.neighbours[first..=last];
            if neighbours.len() >= MOST_MEMBERS {
                found.extend(neighbours.iter().filter(|image| fixes(image)).cloned());
                continue;
            }
            // That two members may be exchanged is an equivalence: one of each set is compared.
            let mut is_known = vec![false; neighbours.len() + 1];
            for left in 0..neighbours.len() {
                if is_known[left] {
                    continue;
                }
                let mut exchange = neighbours[left].clone();
                for right in left + 1..=neighbours.len() {
                    if right > left + 1 {
                        exchange = exchange.conjugate(&neighbours[right - 1]);
                    }
                    if !is_known[right] && fixes(&exchange) {
                        is_known[right] = true;
                        found.push(exchange.clone());
                    }
                }
            }
        }
        found
    }
}
