//! Conjunctions in the delete relaxation: pairs of values that hold together, as facts of their own.
//!
//! The relaxation takes two facts that have held at different times for facts that hold together: a pot
//! that was full and a pot that was on, a cook who was at the pot and a cook who held an onion. Here such
//! pairs of variables of one object are followed as one (after E. Keyder, J. Hoffmann and P. Haslum,
//! "Improving Delete Relaxation Heuristics Through Explicitly Represented Conjunctions", JAIR 50, 2014).
//! A pair holds after a rule that adds one of its values where the other holds before and is not changed
//! by the same effect, or after an effect that adds both.

use brigade_task::layout::{Variable, VariableKind};
use brigade_task::rules::{FactId, Moment, Numbering, Rule, Rules};
use brigade_task::symbols::{GroundFact, Meaning};
use brigade_task::{ObjectId, OperatorId, PackedTask, State, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of rules that are joined. Not tuned.
const MOST_RULES: usize = 10_000;
/// The greatest number of further rules for each. Measured: five kitchens of Overcooked-AI
/// have 0.6 to 1.
const GROWTH: usize = 2;
/// Pairs of variables with more pairs of values are not followed.
const MOST_VALUES: u32 = 512;

/// Two variables whose pairs of values are facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    variables: [VarId; 2],
    /// The number of values of the second.
    width: u32,
    /// The fact that both are 0; the others follow.
    first: FactId,
}

impl Pair {
    /// The fact of two values.
    const fn fact(&self, values: [u32; 2]) -> FactId {
        self.first + values[0] * self.width + values[1]
    }

    /// The fact that holds in a state.
    pub(crate) fn of(&self, task: &PackedTask, state: &State) -> FactId {
        self.fact(
            self.variables
                .map(|id| task.variables[id.index()].get(state)),
        )
    }
}

/// Rules with pairs of values as further facts.
pub(crate) struct Conjunctions {
    pub(crate) rules: Vec<Rule>,
    /// The number of facts, pairs included.
    pub(crate) facts: u32,
    pub(crate) pairs: Vec<Pair>,
}

/// The effect that a rule is a part of: an operator's, or what happens by itself in a phase.
type Cause = (Option<OperatorId>, Moment);

/// Rules that add pairs of values, each with the values.
type Found = Vec<(Rule, [u32; 2])>;

/// The rules of a task, while they are joined.
struct Joiner<'r> {
    numbering: &'r Numbering,
    all: &'r [Rule],
    /// By variable the rules that add a value of it.
    adding: FxHashMap<VarId, Vec<&'r Rule>>,
    /// By effect and variable the rules that add a value of it.
    changes: FxHashMap<(Cause, VarId), Vec<&'r Rule>>,
}

impl Conjunctions {
    /// The pairs of variables of one object whose values some rule needs together, those with fewest rules
    /// first, until there would be more than [`GROWTH`] further rules for each.
    ///
    /// `None` if there is no such pair, or there are more than [`MOST_RULES`] rules.
    pub(crate) fn new(task: &PackedTask, rules: &Rules) -> Option<Self> {
        if rules.all.len() > MOST_RULES {
            return None;
        }
        let most = rules.all.len() * GROWTH;
        let joiner = Joiner::new(&rules.numbering, &rules.all);
        let mut candidates: Vec<([VarId; 2], Found)> = Vec::new();
        for pair in joiner.needed_together(task) {
            if let Some(found) = joiner.rules_of(task, pair, most) {
                candidates.push((pair, found));
            }
        }
        candidates.sort_by_key(|(pair, found)| (found.len(), *pair));
        let mut conjunctions = Self {
            rules: rules.all.clone(),
            facts: rules.numbering.len(),
            pairs: Vec::new(),
        };
        let mut left = most;
        for (variables, found) in candidates {
            if found.len() > left {
                break;
            }
            left -= found.len();
            conjunctions.add(task, variables, found);
        }
        conjunctions.require(&rules.numbering);
        (!conjunctions.pairs.is_empty()).then_some(conjunctions)
    }

    fn add(&mut self, task: &PackedTask, variables: [VarId; 2], found: Found) {
        let [height, width] = variables.map(|id| task.variables[id.index()].size);
        let pair = Pair {
            variables,
            width,
            first: self.facts,
        };
        self.facts += height * width;
        self.rules
            .extend(found.into_iter().map(|(mut rule, values)| {
                rule.adds = pair.fact(values);
                rule
            }));
        self.pairs.push(pair);
    }

    /// Lets rules need pairs instead of values that they need together.
    fn require(&mut self, numbering: &Numbering) {
        let mut pairs: FxHashMap<[VarId; 2], Pair> = FxHashMap::default();
        for pair in &self.pairs {
            pairs.insert(pair.variables, *pair);
        }
        for rule in &mut self.rules {
            let known: Vec<_> = (rule.needs.iter())
                .filter_map(|&fact| Some((numbering.of(fact)?, fact)))
                .collect();
            let mut covered: Vec<FactId> = Vec::new();
            let mut joint: Vec<FactId> = Vec::new();
            for (index, (one, own)) in known.iter().enumerate() {
                for (other, others) in &known[index + 1..] {
                    if let Some(pair) = pairs.get(&[one.variable, other.variable]) {
                        joint.push(pair.fact([one.value, other.value]));
                        covered.extend([*own, *others]);
                    }
                }
            }
            if !joint.is_empty() {
                let needs = rule.needs.iter().copied();
                joint.extend(needs.filter(|need| !covered.contains(need)));
                joint.sort_unstable();
                rule.needs = joint.into();
            }
        }
        self.rules.retain(|rule| !rule.needs.contains(&rule.adds));
        self.rules.sort_unstable();
        self.rules.dedup();
    }
}

impl<'r> Joiner<'r> {
    fn new(numbering: &'r Numbering, all: &'r [Rule]) -> Self {
        let mut adding: FxHashMap<VarId, Vec<&Rule>> = FxHashMap::default();
        let mut changes: FxHashMap<(Cause, VarId), Vec<&Rule>> = FxHashMap::default();
        for rule in all {
            if let Some(fact) = numbering.of(rule.adds) {
                adding.entry(fact.variable).or_default().push(rule);
                let change = (cause(rule), fact.variable);
                changes.entry(change).or_default().push(rule);
            }
        }
        Self {
            numbering,
            all,
            adding,
            changes,
        }
    }

    fn value(&self, rule: &Rule) -> u32 {
        self.numbering.of(rule.adds).map_or(0, |it| it.value)
    }

    /// Pairs of variables of one object whose values some rule needs together, ascending.
    fn needed_together(&self, task: &PackedTask) -> Vec<[VarId; 2]> {
        let owners: Vec<Option<ObjectId>> = task.variables.iter().map(owner).collect();
        let mut pairs = FxHashSet::default();
        for rule in self.all {
            let needs = rule.needs.iter();
            let needs: Vec<VarId> = needs
                .filter_map(|&need| self.numbering.of(need))
                .map(|fact| fact.variable)
                .filter(|variable| owners[variable.index()].is_some())
                .collect();
            for (index, &one) in needs.iter().enumerate() {
                for &other in &needs[index + 1..] {
                    if one != other && owners[one.index()] == owners[other.index()] {
                        pairs.insert([one, other]);
                    }
                }
            }
        }
        let size = |id: &VarId| task.variables[id.index()].size;
        let mut pairs: Vec<_> = (pairs.into_iter())
            .filter(|[one, other]| size(one).saturating_mul(size(other)) <= MOST_VALUES)
            .collect();
        pairs.sort_unstable();
        pairs
    }

    /// The rules that add pairs of values, each with the values; `None` if there are more than `most`.
    fn rules_of(&self, task: &PackedTask, pair: [VarId; 2], most: usize) -> Option<Found> {
        let mut found = Vec::new();
        for (place, variable) in pair.into_iter().enumerate() {
            let other = pair[1 - place];
            for rule in self.adding.get(&variable).into_iter().flatten() {
                let value = self.value(rule);
                let ordered = |kept: u32| {
                    if place == 0 {
                        [value, kept]
                    } else {
                        [kept, value]
                    }
                };
                let changes = self.changes.get(&(cause(rule), other));
                let changes = changes.map_or(&[][..], |changes| &changes[..]);
                for kept in self.values(task, rule, other) {
                    let mut needs = rule.needs.to_vec();
                    insert(&mut needs, self.numbering.fact(other, kept));
                    if let Some(more) = self.unchanged(task, changes, kept, &needs) {
                        for need in more {
                            insert(&mut needs, need);
                        }
                        found.push((with_needs(rule, needs), ordered(kept)));
                    }
                }
                if place == 0 {
                    for change in changes {
                        let mut needs = rule.needs.to_vec();
                        for &need in &change.needs {
                            insert(&mut needs, need);
                        }
                        if self.is_consistent(&needs) {
                            let mut joint = with_needs(rule, needs);
                            joint.moment = rule.moment.max(change.moment);
                            found.push((joint, [value, self.value(change)]));
                        }
                    }
                }
                if found.len() > most {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// The further needs with which none of these changes takes away a value where some facts hold; `None` if one of
    /// them does in any case. Where changes apply to all values of another variable but one, that one is needed.
    fn unchanged(
        &self,
        task: &PackedTask,
        changes: &[&Rule],
        kept: u32,
        needs: &[FactId],
    ) -> Option<Vec<FactId>> {
        let mut changing: BTreeMap<VarId, BTreeSet<u32>> = BTreeMap::new();
        for change in changes.iter().filter(|it| self.value(it) != kept) {
            let open = |need: &&FactId| needs.binary_search(*need).is_err();
            let open: Vec<FactId> = change.needs.iter().filter(open).copied().collect();
            match *open {
                [] => return None,
                [need] => {
                    if let Some(fact) = self.numbering.of(need) {
                        changing
                            .entry(fact.variable)
                            .or_default()
                            .insert(fact.value);
                    }
                }
                _ => {}
            }
        }
        let known = needs.iter().filter_map(|&need| self.numbering.of(need));
        let known: BTreeSet<VarId> = known.map(|fact| fact.variable).collect();
        let mut more = Vec::new();
        for (variable, values) in changing {
            if known.contains(&variable) {
                continue;
            }
            let mut others =
                (0..task.variables[variable.index()].size).filter(|value| !values.contains(value));
            match (others.next(), others.next()) {
                (None, _) => return None,
                (Some(value), None) => more.push(self.numbering.fact(variable, value)),
                _ => {}
            }
        }
        Some(more)
    }

    /// The values that a variable may have where a rule fires.
    fn values(&self, task: &PackedTask, rule: &Rule, variable: VarId) -> Vec<u32> {
        let mut needs = rule.needs.iter();
        let needed = needs.find_map(|&need| {
            let fact = self.numbering.of(need)?;
            (fact.variable == variable).then_some(fact.value)
        });
        match needed {
            Some(value) => vec![value],
            None => (0..task.variables[variable.index()].size).collect(),
        }
    }

    /// Returns true if no variable is needed to have two values.
    fn is_consistent(&self, needs: &[FactId]) -> bool {
        let facts = needs.iter().filter_map(|&need| self.numbering.of(need));
        let mut variables: Vec<VarId> = facts.map(|fact| fact.variable).collect();
        let count = variables.len();
        variables.dedup();
        variables.len() == count
    }
}

/// The effect that a rule is a part of. The phases of an operator are one effect.
fn cause(rule: &Rule) -> Cause {
    match rule.operator {
        Some(operator) => (Some(operator), Moment::AtOnce),
        None => (None, rule.moment),
    }
}

fn with_needs(rule: &Rule, needs: Vec<FactId>) -> Rule {
    Rule {
        needs: needs.into(),
        ..rule.clone()
    }
}

/// Inserts a number into ascending ones.
fn insert(sorted: &mut Vec<u32>, number: u32) {
    if let Err(place) = sorted.binary_search(&number) {
        sorted.insert(place, number);
    }
}

/// The object that a variable is about: the first argument of all its facts.
fn owner(variable: &Variable) -> Option<ObjectId> {
    if matches!(variable.kind, VariableKind::Derived | VariableKind::Clock) {
        return None;
    }
    let first = |fact: &GroundFact| fact.arguments.first().copied();
    if let Some(of) = &variable.of {
        return first(of);
    }
    let mut objects = variable
        .values
        .iter()
        .filter_map(|value| match &value.meaning {
            Meaning::Fact(fact) => Some(first(fact)),
            _ => None,
        });
    let object = objects.next()??;
    objects.all(|other| other == Some(object)).then_some(object)
}
