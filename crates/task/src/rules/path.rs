//! The way into an effect: the conditions under which a part of it applies.

use std::collections::BTreeSet;

use super::formula::Formula;
use super::numbering::{FactId, Numbering};
use crate::{Fact, OperatorId, VarId};

/// The conditions under which a part of an effect applies.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The operator whose effect it is.
    pub(super) operator: Option<OperatorId>,
    /// True if other parts of its block have changed something: what it reads is older than what it changes.
    pub(super) is_behind: bool,
    /// The facts that have to hold, or have held.
    pub(super) needs: Vec<FactId>,
    /// Disjunctions that have to hold.
    pub(super) clauses: Vec<Formula>,
    /// Disjunctions that have held, before something of theirs may have changed.
    pub(super) settled: Vec<Formula>,
    /// The values that variables may have by then, ascending, where these are not all.
    domains: Vec<(VarId, Vec<u32>)>,
}

impl Path {
    /// A path with nothing required yet, on which the same is known.
    pub(super) fn knowing_the_same(&self) -> Self {
        Self {
            domains: self.domains.clone(),
            ..Self::default()
        }
    }

    /// The same without what is known of the variables of some facts, each by itself. Where such facts are
    /// [allowed](Self::allows), requiring them leads on from here as it does from the path itself, in less time.
    pub(super) fn without(&self, numbering: &Numbering, facts: &[FactId]) -> Self {
        let is_among = |variable| {
            let mut facts = facts.iter().filter_map(|&fact| numbering.of(fact));
            facts.any(|fact| fact.variable == variable)
        };
        let variable = |part: &Formula| match part {
            Formula::Fact(id) => numbering.of(*id).map(|fact| fact.variable),
            _ => None,
        };
        let is_decided = |clause: &Formula| match clause {
            Formula::Any(parts) => {
                let first = parts.first().and_then(variable);
                first.is_some_and(is_among) && parts.iter().all(|part| variable(part) == first)
            }
            _ => false,
        };
        let clauses = self.clauses.iter().filter(|clause| !is_decided(clause));
        Self {
            operator: self.operator,
            is_behind: self.is_behind,
            needs: self.needs.clone(),
            clauses: clauses.cloned().collect(),
            settled: self.settled.clone(),
            domains: (self.domains.iter())
                .filter(|(variable, _)| !is_among(*variable))
                .cloned()
                .collect(),
        }
    }

    /// Returns true if nothing is required.
    pub(super) const fn is_empty(&self) -> bool {
        self.needs.is_empty() && self.clauses.is_empty() && self.settled.is_empty()
    }

    fn domain(&self, variable: VarId) -> Option<&[u32]> {
        let mut domains = self.domains.iter();
        let found = domains.find(|&&(it, _)| it == variable);
        found.map(|(_, values)| &values[..])
    }

    /// The value of a variable, if it is known.
    pub(super) fn value(&self, variable: VarId) -> Option<u32> {
        match self.domain(variable) {
            Some(&[value]) => Some(value),
            _ => None,
        }
    }

    /// Returns true if a variable may have a value.
    pub(super) fn allows(&self, variable: VarId, value: u32) -> bool {
        let domain = self.domain(variable);
        domain.is_none_or(|values| values.binary_search(&value).is_ok())
    }

    /// A variable has one of these values from here on. Returns true if that is new, and `None` if it is
    /// impossible.
    fn restrict(&mut self, variable: VarId, values: &[u32]) -> Option<bool> {
        let mut domains = self.domains.iter_mut();
        let Some((_, domain)) = domains.find(|(it, _)| *it == variable) else {
            self.domains.push((variable, values.to_vec()));
            return Some(true);
        };
        let before = domain.len();
        domain.retain(|value| values.contains(value));
        (!domain.is_empty()).then_some(domain.len() < before)
    }

    /// Variables that may change from here on are no longer known; what was required of them has held.
    pub(super) fn forget(&mut self, changed: impl Fn(VarId) -> bool) {
        self.domains.retain(|&(variable, _)| !changed(variable));
        self.settled.append(&mut self.clauses);
    }

    /// Leads on to where a formula holds. Returns false if it holds nowhere there.
    pub(super) fn require(&mut self, numbering: &Numbering, formula: Formula) -> bool {
        let mut open = vec![formula];
        let mut is_narrowed = false;
        loop {
            while let Some(formula) = open.pop() {
                match formula {
                    Formula::True => {}
                    Formula::False => return false,
                    Formula::All(parts) => open.extend(parts),
                    Formula::Fact(id) => {
                        self.needs.push(id);
                        if let Some(Fact { variable, value }) = numbering.of(id) {
                            match self.restrict(variable, &[value]) {
                                Some(is_new) => is_narrowed |= is_new,
                                None => return false,
                            }
                        }
                    }
                    Formula::Any(parts) => {
                        if let Some((variable, values)) = values_of_one(numbering, &parts) {
                            match self.restrict(variable, &values) {
                                Some(is_new) => is_narrowed |= is_new,
                                None => return false,
                            }
                            if let Some(value) = self.value(variable) {
                                self.needs.push(numbering.fact(variable, value));
                            }
                        }
                        let clause = Formula::Any(parts);
                        if !self.clauses.contains(&clause) {
                            self.clauses.push(clause);
                        }
                    }
                }
            }
            if !std::mem::take(&mut is_narrowed) {
                return true;
            }
            for index in (0..self.clauses.len()).rev() {
                let simpler = self.simplified(numbering, &self.clauses[index]);
                if simpler != self.clauses[index] {
                    self.clauses.remove(index);
                    open.push(simpler);
                }
            }
            if open.is_empty() {
                return true;
            }
        }
    }

    /// A formula under what is known of variables.
    pub(super) fn simplified(&self, numbering: &Numbering, formula: &Formula) -> Formula {
        match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::Fact(id) => match numbering.of(*id) {
                Some(Fact { variable, value }) if !self.allows(variable, value) => Formula::False,
                Some(fact) if self.value(fact.variable).is_some() => Formula::True,
                _ => formula.clone(),
            },
            Formula::All(parts) => {
                Formula::all(parts.iter().map(|part| self.simplified(numbering, part)))
            }
            Formula::Any(parts) => {
                Formula::any(parts.iter().map(|part| self.simplified(numbering, part)))
            }
        }
    }
}

/// The values of a variable, where all parts of a disjunction are such.
fn values_of_one(numbering: &Numbering, parts: &[Formula]) -> Option<(VarId, Vec<u32>)> {
    let mut values = BTreeSet::new();
    let mut variable = None;
    for part in parts {
        let Formula::Fact(id) = part else {
            return None;
        };
        let fact = numbering.of(*id)?;
        if *variable.get_or_insert(fact.variable) != fact.variable {
            return None;
        }
        values.insert(fact.value);
    }
    Some((variable?, values.into_iter().collect()))
}
