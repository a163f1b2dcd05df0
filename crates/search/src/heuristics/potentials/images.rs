//! Images of variables, groups and their values when objects change places.

use rustc_hash::FxHashMap;

use super::groups::Groups;
use crate::reductions::symmetry::FactRenaming;
use brigade_task::layout::Variable;

/// A permutation of variables, groups and their values that comes from one of objects.
#[derive(Clone)]
pub(crate) struct Image {
    /// For each variable, then each group, what it and each of its values become; `None` if it
    /// stays as it is.
    moved: Vec<Option<(u32, Box<[u32]>)>>,
}

impl Image {
    /// Returns whether a variable or group, or a value of it, becomes another one.
    pub(crate) fn moves(&self, id: u32) -> bool {
        self.moved[id as usize].is_some()
    }

    /// The image of a variable or group.
    pub(crate) fn variable(&self, id: u32) -> u32 {
        self.moved[id as usize].as_ref().map_or(id, |moved| moved.0)
    }

    /// The image of a value of a variable or group.
    pub(crate) fn value(&self, id: u32, value: u32) -> u32 {
        let moved = self.moved[id as usize].as_ref();
        moved.map_or(value, |(_, values)| values[value as usize])
    }

    /// The images of the values of all variables and groups in a state.
    pub(crate) fn of_values(&self, values: &[u32]) -> Vec<u32> {
        let mut images = values.to_vec();
        for (id, &value) in (0..).zip(values) {
            images[self.variable(id) as usize] = self.value(id, value);
        }
        images
    }

    /// This one between twice an exchange that is its own inverse.
    fn conjugate(&self, exchange: &Self) -> Self {
        let moved = (0..self.moved.len() as u32).map(|id| {
            let own = exchange.variable(id);
            let size = [id, own, self.variable(own)]
                .into_iter()
                .find_map(|id| self.size(id).or_else(|| exchange.size(id)))?;
            let to = self.variable(own);
            let values = (0..size as u32)
                .map(|value| exchange.value(to, self.value(own, exchange.value(id, value))));
            moved(id, exchange.variable(to), values.collect())
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
pub(crate) struct Images {
    /// Of two neighbours of a class each, class by class.
    pub(crate) neighbours: Vec<Image>,
    /// The classes: the first and last of their exchanges of neighbours.
    classes: Vec<(usize, usize)>,
}

impl Images {
    /// The images under exchanges of neighbours (by the places of both); without exchanges that
    /// make a group what is none, or what is distinguished what is not.
    pub(crate) fn new<'a>(
        exchanges: impl Iterator<Item = ((usize, usize), &'a FactRenaming<'a>)>,
        variables: &[Variable],
        distinguished: &[bool],
        groups: &Groups,
    ) -> Self {
        let ids: FxHashMap<Vec<(u32, u32)>, u32> = groups
            .ids()
            .map(|id| (sorted(groups.facts(id).unwrap_or_default()), id))
            .collect();
        let mut found = Self {
            neighbours: Vec::new(),
            classes: Vec::new(),
        };
        let mut last = None;
        for ((left, right), exchange) in exchanges {
            let keeps = |(id, &is_distinguished): (u32, &bool)| {
                is_distinguished == distinguished[exchange(id, 0).0 as usize]
            };
            let of_groups = groups
                .ids()
                .map(|id| group_image(exchange, groups, &ids, id));
            let of_groups: Option<Vec<(u32, Box<[u32]>)>> = of_groups.collect();
            let Some(of_groups) = of_groups.filter(|_| (0..).zip(distinguished).all(keeps)) else {
                continue;
            };
            let of_variables = (0..).zip(variables).map(|(id, variable)| {
                let values = (0..variable.size).map(|value| exchange(id, value).1);
                (exchange(id, 0).0, values.collect())
            });
            let all = (0..).zip(of_variables.chain(of_groups));
            let index = found.neighbours.len();
            match found.classes.last_mut() {
                Some(class) if last == Some(left) => class.1 = index,
                _ => found.classes.push((index, index)),
            }
            last = Some(right);
            found.neighbours.push(Image {
                moved: all
                    .map(|(id, (to, values))| moved(id, to, values))
                    .collect(),
            });
        }
        found
    }

    /// The most values that an exchange of neighbours renames.
    pub(crate) fn most_values(&self) -> usize {
        let values = self.neighbours.iter().map(|image| {
            let moved = image.moved.iter().flatten();
            moved.map(|(_, values)| values.len()).sum()
        });
        values.max().unwrap_or(0)
    }

    /// Exchanges that generate all permutations which leave something as it is and are made of
    /// exchanges of two objects that do so. Of a class in which these would be more than so many,
    /// only exchanges of neighbours. Those found so far once it `is_over`.
    pub(crate) fn fixing(
        &self,
        most: usize,
        mut fixes: impl FnMut(&Image) -> bool,
        is_over: impl Fn() -> bool,
    ) -> Vec<Image> {
        let mut found = Vec::new();
        for &(first, last) in &self.classes {
            let neighbours = &self.neighbours[first..=last];
            if neighbours.len() * (neighbours.len() + 1) / 2 > most {
                let mut fixing = |image: &&Image| !is_over() && fixes(image);
                found.extend(neighbours.iter().filter(|image| fixing(image)).cloned());
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
                    if is_over() {
                        return found;
                    }
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

/// The image of a variable or group and of each of its values; `None` if it stays as it is.
fn moved(id: u32, to: u32, values: Box<[u32]>) -> Option<(u32, Box<[u32]>)> {
    let stays = id == to && (0..).zip(&values).all(|(value, &image)| value == image);
    (!stays).then_some((to, values))
}

/// The image of a group and of each of its values; `None` if it becomes none of those with these
/// facts.
fn group_image(
    exchange: &FactRenaming,
    groups: &Groups,
    ids: &FxHashMap<Vec<(u32, u32)>, u32>,
    id: u32,
) -> Option<(u32, Box<[u32]>)> {
    let facts = groups.facts(id)?.iter();
    let facts: Vec<(u32, u32)> = facts.map(|&(id, value)| exchange(id, value)).collect();
    let to = *ids.get(&sorted(&facts))?;
    let places = groups.facts(to)?;
    let place = |fact| Some(places.iter().position(|other| other == fact)? as u32);
    let none = facts.len() as u32;
    let values: Option<Box<[u32]>> = facts.iter().map(place).chain([Some(none)]).collect();
    Some((to, values?))
}

fn sorted(facts: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut facts = facts.to_vec();
    facts.sort_unstable();
    facts
}
