//! Conditions in negation normal form over numbered facts, under the values that are known.

use std::collections::{BTreeMap, BTreeSet};

use super::formula::Formula;
use super::numbering::{FactId, Numbering};
use super::path::Path;
use crate::cond::{Cond, Expr};
use crate::state::{State, StateBuf};
use crate::{Fact, Task, VarId};

/// Comparisons of numbers are flattened over as many combinations of values.
const MOST_COMBINATIONS: u64 = 1 << 14;
/// Formulas are joined where their variables have no more combinations of values.
const MOST_JOINED: usize = 512;

/// The same conjunction, where formulas on the same variables are one: alternatives of values that go together.
/// So `(not (and a b))` for each of many pairs says which pairs are left.
pub(super) fn joined(
    numbering: &Numbering,
    task: &Task,
    path: &Path,
    formulas: &[Formula],
) -> Vec<Formula> {
    let mut groups: Vec<(BTreeSet<VarId>, Vec<Formula>)> = Vec::new();
    for formula in formulas {
        let mut variables = BTreeSet::new();
        formula.variables(numbering, &mut variables);
        let fits = |(others, _): &&mut (BTreeSet<VarId>, Vec<Formula>)| {
            others.is_superset(&variables) || others.is_subset(&variables)
        };
        match groups.iter_mut().find(fits) {
            Some((others, group)) => {
                others.extend(variables);
                group.push(formula.clone());
            }
            None => groups.push((variables, vec![formula.clone()])),
        }
    }
    let mut joined = Vec::new();
    for (variables, group) in groups {
        let values = |variable: VarId| {
            let size = task.variables[variable.index()].size;
            (0..size).filter(move |&value| path.allows(variable, value))
        };
        let counts = variables.iter().map(|&variable| values(variable).count());
        let combinations = counts.fold(1, usize::saturating_mul);
        if group.len() == 1 || combinations > MOST_JOINED {
            joined.extend(group);
            continue;
        }
        let open: Vec<(VarId, Vec<u32>)> = (variables.into_iter())
            .map(|variable| (variable, values(variable).collect()))
            .collect();
        let all = Formula::All(group);
        joined.push(alternatives(numbering, &open, &mut BTreeMap::new(), &all));
    }
    joined
}

/// The combinations of values for which a formula holds, as a decision tree.
fn alternatives(
    numbering: &Numbering,
    open: &[(VarId, Vec<u32>)],
    chosen: &mut BTreeMap<VarId, u32>,
    formula: &Formula,
) -> Formula {
    let Some(((variable, values), rest)) = open.split_first() else {
        return if formula.holds(numbering, chosen) {
            Formula::True
        } else {
            Formula::False
        };
    };
    let mut arms = Arms::default();
    for &value in values {
        chosen.insert(*variable, value);
        let below = alternatives(numbering, rest, chosen, formula);
        arms.add(below, numbering.fact(*variable, value));
    }
    arms.formula()
}

/// The arms of a node of a decision tree, by what they lead to.
#[derive(Default)]
struct Arms(Vec<(Formula, Vec<Formula>)>);

impl Arms {
    fn add(&mut self, below: Formula, fact: FactId) {
        let fact = Formula::Fact(fact);
        match self.0.iter_mut().find(|(formula, _)| *formula == below) {
            Some((_, facts)) => facts.push(fact),
            None => self.0.push((below, vec![fact])),
        }
    }

    /// Where all lead to the same, no value matters.
    fn formula(mut self) -> Formula {
        if self.0.len() == 1 {
            return self.0.remove(0).0;
        }
        let arms = self.0.into_iter();
        Formula::any(arms.map(|(below, facts)| Formula::all([Formula::any(facts), below])))
    }
}

/// Makes formulas of conditions.
pub(super) struct Reader<'t> {
    task: &'t Task,
    /// A state to evaluate comparisons in.
    scratch: StateBuf,
    /// Variables any value of which counts as possible: those that one layer of axioms derives together.
    pub(super) free: BTreeSet<VarId>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(task: &'t Task) -> Self {
        Self {
            task,
            scratch: task.initial.clone(),
            free: BTreeSet::new(),
        }
    }

    /// The formula of a condition, or of its negation, under what a path knows.
    pub(super) fn read(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        cond: &Cond,
        holds: bool,
    ) -> Formula {
        match cond {
            Cond::True if holds => Formula::True,
            Cond::False if !holds => Formula::True,
            Cond::True | Cond::False => Formula::False,
            Cond::Fact(fact) => self.fact(numbering, path, *fact, holds),
            Cond::Facts(facts) => {
                let parts: Vec<Formula> = (facts.iter())
                    .map(|&fact| self.fact(numbering, path, fact, holds))
                    .collect();
                if holds {
                    Formula::all(parts)
                } else {
                    Formula::any(parts)
                }
            }
            Cond::Not(cond) => self.read(numbering, path, cond, !holds),
            Cond::And(conds) if holds => self.conjunction(numbering, path, conds, true),
            Cond::Or(conds) if !holds => self.conjunction(numbering, path, conds, false),
            Cond::And(conds) | Cond::Or(conds) => {
                let parts = conds.iter();
                let parts = parts.map(|cond| self.read(numbering, path, cond, holds));
                Formula::any(parts.collect::<Vec<_>>())
            }
            Cond::Compare(..) | Cond::Same(..) => self.by_cases(numbering, path, cond, holds),
        }
    }

    fn fact(&self, numbering: &Numbering, path: &Path, fact: Fact, holds: bool) -> Formula {
        let Fact { variable, value } = fact;
        if self.free.contains(&variable) {
            return Formula::True;
        }
        if !path.allows(variable, value) {
            return if holds { Formula::False } else { Formula::True };
        }
        if path.value(variable).is_some() {
            return if holds { Formula::True } else { Formula::False };
        }
        if holds {
            return Formula::Fact(numbering.fact(variable, value));
        }
        let size = self.task.variables[variable.index()].size;
        let others = (0..size).filter(|&other| other != value && path.allows(variable, other));
        Formula::any(others.map(|other| Formula::Fact(numbering.fact(variable, other))))
    }

    /// All of some conditions: what the facts among them determine is known to the others.
    fn conjunction(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        conds: &[Cond],
        holds: bool,
    ) -> Formula {
        let mut all = path.knowing_the_same();
        for cond in conds {
            let formula = self.read(numbering, &all, cond, holds);
            if !all.require(numbering, formula) {
                return Formula::False;
            }
        }
        let facts = all.needs.into_iter().map(Formula::Fact);
        Formula::all(facts.chain(all.clauses))
    }

    /// A condition on numbers or equal values, by the values of the variables that it reads.
    fn by_cases(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        cond: &Cond,
        holds: bool,
    ) -> Formula {
        let mut read = BTreeSet::new();
        cond.each_read(&mut |part| {
            read.insert(part.variable());
        });
        let Some(open) = self.open(path, read) else {
            return Formula::True;
        };
        let task = self.task;
        self.decide(numbering, path, &open, &mut |scratch| {
            if cond.holds(&task.variables, scratch) == holds {
                Formula::True
            } else {
                Formula::False
            }
        })
    }

    /// Sets the variables that are known, and gives the others; `None` if these have too many combinations,
    /// or one of them counts as free.
    fn open(&mut self, path: &Path, read: BTreeSet<VarId>) -> Option<Vec<VarId>> {
        if !read.is_disjoint(&self.free) {
            return None;
        }
        let mut open = Vec::new();
        let mut combinations = 1_u64;
        for variable in read {
            let place = &self.task.variables[variable.index()];
            if let Some(value) = path.value(variable) {
                place.set(&mut self.scratch, value);
            } else {
                combinations = combinations.saturating_mul(place.size.into());
                open.push(variable);
            }
        }
        (combinations <= MOST_COMBINATIONS).then_some(open)
    }

    /// A decision tree over variables; values that lead to the same are joined.
    fn decide(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        open: &[VarId],
        leaf: &mut dyn FnMut(&State) -> Formula,
    ) -> Formula {
        let Some((&variable, rest)) = open.split_first() else {
            return leaf(&self.scratch);
        };
        let place = &self.task.variables[variable.index()];
        let mut arms = Arms::default();
        for value in (0..place.size).filter(|&value| path.allows(variable, value)) {
            place.set(&mut self.scratch, value);
            let below = self.decide(numbering, path, rest, leaf);
            arms.add(below, numbering.fact(variable, value));
        }
        arms.formula()
    }

    /// Visits each combination of values of what expressions and `also` read: the facts that are not known,
    /// and a state with all of them. Returns false if there are too many.
    pub(super) fn each_combination(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        expr: &Expr,
        also: Option<VarId>,
        visit: &mut dyn FnMut(&[FactId], &State),
    ) -> bool {
        let mut read: BTreeSet<VarId> = also.into_iter().collect();
        expr.each_read(&mut |part| {
            read.insert(part.variable());
        });
        let Some(open) = self.open(path, read) else {
            return false;
        };
        let mut facts = Vec::with_capacity(open.len());
        self.combine(numbering, path, &open, &mut facts, visit);
        true
    }

    fn combine(
        &mut self,
        numbering: &Numbering,
        path: &Path,
        open: &[VarId],
        facts: &mut Vec<FactId>,
        visit: &mut dyn FnMut(&[FactId], &State),
    ) {
        let Some((&variable, rest)) = open.split_first() else {
            visit(facts, &self.scratch);
            return;
        };
        let place = &self.task.variables[variable.index()];
        for value in (0..place.size).filter(|&value| path.allows(variable, value)) {
            place.set(&mut self.scratch, value);
            facts.push(numbering.fact(variable, value));
            self.combine(numbering, path, rest, facts, visit);
            facts.pop();
        }
    }
}
