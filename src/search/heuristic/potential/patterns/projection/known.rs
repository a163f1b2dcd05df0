//! What is known to hold in the states of a projection, and what can be.

use rustc_hash::FxHashMap;

use super::super::super::builder::Builder;
use super::{Context, count};

type Fact = (u32, u32);

/// What is known to hold in states.
pub(super) struct Known {
    /// For each variable and class what holds for sure.
    facts: Vec<Vec<Vec<Fact>>>,
    /// Sets of conjunctions.
    pub(super) sets: Vec<Vec<Fact>>,
    numbers: FxHashMap<Vec<Fact>, u32>,
    /// For each state the number of the set that holds.
    pub(super) of_states: Vec<u32>,
}

impl Known {
    pub(super) fn new(context: &Context, variables: &[u32], classes: &[Box<[u32]>]) -> Self {
        let facts = variables.iter().zip(classes).map(|(&id, classes)| {
            let count = count(classes) as u32;
            let of_class = |class: u32| {
                let mut values = (0..).zip(classes).filter(|(_, it)| **it == class);
                match (values.next(), values.next()) {
                    (Some((value, _)), None) => facts(context.builder, (id, value)),
                    _ => Vec::new(),
                }
            };
            (0..count).map(of_class).collect()
        });
        Self {
            facts: facts.collect(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            of_states: Vec::new(),
        }
    }

    /// The conjunctions that hold for sure in a state, of which the classes of the first variables are
    /// given.
    pub(super) fn conjunctions(&self, context: &Context, state: &[u8]) -> Vec<Fact> {
        let sure = self.facts.iter().zip(state);
        let sure: Vec<Fact> = sure
            .flat_map(|(facts, &class)| facts[usize::from(class)].iter().copied())
            .collect();
        let mut both = Vec::new();
        for (place, &left) in sure.iter().enumerate() {
            let others = sure[place + 1..].iter();
            both.extend(others.filter_map(|&right| context.conjunctions.both(left, right)));
        }
        both.sort_unstable();
        both.dedup();
        both
    }

    /// Whether no two conjunctions, nor one and a fact, exclude each other in a state.
    pub(super) fn is_possible(&self, context: &Context, state: &[u8]) -> bool {
        let both = self.conjunctions(context, state);
        let sure = self.facts.iter().zip(state);
        let mut sure = sure.flat_map(|(facts, &class)| facts[usize::from(class)].iter());
        let excludes = |left: Fact, right: Fact| !context.conjunctions.may_hold(left, right);
        !both
            .iter()
            .any(|&left| both.iter().any(|&right| excludes(left, right)))
            && !sure.any(|&left| both.iter().any(|&right| excludes(left, right)))
    }

    pub(super) fn number(&mut self, set: Vec<Fact>) -> u32 {
        let next = self.sets.len() as u32;
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }
}

/// Whether two values of variables or groups may be in one state.
pub(super) fn go_together(context: &Context, left: Fact, right: Fact) -> bool {
    let lefts = facts(context.builder, left);
    let rights = facts(context.builder, right);
    lefts.iter().all(|&left| {
        rights.iter().all(|&right| {
            if left.0 == right.0 {
                left.1 == right.1
            } else {
                context.conjunctions.may_hold(left, right)
            }
        })
    })
}

/// What holds where a variable or group has a value, as far as it is told in facts.
fn facts(builder: &Builder, (id, value): Fact) -> Vec<Fact> {
    let Some(facts) = builder.groups.facts(id) else {
        return vec![(id, value)];
    };
    if let Some(&fact) = facts.get(value as usize) {
        return vec![fact];
    }
    let of_two = facts.iter().filter(|fact| builder.size(fact.0) == 2);
    of_two.map(|&(id, value)| (id, 1 - value)).collect()
}
