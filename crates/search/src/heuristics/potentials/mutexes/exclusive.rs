//! Sets of facts of which at most one holds: cliques of pairs that exclude each other, found
//! greedily.

use std::cmp::Reverse;

use super::Mutexes;

impl Mutexes {
    /// Sets of facts of which at most one holds, so that each fact of a variable with two values is
    /// in one if it excludes others. `is_known` is true of those that need none.
    pub(crate) fn groups(&self, is_known: &dyn Fn(u32, u32) -> bool) -> Vec<Vec<(u32, u32)>> {
        let positive: Vec<u32> = (0..self.facts.len() as u32)
            .filter(|&fact| self.facts[fact as usize].1 > 0 && !self.excludes(fact, fact))
            .collect();
        let needs_none = |&(variable, value): &(u32, u32)| {
            self.sizes[variable as usize] > 2 || is_known(variable, value)
        };
        let mut is_covered: Vec<bool> = self.facts.iter().map(needs_none).collect();
        let mut groups = Vec::new();
        for &seed in &positive {
            if is_covered[seed as usize] {
                continue;
            }
            let group = self.clique(seed, &positive, &is_covered);
            if group.len() > 1 {
                for &fact in &group {
                    is_covered[fact as usize] = true;
                }
                groups.push(group.iter().map(|&it| self.facts[it as usize]).collect());
            }
        }
        groups
    }

    /// Returns whether at most one of these facts holds, as far as is known.
    pub(crate) fn exclude_each_other(&self, facts: &[(u32, u32)]) -> bool {
        let mut rest = facts;
        while let Some((&fact, others)) = rest.split_first() {
            if others.iter().any(|&other| self.may_hold(fact, other)) {
                return false;
            }
            rest = others;
        }
        true
    }

    /// Facts of which at most one holds, ascending: the seed, and what excludes all others so far,
    /// as long as there is any, first what is not covered, of that what leaves most to choose from.
    fn clique(&self, seed: u32, facts: &[u32], is_covered: &[bool]) -> Vec<u32> {
        let mut clique = vec![seed];
        let mut candidates = facts.to_vec();
        candidates.retain(|&fact| fact != seed && self.excludes(seed, fact));
        while let Some(&next) = candidates.iter().min_by_key(|&&fact| {
            let others = candidates.iter();
            let others = others.filter(|&&other| other != fact && self.excludes(fact, other));
            (is_covered[fact as usize], Reverse(others.count()), fact)
        }) {
            clique.push(next);
            candidates.retain(|&other| other != next && self.excludes(next, other));
        }
        clique.sort_unstable();
        clique
    }

    /// Returns whether two facts never hold together; whether one never holds.
    fn excludes(&self, left: u32, right: u32) -> bool {
        !self.all.contains(left, right)
    }
}
