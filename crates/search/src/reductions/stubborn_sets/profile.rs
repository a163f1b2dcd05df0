//! Profiles of operators: what they need, read and write, as facts and variables.

use std::collections::BTreeSet;

use brigade_task::cond::{Cond, Expr};
use brigade_task::effect::Effect;
use brigade_task::pack::Packer;
use brigade_task::{Fact, Masked, Operator, PackedTask, State, Task, VarId};

/// A part of a condition, all parts of which must hold.
pub(super) enum Need {
    /// A variable, not a derived one, has a value.
    Fact { test: Masked, fact: u32 },
    /// Anything else, with the variables it depends on.
    Other { cond: Cond<Masked>, reads: Vec<u32> },
}

impl Need {
    pub(super) fn holds(&self, task: &PackedTask, state: &State) -> bool {
        match self {
            Self::Fact { test, .. } => test.matches(state),
            Self::Other { cond, .. } => cond.holds(&task.variables, state),
        }
    }
}

/// The variables and facts that an operator depends on and may change.
pub(super) struct Profile {
    pub(super) needs: Vec<Need>,
    /// The facts of [`Need::Fact`], as `(variable, fact)`.
    pub(super) facts: Vec<(u32, u32)>,
    /// All other variables that its precondition or its effect depends on, ascending.
    pub(super) reads: Vec<u32>,
    /// `(variable, fact)`: it may give the variable that value; `None` stands for any value.
    pub(super) writes: Vec<(u32, Option<u32>)>,
}

/// Variables that are looked at.
type Reads = BTreeSet<VarId>;

/// Finds what operators read and write. Facts are numbered through all variables.
pub(super) struct Profiler<'t> {
    task: &'t Task,
    /// The first fact of each variable, and the number of all.
    first: Vec<u32>,
    /// For each derived variable those that are not and that it depends on, ascending.
    bases: Vec<Option<Vec<u32>>>,
}

impl<'t> Profiler<'t> {
    /// `None` if there are more facts than can be numbered.
    pub(super) fn new(task: &'t Task) -> Option<Self> {
        let mut first = vec![0_u32];
        let mut facts = 0_u32;
        for variable in &task.variables {
            facts = facts.checked_add(variable.size)?;
            first.push(facts);
        }
        let mut profiler = Self {
            task,
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
            let mut reads = Reads::new();
            for (body, _) in &layer.rules {
                see(body, &mut reads);
            }
            let own = |variable: &u32| layer.variables.iter().any(|own| own.0 == *variable);
            let mut read = self.variables(&reads);
            read.retain(|variable| !own(variable));
            for variable in &layer.variables {
                self.bases[variable.index()] = Some(read.clone());
            }
        }
    }

    /// These variables, ascending; for derived ones those that they depend on.
    fn variables(&self, reads: &Reads) -> Vec<u32> {
        let mut found = Vec::new();
        for id in reads {
            match &self.bases[id.index()] {
                Some(bases) => found.extend(bases),
                None => found.push(id.0),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The variables that a condition depends on, ascending.
    pub(super) fn reads(&self, cond: &Cond) -> Vec<u32> {
        let mut reads = Reads::new();
        see(cond, &mut reads);
        self.variables(&reads)
    }

    /// The parts of a condition.
    pub(super) fn needs(&self, cond: &Cond) -> Vec<Need> {
        let mut needs = Vec::new();
        let mut open = vec![cond];
        while let Some(cond) = open.pop() {
            match cond {
                Cond::True => {}
                Cond::And(conds) => open.extend(conds.iter().rev()),
                Cond::Fact(fact) => needs.push(self.need(*fact)),
                Cond::Facts(facts) => needs.extend(facts.iter().map(|&fact| self.need(fact))),
                other => needs.push(Need::Other {
                    cond: Packer(&self.task.variables).cond(other),
                    reads: self.reads(other),
                }),
            }
        }
        needs
    }

    fn need(&self, fact: Fact) -> Need {
        let test = Masked::new(&self.task.variables, fact);
        if self.bases[fact.variable.index()].is_none() {
            let fact = self.number(fact);
            return Need::Fact { test, fact };
        }
        let reads = self.variables(&Reads::from([fact.variable]));
        let cond = Cond::Fact(test);
        Need::Other { cond, reads }
    }

    fn number(&self, fact: Fact) -> u32 {
        self.first[fact.variable.index()] + fact.value
    }

    /// The variable that a fact belongs to.
    fn variable_of(&self, fact: u32) -> u32 {
        self.first.partition_point(|&first| first <= fact) as u32 - 1
    }

    pub(super) fn profile(&self, operator: &Operator) -> Profile {
        let facts = operator.facts.iter();
        let mut needs: Vec<Need> = facts.map(|&fact| self.need(fact)).collect();
        needs.append(&mut self.needs(&operator.guard));
        let mut reads = Reads::new();
        let mut writes = Vec::new();
        self.follow(&operator.effect, &mut reads, &mut writes);
        writes.sort_unstable();
        writes.dedup();
        let mut facts = Vec::new();
        let mut reads = self.variables(&reads);
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

    fn add_write(&self, fact: Fact, writes: &mut Vec<(u32, Option<u32>)>) {
        writes.push((fact.variable.0, Some(self.number(fact))));
    }

    /// Adds what an effect reads and may write.
    fn follow(&self, effect: &Effect, reads: &mut Reads, writes: &mut Vec<(u32, Option<u32>)>) {
        let read = |expr: &Expr, reads: &mut Reads| {
            expr.each_read(&mut |read| {
                reads.insert(read.variable());
            });
        };
        match effect {
            Effect::Nothing | Effect::Log(_) | Effect::Total(..) => {}
            Effect::Set(fact) => self.add_write(*fact, writes),
            Effect::Clear(fact, other) => {
                reads.insert(fact.variable);
                self.add_write(*other, writes);
            }
            Effect::Number(variable, expr) | Effect::Increase(variable, expr) => {
                read(expr, reads);
                writes.push((variable.0, None));
            }
            Effect::Copy(to, from, _) => {
                reads.insert(*from);
                writes.push((to.0, None));
            }
            Effect::Enlist(entry) => {
                for place in entry.first.0..entry.first.0 + entry.places {
                    reads.insert(VarId(place));
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
                reads.insert(*variable);
                for effect in effects {
                    self.follow(effect, reads, writes);
                }
            }
            Effect::When(cond, effect) => {
                see(cond, reads);
                self.follow(effect, reads, writes);
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    see(cond, reads);
                    self.follow(effect, reads, writes);
                }
                self.follow(otherwise, reads, writes);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    see(&candidate.cond, reads);
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

/// Adds the variables that a condition looks at.
fn see(cond: &Cond, reads: &mut Reads) {
    cond.each_read(&mut |read| {
        reads.insert(read.variable());
    });
}
