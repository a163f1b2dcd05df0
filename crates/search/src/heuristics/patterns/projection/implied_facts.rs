//! Facts implied in the states of a projection: those that hold for sure, and conjunctions that may
//! hold.

use rustc_hash::FxHashMap;

use super::{Context, Projection, count};
use crate::heuristics::potentials::builder::Builder;

type Fact = (u32, u32);

/// The facts that are implied in states.
pub(crate) struct ImpliedFacts {
    /// For each variable and class the facts that hold for sure.
    facts: Vec<Vec<Vec<Fact>>>,
    /// Sets of conjunctions; the first is empty.
    pub(crate) sets: Vec<Vec<Fact>>,
    numbers: FxHashMap<Vec<Fact>, u32>,
    /// For each state the number of the set that holds.
    pub(crate) of_states: Vec<u32>,
}

/// The facts implied by the classes of one more variable.
pub(crate) struct Next {
    variable: usize,
    pub(crate) classes: usize,
    /// For each variable before it what follows with each of its classes and each of these.
    with: Vec<Vec<With>>,
    /// For each class the conjunctions that hold with it alone.
    own: Vec<Vec<Fact>>,
    /// For a set of conjunctions and a class: true if the facts that the class implies may hold.
    goes: FxHashMap<(u32, usize), bool>,
}

/// The facts implied by the classes of two variables.
#[derive(Clone, Default)]
struct With {
    may_be: bool,
    /// Conjunctions that hold.
    both: Vec<Fact>,
}

impl ImpliedFacts {
    pub(crate) fn new(context: &Context, variables: &[u32], classes: &[Box<[u32]>]) -> Self {
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
            sets: vec![Vec::new()],
            numbers: FxHashMap::from_iter([(Vec::new(), 0)]),
            of_states: Vec::new(),
        }
    }

    /// The facts implied by a variable of a projection, with those before it.
    pub(crate) fn next(&self, context: &Context, projection: &Projection, variable: usize) -> Next {
        let classes = self.facts[variable].len();
        let both = |lefts: &[Fact], rights: &[Fact]| -> Vec<Fact> {
            let pairs = rights
                .iter()
                .flat_map(|&right| lefts.iter().map(move |&left| (left, right)));
            let both = pairs.filter_map(|(left, right)| context.conjunctions.both(left, right));
            both.collect()
        };
        let with = (0..variable).map(|other| {
            let others = self.facts[other].len();
            let mut with = vec![With::default(); others * classes];
            let ids = (projection.variables[other], projection.variables[variable]);
            for (value, &class) in (0..).zip(&projection.classes[other]) {
                for (own_value, &own_class) in (0..).zip(&projection.classes[variable]) {
                    let with = &mut with[class as usize * classes + own_class as usize];
                    with.may_be =
                        with.may_be || go_together(context, (ids.0, value), (ids.1, own_value));
                }
            }
            for (pair, with) in with.iter_mut().enumerate() {
                let (class, own) = (pair / classes, pair % classes);
                with.both = both(&self.facts[other][class], &self.facts[variable][own]);
            }
            with
        });
        let own = self.facts[variable].iter().map(|facts| {
            let before = |place: usize| both(&facts[..place], &facts[place..=place]);
            (0..facts.len()).flat_map(before).collect()
        });
        Next {
            variable,
            classes,
            with: with.collect(),
            own: own.collect(),
            goes: FxHashMap::default(),
        }
    }

    /// The number of the set of conjunctions that hold in a state of which the classes of the first
    /// variables, and the set that holds with these, are given, with one of the next variable;
    /// `None` if pairs of classes exclude that, or two conjunctions, or one and a fact.
    pub(crate) fn with(
        &mut self,
        context: &Context,
        (state, set): (&[u8], u32),
        next: &mut Next,
        class: usize,
    ) -> Option<u32> {
        let mut is_plain = next.own[class].is_empty();
        for (&other, with) in state.iter().zip(&next.with) {
            let with = &with[usize::from(other) * next.classes + class];
            if !with.may_be {
                return None;
            }
            is_plain &= with.both.is_empty();
        }
        let held = &self.sets[set as usize];
        let new = &self.facts[next.variable][class];
        let may_hold = |left: Fact, right: Fact| context.conjunctions.may_hold(left, right);
        if !held.is_empty() {
            let goes = *next.goes.entry((set, class)).or_insert_with(|| {
                let mut new = new.iter();
                new.all(|&left| held.iter().all(|&right| may_hold(left, right)))
            });
            if !goes {
                return None;
            }
        }
        if is_plain {
            return Some(set);
        }
        let with = state.iter().zip(&next.with);
        let both =
            with.flat_map(|(&other, with)| &with[usize::from(other) * next.classes + class].both);
        let both: Vec<Fact> = both.chain(&next.own[class]).copied().collect();
        let goes_with = |&left: &Fact| {
            let facts = state.iter().zip(&self.facts);
            let facts = facts.flat_map(|(&class, facts)| &facts[usize::from(class)]);
            let mut others = held.iter().chain(&both).chain(facts).chain(new);
            others.all(|&right| may_hold(left, right))
        };
        if !both.iter().all(goes_with) {
            return None;
        }
        let mut all = [held.as_slice(), &both].concat();
        all.sort_unstable();
        all.dedup();
        Some(self.number(all))
    }

    fn number(&mut self, set: Vec<Fact>) -> u32 {
        let next = self.sets.len() as u32;
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }
}

/// Returns whether two values of variables or groups may be in one state.
fn go_together(context: &Context, left: Fact, right: Fact) -> bool {
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

/// The facts that hold where a variable or group has a value, as far as facts express it.
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
