//! What facts a state may hold: values that something gives to variables, and not two of a mutex group.

use crate::effects::Effects;
use brigade_task::cond::Test;
use brigade_task::{OperatorId, Task};

/// What is known of the facts of a task.
pub(super) struct Facts {
    /// For each word of the state the variables in it.
    words: Vec<Vec<usize>>,
    /// For each variable and value whether it holds at the start or an operator gives it.
    may_hold: Vec<Vec<bool>>,
    /// For each variable the values that are in mutex groups: `(value, group)`.
    groups: Vec<Vec<(u32, usize)>>,
    number: usize,
}

/// Some facts that hold, while others are tried beside them.
pub(super) struct Held<'f> {
    facts: &'f Facts,
    /// For each group how many of its facts hold.
    counts: Vec<u32>,
}

impl Facts {
    /// Of a task whose operators all have constant effects; `None` if mutexes do not hold at the start.
    pub(super) fn new(task: &Task, start: &[u64], effects: &Effects) -> Option<Self> {
        let mut groups = vec![Vec::new(); task.variables.len()];
        for (group, facts) in task.mutexes.iter().enumerate() {
            for &(variable, value) in facts {
                groups[variable.index()].push((value, group));
            }
        }
        let mut may_hold: Vec<Vec<bool>> = Vec::new();
        let mut words = vec![Vec::new(); task.words];
        for (number, variable) in task.variables.iter().enumerate() {
            words[usize::from(variable.word)].push(number);
            let mut values = vec![false; variable.size as usize];
            values[variable.get(start) as usize] = true;
            may_hold.push(values);
        }
        let operators = 0..task.operators.len() as u32;
        for effect in operators.filter_map(|number| effects.of(OperatorId(number))) {
            for write in effect.writes {
                for &variable in &words[usize::from(write.word)] {
                    let place = &task.variables[variable];
                    if place.mask() & write.mask != 0 {
                        let value = (write.value & place.mask()) >> place.shift;
                        may_hold[variable][value as usize] = true;
                    }
                }
            }
        }
        let known = Self {
            words,
            may_hold,
            groups,
            number: task.mutexes.len(),
        };
        let mut held = known.held();
        let mut facts = task.variables.iter().enumerate();
        let holds = facts.all(|(variable, place)| held.add(variable, place.get(start)));
        holds.then_some(known)
    }

    /// The variables of a word of the state.
    pub(super) fn of_word(&self, word: u16) -> &[usize] {
        &self.words[usize::from(word)]
    }

    /// The values of a variable that may hold where tests do, ascending.
    pub(super) fn values(&self, task: &Task, variable: usize, tests: &[Test]) -> Vec<u32> {
        let place = &task.variables[variable];
        let is_allowed = |&value: &u32| {
            let field = u64::from(value) << place.shift;
            let mut tests = tests.iter().filter(|test| test.word == place.word);
            self.may_hold[variable][value as usize]
                && tests.all(|test| (test.value ^ field) & test.mask & place.mask() == 0)
        };
        (0..place.size).filter(is_allowed).collect()
    }

    /// No facts.
    pub(super) fn held(&self) -> Held<'_> {
        Held {
            facts: self,
            counts: vec![0; self.number],
        }
    }
}

impl Held<'_> {
    /// Adds a fact; whether it may hold beside the others.
    pub(super) fn add(&mut self, variable: usize, value: u32) -> bool {
        let mut may_hold = true;
        for &(_, group) in self.facts.groups[variable]
            .iter()
            .filter(|it| it.0 == value)
        {
            self.counts[group] += 1;
            may_hold &= self.counts[group] == 1;
        }
        may_hold
    }

    /// Takes a fact away that was added.
    pub(super) fn remove(&mut self, variable: usize, value: u32) {
        for &(_, group) in self.facts.groups[variable]
            .iter()
            .filter(|it| it.0 == value)
        {
            self.counts[group] -= 1;
        }
    }
}
