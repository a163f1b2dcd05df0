//! Conjunctions of two facts as facts of their own, and the mutexes between them.
//!
//! Where each thing knows what is on it and where it is, say, no two facts show that two things
//! with nothing on them are not at one place. That both are at one place is a conjunction for each;
//! as variables these exclude each other like any others (P. Haslum, "h^m(P) = h^1(P^m):
//! Alternative Characterisations of the Generalisation From h^max to h^m", ICAPS 2009). Those are
//! distinguished that several operators need.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::priced::Priced;
use crate::control::Control;
use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::groups::{Truth, truth};
use crate::heuristics::potentials::mutexes::{Given, Mutexes};
use crate::heuristics::potentials::transitions::{Case, Written};
use crate::reductions::symmetry::FactRenaming;
use brigade_task::{ObjectId, State};

/// Conjunctions, at most.
const MOST_CONJUNCTIONS: usize = 1500;

type Fact = (u32, u32);

/// The conjunctions, numbered after the variables, with two values each.
pub(crate) struct Conjunctions {
    pairs: Pairs,
    mutexes: Mutexes,
}

/// Pairs of facts, numbered after the variables.
struct Pairs {
    first: u32,
    list: Vec<(Fact, Fact)>,
    numbers: FxHashMap<(Fact, Fact), u32>,
}

impl Conjunctions {
    /// Conjunctions of facts that several of some cases need, and their mutexes. Cases are about
    /// variables alone.
    ///
    /// `None` if there are too many facts, or `control` says stop.
    pub(crate) fn new(
        builder: &Builder,
        start: &State,
        exchanges: &[FactRenaming],
        objects: &BTreeSet<ObjectId>,
        cases: &mut Vec<Priced>,
        given: &mut Given,
        control: &dyn Control,
    ) -> Option<Self> {
        let variables = &builder.model.task.variables;
        let mutexes = builder.mutexes.as_ref()?;
        cases.retain_mut(|it| mutexes.narrow_given(&mut it.case, given, control));
        let first = variables.len() as u32;
        let list = closed(needed(builder, objects, cases), exchanges);
        let numbers = list.iter().copied().zip(first..).collect();
        let pairs = Pairs {
            first,
            list,
            numbers,
        };
        let mut sizes: Vec<u32> = variables.iter().map(|variable| variable.size).collect();
        let mut values: Vec<u32> = variables.iter().map(|it| it.get(start)).collect();
        let mut distinguished = builder.distinguished.clone();
        for &(left, right) in &pairs.list {
            let holds = |(variable, value): Fact| values[variable as usize] == value;
            let both = holds(left) && holds(right);
            sizes.push(2);
            distinguished.push(true);
            values.push(u32::from(both));
        }
        let exchanges = exchanges.iter().map(|exchange| {
            let pairs = &pairs;
            let image = move |variable: u32, value: u32| match pairs.get(variable) {
                None => exchange(variable, value),
                Some((left, right)) => {
                    let image = sorted(exchange(left.0, left.1), exchange(right.0, right.1));
                    (pairs.numbers[&image], value)
                }
            };
            Box::new(image) as FactRenaming
        });
        let exchanges: Vec<FactRenaming> = exchanges.collect();
        let mut more: Vec<Case> = cases.iter().map(|it| it.case.clone()).collect();
        for case in &mut more {
            pairs.add_to(case);
        }
        let more: Vec<&Case> = more.iter().collect();
        let mutexes = Mutexes::new(&sizes, &distinguished, &values, &exchanges, &more, control)?;
        drop(exchanges);
        Some(Self { pairs, mutexes })
    }

    /// The fact that two others hold, if it is distinguished.
    pub(crate) fn both(&self, left: Fact, right: Fact) -> Option<Fact> {
        let number = self.pairs.numbers.get(&sorted(left, right))?;
        Some((*number, 1))
    }

    /// Returns whether two facts may hold in one state.
    pub(crate) fn may_hold(&self, left: Fact, right: Fact) -> bool {
        self.mutexes.may_hold(left, right)
    }

    /// The facts that may hold where a case is applied; `None` if it never is.
    pub(crate) fn before(&self, case: &Case) -> Option<Vec<u64>> {
        let mut case = case.clone();
        self.pairs.add_to(&mut case);
        self.mutexes.before(&case)
    }

    /// Returns whether a fact is among what may hold.
    pub(crate) fn is_among(&self, allowed: &[u64], fact: Fact) -> bool {
        self.mutexes.is_among(allowed, fact)
    }
}

impl Pairs {
    fn get(&self, number: u32) -> Option<(Fact, Fact)> {
        let index = number.checked_sub(self.first)?;
        Some(self.list[index as usize])
    }

    /// Adds to a case what becomes of each.
    fn add_to(&self, case: &mut Case) {
        let values = |truth: Truth| match truth {
            Truth::Never => vec![0],
            Truth::Maybe => vec![0, 1],
            Truth::Surely => vec![1],
        };
        for (&(left, right), id) in self.list.iter().zip(self.first..) {
            let before = |(variable, value): Fact| {
                let values = case.values_before(variable);
                values.map_or(Truth::Maybe, |values| truth(values, value))
            };
            let after = |fact: Fact| match case.written(fact.0) {
                None => before(fact),
                Some(written) => truth(&written.after, fact.1),
            };
            let is_written = case.written(left.0).is_some() || case.written(right.0).is_some();
            let old = before(left).min(before(right));
            let new = after(left).min(after(right));
            if is_written && (old, new) != (Truth::Never, Truth::Never) {
                case.written.push(Written {
                    variable: id,
                    before: values(old),
                    after: values(new),
                });
            } else if old != Truth::Maybe {
                case.kept.push((id, values(old)));
            }
        }
    }
}

fn sorted(left: Fact, right: Fact) -> (Fact, Fact) {
    (left.min(right), left.max(right))
}

/// The pairs of facts about one of these objects that several cases need, neither of which implies
/// the other.
fn needed(builder: &Builder, objects: &BTreeSet<ObjectId>, cases: &[Priced]) -> Vec<(Fact, Fact)> {
    let mut often: FxHashMap<(Fact, Fact), usize> = FxHashMap::default();
    for Priced { case, .. } in cases {
        let before = case.written.iter().map(|it| (it.variable, &it.before));
        let kept = case.kept.iter().map(|(id, values)| (*id, values));
        let mut sure: Vec<Fact> = before
            .chain(kept)
            .filter(|(_, values)| values.len() == 1 && values[0] > 0)
            .map(|(id, values)| (id, values[0]))
            .collect();
        sure.sort_unstable();
        for (place, &left) in sure.iter().enumerate() {
            for &right in &sure[place + 1..] {
                *often.entry((left, right)).or_default() += 1;
            }
        }
    }
    let mut found: Vec<((Fact, Fact), usize)> =
        often.into_iter().filter(|&(_, count)| count > 1).collect();
    let variables = &builder.model.task.variables;
    let named = |(variable, value): Fact| {
        let meaning = &variables[variable as usize].values[value as usize].meaning;
        let named = meaning.objects().iter().copied();
        named
            .filter(|object| objects.contains(object))
            .collect::<BTreeSet<ObjectId>>()
    };
    found.retain(|((left, right), _)| {
        !named(*left).is_disjoint(&named(*right))
            && !implies(builder, *left, *right)
            && !implies(builder, *right, *left)
    });
    found.sort_unstable_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    found.into_iter().map(|(pair, _)| pair).collect()
}

/// Returns whether one fact holds wherever another does.
fn implies(builder: &Builder, from: Fact, fact: Fact) -> bool {
    let Some(mutexes) = &builder.mutexes else {
        return false;
    };
    let mut others = (0..builder.size(fact.0)).filter(|&value| value != fact.1);
    others.all(|value| !mutexes.may_hold(from, (fact.0, value)))
}

/// Pairs with what they become when objects change places, as far as these are not too many.
fn closed(pairs: Vec<(Fact, Fact)>, exchanges: &[FactRenaming]) -> Vec<(Fact, Fact)> {
    let mut known = FxHashSet::default();
    let mut found = Vec::new();
    for pair in pairs {
        if !known.insert(pair) {
            continue;
        }
        let mut orbit = vec![pair];
        let mut next = 0;
        while let Some(&(left, right)) = orbit.get(next) {
            for exchange in exchanges {
                let image = sorted(exchange(left.0, left.1), exchange(right.0, right.1));
                if known.insert(image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        if found.len() + orbit.len() > MOST_CONJUNCTIONS {
            break;
        }
        found.extend(orbit);
    }
    found
}
