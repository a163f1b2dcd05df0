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

/// What holds for sure in a state of which the classes of the first variables are given.
#[derive(Default)]
pub(super) struct Held {
    facts: Vec<Fact>,
    /// Conjunctions.
    pub(super) both: Vec<Fact>,
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

    /// What holds for sure in a state with what holds in it already, once the class of its next variable
    /// is known too; `None` if two conjunctions, or one and a fact, exclude each other.
    pub(super) fn with(
        &self,
        context: &Context,
        held: &Held,
        (variable, class): (usize, usize),
    ) -> Option<Held> {
        let new = &self.facts[variable][class];
        let mut both: Vec<Fact> = Vec::new();
        for (place, &right) in new.iter().enumerate() {
            let lefts = held.facts.iter().chain(&new[..place]);
            both.extend(lefts.filter_map(|&left| context.conjunctions.both(left, right)));
        }
        let may_hold = |left: Fact, right: Fact| context.conjunctions.may_hold(left, right);
        let all = || held.both.iter().chain(&both);
        let goes_with = |&left: &Fact| {
            let facts = held.facts.iter().chain(new);
            all().chain(facts).all(|&right| may_hold(left, right))
        };
        let go_together = both.iter().all(goes_with);
        let go_on = || {
            new.iter()
                .all(|&left| held.both.iter().all(|&right| may_hold(left, right)))
        };
        if !go_together || !go_on() {
            return None;
        }
        let mut both: Vec<Fact> = all().copied().collect();
        both.sort_unstable();
        both.dedup();
        Some(Held {
            facts: [held.facts.as_slice(), new].concat(),
            both,
        })
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
