//! Mutexes: pairs of values that no state that can be reached has both of (h²: P. Haslum, H.
//! Geffner, "Admissible Heuristics for Optimal Planning", AIPS 2000; V. Alcázar, Á. Torralba, "A
//! Reminder about the Importance of Computing and Exploiting Invariants in Planning", ICAPS 2015).
//!
//! From the pairs of the start, pairs that a case leads to become possible, until no more do. A
//! case is applied to all states whose pairs are possible; cases are taken one after another, so
//! the pairs are those of states in the midst of a step too. What is left out never holds: it adds
//! to what a case needs (`narrow`), sets of facts of which at most one holds (`groups`), and
//! what holds for sure where the goal does (`shaved`).

mod exclusive;
mod given;
mod relation;
mod shave;

use super::transitions::Case;
use crate::control::Control;
use crate::reductions::symmetry::FactRenaming;
pub(crate) use given::Given;
use relation::{Relation, members};

/// Tasks with more values have no mutexes.
const MOST_FACTS: usize = 4096;
/// Words looked at, at most, before all pairs are taken for possible.
const MOST_WORK: u64 = 6_000_000_000;

/// The pairs that are possible.
pub(crate) struct Mutexes {
    /// The number of the first value of each variable; `None` if it is not distinguished.
    first: Vec<Option<u32>>,
    sizes: Vec<u32>,
    /// The variable and value of each number.
    facts: Vec<(u32, u32)>,
    rules: Vec<Rule>,
    /// The pairs of the start, and of what it becomes when objects change places.
    start: Relation,
    all: Relation,
}

/// The needs of a case, and the facts that it leads to.
struct Rule {
    needs: Vec<Vec<u32>>,
    /// All values of the variables written.
    written: Vec<u64>,
    results: Vec<Vec<u32>>,
}

impl Mutexes {
    /// From a start, by the values of all variables. `None` if they are too many to be found, or
    /// `control` says stop.
    pub(crate) fn new(
        sizes: &[u32],
        distinguished: &[bool],
        start: &[u32],
        exchanges: &[FactRenaming],
        cases: &[&Case],
        control: &dyn Control,
    ) -> Option<Self> {
        let mut first = Vec::with_capacity(sizes.len());
        let mut facts = Vec::new();
        for (variable, (&size, &is_distinguished)) in (0..).zip(sizes.iter().zip(distinguished)) {
            first.push(is_distinguished.then_some(facts.len() as u32));
            if is_distinguished {
                facts.extend((0..size).map(|value| (variable, value)));
            }
            if facts.len() > MOST_FACTS {
                return None;
            }
        }
        let mut found = Self {
            first,
            sizes: sizes.to_vec(),
            rules: Vec::new(),
            start: Relation::new(facts.len()),
            all: Relation::new(0),
            facts,
        };
        found.add_start(start, exchanges)?;
        found.rules = cases.iter().map(|case| found.rule(case)).collect();
        let mut all = found.start.clone();
        let mut work = 0;
        loop {
            let mut is_changed = false;
            for rule in found.rules.iter().filter(|rule| !rule.results.is_empty()) {
                if work > MOST_WORK || control.stop().is_some() {
                    return None;
                }
                if let Some(before) = found.compatible(&all, &rule.needs, &mut work) {
                    is_changed |= found.add_results(&mut all, rule, &before, &mut work);
                }
            }
            if !is_changed {
                break;
            }
        }
        found.all = all;
        Some(found)
    }

    fn fact(&self, variable: u32, value: u32) -> Option<u32> {
        self.first[variable as usize].map(|first| first + value)
    }

    /// The pairs of the start, and of what it becomes when objects change places.
    fn add_start(&mut self, start: &[u32], exchanges: &[FactRenaming]) -> Option<()> {
        let mut images: Vec<Vec<u32>> = Vec::with_capacity(exchanges.len());
        for exchange in exchanges {
            let image = self.facts.iter().map(|&(variable, value)| {
                let (variable, value) = exchange(variable, value);
                self.fact(variable, value)
            });
            images.push(image.collect::<Option<_>>()?);
        }
        let holding: Vec<u32> = (0..)
            .zip(start)
            .filter_map(|(variable, &value)| self.fact(variable, value))
            .collect();
        let mut new = Vec::new();
        for &left in &holding {
            new.extend(holding.iter().map(|&right| (left, right)));
        }
        while let Some((left, right)) = new.pop() {
            if self.start.join(left, right) {
                let of = |image: &Vec<u32>| (image[left as usize], image[right as usize]);
                new.extend(images.iter().map(of));
            }
        }
        Some(())
    }

    fn rule(&self, case: &Case) -> Rule {
        let facts = |variable: u32, values: &[u32]| -> Vec<u32> {
            let values = values.iter();
            values
                .filter_map(|&value| self.fact(variable, value))
                .collect()
        };
        let before = case.written.iter().map(|it| (it.variable, &it.before));
        let kept = case
            .kept
            .iter()
            .map(|(variable, values)| (*variable, values));
        let restricted = before
            .chain(kept)
            .filter(|(variable, values)| values.len() < self.sizes[*variable as usize] as usize);
        let mut written = vec![0; self.facts.len().div_ceil(64)];
        for it in &case.written {
            if let Some(first) = self.first[it.variable as usize] {
                for fact in first..first + self.sizes[it.variable as usize] {
                    written[fact as usize / 64] |= 1 << (fact % 64);
                }
            }
        }
        let results = case.written.iter();
        Rule {
            needs: restricted
                .map(|(variable, values)| facts(variable, values))
                .collect(),
            written,
            results: results.map(|it| facts(it.variable, &it.after)).collect(),
        }
    }

    /// The facts that may hold where one of each of these sets does; `None` if that cannot be.
    fn compatible(&self, pairs: &Relation, needs: &[Vec<u32>], work: &mut u64) -> Option<Vec<u64>> {
        let allowed = pairs.compatible(needs, work);
        let has_value = |(first, &size): (&Option<u32>, &u32)| match *first {
            None => true,
            Some(first) => (first..first + size).any(|fact| relation::contains(&allowed, fact)),
        };
        let mut variables = self.first.iter().zip(&self.sizes);
        variables.all(has_value).then_some(allowed)
    }

    /// The facts that may hold after a rule, where these may before.
    fn after(rule: &Rule, before: &[u64]) -> Vec<u64> {
        let words = before.iter().zip(&rule.written);
        let mut after: Vec<u64> = words.map(|(word, written)| word & !written).collect();
        for &fact in rule.results.iter().flatten() {
            relation::insert(&mut after, fact);
        }
        after
    }

    /// Adds the pairs that a rule leads to where these facts may hold before. Returns whether there
    /// are new ones.
    fn add_results(
        &self,
        pairs: &mut Relation,
        rule: &Rule,
        before: &[u64],
        work: &mut u64,
    ) -> bool {
        let after = Self::after(rule, before);
        let mut is_changed = false;
        for &fact in rule.results.iter().flatten() {
            is_changed |= pairs.join(fact, fact);
            *work += after.len() as u64;
            let words = after.iter().zip(pairs.row(fact));
            let new: Vec<u64> = words.map(|(after, known)| after & !known).collect();
            for other in members(&new) {
                if self.facts[fact as usize].0 != self.facts[other as usize].0 {
                    is_changed |= pairs.join(fact, other);
                }
            }
        }
        is_changed
    }

    /// Returns whether two facts may hold in one state.
    pub(crate) fn may_hold(&self, left: (u32, u32), right: (u32, u32)) -> bool {
        match (self.fact(left.0, left.1), self.fact(right.0, right.1)) {
            (Some(left), Some(right)) => self.all.contains(left, right),
            _ => true,
        }
    }

    /// Leaves out of a case the values before that it cannot be applied with. Returns whether it
    /// can be applied at all.
    pub(crate) fn narrow(&self, case: &mut Case) -> bool {
        let allowed = self.before(case);
        allowed.is_some_and(|allowed| self.narrow_to(case, &allowed))
    }

    /// The facts that may hold where a case is applied; `None` if it never is.
    pub(crate) fn before(&self, case: &Case) -> Option<Vec<u64>> {
        self.compatible(&self.all, &self.rule(case).needs, &mut 0)
    }

    /// Returns whether a value is among what may hold.
    pub(crate) fn is_among(&self, allowed: &[u64], (variable, value): (u32, u32)) -> bool {
        let fact = self.fact(variable, value);
        fact.is_none_or(|fact| relation::contains(allowed, fact))
    }

    /// Leaves in a case values before that are among what may hold. Returns whether some are left.
    fn narrow_to(&self, case: &mut Case, allowed: &[u64]) -> bool {
        for variable in 0..self.sizes.len() as u32 {
            let Some(values) = self.values(variable, allowed) else {
                continue;
            };
            if values.is_empty() {
                return false;
            }
            if let Some(written) = case.written.iter_mut().find(|it| it.variable == variable) {
                written.before.retain(|value| values.contains(value));
                continue;
            }
            match case.kept.binary_search_by_key(&variable, |it| it.0) {
                Ok(index) => case.kept[index].1 = values,
                Err(index) => case.kept.insert(index, (variable, values)),
            }
        }
        true
    }

    /// For each variable with fewer values in the states of a Cartesian set than in the set those
    /// that are left; `None` if no state is left.
    pub(crate) fn narrowed(
        &self,
        values: &dyn Fn(u32) -> Vec<u32>,
    ) -> Option<Vec<(u32, Vec<u32>)>> {
        let variables = 0..self.sizes.len() as u32;
        let needs = variables.clone().filter_map(|variable| {
            let values = values(variable);
            let is_restricted = values.len() < self.sizes[variable as usize] as usize;
            let facts = || {
                values
                    .iter()
                    .filter_map(|&value| self.fact(variable, value))
            };
            (is_restricted && self.first[variable as usize].is_some()).then(|| facts().collect())
        });
        let allowed = self.compatible(&self.all, &needs.collect::<Vec<_>>(), &mut 0)?;
        let narrowed = |variable: u32| Some((variable, self.values(variable, &allowed)?));
        Some(variables.filter_map(narrowed).collect())
    }

    /// The values that a variable may have, unless it may have any.
    fn values(&self, variable: u32, allowed: &[u64]) -> Option<Vec<u32>> {
        let first = self.first[variable as usize]?;
        let size = self.sizes[variable as usize];
        let is_allowed = |value: &u32| relation::contains(allowed, first + value);
        let is_anything = (0..size).all(|value| is_allowed(&value));
        (!is_anything).then(|| (0..size).filter(is_allowed).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unlimited;
    use crate::heuristics::potentials::transitions::Written;

    /// A case: `(variable, before, after)` of what is written, and what is kept.
    pub(crate) fn case(written: &[(u32, &[u32], u32)], kept: &[(u32, u32)]) -> Case {
        let written = written.iter().map(|&(variable, before, after)| Written {
            variable,
            before: before.to_vec(),
            after: vec![after],
        });
        let mut case = Case::idle();
        case.written = written.collect();
        case.kept = kept.iter().map(|&(id, value)| (id, vec![value])).collect();
        case
    }

    pub(crate) fn find(
        sizes: &[u32],
        start: &[u32],
        exchanges: &[FactRenaming],
        cases: &[Case],
    ) -> Mutexes {
        let cases: Vec<&Case> = cases.iter().collect();
        let distinguished = vec![true; sizes.len()];
        Mutexes::new(sizes, &distinguished, start, exchanges, &cases, &Unlimited).unwrap()
    }

    /// A thing lies on one of two tables or is held (variable 0); that it is at a table is a
    /// variable of its own (1, 2). Who takes it need only know where it lies, and be there (3).
    fn things() -> Vec<Case> {
        let anything: &[u32] = &[0, 1];
        vec![
            case(&[(0, &[0], 2), (1, anything, 0)], &[(3, 0)]),
            case(&[(0, &[1], 2), (2, anything, 0)], &[(3, 1)]),
            case(&[(0, &[2], 0), (1, anything, 1)], &[(3, 0)]),
            case(&[(0, &[2], 1), (2, anything, 1)], &[(3, 1)]),
            case(&[(3, &[0], 1)], &[]),
            case(&[(3, &[1], 0)], &[]),
        ]
    }

    const SIZES: [u32; 4] = [3, 2, 2, 2];

    #[test]
    fn what_is_held_is_nowhere_although_no_operator_says_so() {
        let found = find(&SIZES, &[0, 1, 0, 0], &[], &things());
        assert!(!found.may_hold((0, 2), (1, 1)));
        assert!(!found.may_hold((0, 2), (2, 1)));
        assert!(!found.may_hold((1, 1), (2, 1)));
        assert!(found.may_hold((0, 1), (2, 1)));
        assert_eq!(found.groups(&|_, _| false), [[(0, 2), (1, 1), (2, 1)]]);
    }

    #[test]
    fn a_case_is_narrowed_to_the_states_in_which_it_can_be_applied() {
        let found = find(&SIZES, &[0, 1, 0, 0], &[], &things());
        let mut take = case(&[(0, &[0], 2), (1, &[0, 1], 0)], &[(3, 0)]);
        assert!(found.narrow(&mut take));
        assert_eq!(take.written(1).unwrap().before, [1]);
        assert_eq!(take.kept(2).unwrap(), [0]);
        let mut nowhere = case(&[(3, &[0], 1)], &[(1, 1), (2, 1)]);
        assert!(!found.narrow(&mut nowhere));
    }

    #[test]
    fn what_an_exchange_makes_of_the_start_can_be_reached_too() {
        let swap: FactRenaming = Box::new(|variable, value| (1 - variable, value));
        let alone = find(&[2, 2], &[1, 0], &[], &[]);
        assert!(!alone.may_hold((0, 0), (1, 1)));
        let both = find(&[2, 2], &[1, 0], &[swap], &[]);
        assert!(both.may_hold((0, 0), (1, 1)) && both.may_hold((0, 1), (1, 0)));
        assert!(!both.may_hold((0, 1), (1, 1)) && !both.may_hold((0, 0), (1, 0)));
    }
}
