//! Collects the rules of a task.

use std::collections::{BTreeMap, HashMap};

use super::formula::Formula;
use super::numbering::{FactId, Numbering};
use super::path::Path;
use super::reader::{Reader, joined};
use super::rule::{Charge, Moment, Rule, Rules};
use crate::cond::Cond;
use crate::{OperatorId, Task};

/// More rules than this are not made.
const MOST_RULES: usize = 4_000_000;

/// The rules of a task while they are collected.
pub(super) struct Writer<'t> {
    pub(super) task: &'t Task,
    pub(super) numbering: Numbering,
    pub(super) reader: Reader<'t>,
    pub(super) rules: Vec<Rule>,
    /// Auxiliary facts by the disjunction that they stand for.
    choices: HashMap<Vec<Formula>, FactId>,
    /// Auxiliary facts of changes of the cost, by the facts on which they depend and the amount.
    charges: BTreeMap<(Vec<FactId>, i64), FactId>,
    pub(super) loose: Vec<bool>,
    stop: &'t dyn Fn() -> bool,
    /// True if there are too many rules, or it was stopped.
    is_over: bool,
}

impl<'t> Writer<'t> {
    pub(super) fn new(task: &'t Task, stop: &'t dyn Fn() -> bool) -> Self {
        Self {
            task,
            numbering: Numbering::new(&task.variables),
            reader: Reader::new(task),
            rules: Vec::new(),
            choices: HashMap::new(),
            charges: BTreeMap::new(),
            loose: Vec::new(),
            stop,
            is_over: false,
        }
    }

    /// Returns true if nothing more is to be collected. Asked for each operator, event and timer.
    pub(super) fn is_over(&mut self) -> bool {
        self.is_over |= (self.stop)();
        self.is_over
    }

    /// A new auxiliary fact.
    pub(super) const fn fresh(&mut self) -> FactId {
        self.numbering.fresh()
    }

    /// Adds a rule, unless it adds what it needs.
    pub(super) fn rule(
        &mut self,
        needs: &[FactId],
        adds: FactId,
        moment: Moment,
        operator: Option<OperatorId>,
    ) {
        if needs.contains(&adds) {
            return;
        }
        if self.rules.len() >= MOST_RULES {
            self.is_over = true;
        }
        if self.is_over {
            return;
        }
        let mut needs = needs.to_vec();
        needs.sort_unstable();
        needs.dedup();
        self.rules.push(Rule {
            adds,
            needs: needs.into(),
            moment,
            operator,
        });
    }

    /// Leads a path on to where a condition, or its negation, holds. Returns false if it holds nowhere there.
    pub(super) fn require(&mut self, path: &mut Path, cond: &Cond, holds: bool) -> bool {
        let formula = self.reader.read(&self.numbering, path, cond, holds);
        path.require(&self.numbering, formula)
    }

    /// The facts that a path needs; those that stand for its disjunctions last.
    pub(super) fn needs(&mut self, path: &Path) -> Vec<FactId> {
        let mut needs = path.needs.clone();
        for clause in joined(&self.numbering, self.task, path, &path.clauses) {
            self.needs_of(&clause, &mut needs);
        }
        for clause in &path.settled {
            self.needs_of(clause, &mut needs);
        }
        needs
    }

    /// The fact that one of several formulas holds.
    pub(super) fn choice(&mut self, parts: Vec<Formula>) -> FactId {
        if let Some(&fact) = self.choices.get(&parts) {
            return fact;
        }
        let fact = self.fresh();
        for part in &parts {
            let mut needs = Vec::new();
            self.needs_of(part, &mut needs);
            self.rule(&needs, fact, Moment::AtOnce, None);
        }
        self.choices.insert(parts, fact);
        fact
    }

    /// The facts that a formula needs; it is not false.
    pub(super) fn needs_of(&mut self, formula: &Formula, needs: &mut Vec<FactId>) {
        match formula {
            Formula::True | Formula::False => {}
            Formula::Fact(fact) => needs.push(*fact),
            Formula::All(parts) => parts.iter().for_each(|part| self.needs_of(part, needs)),
            Formula::Any(parts) => needs.push(self.choice(parts.clone())),
        }
    }

    /// The fact that the cost changes by an amount under such conditions. What depends on the same
    /// variables is the same charge.
    pub(super) fn charge(&mut self, needs: &[FactId], amount: i64) -> FactId {
        let mut on: Vec<FactId> = (needs.iter())
            .map(|&fact| {
                let fact_of_variable = self.numbering.of(fact);
                fact_of_variable.map_or(fact, |it| self.numbering.fact(it.variable, 0))
            })
            .collect();
        on.sort_unstable();
        on.dedup();
        if let Some(&fact) = self.charges.get(&(on.clone(), amount)) {
            return fact;
        }
        let fact = self.fresh();
        self.charges.insert((on, amount), fact);
        fact
    }

    /// The fact that a condition holds.
    pub(super) fn goal(&mut self, goal: &Cond) -> FactId {
        let fact = self.fresh();
        let mut path = Path::default();
        if self.require(&mut path, goal, true) {
            let needs = self.needs(&path);
            self.rule(&needs, fact, Moment::AtOnce, None);
        }
        fact
    }

    /// The rules of derived variables.
    ///
    /// A variable is false where none of its bodies holds. Those of one layer may wait for each other to be
    /// false, and all are false at first: so none needs that others of its layer are.
    pub(super) fn axioms(&mut self) {
        for layer in &self.task.axioms.layers {
            let mut bodies: BTreeMap<_, Vec<&Cond>> = BTreeMap::new();
            for (body, head) in &layer.rules {
                bodies.entry(*head).or_default().push(body);
                let mut path = Path::default();
                if self.require(&mut path, body, true) {
                    let head = self.numbering.fact(*head, 1);
                    let needs = self.needs(&path);
                    self.rule(&needs, head, Moment::AtOnce, None);
                }
            }
            self.reader.free = layer.variables.iter().copied().collect();
            for &variable in &layer.variables {
                let mut path = Path::default();
                let bodies = bodies.remove(&variable).unwrap_or_default();
                if (bodies.into_iter()).all(|body| self.require(&mut path, body, false)) {
                    let never = self.numbering.fact(variable, 0);
                    let needs = self.needs(&path);
                    self.rule(&needs, never, Moment::AtOnce, None);
                }
            }
            self.reader.free.clear();
        }
    }

    pub(super) fn finish(mut self, choices: u32, goal: Option<FactId>) -> Option<Rules> {
        if self.is_over {
            return None;
        }
        let charges: Vec<Charge> = (self.charges.iter())
            .map(|(&(_, amount), &fact)| Charge { fact, amount })
            .collect();
        self.rules.sort_unstable();
        self.rules.dedup();
        Some(Rules {
            numbering: self.numbering,
            all: self.rules,
            phases: self.loose.len() as u32,
            choices,
            loose: self.loose,
            goal,
            charges,
        })
    }
}
