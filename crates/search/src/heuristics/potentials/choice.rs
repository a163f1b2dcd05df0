//! Chooses the features: variables that follow from no other one, and pairs of variables.

use rustc_hash::FxHashSet;

use super::builder::Builder;
use super::features::Features;

/// Potentials, at most.
const MOST_WEIGHTS: usize = 200_000;
/// Tasks with more variables and groups are not searched for those that follow from others.
const MOST_COMPARED: usize = 1000;

impl Builder<'_, '_> {
    /// For each variable and group the one of most values that it follows from; itself if none.
    pub(crate) fn representatives(&self) -> Vec<u32> {
        let own = (0..self.model.domains.len()).filter(|&id| self.distinguished[id as usize]);
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

    /// Returns whether the value of one variable or group implies that of another.
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
    pub(crate) fn features(&self, pairs: &[(u32, u32)]) -> Features {
        let own = (0..self.model.domains.len()).filter(|&id| self.distinguished[id as usize]);
        let singles = own
            .chain(self.groups.ids())
            .filter(|&id| self.follows_from[id as usize] == id)
            .map(|variable| vec![variable]);
        let pairs = pairs.iter().map(|&(left, right)| vec![left, right]);
        let mut features = Features::default();
        for variables in singles.chain(pairs) {
            if features.contains(&variables) {
                continue;
            }
            let Some(orbit) = self.orbit(variables) else {
                break;
            };
            let size: usize = orbit.iter().map(|it| self.size_of(it) as usize).sum();
            if features.weights() + size > MOST_WEIGHTS {
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
    pub(crate) fn orbit(&self, variables: Vec<u32>) -> Option<Vec<Vec<u32>>> {
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
