//! Traps: what a goal needs from the start on, and nothing brings back once it is lost.
//!
//! The delete relaxation does not see that an operator takes such a fact away. So where a branch of an operator does,
//! the other branches need that it does not apply: a run to the goal never goes there.

use std::collections::{BTreeMap, BTreeSet};

use brigade_task::rules::{FactId, Moment, Numbering, Rule, Rules};
use brigade_task::{OperatorId, PackedTask};

/// Conjunctions of more clauses than this count as true.
const MOST_CLAUSES: usize = 400;

/// One of these facts holds.
type Clause = BTreeSet<FactId>;

/// The achievers of each fact that stands for a disjunction or follows from an axiom.
struct Definitions<'r> {
    numbering: &'r Numbering,
    bodies: BTreeMap<FactId, Vec<&'r [FactId]>>,
}

/// The same rules, of which operators need that they lose nothing for good that the goal needs.
pub(crate) fn without_traps(mut rules: Rules, task: &PackedTask) -> Rules {
    let traps = traps(&rules, task);
    let mut branches: BTreeMap<OperatorId, Vec<&Rule>> = BTreeMap::new();
    for rule in rules.all.iter().filter(|rule| traps.contains(&rule.adds)) {
        if let Some(operator) = rule.operator {
            branches.entry(operator).or_default().push(rule);
        }
    }
    if branches.is_empty() {
        return rules;
    }
    let mut own: BTreeMap<OperatorId, Vec<FactId>> = BTreeMap::new();
    for rule in &rules.all {
        let Some(operator) = rule.operator.filter(|it| branches.contains_key(it)) else {
            continue;
        };
        let common = own.entry(operator).or_insert_with(|| rule.needs.to_vec());
        common.retain(|fact| rule.needs.contains(fact));
    }
    let definitions = Definitions::new(&rules);
    let mut asked = BTreeMap::new();
    for (operator, branches) in &branches {
        let known = definitions.implied(&own[operator]);
        let clauses = branches
            .iter()
            .flat_map(|rule| definitions.unless(&rule.needs));
        let clauses = definitions.under(&known, clauses.collect());
        asked.insert(*operator, definitions.joined(clauses));
    }
    let mut choices: BTreeMap<Vec<FactId>, FactId> = BTreeMap::new();
    let mut all = Vec::with_capacity(rules.all.len());
    for mut rule in std::mem::take(&mut rules.all) {
        if let Some(clauses) = rule.operator.and_then(|operator| asked.get(&operator)) {
            if traps.contains(&rule.adds) || clauses.iter().any(BTreeSet::is_empty) {
                continue;
            }
            let mut needs = rule.needs.to_vec();
            for clause in clauses {
                let clause: Vec<FactId> = clause.iter().copied().collect();
                needs.push(match *clause {
                    [fact] => fact,
                    _ => *choices
                        .entry(clause)
                        .or_insert_with(|| rules.numbering.fresh()),
                });
            }
            needs.sort_unstable();
            needs.dedup();
            rule.needs = needs.into();
        }
        all.push(rule);
    }
    for (clause, adds) in choices {
        all.extend(clause.into_iter().map(|fact| Rule {
            adds,
            needs: [fact].into(),
            moment: Moment::AtOnce,
            operator: None,
        }));
    }
    all.sort_unstable();
    rules.all = all;
    rules
}

/// The values by which a fact of the goal is lost for good.
fn traps(rules: &Rules, task: &PackedTask) -> BTreeSet<FactId> {
    let goal = rules
        .all
        .iter()
        .filter(|rule| Some(rule.adds) == rules.goal);
    let needed: BTreeSet<FactId> = goal.flat_map(|rule| rule.needs.iter().copied()).collect();
    let added: BTreeSet<FactId> = rules.all.iter().map(|rule| rule.adds).collect();
    let mut traps = BTreeSet::new();
    for fact in needed.difference(&added) {
        let Some(fact) = rules.numbering.of(*fact) else {
            continue;
        };
        let variable = &task.variables[fact.variable.index()];
        if variable.get(&task.initial) == fact.value {
            let others = (0..variable.size).filter(|&value| value != fact.value);
            traps.extend(others.map(|value| rules.numbering.fact(fact.variable, value)));
        }
    }
    traps
}

impl<'r> Definitions<'r> {
    fn new(rules: &'r Rules) -> Self {
        let mut bodies: BTreeMap<FactId, Vec<&[FactId]>> = BTreeMap::new();
        for rule in &rules.all {
            if rule.moment == Moment::AtOnce {
                bodies.entry(rule.adds).or_default().push(&rule.needs);
            }
        }
        Self {
            numbering: &rules.numbering,
            bodies,
        }
    }

    /// Facts, and those that hold with them as all that brings them about needs those.
    fn implied(&self, facts: &[FactId]) -> BTreeSet<FactId> {
        let mut known = BTreeSet::new();
        let mut open = facts.to_vec();
        while let Some(fact) = open.pop() {
            if known.insert(fact)
                && let Some([body]) = self.bodies.get(&fact).map(Vec::as_slice)
            {
                open.extend(*body);
            }
        }
        known
    }

    /// The other values of the variable of a fact.
    fn others(&self, fact: FactId) -> Option<Clause> {
        let found = self.numbering.of(fact)?;
        let values = self.numbering.values(found.variable);
        Some(values.filter(|&value| value != fact).collect())
    }

    /// The clauses that say that one of some facts does not hold; none if there are too many.
    fn unless(&self, facts: &[FactId]) -> Vec<Clause> {
        let mut either = vec![Clause::new()];
        for &fact in facts {
            let clauses = match self.others(fact) {
                Some(others) => vec![others],
                None => self.not(fact),
            };
            if either.len() * clauses.len() > MOST_CLAUSES {
                return Vec::new();
            }
            either = (either.iter())
                .flat_map(|one| clauses.iter().map(move |other| one | other))
                .collect();
        }
        self.joined(either)
    }

    /// The clauses that say that a disjunction does not hold.
    fn not(&self, fact: FactId) -> Vec<Clause> {
        let bodies = self.bodies.get(&fact).into_iter().flatten();
        let clauses = bodies.flat_map(|body| self.unless(body));
        self.joined(clauses.collect())
    }

    /// Clauses where some facts hold.
    fn under(&self, known: &BTreeSet<FactId>, clauses: Vec<Clause>) -> Vec<Clause> {
        let excluded: BTreeSet<FactId> = (known.iter())
            .flat_map(|&fact| self.others(fact).unwrap_or_default())
            .collect();
        let open = clauses
            .into_iter()
            .filter(|clause| clause.is_disjoint(known));
        open.map(|clause| &clause - &excluded).collect()
    }

    /// Clauses that differ in values of one variable are one: both values would be needed at a time.
    fn joined(&self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        loop {
            clauses.sort_unstable();
            clauses.dedup();
            let before = clauses.len();
            let variable = |fact: FactId| self.numbering.of(fact).map(|it| it.variable);
            let variables: BTreeSet<_> = clauses
                .iter()
                .flatten()
                .filter_map(|&it| variable(it))
                .collect();
            for of in variables {
                let mut joined: BTreeMap<Clause, Clause> = BTreeMap::new();
                for clause in clauses {
                    let (values, rest): (Clause, Clause) =
                        clause.iter().partition(|&&it| variable(it) == Some(of));
                    match joined.get_mut(&rest) {
                        None => {
                            joined.insert(rest, values);
                        }
                        Some(known) => *known = &*known & &values,
                    }
                }
                let joined = joined.into_iter();
                clauses = joined.map(|(rest, values)| &rest | &values).collect();
            }
            if clauses.len() == before {
                return clauses;
            }
        }
    }
}
