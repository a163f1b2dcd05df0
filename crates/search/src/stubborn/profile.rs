//! What operators need, read and write, as facts and variables.

use brigade_task::cond::{Bits, Cond, Expr, Test};
use brigade_task::effect::{Effect, Write};
use brigade_task::{Operator, Task};

/// A part of a condition, all parts of which must hold.
pub(super) enum Need {
    /// A variable, not a derived one, has a value.
    Fact { test: Test, fact: u32 },
    /// Anything else, with the variables it depends on.
    Other { cond: Cond, reads: Vec<u32> },
}

impl Need {
    pub(super) fn holds(&self, task: &Task, state: &[u64]) -> bool {
        match self {
            Self::Fact { test, .. } => test.holds(state),
            Self::Other { cond, .. } => cond.holds(&task.variables, state),
        }
    }
}

/// What an operator depends on and may change.
pub(super) struct Profile {
    pub(super) needs: Vec<Need>,
    /// The facts of [`Need::Fact`], as `(variable, fact)`.
    pub(super) facts: Vec<(u32, u32)>,
    /// All other variables that its precondition or its effect depends on, ascending.
    pub(super) reads: Vec<u32>,
    /// `(variable, fact)`: it may give the variable that value; `None` stands for any value.
    pub(super) writes: Vec<(u32, Option<u32>)>,
}

/// Makes variables and facts of bits. Facts are numbered through all variables.
pub(super) struct Profiler<'t> {
    task: &'t Task,
    by_word: Vec<Vec<u32>>,
    /// The first fact of each variable, and the number of all.
    first: Vec<u32>,
    /// For each derived variable those that are not and that it depends on, ascending.
    bases: Vec<Option<Vec<u32>>>,
}

impl<'t> Profiler<'t> {
    /// `None` if there are more facts than can be numbered.
    pub(super) fn new(task: &'t Task) -> Option<Self> {
        let mut by_word = vec![Vec::new(); task.words];
        let mut first = vec![0_u32];
        let mut facts = 0_u32;
        for (variable, index) in task.variables.iter().zip(0..) {
            by_word[usize::from(variable.word)].push(index);
            facts = facts.checked_add(variable.size)?;
            first.push(facts);
        }
        let mut profiler = Self {
            task,
            by_word,
            first,
            bases: vec![None; task.variables.len()],
        };
        profiler.find_bases();
        Some(profiler)
    }

    /// The number of facts.
    pub(super) fn facts(&self) -> usize {
        self.first.last().map_or(0, |&facts| facts as usize)
    }

    /// The facts of a variable.
    pub(super) fn facts_of(&self, variable: u32) -> std::ops::Range<usize> {
        let index = variable as usize;
        self.first[index] as usize..self.first[index + 1] as usize
    }

    /// Lower layers know nothing of higher ones; within a layer bodies may depend on each other.
    fn find_bases(&mut self) {
        for layer in &self.task.axioms.layers {
            let mut bits = Bits::default();
            for (body, _) in &layer.rules {
                body.reads(&self.task.variables, &mut bits);
            }
            let own = |variable: &u32| layer.variables.iter().any(|own| own.0 == *variable);
            let mut read = self.variables(&bits);
            read.retain(|variable| !own(variable));
            for variable in &layer.variables {
                self.bases[variable.index()] = Some(read.clone());
            }
        }
    }

    /// The variables whose bits these are, ascending; for derived ones those that they depend on.
    fn variables(&self, bits: &Bits) -> Vec<u32> {
        let mut found = Vec::new();
        for (word, mask) in bits.masks() {
            for &index in &self.by_word[usize::from(word)] {
                let variable = &self.task.variables[index as usize];
                if variable.mask() & mask == 0 {
                    continue;
                }
                match &self.bases[index as usize] {
                    Some(bases) => found.extend(bases),
                    None => found.push(index),
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The variables that a condition depends on, ascending.
    pub(super) fn reads(&self, cond: &Cond) -> Vec<u32> {
        let mut bits = Bits::default();
        cond.reads(&self.task.variables, &mut bits);
        self.variables(&bits)
    }

    /// The parts of a condition.
    pub(super) fn needs(&self, cond: &Cond) -> Vec<Need> {
        let mut needs = Vec::new();
        let mut open = vec![cond];
        while let Some(cond) = open.pop() {
            match cond {
                Cond::True => {}
                Cond::And(conds) => open.extend(conds.iter().rev()),
                Cond::Fact(test) => self.add_test(*test, &mut needs),
                Cond::Facts(tests) => {
                    for &test in tests {
                        self.add_test(test, &mut needs);
                    }
                }
                other => needs.push(Need::Other {
                    cond: other.clone(),
                    reads: self.reads(other),
                }),
            }
        }
        needs
    }

    /// A test of several variables is one of each.
    fn add_test(&self, test: Test, needs: &mut Vec<Need>) {
        for &index in &self.by_word[usize::from(test.word)] {
            let variable = &self.task.variables[index as usize];
            let mask = variable.mask() & test.mask;
            if mask == 0 {
                continue;
            }
            let part = Test {
                word: test.word,
                mask,
                value: test.value & mask,
            };
            let value = part.value >> variable.shift;
            let is_fact = mask == variable.mask()
                && value < u64::from(variable.size)
                && self.bases[index as usize].is_none();
            needs.push(if is_fact {
                let fact = self.first[index as usize] + value as u32;
                Need::Fact { test: part, fact }
            } else {
                let cond = Cond::Fact(part);
                let reads = self.reads(&cond);
                Need::Other { cond, reads }
            });
        }
    }

    /// The variable that a fact belongs to.
    fn variable_of(&self, fact: u32) -> u32 {
        self.first.partition_point(|&first| first <= fact) as u32 - 1
    }

    pub(super) fn profile(&self, operator: &Operator) -> Profile {
        let mut needs = Vec::new();
        for &test in &operator.tests {
            self.add_test(test, &mut needs);
        }
        needs.append(&mut self.needs(&operator.guard));
        let mut bits = Bits::default();
        let mut writes = Vec::new();
        self.follow(&operator.effect, &mut bits, &mut writes);
        writes.sort_unstable();
        writes.dedup();
        let mut facts = Vec::new();
        let mut reads = self.variables(&bits);
        for need in &needs {
            match need {
                Need::Fact { fact, .. } => facts.push((self.variable_of(*fact), *fact)),
                Need::Other { reads: more, .. } => reads.extend(more),
            }
        }
        reads.sort_unstable();
        reads.dedup();
        Profile {
            needs,
            facts,
            reads,
            writes,
        }
    }

    fn add_write(&self, write: Write, writes: &mut Vec<(u32, Option<u32>)>) {
        for &index in &self.by_word[usize::from(write.word)] {
            let variable = &self.task.variables[index as usize];
            let mask = variable.mask();
            if mask & write.mask == 0 {
                continue;
            }
            let value = (write.value & mask) >> variable.shift;
            let is_whole = mask & write.mask == mask && value < u64::from(variable.size);
            let fact = is_whole.then(|| self.first[index as usize] + value as u32);
            writes.push((index, fact));
        }
    }

    /// Adds what an effect reads and may write.
    fn follow(&self, effect: &Effect, reads: &mut Bits, writes: &mut Vec<(u32, Option<u32>)>) {
        let variables = &self.task.variables;
        let read = |expr: &Expr, reads: &mut Bits| expr.reads(variables, reads);
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Total(..) => {}
            Effect::Write(write) => self.add_write(*write, writes),
            Effect::Clear(test, write) => {
                reads.add(test.word, test.mask);
                self.add_write(*write, writes);
            }
            Effect::Number(variable, expr) | Effect::Increase(variable, expr) => {
                read(expr, reads);
                writes.push((variable.0, None));
            }
            Effect::Copy(to, from, _) => {
                reads.variable(&variables[from.index()]);
                writes.push((to.0, None));
            }
            Effect::Enlist(entry) => {
                for place in entry.first.0..entry.first.0 + entry.places {
                    reads.variable(&variables[place as usize]);
                    writes.push((place, None));
                }
            }
            Effect::Cost(expr) => read(expr, reads),
            Effect::Block { effects, .. } | Effect::Seq(effects) => {
                for effect in effects {
                    self.follow(effect, reads, writes);
                }
            }
            Effect::Switch(variable, effects) => {
                reads.variable(&variables[variable.index()]);
                for effect in effects {
                    self.follow(effect, reads, writes);
                }
            }
            Effect::When(cond, effect) => {
                cond.reads(variables, reads);
                self.follow(effect, reads, writes);
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    cond.reads(variables, reads);
                    self.follow(effect, reads, writes);
                }
                self.follow(otherwise, reads, writes);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.cond.reads(variables, reads);
                    for key in &candidate.keys {
                        read(key, reads);
                    }
                    self.follow(&candidate.effect, reads, writes);
                }
                self.follow(otherwise, reads, writes);
            }
        }
    }
}
