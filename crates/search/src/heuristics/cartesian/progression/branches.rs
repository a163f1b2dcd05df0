//! Changes that depend on the state: which ways they may take in a Cartesian set.

use super::{Part, Progression, Read};
use crate::heuristics::cartesian::change::{Candidate, Change};
use crate::heuristics::cartesian::formula::Formula;

impl Progression<'_> {
    pub(super) fn branch(
        &mut self,
        formula: &Formula,
        then: &Change,
        otherwise: &Change,
        read: Read,
        parts: &mut Vec<Part>,
    ) {
        if let [part] = parts.as_slice() {
            match self.truth(formula, read, part) {
                Some(true) => return self.apply(then, read, parts),
                Some(false) => return self.apply(otherwise, read, parts),
                None => {}
            }
        }
        let is_free = then.writes_nothing() && otherwise.writes_nothing();
        let (mut holding, mut failing, mut free) = (Vec::new(), Vec::new(), Vec::new());
        for mut part in parts.drain(..) {
            match self.truth(formula, read, &part) {
                Some(true) => holding.push(part),
                Some(false) => failing.push(part),
                None if is_free => free.push(part),
                None => {
                    let mut other = part.clone();
                    if self.assume(&mut other, read, formula, true) {
                        holding.push(other);
                    }
                    if self.assume(&mut part, read, formula, false) {
                        failing.push(part);
                    }
                }
            }
        }
        if !holding.is_empty() {
            self.apply(then, read, &mut holding);
        }
        if !failing.is_empty() {
            self.apply(otherwise, read, &mut failing);
        }
        parts.append(&mut holding);
        parts.append(&mut failing);
        parts.append(&mut free);
    }

    pub(super) fn switch(
        &mut self,
        variable: u32,
        arms: &[(Box<[u64]>, Change)],
        read: Read,
        parts: &mut Vec<Part>,
    ) {
        let meets = |left: &[u64], right: &[u64]| left.iter().zip(right).any(|(a, b)| a & b != 0);
        let domains = self.domains;
        let mut results = Vec::new();
        for part in parts.drain(..) {
            let set: Box<[u64]> = domains.get(Self::row(&part, read), variable).into();
            let open = arms.iter().filter(|(arm, _)| meets(arm, &set)).count();
            for (arm, change) in arms.iter().filter(|(arm, _)| meets(arm, &set)) {
                let mut part = part.clone();
                if open == 1 || self.restrict_to(&mut part, read, variable, arm) {
                    let mut parts = vec![part];
                    self.apply(change, read, &mut parts);
                    results.append(&mut parts);
                }
            }
        }
        *parts = results;
    }

    /// Every candidate may be the one that is not known to be worse than another that counts for
    /// certain.
    pub(super) fn choose(
        &mut self,
        candidates: &[Candidate],
        otherwise: &Change,
        read: Read,
        part: Part,
        results: &mut Vec<Part>,
    ) {
        let truths: Vec<Option<bool>> = candidates
            .iter()
            .map(|candidate| self.truth(&candidate.formula, read, &part))
            .collect();
        let row = Self::row(&part, read);
        let keys: Vec<Vec<(i64, i64)>> = candidates
            .iter()
            .zip(&truths)
            .map(|(candidate, truth)| {
                if *truth == Some(false) {
                    return Vec::new();
                }
                let keys = candidate.keys.iter();
                keys.map(|key| key.range(self.domains, row)).collect()
            })
            .collect();
        for (index, candidate) in candidates.iter().enumerate() {
            if truths[index] == Some(false) {
                continue;
            }
            let mut chosen = part.clone();
            if truths[index].is_none() && !self.assume(&mut chosen, read, &candidate.formula, true)
            {
                continue;
            }
            let mut is_possible = true;
            for (other, rival) in candidates.iter().enumerate() {
                if other == index
                    || truths[other] == Some(false)
                    || !is_surely_better((&keys[other], other), (&keys[index], index))
                {
                    continue;
                }
                // The rival does not count, or this one is not the best.
                is_possible = truths[other].is_none()
                    && self.assume(&mut chosen, read, &rival.formula, false);
                if !is_possible {
                    break;
                }
            }
            if is_possible {
                let mut parts = vec![chosen];
                self.apply(&candidate.change, read, &mut parts);
                results.append(&mut parts);
            }
        }
        if truths.contains(&Some(true)) {
            return;
        }
        let mut none = part;
        let is_possible = candidates.iter().zip(&truths).all(|(candidate, truth)| {
            truth.is_some() || self.assume(&mut none, read, &candidate.formula, false)
        });
        if is_possible {
            let mut parts = vec![none];
            self.apply(otherwise, read, &mut parts);
            results.append(&mut parts);
        }
    }
}

/// Returns whether the first candidate is preferred whatever the values are.
fn is_surely_better(first: (&[(i64, i64)], usize), second: (&[(i64, i64)], usize)) -> bool {
    for (left, right) in first.0.iter().zip(second.0) {
        if left.1 < right.0 {
            return true;
        }
        if left.0 != left.1 || left != right {
            return false;
        }
    }
    first.1 < second.1
}
