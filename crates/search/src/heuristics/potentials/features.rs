//! Features: variables and pairs of variables whose values have potentials.

use rustc_hash::FxHashMap;

use super::images::Image;
use super::program::Weight;

/// One or two variables, ascending, whose values have potentials.
pub(crate) struct Feature {
    pub(crate) variables: Vec<u32>,
    /// The number of values of the second.
    pub(crate) width: u32,
    /// The number of values, or of pairs of them.
    pub(crate) values: u32,
    pub(crate) first: Weight,
}

impl Feature {
    pub(crate) fn weight(&self, values: &[u32]) -> Weight {
        match *values {
            [only] => self.first + only,
            [left, right] => self.first + left * self.width + right,
            _ => unreachable!("features have one or two variables"),
        }
    }

    /// The potential where variables have these values.
    pub(crate) fn weight_of(&self, value: impl Fn(u32) -> u32) -> Weight {
        let values = self.variables.iter().map(|&id| value(id));
        self.first + values.fold(0, |index, value| index * self.width + value)
    }
}

/// Features that have potentials. With a feature there is all that it becomes when objects change
/// places.
#[derive(Default)]
pub(crate) struct Features {
    pub(crate) list: Vec<Feature>,
    /// The place of the feature of these variables.
    numbers: FxHashMap<Vec<u32>, u32>,
    weights: usize,
}

impl Features {
    /// Adds the feature of these variables, ascending.
    pub(crate) fn add(&mut self, variables: Vec<u32>, size: impl Fn(u32) -> u32) {
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

    /// Returns whether these variables, ascending, are a feature.
    pub(crate) fn contains(&self, variables: &[u32]) -> bool {
        self.numbers.contains_key(variables)
    }

    /// The number of potentials.
    pub(crate) const fn weights(&self) -> usize {
        self.weights
    }

    /// For each potential the one that it becomes.
    pub(crate) fn image(&self, image: &Image) -> Vec<Weight> {
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

    /// For each potential of a feature the one that it becomes where these are what its variables
    /// and their values become.
    pub(crate) fn image_of(
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
