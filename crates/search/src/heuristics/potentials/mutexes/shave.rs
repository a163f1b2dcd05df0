//! Facts that hold for sure where the goal does, although no pair shows it: values with which no
//! state is left once all that follows from them is known (singleton consistency: R. Debruyne, C.
//! Bessière, "Some Practicable Filtering Techniques for the Constraint Satisfaction Problem", IJCAI
//! 1997).
//!
//! Example: the object at the bottom of a stack and the one on its top do not touch if a third thing
//! is in it: wherever that might be, it is between them.

use std::ops::Range;

use super::given::Given;
use super::{Mutexes, Relation, members, relation};
use crate::control::Control;

/// Words looked at for all sets of states together, about, before no more values are tried.
const MOST_WORK: u64 = 100_000_000;
/// Facts that are looked at as given, at most.
const MOST_GIVEN: usize = 32;

impl Mutexes {
    /// For each variable with fewer values in the states of a Cartesian set than in the set those
    /// that are left; `None` if no state is left. Of all values with which no state is left some
    /// may be left in.
    pub(crate) fn shaved(
        &self,
        values: &dyn Fn(u32) -> Vec<u32>,
        given: &mut Given,
        work: &mut u64,
        control: &dyn Control,
    ) -> Option<Vec<(u32, Vec<u32>)>> {
        let mut allowed = vec![0; self.all.words()];
        for variable in self.variables() {
            for value in values(variable) {
                if let Some(fact) = self.fact(variable, value) {
                    relation::insert(&mut allowed, fact);
                }
            }
        }
        let all: Vec<u32> = self.variables().collect();
        let mut narrowing = vec![&self.all];
        if !self.propagate(&mut allowed, &narrowing, all.clone(), work) {
            return None;
        }
        let sure = self.variables().filter_map(|variable| {
            let mut left = self
                .values_of(variable)
                .filter(|&it| relation::contains(&allowed, it));
            let only = left.next()?;
            let is_sure = self.values_of(variable).len() > 1 && left.next().is_none();
            is_sure.then_some(only)
        });
        let mut sure: Vec<u32> = sure.collect();
        // That a fact holds excludes more than that it does not.
        sure.sort_by_key(|&fact| self.facts[fact as usize].1 == 0);
        sure.truncate(MOST_GIVEN);
        given.find(self, &sure, control);
        narrowing.extend(given.pairs(&sure));
        if !self.propagate(&mut allowed, &narrowing, all, work) {
            return None;
        }
        let mut is_changed = true;
        while is_changed && *work < MOST_WORK {
            is_changed = false;
            for fact in members(&allowed.clone()) {
                let variable = self.facts[fact as usize].0;
                let others = self.values_of(variable);
                let others = others.filter(|&it| it != fact && relation::contains(&allowed, it));
                let others: Vec<u32> = others.collect();
                if others.is_empty() || !relation::contains(&allowed, fact) {
                    continue;
                }
                let mut only = allowed.clone();
                for other in others {
                    relation::remove(&mut only, other);
                }
                if !self.propagate(&mut only, &narrowing, vec![variable], work) {
                    is_changed = true;
                    relation::remove(&mut allowed, fact);
                    if !self.propagate(&mut allowed, &narrowing, vec![variable], work) {
                        return None;
                    }
                }
                if *work > MOST_WORK || control.stop().is_some() {
                    break;
                }
            }
        }
        let narrowed = |variable: u32| Some((variable, self.values(variable, &allowed)?));
        Some(self.variables().filter_map(narrowed).collect())
    }

    /// The variables that are distinguished.
    fn variables(&self) -> impl Iterator<Item = u32> {
        let all = (0..).zip(&self.first);
        all.filter_map(|(variable, first)| first.map(|_| variable))
    }

    /// The facts of a variable that is distinguished.
    pub(crate) fn values_of(&self, variable: u32) -> Range<u32> {
        let first = self.first[variable as usize].unwrap_or_default();
        first..first + self.sizes[variable as usize]
    }

    /// Takes out of a set of facts, one of each variable of which holds, what cannot be by these
    /// pairs, where the facts of these variables have become fewer. Returns whether each variable
    /// has one left.
    fn propagate(
        &self,
        allowed: &mut [u64],
        pairs: &[&Relation],
        mut changed: Vec<u32>,
        work: &mut u64,
    ) -> bool {
        let mut is_changed = vec![false; self.first.len()];
        for &variable in &changed {
            is_changed[variable as usize] = true;
        }
        let mut row = vec![0; allowed.len()];
        while let Some(variable) = changed.pop() {
            is_changed[variable as usize] = false;
            for pairs in pairs {
                row.fill(0);
                for fact in self.values_of(variable) {
                    if relation::contains(allowed, fact) {
                        *work += row.len() as u64;
                        relation::add(&mut row, pairs.row(fact));
                    }
                }
                let words = allowed.iter().zip(&row);
                let lost: Vec<u64> = words.map(|(allowed, row)| allowed & !row).collect();
                for fact in members(&lost) {
                    relation::remove(allowed, fact);
                    let of = self.facts[fact as usize].0;
                    let mut all = self.values_of(of);
                    if !all.any(|fact| relation::contains(allowed, fact)) {
                        return false;
                    }
                    if !std::mem::replace(&mut is_changed[of as usize], true) {
                        changed.push(of);
                    }
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unlimited;
    use crate::heuristics::potentials::mutexes::tests::{case, find};
    use crate::heuristics::potentials::transitions::Case;

    const THINGS: u32 = 3;
    /// A place of a thing: the values after these are other things.
    const ELSEWHERE: u32 = 0;
    const BOTTOM: u32 = 1;
    const FIRST: u32 = 2;
    const HELD: u32 = FIRST + THINGS;

    /// Returns whether the bottom (0) or a thing (1 and so on) is clear.
    const fn clear(thing: u32) -> u32 {
        THINGS + thing
    }

    const HAND: u32 = clear(THINGS + 1);

    /// Things are taken, if they are clear, and put elsewhere, on the bottom, or on each other.
    fn stacking() -> Vec<Case> {
        let mut cases = Vec::new();
        for thing in 0..THINGS {
            let hand = thing + 1;
            cases.push(case(
                &[(thing, &[ELSEWHERE], HELD), (HAND, &[0], hand)],
                &[(clear(thing + 1), 1)],
            ));
            cases.push(case(
                &[(thing, &[HELD], ELSEWHERE), (HAND, &[hand], 0)],
                &[],
            ));
            for on in (0..=THINGS).filter(|&on| on != thing + 1) {
                let place = BOTTOM + on;
                cases.push(case(
                    &[
                        (thing, &[place], HELD),
                        (clear(on), &[0], 1),
                        (HAND, &[0], hand),
                    ],
                    &[(clear(thing + 1), 1)],
                ));
                cases.push(case(
                    &[
                        (thing, &[HELD], place),
                        (clear(on), &[1], 0),
                        (HAND, &[hand], 0),
                    ],
                    &[],
                ));
            }
        }
        cases
    }

    #[test]
    fn the_top_of_a_stack_of_three_is_not_on_its_bottom() {
        let things = THINGS as usize;
        let sizes = [
            vec![HELD + 1; things],
            vec![2; things + 1],
            vec![THINGS + 1],
        ]
        .concat();
        let on_bottom = [BOTTOM, ELSEWHERE, ELSEWHERE, 0, 1, 1, 1, 0];
        let found = find(&sizes, &on_bottom, &[], &stacking());
        // The first thing is on top, the others in the stack.
        let goal = |variable: u32| -> Vec<u32> {
            match variable {
                _ if variable == clear(1) => vec![1],
                1 | 2 => (BOTTOM..HELD).collect(),
                _ => (0..sizes[variable as usize]).collect(),
            }
        };
        let top = |narrowed: Vec<(u32, Vec<u32>)>| narrowed.into_iter().find(|it| it.0 == 0);
        let by_pairs = top(found.narrowed(&goal).unwrap());
        assert!(by_pairs.is_none_or(|(_, values)| values.contains(&BOTTOM)));
        let mut given = Given::default();
        let shaved = top(found.shaved(&goal, &mut given, &mut 0, &Unlimited).unwrap());
        assert!(!shaved.unwrap().1.contains(&BOTTOM));
    }
}
