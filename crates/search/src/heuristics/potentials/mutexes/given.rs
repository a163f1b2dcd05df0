//! Pairs of facts that no state that can be reached has both of where a given fact holds: triples
//! that exclude each other, of which that fact is one.
//!
//! Such a state is the start, or the given fact has just come true, with pairs that are possible
//! then, or it held before, with pairs that were possible with it.

use rustc_hash::FxHashMap;

use super::{Case, Mutexes, Relation, Rule, members, relation};
use crate::control::Control;

/// Words looked at, at most, for all given facts together.
const MOST_WORK: u64 = 1_000_000_000;

/// The pairs that are possible with each of some facts, as far as there was time to find them.
#[derive(Default)]
pub(crate) struct Given {
    pairs: FxHashMap<u32, Option<Relation>>,
    work: u64,
}

impl Given {
    /// Finds the pairs that are possible with each of these facts.
    pub(crate) fn find(&mut self, mutexes: &Mutexes, facts: &[u32], control: &dyn Control) {
        for &fact in facts {
            if !self.pairs.contains_key(&fact) {
                let found = mutexes.given(fact, &mut self.work, control);
                self.pairs.insert(fact, found);
            }
        }
    }

    /// The pairs found for one of these facts.
    pub(crate) fn pairs<'g>(&'g self, facts: &'g [u32]) -> impl Iterator<Item = &'g Relation> {
        facts
            .iter()
            .filter_map(|fact| self.pairs.get(fact)?.as_ref())
    }
}

impl Mutexes {
    /// Leaves out of a case the values before that exclude it, by triples of which it needs one
    /// fact. Returns whether it can be applied at all.
    pub(crate) fn narrow_given(
        &self,
        case: &mut Case,
        given: &mut Given,
        control: &dyn Control,
    ) -> bool {
        let rule = self.rule(case);
        let sure = rule.needs.iter().filter_map(|facts| match facts[..] {
            [only] if self.sizes[self.facts[only as usize].0 as usize] > 2 => Some(only),
            _ => None,
        });
        let sure: Vec<u32> = sure.collect();
        given.find(self, &sure, control);
        let Some(mut allowed) = self.compatible(&self.all, &rule.needs, &mut 0) else {
            return false;
        };
        for pairs in given.pairs(&sure) {
            let Some(also) = self.compatible(pairs, &rule.needs, &mut 0) else {
                return false;
            };
            for (word, also) in allowed.iter_mut().zip(also) {
                *word &= also;
            }
        }
        self.narrow_to(case, &allowed)
    }

    /// The pairs that are possible where a fact holds; `None` if that is too much work, or
    /// `control` says stop.
    fn given(&self, fact: u32, work: &mut u64, control: &dyn Control) -> Option<Relation> {
        let variable = self.facts[fact as usize].0;
        let mut found = Relation::new(self.facts.len());
        add_all(&mut found, &self.start, self.start.row(fact), work);
        let leads_to = |rule: &Rule| rule.results.iter().any(|facts| facts.contains(&fact));
        for rule in self.rules.iter().filter(|rule| leads_to(rule)) {
            go_on(*work, control)?;
            let Some(before) = self.compatible(&self.all, &rule.needs, work) else {
                continue;
            };
            let mut after = Self::after(rule, &before);
            for other in self.values_of(variable).filter(|&other| other != fact) {
                relation::remove(&mut after, other);
            }
            add_all(&mut found, &self.all, &after, work);
        }
        let first = self.values_of(variable).start;
        let stays = |rule: &&Rule| !relation::contains(&rule.written, first);
        let staying: Vec<&Rule> = self.rules.iter().filter(stays).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for rule in &staying {
                go_on(*work, control)?;
                if let Some(before) = self.compatible(&found, &rule.needs, work) {
                    is_changed |= self.add_results(&mut found, rule, &before, work);
                }
            }
        }
        Some(found)
    }
}

fn go_on(work: u64, control: &dyn Control) -> Option<()> {
    (work <= MOST_WORK && control.stop().is_none()).then_some(())
}

/// Adds those pairs of a relation that are of these facts.
fn add_all(to: &mut Relation, from: &Relation, facts: &[u64], work: &mut u64) {
    for left in members(facts) {
        *work += from.words() as u64;
        let words = from.row(left).iter().zip(facts);
        let both: Vec<u64> = words.map(|(row, facts)| row & facts).collect();
        for right in members(&both) {
            to.join(left, right);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Unlimited;
    use crate::heuristics::potentials::mutexes::tests::{case, find};
    use crate::heuristics::potentials::transitions::Case;

    /// Two things, each on one of two tables or held (variables 0, 1), and whether the second lies
    /// on the first (2). It is put there where the first is, or on a table; the first is taken
    /// without it only.
    fn cases() -> Vec<Case> {
        let mut cases = Vec::new();
        for table in 0..2 {
            cases.push(case(&[(0, &[table], 2)], &[(2, 0)]));
            cases.push(case(&[(0, &[2], table)], &[]));
            cases.push(case(&[(1, &[table], 2), (2, &[0, 1], 0)], &[]));
            cases.push(case(&[(1, &[2], table)], &[]));
            cases.push(case(&[(1, &[2], table), (2, &[0], 1)], &[(0, table)]));
        }
        cases
    }

    const SIZES: [u32; 3] = [3, 3, 2];

    #[test]
    fn what_lies_on_a_thing_is_where_that_is() {
        let found = find(&SIZES, &[0, 1, 0], &[], &cases());
        // No pair shows that.
        assert!(found.may_hold((2, 1), (1, 0)) && found.may_hold((1, 0), (0, 1)));
        assert!(found.may_hold((2, 1), (0, 1)));
        let fact = |variable, value| found.fact(variable, value).unwrap();
        let mut work = 0;
        let given = found.given(fact(0, 1), &mut work, &Unlimited).unwrap();
        assert!(!given.contains(fact(2, 1), fact(1, 0)));
        assert!(given.contains(fact(2, 1), fact(1, 1)));
        assert!(given.contains(fact(2, 0), fact(1, 0)));
    }

    #[test]
    fn all_states_that_can_be_reached_have_pairs_that_are_possible_with_each_of_their_facts() {
        let cases = cases();
        let mut reached = vec![[0, 1, 0]];
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            for case in &cases {
                let mut after = state;
                let has = |id: u32, values: &[u32]| values.contains(&state[id as usize]);
                let can_be = case.written.iter().all(|it| has(it.variable, &it.before))
                    && case.kept.iter().all(|(id, values)| has(*id, values));
                for written in &case.written {
                    after[written.variable as usize] = written.after[0];
                }
                if can_be && !reached.contains(&after) {
                    reached.push(after);
                }
            }
            next += 1;
        }
        let found = find(&SIZES, &reached[0], &[], &cases);
        for state in &reached {
            let facts = (0..).zip(state);
            let facts: Vec<u32> = facts
                .map(|(id, &value)| found.fact(id, value).unwrap())
                .collect();
            for &fact in &facts {
                let given = found.given(fact, &mut 0, &Unlimited).unwrap();
                for &left in &facts {
                    assert!(
                        facts.iter().all(|&right| given.contains(left, right)),
                        "{state:?}"
                    );
                }
            }
        }
    }
}
