//! What has potentials: variables that follow from no other one, and pairs of variables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::Builder;
use super::images::Image;
use super::program::Weight;

/// Potentials, at most.
const MOST_WEIGHTS: usize = 200_000;
/// Tasks with more variables and groups are not searched for those that follow from others.
const MOST_COMPARED: usize = 1000;

/// One or two variables, ascending, whose values have potentials.
pub(super) struct Feature {
    pub(super) variables: Vec<u32>,
    /// The number of values of the second.
    pub(super) width: u32,
    /// The number of values, or of pairs of them.
    pub(super) values: u32,
    pub(super) first: Weight,
}

impl Feature {
    pub(super) fn weight(&self, values: &[u32]) -> Weight {
        match *values {
            [only] => self.first + only,
            [left, right] => self.first + left * self.width + right,
            _ => unreachable!("features have one or two variables"),
        }
    }

    /// The potential where variables have these values.
    pub(super) fn weight_of(&self, value: impl Fn(u32) -> u32) -> Weight {
        let values = self.variables.iter().map(|&id| value(id));
        self.first + values.fold(0, |index, value| index * self.width + value)
    }
}

impl Builder<'_, '_> {
    /// For each variable and group the one of most values that it follows from; itself if none.
    pub(super) fn representatives(&self) -> Vec<u32> {
        let own = (0..self.model.domains.len()).filter(|&id| self.told_apart[id as usize]);
        let mut left: Vec<u32> = own.chain(self.groups.ids()).collect();
        let all = self.model.domains.len() + self.groups.len();
        let mut found: Vec<u32> = (0..all).collect();
        if left.len() > MOST_COMPARED {
            return found;
        }
        let mut in_order = left.clone();
        in_order.sort_by_key(|&id| (self.size(id), std::cmp::Reverse(id)));
        for id in in_order {
            let others = left.iter().copied().filter(|&other| other != id);
            let best = others
                .filter(|&other| self.follows(id, other))
                .max_by_key(|&other| (self.size(other), std::cmp::Reverse(other)));
            if let Some(best) = best {
                found[id as usize] = best;
                left.retain(|&other| other != id);
            }
        }
        for id in 0..all {
            let mut last = id;
            while found[last as usize] != last {
                last = found[last as usize];
            }
            found[id as usize] = last;
        }
        found
    }

    /// Whether the value of one variable or group tells that of another.
    fn follows(&self, id: u32, from: u32) -> bool {
        if self.groups.contains(from, (id, 1)) && self.size(id) == 2 {
            return true;
        }
        let Some(mutexes) = &self.mutexes else {
            return false;
        };
        if self.groups.size(from).is_some() {
            return false;
        }
        (0..self.size(from)).all(|value| {
            let fact = (from, value);
            let values = |variable: u32| -> Vec<u32> {
                let values = 0..self.model.domains.size(variable);
                let may_be = |value: &u32| mutexes.may_hold(fact, (variable, *value));
                values.filter(may_be).collect()
            };
            let of_group = self.groups.values(id, &values);
            !mutexes.may_hold(fact, fact) || of_group.unwrap_or_else(|| values(id)).len() == 1
        })
    }

    /// All features: what has potentials by itself, then these pairs, as far as they fit, each with
    /// what it becomes when objects change places.
    pub(super) fn features(&self, pairs: &[(u32, u32)]) -> Features {
        let own = (0..self.model.domains.len()).filter(|&id| self.told_apart[id as usize]);
        let singles = own
            .chain(self.groups.ids())
            .filter(|&id| self.follows_from[id as usize] == id)
            .map(|variable| vec![variable]);
        let pairs = pairs.iter().map(|&(left, right)| vec![left, right]);
        let mut features = Features::default();
        for variables in singles.chain(pairs) {
            if features.numbers.contains_key(&variables) {
                continue;
            }
            let Some(orbit) = self.orbit(variables) else {
                break;
            };
            let size: usize = orbit.iter().map(|it| self.size_of(it) as usize).sum();
            if features.weights + size > MOST_WEIGHTS {
                break;
            }
            for variables in orbit {
                features.add(variables, |id| self.size(id));
            }
        }
        features
    }

    /// One or two variables, ascending, and all that they become when objects change places; `None`
    /// if these are more than can have potentials.
    pub(super) fn orbit(&self, variables: Vec<u32>) -> Option<Vec<Vec<u32>>> {
        let most = MOST_WEIGHTS / self.size_of(&variables).max(1) as usize;
        let mut known = FxHashSet::from_iter([variables.clone()]);
        let mut orbit = vec![variables];
        let mut next = 0;
        while let Some(variables) = orbit.get(next).cloned() {
            let exchanges = self.images.neighbours.iter();
            for exchange in exchanges.filter(|it| variables.iter().any(|&id| it.moves(id))) {
                let image = variables.iter().map(|&id| exchange.variable(id));
                let mut image: Vec<u32> = image.collect();
                image.sort_unstable();
                if known.insert(image.clone()) {
                    orbit.push(image);
                }
            }
            if orbit.len() > most {
                return None;
            }
            next += 1;
        }
        Some(orbit)
    }
}

/// What has potentials. With a feature there is all that it becomes when objects change places.
#[derive(Default)]
pub(super) struct Features {
    pub(super) list: Vec<Feature>,
    /// The place of the feature of these variables.
    numbers: FxHashMap<Vec<u32>, u32>,
    weights: usize,
}

impl Features {
    fn add(&mut self, variables: Vec<u32>, size: impl Fn(u32) -> u32) {
        let values = variables.iter().map(|&id| size(id)).product::<u32>();
        self.numbers
            .insert(variables.clone(), self.list.len() as u32);
        self.list.push(Feature {
            width: size(variables[variables.len() - 1]),
            values,
            variables,
            first: self.weights as Weight,
        });
        self.weights += values as usize;
    }

    /// The number of potentials.
    pub(super) const fn weights(&self) -> usize {
        self.weights
    }

    /// For each potential the one that it becomes.
    pub(super) fn image(&self, image: &Image) -> Vec<Weight> {
        let features = self.list.iter();
        let images = features.flat_map(|feature| {
            if feature.variables.iter().any(|&id| image.moves(id)) {
                let variable = |id| image.variable(id);
                self.image_of(feature, variable, |id, value| image.value(id, value))
            } else {
                (feature.first..feature.first + feature.values).collect()
            }
        });
        images.collect()
    }

    /// For each potential of a feature the one that it becomes where these are what its variables and
    /// their values become.
    pub(super) fn image_of(
        &self,
        feature: &Feature,
        variable: impl Fn(u32) -> u32,
        value: impl Fn(u32, u32) -> u32,
    ) -> Vec<Weight> {
        let all = 0..feature.values;
        match feature.variables[..] {
            [left, right] => {
                let (to_left, to_right) = (variable(left), variable(right));
                let is_turned = to_left > to_right;
                let to = self.of(&[to_left.min(to_right), to_left.max(to_right)]);
                let weight = |index| {
                    let mut values = [
                        value(left, index / feature.width),
                        value(right, index % feature.width),
                    ];
                    if is_turned {
                        values.reverse();
                    }
                    to.weight(&values)
                };
                all.map(weight).collect()
            }
            [only] => {
                let to = self.of(&[variable(only)]);
                all.map(|own| to.weight(&[value(only, own)])).collect()
            }
            _ => unreachable!("features have one or two variables"),
        }
    }

    /// The feature of these variables, ascending.
    fn of(&self, variables: &[u32]) -> &Feature {
        &self.list[self.numbers[variables] as usize]
    }
}
