//! Which variables, and pairs of variables, have potentials.

use std::collections::BTreeMap;

use super::builder::{Builder, Cases};
use super::program::Weight;

/// Pairs of variables with more pairs of values have no potentials.
const MOST_VALUES: u32 = 1024;
/// Potentials, at most.
const MOST_WEIGHTS: usize = 20_000;
/// Numbers in the constraints for pairs, at most, about.
const MOST_NUMBERS_OF_PAIRS: usize = 50_000;
/// Tasks with more variables and groups are not searched for those that follow from others.
const MOST_COMPARED: usize = 1000;

/// One or two variables whose values have potentials.
pub(super) struct Feature {
    pub(super) variables: Vec<u32>,
    /// The number of values of the second.
    pub(super) width: u32,
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

    /// Pairs of variables of which one decides what may become of the other, as many as fit.
    ///
    /// First come those where that is so of half of the changes of the other at least, unless these
    /// come with changes of a third of which it is so too, then those with such a third, then the rest;
    /// those that the constraints grow least by first.
    pub(super) fn pairs(&self, cases: &Cases) -> Vec<(u32, u32)> {
        let mut writers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut knowing: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (case, index) in cases.agents.iter().flatten().zip(0..) {
            let own = |ids: &mut dyn Iterator<Item = u32>| -> Vec<u32> {
                let mut ids: Vec<u32> = ids.map(|id| self.follows_from[id as usize]).collect();
                ids.sort_unstable();
                ids.dedup();
                ids
            };
            let single = case.kept.iter().filter(|(_, values)| values.len() == 1);
            let kept = own(&mut single.map(|it| it.0));
            for id in own(&mut case.written.iter().map(|it| it.variable)) {
                writers.entry(id).or_default().push(index);
                for &kept in kept.iter().filter(|&&kept| kept != id) {
                    *knowing.entry((kept, id)).or_default() += 1;
                }
            }
        }
        // What never changes without another one.
        let companions = |id: u32| -> Vec<u32> {
            let own = &writers[&id];
            let others = writers.iter().filter(|&(&other, all)| {
                let is_more = all.len() > own.len() || all.len() == own.len() && other < id;
                other != id && is_more && own.iter().all(|it| all.binary_search(it).is_ok())
            });
            others.map(|(&other, _)| other).collect()
        };
        let companions: BTreeMap<u32, Vec<u32>> =
            writers.keys().map(|&id| (id, companions(id))).collect();
        let mut tiers: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (&(kept, id), &count) in &knowing {
            if self.size(kept) * self.size(id) > MOST_VALUES {
                continue;
            }
            let is_mostly_known = |id: u32, count: u32| 2 * count as usize >= writers[&id].len();
            let is_covered = companions[&id].iter().any(|&other| {
                let count = knowing.get(&(kept, other));
                count.is_some_and(|&count| is_mostly_known(other, count))
            });
            let tier = match (is_mostly_known(id, count), is_covered) {
                (true, false) => 0,
                (true, true) => 1,
                (false, _) => 2,
            };
            let least = tiers.entry((kept.min(id), kept.max(id))).or_insert(tier);
            *least = tier.min(*least);
        }
        // How many numbers the constraints hold for a pair, about.
        let numbers = |(left, right): (u32, u32)| -> usize {
            let half = |id: u32, other: u32| {
                let changes = writers.get(&id).map_or(0, Vec::len);
                let known = knowing.get(&(other, id)).map_or(0, |&count| count as usize);
                (changes - known) * self.size(other) as usize + known
            };
            half(left, right) + half(right, left)
        };
        let mut pairs: Vec<((u32, u32), u32)> = tiers.into_iter().collect();
        pairs.sort_by_cached_key(|&(pair, tier)| (tier, numbers(pair), pair));
        let mut left = MOST_NUMBERS_OF_PAIRS;
        let pairs = pairs.into_iter().map(|(pair, _)| pair);
        let fitting = pairs.take_while(|&pair| {
            let needed = numbers(pair);
            let fits = needed <= left;
            left = left.saturating_sub(needed);
            fits
        });
        fitting.collect()
    }

    /// All features: what has potentials by itself, then these pairs, as far as they fit.
    pub(super) fn features(&self, pairs: &[(u32, u32)]) -> Vec<Feature> {
        let own = (0..self.model.domains.len()).filter(|&id| self.told_apart[id as usize]);
        let singles = own
            .chain(self.groups.ids())
            .filter(|&id| self.follows_from[id as usize] == id)
            .map(|variable| vec![variable]);
        let pairs = pairs.iter().map(|&(left, right)| vec![left, right]);
        let mut features = Vec::new();
        let mut first = 0;
        for variables in singles.chain(pairs) {
            let size = self.size_of(&variables);
            if first as usize + size as usize > MOST_WEIGHTS {
                break;
            }
            features.push(Feature {
                width: self.size(variables[variables.len() - 1]),
                variables,
                first,
            });
            first += size;
        }
        features
    }
}
