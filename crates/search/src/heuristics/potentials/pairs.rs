//! Pairs of variables that have potentials: those of which one decides the changes of the other.
//!
//! A variable *decides* a change of another one if that happens only while it has one certain
//! value, which it keeps: the place of an agent decides what its hand takes. A pair with it
//! distinguishes states in which the change can come next from those in which it cannot.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::builder::Builder;

/// Pairs of variables with more pairs of values have no potentials.
const MOST_VALUES: u32 = 1024;
/// Numbers in the constraints for pairs, at most, about.
const MOST_NUMBERS_OF_PAIRS: usize = 50_000;
/// The same where objects may change places, with one pair counted of those that are images of each
/// other.
const MOST_NUMBERS_OF_ORBITS: usize = 200_000;

/// Numbers for a change are compared to such a part.
const PRECISION: usize = 1000;

/// Pairs in orbits that are looked at, at most, about.
const MOST_IN_ORBITS: usize = 200_000;
/// Pairs whose orbits are too large, at most, before no more are looked at.
const MOST_TOO_LARGE: usize = 20;

/// The promise of a pair; the first is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    /// One decides most changes of the other.
    Decides,
    /// That too, but it also decides most changes of a companion of the other, and their pair
    /// distinguishes much the same.
    DecidesCompanion,
    /// One decides some changes of the other.
    DecidesSome,
}

impl Builder<'_, '_> {
    /// The pairs, most promising first. Those are left out by which the constraints would be too
    /// large: of those that promise the same, what the constraints grow most by. Those that are
    /// left are in the order in which to do without the last ones: by what they grow by for a
    /// change that is decided.
    pub(crate) fn pairs(&self) -> Vec<(u32, u32)> {
        let changes = Changes::new(self);
        let fits = |&(left, right): &(u32, u32)| self.size(left) * self.size(right) <= MOST_VALUES;
        let pairs = changes.promising().into_iter();
        let pairs = pairs.filter(|(pair, _)| fits(pair));
        let mut pairs: Vec<((u32, u32), Promise)> = pairs.collect();
        let numbers = |pair: (u32, u32)| changes.numbers(pair, |id| self.size(id) as usize);
        pairs.sort_by_cached_key(|&(pair, promise)| (promise, numbers(pair), pair));
        let orbits = self.orbits(pairs.iter().map(|&(pair, _)| pair));
        pairs.retain(|(pair, _)| orbits.contains_key(pair));
        pairs.sort_by_cached_key(|&(pair, promise)| (promise, numbers(pair), orbits[&pair], pair));
        let mut left = if self.images.neighbours.is_empty() {
            MOST_NUMBERS_OF_PAIRS
        } else {
            MOST_NUMBERS_OF_ORBITS
        };
        let mut counted = BTreeSet::new();
        let fitting = pairs.into_iter().take_while(|&(pair, _)| {
            let is_new = counted.insert(orbits[&pair]);
            let needed = if is_new { numbers(pair) } else { 0 };
            let fits = needed <= left;
            left = left.saturating_sub(needed);
            fits
        });
        let mut fitting: Vec<((u32, u32), Promise)> = fitting.collect();
        let price = |pair: (u32, u32)| numbers(pair) * PRECISION / changes.decided_in(pair).max(1);
        fitting.sort_by_cached_key(|&(pair, promise)| (promise, price(pair), orbits[&pair], pair));
        fitting.into_iter().map(|(pair, _)| pair).collect()
    }

    /// For each of these pairs the least of its orbit; none where the orbit is too large, or those
    /// before are too many.
    fn orbits(&self, pairs: impl Iterator<Item = (u32, u32)>) -> FxHashMap<(u32, u32), (u32, u32)> {
        let mut least = FxHashMap::default();
        let mut too_large = 0;
        for (left, right) in pairs {
            if least.contains_key(&(left, right)) {
                continue;
            }
            if least.len() > MOST_IN_ORBITS || too_large > MOST_TOO_LARGE {
                break;
            }
            let Some(orbit) = self.orbit(vec![left, right]) else {
                too_large += 1;
                continue;
            };
            let orbit = orbit.iter().map(|pair| (pair[0], pair[1]));
            if let Some(first) = orbit.clone().min() {
                least.extend(orbit.map(|pair| (pair, first)));
            }
        }
        least
    }
}

/// The changes of variables, and what decides them, by the cases of all parts of a step.
struct Changes {
    /// For each variable that changes the cases in which it does, ascending.
    cases: BTreeMap<u32, Vec<u32>>,
    /// For `(deciding, changing)` the number of changes that the first decides.
    decided: BTreeMap<(u32, u32), usize>,
}

impl Changes {
    fn new(builder: &Builder) -> Self {
        let mut found = Self {
            cases: BTreeMap::new(),
            decided: BTreeMap::new(),
        };
        for (case, index) in builder.cases.iter().zip(0..) {
            let one_value = case.kept.iter().filter(|(_, values)| values.len() == 1);
            let deciding = representatives(builder, one_value.map(|kept| kept.0));
            let changing = case.written.iter().map(|written| written.variable);
            for id in representatives(builder, changing) {
                found.cases.entry(id).or_default().push(index);
                for &deciding in deciding.iter().filter(|&&deciding| deciding != id) {
                    *found.decided.entry((deciding, id)).or_default() += 1;
                }
            }
        }
        found
    }

    /// The number of changes of a variable.
    fn count(&self, id: u32) -> usize {
        self.cases.get(&id).map_or(0, Vec::len)
    }

    /// The number of changes of the second variable that the first decides.
    fn decided(&self, deciding: u32, changing: u32) -> usize {
        let count = self.decided.get(&(deciding, changing));
        count.copied().unwrap_or(0)
    }

    /// The number of changes of one variable of a pair that the other decides.
    fn decided_in(&self, (left, right): (u32, u32)) -> usize {
        self.decided(left, right) + self.decided(right, left)
    }

    /// Returns whether the first variable decides at least half of the changes of the second, and
    /// one.
    fn decides(&self, deciding: u32, changing: u32) -> bool {
        let decided = self.decided(deciding, changing);
        decided > 0 && 2 * decided >= self.count(changing)
    }

    /// For each variable its companions: those without which it never changes. Of several that
    /// always change together the first is a companion of the others.
    fn companions(&self) -> BTreeMap<u32, Vec<u32>> {
        let of = |(&id, own): (&u32, &Vec<u32>)| {
            let others = self.cases.iter().filter(|&(&other, all)| {
                let comes_first = all.len() > own.len() || all.len() == own.len() && other < id;
                other != id && comes_first && own.iter().all(|it| all.binary_search(it).is_ok())
            });
            (id, others.map(|(&other, _)| other).collect())
        };
        self.cases.iter().map(of).collect()
    }

    /// The pairs of which one decides a change of the other, smaller index first, and the most that
    /// each promises.
    fn promising(&self) -> BTreeMap<(u32, u32), Promise> {
        let companions = self.companions();
        let mut found: BTreeMap<(u32, u32), Promise> = BTreeMap::new();
        for &(deciding, id) in self.decided.keys() {
            let mut own = companions[&id].iter();
            let promise = if !self.decides(deciding, id) {
                Promise::DecidesSome
            } else if own.any(|&companion| self.decides(deciding, companion)) {
                Promise::DecidesCompanion
            } else {
                Promise::Decides
            };
            let pair = (deciding.min(id), deciding.max(id));
            let best = found.entry(pair).or_insert(promise);
            *best = promise.min(*best);
        }
        found
    }

    /// The numbers that the constraints hold for a pair, about: for each change of one of them one
    /// if the other decides it, else one for each value of the other.
    fn numbers(&self, (left, right): (u32, u32), size: impl Fn(u32) -> usize) -> usize {
        let half = |changing: u32, other: u32| {
            let decided = self.decided(other, changing);
            (self.count(changing) - decided) * size(other) + decided
        };
        half(left, right) + half(right, left)
    }
}

/// The variables that these follow from, ascending, each once.
fn representatives(builder: &Builder, ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.map(|id| builder.follows_from[id as usize]).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of an agent (0) decides what its hand (1) takes, of a thing (2) what it is in; the
    /// hand changes whenever the thing does.
    fn changes() -> Changes {
        Changes {
            cases: BTreeMap::from([(0, vec![0]), (1, vec![1, 2, 3, 4]), (2, vec![1, 2, 3])]),
            decided: BTreeMap::from([((0, 1), 2), ((0, 2), 2), ((2, 0), 1), ((2, 1), 1)]),
        }
    }

    #[test]
    fn what_decides_changes_of_a_companion_too_promises_less() {
        let changes = changes();
        assert_eq!(
            changes.companions(),
            BTreeMap::from([(0, vec![]), (1, vec![]), (2, vec![1])])
        );
        assert_eq!(
            changes.promising(),
            BTreeMap::from([
                ((0, 1), Promise::Decides),
                // The thing decides where the agent goes, which no companion makes less of.
                ((0, 2), Promise::Decides),
                ((1, 2), Promise::DecidesSome),
            ])
        );
        let without = Changes {
            decided: BTreeMap::from([((0, 1), 2), ((0, 2), 2)]),
            ..changes
        };
        assert_eq!(without.promising()[&(0, 2)], Promise::DecidesCompanion);
    }

    #[test]
    fn a_change_that_is_not_decided_counts_for_every_value() {
        // Of four changes of the hand the place decides two; of the place's one the hand none.
        assert_eq!(changes().numbers((0, 1), |_| 10), (2 * 10 + 2) + 10);
        assert_eq!(changes().decided_in((0, 1)), 2);
        // The thing decides where the agent goes once, the place what the thing is in twice.
        assert_eq!(changes().decided_in((0, 2)), 3);
    }
}
