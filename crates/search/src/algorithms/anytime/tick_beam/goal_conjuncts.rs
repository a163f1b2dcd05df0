//! The conjuncts of a goal: the facts that it asks for all together.

use brigade_task::rules::{FactId, Moment, Rule};

/// The facts that a goal asks for all together, sorted: itself, where it asks for one of several.
pub(super) fn goal_conjuncts(rules: &[Rule], goal: FactId) -> Vec<FactId> {
    let mut conjuncts = Vec::new();
    let mut open = vec![goal];
    while let Some(fact) = open.pop() {
        let mut achievers = rules.iter().filter(|rule| rule.adds == fact);
        match (achievers.next(), achievers.next()) {
            (Some(rule), None) if rule.moment == Moment::AtOnce && rule.operator.is_none() => {
                open.extend(rule.needs.iter().copied());
            }
            _ => conjuncts.push(fact),
        }
    }
    conjuncts.sort_unstable();
    conjuncts.dedup();
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
}
