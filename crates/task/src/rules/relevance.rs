//! The rules that can lead to some facts.

use super::numbering::FactId;
use super::rule::Rule;

/// Leaves out rules, sorted by what they add, that lead to none of some facts.
pub(super) fn keep_relevant(
    rules: &mut Vec<Rule>,
    facts: usize,
    ends: impl Iterator<Item = FactId>,
) {
    let mut is_relevant = vec![false; facts];
    let mut open: Vec<FactId> = ends.collect();
    for &fact in &open {
        is_relevant[fact as usize] = true;
    }
    while let Some(fact) = open.pop() {
        let from = rules.partition_point(|rule| rule.adds < fact);
        let adding = rules[from..].iter().take_while(|rule| rule.adds == fact);
        for &need in adding.flat_map(|rule| &rule.needs) {
            if !std::mem::replace(&mut is_relevant[need as usize], true) {
                open.push(need);
            }
        }
    }
    rules.retain(|rule| is_relevant[rule.adds as usize]);
}
