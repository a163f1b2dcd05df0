//! The states in which plans may end: all complete states in which the goal holds.

use super::facts::{Facts, Held};
use brigade_task::Task;
use brigade_task::cond::{Cond, Test};

/// A goal that holds in more states than this is no place to start from.
const MOST_ENDS: usize = 10_000;
/// So many steps are taken to find them.
const MOST_STEPS: usize = 200_000;

/// The states in which the goal holds and, as far as is known, facts that may hold together, ascending;
/// `None` if there are too many. Not all of them need be reachable.
pub(super) fn ends(task: &Task, known: &Facts) -> Option<Vec<Vec<u64>>> {
    let mut tests = Vec::new();
    facts(task.goal.as_ref()?, &mut tests);
    let values = |variable| known.values(task, variable, &tests);
    let walk = Walk {
        task,
        allowed: (0..task.variables.len()).map(values).collect(),
        held: known.held(),
        state: vec![0; task.words],
        found: Vec::new(),
    };
    let mut found = walk.finish()?;
    found.sort_unstable();
    Some(found)
}

/// The facts that must hold where a condition holds.
fn facts(cond: &Cond, tests: &mut Vec<Test>) {
    match cond {
        Cond::Fact(test) => tests.push(*test),
        Cond::Facts(all) => tests.extend(all),
        Cond::And(conds) => {
            for cond in conds {
                facts(cond, tests);
            }
        }
        _ => {}
    }
}

struct Walk<'t> {
    task: &'t Task,
    /// The values of each variable that the goal allows.
    allowed: Vec<Vec<u32>>,
    held: Held<'t>,
    state: Vec<u64>,
    found: Vec<Vec<u64>>,
}

impl Walk<'_> {
    /// Gives values to all variables in every way.
    fn finish(mut self) -> Option<Vec<Vec<u64>>> {
        // Of each variable that has a value the place of that among those allowed.
        let mut chosen = Vec::new();
        let mut next = 0;
        for _ in 0..MOST_STEPS {
            let variable = chosen.len();
            if let Some(allowed) = self.allowed.get(variable) {
                if let Some(&value) = allowed.get(next) {
                    next += 1;
                    if self.held.add(variable, value) {
                        self.task.variables[variable].set(&mut self.state, value);
                        chosen.push(next);
                        next = 0;
                    } else {
                        self.held.remove(variable, value);
                    }
                    continue;
                }
            } else if self.task.is_goal(&self.state) {
                self.found.push(self.state.clone());
                if self.found.len() > MOST_ENDS {
                    return None;
                }
            }
            let Some(last) = chosen.pop() else {
                return Some(self.found);
            };
            let value = self.allowed[chosen.len()][last - 1];
            self.held.remove(chosen.len(), value);
            next = last;
        }
        None
    }
}
