//! The conjuncts of a goal: the facts that it asks for all together.

use std::collections::BTreeSet;

use brigade_task::rules::{FactId, Moment, Rule};

/// The facts that a goal asks for all together, sorted: itself, where it asks for one of several. Each fact is looked at
/// once: axioms may share conditions, or depend on themselves.
pub(super) fn goal_conjuncts(rules: &[Rule], goal: FactId) -> Vec<FactId> {
    let mut conjuncts = Vec::new();
    let mut met = BTreeSet::from([goal]);
    let mut open = vec![goal];
    while let Some(fact) = open.pop() {
        let mut achievers = rules.iter().filter(|rule| rule.adds == fact);
        match (achievers.next(), achievers.next()) {
            (Some(rule), None) if rule.moment == Moment::AtOnce && rule.operator.is_none() => {
                open.extend(rule.needs.iter().copied().filter(|&need| met.insert(need)));
            }
            _ => conjuncts.push(fact),
        }
    }
    conjuncts.sort_unstable();
    conjuncts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_once(adds: FactId, needs: &[FactId]) -> Rule {
        Rule {
            adds,
            needs: needs.into(),
            moment: Moment::AtOnce,
            operator: None,
        }
    }

    #[test]
    fn conjunctions_within_a_goal_are_taken_apart_and_disjunctions_are_not() {
        // 9 asks for 1, 2 and 8; 8 for 2 and 7; 7 for 3 or 4.
        let rules = [
            at_once(7, &[3]),
            at_once(7, &[4]),
            at_once(8, &[2, 7]),
            at_once(9, &[1, 2, 8]),
        ];
        assert_eq!(goal_conjuncts(&rules, 9), [1, 2, 7]);
        assert_eq!(goal_conjuncts(&rules, 7), [7]);
    }

    #[test]
    fn shared_conditions_and_cycles_are_followed_once() {
        // Each of 40 facts needs the next one by two ways, which would be 2^40 paths; the last needs the first and 90.
        let mut rules = Vec::new();
        for level in 0..40 {
            rules.push(at_once(level, &[level + 1, level + 41]));
            rules.push(at_once(level + 41, &[level + 1]));
        }
        rules.push(at_once(40, &[0, 90]));
        assert_eq!(goal_conjuncts(&rules, 0), [90]);
    }
}
