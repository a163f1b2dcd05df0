//! Groups of effects that may change places: those of different groups can be applied in any order
//! with the same result.

use std::collections::BTreeMap;

use brigade_task::effect::Effect;
use brigade_task::{Task, Timer, VariableSet};

/// The ways in which an effect may touch a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Touch {
    /// Gives it this value.
    Set(u32),
    /// Gives it the second value where it has the first by then.
    Clear(u32, u32),
    /// Anything.
    Any,
}

/// Numbers joined to sets.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        self.0[left.max(right)] = left.min(right);
    }

    /// The sets, and within each its members, ascending.
    fn sets(mut self) -> Vec<Vec<usize>> {
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.0.len() {
            let root = self.root(index);
            sets.entry(root).or_default().push(index);
        }
        sets.into_values().collect()
    }
}

/// The effects of a block by groups.
pub(super) fn groups_of_block(effects: &[&Effect]) -> Vec<Vec<usize>> {
    let mut groups = Groups::new(effects.len());
    // A sequence sees what the effects before it have done.
    if effects.iter().any(|effect| has_sequence(effect)) {
        for index in 1..effects.len() {
            groups.join(0, index);
        }
        return groups.sets();
    }
    let mut touching: BTreeMap<u32, Vec<(Touch, usize)>> = BTreeMap::new();
    for (index, effect) in effects.iter().enumerate() {
        touches(effect, &mut |variable, touch| {
            touching.entry(variable).or_default().push((touch, index));
        });
    }
    for touching in touching.values() {
        if !commute(touching) {
            for &(_, index) in &touching[1..] {
                groups.join(touching[0].1, index);
            }
        }
    }
    groups.sets()
}

/// Returns whether what is done to one variable may be done in any order: all set it to one value,
/// or clear it to one value that none of them waits for.
fn commute(touching: &[(Touch, usize)]) -> bool {
    let mut touching = touching.iter().map(|&(touch, _)| touch);
    let first = touching.next();
    match first {
        None | Some(Touch::Any) => touching.next().is_none(),
        Some(Touch::Set(_)) => touching.all(|touch| Some(touch) == first),
        Some(Touch::Clear(own, to)) => {
            let clears =
                |touch| matches!(touch, Touch::Clear(from, other) if other == to && from != to);
            own != to && touching.all(clears)
        }
    }
}

fn has_sequence(effect: &Effect) -> bool {
    match effect {
        Effect::Seq(_) => true,
        Effect::When(_, effect) => has_sequence(effect),
        Effect::Block { effects, .. } | Effect::Switch(_, effects) => {
            effects.iter().any(has_sequence)
        }
        Effect::Case(cases, otherwise) => {
            has_sequence(otherwise) || cases.iter().any(|(_, effect)| has_sequence(effect))
        }
        Effect::Choose(candidates, otherwise) => {
            has_sequence(otherwise)
                || candidates
                    .iter()
                    .any(|candidate| has_sequence(&candidate.effect))
        }
        _ => false,
    }
}

/// The variables that an effect may touch, and the way in which it does.
fn touches(effect: &Effect, add: &mut dyn FnMut(u32, Touch)) {
    match effect {
        Effect::Nothing | Effect::Log(_) | Effect::Cost(_) | Effect::Total(..) => {}
        Effect::Set(fact) => add(fact.variable.0, Touch::Set(fact.value)),
        Effect::Clear(fact, other) if fact.variable == other.variable => {
            add(fact.variable.0, Touch::Clear(fact.value, other.value));
        }
        Effect::Clear(fact, other) => {
            add(fact.variable.0, Touch::Any);
            add(other.variable.0, Touch::Any);
        }
        Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
            add(id.0, Touch::Any);
        }
        Effect::Enlist(entry) => add(entry.first.0, Touch::Any),
        Effect::When(_, effect) => touches(effect, add),
        Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
            for effect in effects {
                touches(effect, add);
            }
        }
        Effect::Case(cases, otherwise) => {
            for (_, effect) in cases {
                touches(effect, add);
            }
            touches(otherwise, add);
        }
        Effect::Choose(candidates, otherwise) => {
            for candidate in candidates {
                touches(&candidate.effect, add);
            }
            touches(otherwise, add);
        }
    }
}

/// The delayed effects by groups: two are in one if either may change what the other reads or
/// writes.
pub(super) fn independent_groups(task: &Task) -> Vec<Vec<usize>> {
    let mut groups = Groups::new(task.timers.len());
    let timers = task.timers.iter();
    let spans: Vec<(VariableSet, VariableSet)> = timers
        .map(|timer| (mentioned(timer), written(timer)))
        .collect();
    let layers = task.axioms.layers.iter();
    let derived: VariableSet = layers.flat_map(|layer| layer.variables.clone()).collect();
    for (index, (mentioned, own)) in spans.iter().enumerate() {
        // What is derived may depend on anything.
        let is_open = mentioned.meets(&derived);
        for (other, (theirs, written)) in spans.iter().enumerate().take(index) {
            if is_open || theirs.meets(&derived) || mentioned.meets(written) || theirs.meets(own) {
                groups.join(index, other);
            }
        }
    }
    groups.sets()
}

/// The variables that a delayed effect may write.
fn written(timer: &Timer) -> VariableSet {
    let mut variables = VariableSet::from_iter([timer.variable]);
    timer.effect.writes(&mut variables);
    variables
}

/// The variables that a delayed effect reads or writes.
fn mentioned(timer: &Timer) -> VariableSet {
    let mut variables = VariableSet::from_iter([timer.variable]);
    timer.runs_while.reads(&mut variables);
    timer.dropped_when.reads(&mut variables);
    mentions(&timer.effect, &mut variables);
    variables
}

/// Adds the variables that an effect reads or writes.
pub(super) fn mentions(effect: &Effect, variables: &mut VariableSet) {
    match effect {
        Effect::Nothing | Effect::Log(_) | Effect::Total(..) => {}
        Effect::Enlist(entry) => variables.insert(entry.first),
        Effect::Set(fact) => variables.insert(fact.variable),
        Effect::Clear(fact, other) => variables.extend([fact.variable, other.variable]),
        Effect::Number(id, value) | Effect::Increase(id, value) => {
            variables.insert(*id);
            value.reads(variables);
        }
        Effect::Copy(to, from, _) => variables.extend([*to, *from]),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            for effect in effects {
                mentions(effect, variables);
            }
        }
        Effect::Switch(id, effects) => {
            variables.insert(*id);
            for effect in effects {
                mentions(effect, variables);
            }
        }
        Effect::When(when, effect) => {
            when.reads(variables);
            mentions(effect, variables);
        }
        Effect::Case(cases, otherwise) => {
            for (when, effect) in cases {
                when.reads(variables);
                mentions(effect, variables);
            }
            mentions(otherwise, variables);
        }
        Effect::Choose(candidates, otherwise) => {
            for candidate in candidates {
                candidate.cond.reads(variables);
                for key in &candidate.keys {
                    key.reads(variables);
                }
                mentions(&candidate.effect, variables);
            }
            mentions(otherwise, variables);
        }
        Effect::Cost(value) => value.reads(variables),
    }
}
