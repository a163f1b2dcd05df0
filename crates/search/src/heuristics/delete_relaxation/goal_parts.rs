//! The facts of a goal that a state lacks.
//!
//! A goal is a set of facts, or one of several. Facts that no variable holds, as that one of
//! several holds, follow from the others by adders that cost nothing.

use super::relaxation::Relaxation;
use brigade_task::PackedTask;

/// The parts of a goal.
pub(crate) struct GoalParts {
    /// Sets of facts; the goal asks for one of them.
    alternatives: Vec<Vec<u32>>,
    /// Facts that follow from others at once; most stand behind what they follow from.
    follows: Vec<(Vec<u32>, u32)>,
    /// For each fact whether it holds.
    holds: Vec<bool>,
}

impl GoalParts {
    pub(crate) fn new(task: &PackedTask, relaxation: &Relaxation, goal: u32) -> Self {
        let basic = relaxation.basic(task);
        let free = || (0..relaxation.adders()).filter(|&it| relaxation.operator(it).is_none());
        let needs = |adder: u32| relaxation.needs.of(adder).to_vec();
        let of_goal = |&adder: &u32| relaxation.adds.of(adder).contains(&goal);
        let alternatives: Vec<Vec<u32>> = free().filter(of_goal).map(needs).collect();
        let mut adders_of = vec![Vec::new(); basic.len()];
        for adder in free() {
            let added = relaxation.adds.of(adder).iter();
            for &fact in added.filter(|&&fact| !basic[fact as usize]) {
                adders_of[fact as usize].push(adder);
            }
        }
        let mut is_met = vec![false; basic.len()];
        let mut open: Vec<u32> = alternatives.iter().flatten().copied().collect();
        let mut follows = Vec::new();
        while let Some(fact) = open.pop() {
            if std::mem::replace(&mut is_met[fact as usize], true) {
                continue;
            }
            for &adder in &adders_of[fact as usize] {
                follows.push((needs(adder), fact));
                open.extend(relaxation.needs.of(adder));
            }
        }
        follows.reverse();
        Self {
            alternatives,
            follows,
            holds: basic,
        }
    }

    /// The number of goal facts that do not hold where `facts` do: the least of all alternatives.
    pub(crate) fn unmet(&mut self, facts: &[u32]) -> u32 {
        self.holds.fill(false);
        for &fact in facts {
            self.holds[fact as usize] = true;
        }
        let mut has_changed = true;
        while std::mem::replace(&mut has_changed, false) {
            for (needs, fact) in &self.follows {
                if !self.holds[*fact as usize] && needs.iter().all(|&it| self.holds[it as usize]) {
                    self.holds[*fact as usize] = true;
                    has_changed = true;
                }
            }
        }
        let lacks = |facts: &Vec<u32>| {
            let lacking = facts.iter().filter(|&&fact| !self.holds[fact as usize]);
            lacking.count() as u32
        };
        self.alternatives.iter().map(lacks).min().unwrap_or(0)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.follows.iter().map(|(needs, _)| needs);
        let facts: usize = lists.chain(&self.alternatives).map(Vec::len).sum();
        4 * facts + self.holds.len()
    }
}
