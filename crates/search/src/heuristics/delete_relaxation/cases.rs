//! Cases: a rule for each value of a variable that time alone changes.
//!
//! A condition that is large is an auxiliary fact of its own. Where a rule needs several of them, the delete
//! relaxation may take one value of a variable for the one, and another for the other: a dish that is not ordered yet
//! has no parts, so it may be served with an empty plate once it is ordered. Where no operator changes the variable,
//! its values are few, and each is a case with conditions of its own, in which what the rule needs is plain.

use std::collections::{BTreeMap, BTreeSet};

use brigade_task::layout::VariableKind;
use brigade_task::rules::{FactId, Moment, Numbering, Rule, Rules};
use brigade_task::{PackedTask, VarId};

/// A rule with more cases stays as it is.
const MOST_CASES: usize = 64;

/// Values of variables.
type Values = BTreeMap<VarId, FactId>;

/// The rest of a condition.
#[derive(Clone)]
enum Rest {
    Never,
    /// All of these facts hold; none where the condition is true.
    All(Vec<FactId>),
}

/// The conditions of auxiliary facts and axioms, as far as they are known in some cases.
struct Conditions {
    numbering: Numbering,
    /// For each fact that follows from others at once, and from nothing else, what it follows from.
    bodies: BTreeMap<FactId, Vec<Box<[FactId]>>>,
    /// The variables that such a fact depends on.
    reads: BTreeMap<FactId, BTreeSet<VarId>>,
    known: BTreeMap<(FactId, Values), Rest>,
    /// Rules of further auxiliary facts.
    more: Vec<Rule>,
}

/// The same rules, with one for each case of a variable that no operator changes and that several conditions of a rule
/// are about; for a goal alone, as totals were not measured.
pub(crate) fn by_cases(mut rules: Rules, task: &PackedTask) -> Rules {
    let values = values_of_time(&rules, task);
    if rules.goal.is_none() || values.is_empty() {
        return rules;
    }
    let mut conditions = Conditions::new(&rules);
    let mut all = Vec::with_capacity(rules.all.len());
    for rule in std::mem::take(&mut rules.all) {
        match conditions.cases(&rule, &values) {
            Some(cases) => all.extend(cases),
            None => all.push(rule),
        }
    }
    all.append(&mut conditions.more);
    all.sort_unstable();
    all.dedup();
    rules.numbering = conditions.numbering;
    rules.all = all;
    rules
}

/// For each variable that some rules change, but no operator, the values that it may have.
fn values_of_time(rules: &Rules, task: &PackedTask) -> BTreeMap<VarId, BTreeSet<FactId>> {
    let mut values: BTreeMap<VarId, BTreeSet<FactId>> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for rule in &rules.all {
        let Some(fact) = rules.numbering.of(rule.adds) else {
            continue;
        };
        if rule.operator.is_some() || rule.moment == Moment::AtOnce {
            others.insert(fact.variable);
        }
        values.entry(fact.variable).or_default().insert(rule.adds);
    }
    values.retain(|variable, values| {
        let layout = &task.variables[variable.index()];
        let first = layout.get(&task.initial);
        values.insert(rules.numbering.fact(*variable, first));
        let is_plain = !matches!(layout.kind, VariableKind::Derived | VariableKind::Clock);
        is_plain && !others.contains(variable) && values.len() <= MOST_CASES
    });
    values
}

impl Conditions {
    fn new(rules: &Rules) -> Self {
        let mut bodies: BTreeMap<FactId, Vec<Box<[FactId]>>> = BTreeMap::new();
        let mut others = BTreeSet::new();
        for rule in &rules.all {
            if rule.moment == Moment::AtOnce {
                let bodies = bodies.entry(rule.adds).or_default();
                bodies.push(rule.needs.clone());
            } else {
                others.insert(rule.adds);
            }
        }
        bodies.retain(|fact, _| !others.contains(fact));
        let mut conditions = Self {
            numbering: rules.numbering.clone(),
            bodies,
            reads: BTreeMap::new(),
            known: BTreeMap::new(),
            more: Vec::new(),
        };
        let facts: Vec<FactId> = conditions.bodies.keys().copied().collect();
        for fact in facts {
            if conditions.read(fact, &mut Vec::new()).is_none() {
                // It depends on itself.
                conditions.bodies.remove(&fact);
            }
        }
        conditions
    }

    /// The variables that a fact depends on; `None` if it depends on itself or on one of these.
    fn read(&mut self, fact: FactId, path: &mut Vec<FactId>) -> Option<BTreeSet<VarId>> {
        if let Some(known) = self.reads.get(&fact) {
            return Some(known.clone());
        }
        let Some(bodies) = self.bodies.get(&fact).cloned() else {
            let found = self.numbering.of(fact);
            return Some(found.map(|fact| fact.variable).into_iter().collect());
        };
        if path.contains(&fact) {
            return None;
        }
        path.push(fact);
        let mut reads = BTreeSet::new();
        for &need in bodies.iter().flatten() {
            reads.append(&mut self.read(need, path)?);
        }
        path.pop();
        self.reads.insert(fact, reads.clone());
        Some(reads)
    }

    /// The cases of a rule; `None` if it has none.
    fn cases(
        &mut self,
        rule: &Rule,
        values: &BTreeMap<VarId, BTreeSet<FactId>>,
    ) -> Option<Vec<Rule>> {
        if rule.moment == Moment::AtOnce {
            return None;
        }
        let mut counts: BTreeMap<VarId, usize> = BTreeMap::new();
        let mut has_condition = false;
        for &need in &rule.needs {
            let reads = self.read(need, &mut Vec::new())?;
            has_condition |= self.bodies.contains_key(&need);
            for variable in reads.into_iter().filter(|it| values.contains_key(it)) {
                *counts.entry(variable).or_default() += 1;
            }
        }
        counts.retain(|_, count| *count > 1);
        let most = counts.keys().map(|variable| values[variable].len());
        if !has_condition || counts.is_empty() || most.product::<usize>() > MOST_CASES {
            return None;
        }
        let mut cases = vec![Values::new()];
        for variable in counts.keys() {
            cases = (cases.iter())
                .flat_map(|case| {
                    values[variable].iter().map(move |&value| {
                        let mut case = case.clone();
                        case.insert(*variable, value);
                        case
                    })
                })
                .collect();
        }
        let rules = cases.into_iter().filter_map(|case| {
            let needs = self.needs(&rule.needs, case)?;
            Some(Rule {
                needs: needs.into(),
                ..rule.clone()
            })
        });
        Some(rules.collect())
    }

    /// The needs of a rule in a case; `None` if it cannot fire there. What it plainly needs decides its other
    /// conditions.
    fn needs(&mut self, needs: &[FactId], mut case: Values) -> Option<Vec<FactId>> {
        let mut needs: BTreeSet<FactId> = needs.iter().chain(case.values()).copied().collect();
        loop {
            for &need in &needs {
                if !self.bodies.contains_key(&need)
                    && let Some(fact) = self.numbering.of(need)
                    && *case.entry(fact.variable).or_insert(need) != need
                {
                    return None;
                }
            }
            let mut left = BTreeSet::new();
            for &need in &needs {
                if self.bodies.contains_key(&need) {
                    match self.rest(need, &case) {
                        Rest::Never => return None,
                        Rest::All(facts) => left.extend(facts),
                    }
                } else {
                    left.insert(need);
                }
            }
            if left == needs {
                return Some(needs.into_iter().collect());
            }
            needs = left;
        }
    }

    /// The rest of a fact where variables have these values.
    fn rest(&mut self, fact: FactId, case: &Values) -> Rest {
        let Some(bodies) = self.bodies.get(&fact).cloned() else {
            let variable = self.numbering.of(fact).map(|fact| fact.variable);
            return match variable.and_then(|variable| case.get(&variable)) {
                Some(&value) if value == fact => Rest::All(Vec::new()),
                Some(_) => Rest::Never,
                None => Rest::All(vec![fact]),
            };
        };
        let Some(reads) = self.reads.get(&fact) else {
            return Rest::All(vec![fact]);
        };
        let case: Values = (case.iter())
            .filter(|(variable, _)| reads.contains(variable))
            .map(|(&variable, &value)| (variable, value))
            .collect();
        if case.is_empty() {
            return Rest::All(vec![fact]);
        }
        let key = (fact, case);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut open: BTreeSet<Vec<FactId>> = BTreeSet::new();
        for body in bodies {
            let mut left = BTreeSet::new();
            let is_possible = body.iter().all(|&need| match self.rest(need, &key.1) {
                Rest::Never => false,
                Rest::All(facts) => {
                    left.extend(facts);
                    true
                }
            });
            if is_possible {
                open.insert(left.into_iter().collect());
            }
        }
        let rest = if open.is_empty() {
            Rest::Never
        } else if open.contains(&Vec::new()) {
            Rest::All(Vec::new())
        } else if open.len() == 1 {
            Rest::All(open.into_iter().flatten().collect())
        } else {
            let adds = self.numbering.fresh();
            let reads = self.reads[&fact].iter().copied();
            let open_reads = reads.filter(|variable| !key.1.contains_key(variable));
            self.reads.insert(adds, open_reads.collect());
            self.bodies
                .insert(adds, open.iter().map(|needs| needs[..].into()).collect());
            self.more.extend(open.into_iter().map(|needs| Rule {
                adds,
                needs: needs.into(),
                moment: Moment::AtOnce,
                operator: None,
            }));
            Rest::All(vec![adds])
        };
        self.known.insert(key, rest.clone());
        rest
    }
}
