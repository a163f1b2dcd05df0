//! Ground effects over atoms, applied in place to a packed state.

use super::atom::{Atom, Fact};
use super::cond::{Cond, Expr};
use super::ids::{LogEntry, TotalId, VarId};
use super::layout::Variable;
use super::state::State;
use super::variable_set::VariableSet;

/// A target that [`Effect::Choose`] may pick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Candidate<F = Fact> {
    /// It can be picked only where this holds.
    pub cond: Cond<F>,
    /// The keys to minimise, most important first.
    pub keys: Box<[Expr<F>]>,
    /// The effect if it is picked.
    pub effect: Effect<F>,
}

/// An effect on a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect<F = Fact> {
    /// Nothing.
    Nothing,
    /// Makes a fact hold.
    Set(F),
    /// Makes the second fact hold, if the first does: the deletion of one of several exclusive facts.
    Clear(F, F),
    /// Gives a bounded integer a value, clamped to its bounds.
    Number(VarId, Expr<F>),
    /// Adds to a bounded integer, whatever its value is by then; the sum is clamped to its bounds.
    Increase(VarId, Expr<F>),
    /// Gives an object variable the value of another: `table[value]`, where that is a value of it;
    /// else nothing.
    Copy(VarId, VarId, Box<[Option<u32>]>),
    /// All at once. With `snapshot`, conditions and expressions inside are evaluated in the state
    /// before any of them applies; without, no effect can disturb what a later one reads.
    Block {
        /// Applied in order; deletions first.
        effects: Box<[Effect<F>]>,
        /// True if the state before must be kept.
        snapshot: bool,
    },
    /// One after another, each seeing what the last left.
    Seq(Box<[Effect<F>]>),
    /// If.
    When(Cond<F>, Box<Effect<F>>),
    /// The first whose condition holds, else the last effect.
    Case(Box<[(Cond<F>, Effect<F>)]>, Box<Effect<F>>),
    /// By the value of a variable.
    Switch(VarId, Box<[Effect<F>]>),
    /// The candidate with the least keys, the first of equals; else the last effect.
    Choose(Box<[Candidate<F>]>, Box<Effect<F>>),
    /// Puts a delayed effect at the end of the list of live ones.
    Enlist(Entry),
    /// Records a label.
    Log(LogEntry),
    /// Adds to the cost.
    Cost(Expr<F>),
    /// Adds to a total. No plan depends on it.
    Total(TotalId, Expr<F>),
}

/// A delayed effect that joins the list of live ones, unless it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The first place of the list; the others follow it.
    pub first: VarId,
    /// The number of places: it is enough for all.
    pub places: u32,
    /// The number stored at its place: one more than its index in
    /// [`LiveList::members`](super::LiveList::members).
    pub value: u32,
}

impl Entry {
    /// The places of the list.
    fn places(self) -> impl Iterator<Item = VarId> {
        (self.first.0..self.first.0 + self.places).map(VarId)
    }

    fn apply(self, variables: &[Variable], state: &mut State) {
        for place in self.places().map(|place| &variables[place.index()]) {
            let there = place.get(state);
            if there == 0 {
                place.set(state, self.value);
            }
            if there == 0 || there == self.value {
                return;
            }
        }
    }
}

/// The record of applied effects besides the state: labels, cost, totals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Labels, in order.
    pub log: Vec<LogEntry>,
    /// Cost added.
    pub cost: i64,
    /// The amounts added to totals, in units of 1 / [`Total::scale`](super::Total::scale), in order.
    pub totals: Vec<(TotalId, i64)>,
}

impl Record {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.log.clear();
        self.cost = 0;
        self.totals.clear();
    }
}

/// Words of state that a snapshot keeps on the stack; wider states go to the heap.
pub(super) const STACK_WORDS: usize = 16;

impl<F: Atom> Effect<F> {
    /// Applies the effect to `state`.
    pub fn apply(&self, variables: &[Variable], state: &mut State, record: &mut Record) {
        self.apply_from(variables, None, state, record);
    }

    /// Applies the effect; what it reads, it reads from `before` where given.
    fn apply_from(
        &self,
        variables: &[Variable],
        before: Option<&State>,
        state: &mut State,
        record: &mut Record,
    ) {
        match self {
            Self::Nothing => {}
            Self::Set(fact) => fact.apply(variables, state),
            Self::Clear(fact, other) => {
                if fact.holds(variables, state) {
                    other.apply(variables, state);
                }
            }
            Self::Number(variable, expr) => {
                let value = expr.value(variables, before.unwrap_or(state));
                let variable = &variables[variable.index()];
                let stored = value
                    .saturating_sub(variable.low())
                    .clamp(0, i64::from(variable.size) - 1);
                variable.set(state, stored as u32);
            }
            Self::Increase(variable, expr) => {
                let amount = expr.value(variables, before.unwrap_or(state));
                let variable = &variables[variable.index()];
                let sum = i64::from(variable.get(state)).saturating_add(amount);
                variable.set(state, sum.clamp(0, i64::from(variable.size) - 1) as u32);
            }
            Self::Copy(to, from, table) => {
                let value = variables[from.index()].get(before.unwrap_or(state));
                if let Some(value) = table[value as usize] {
                    variables[to.index()].set(state, value);
                }
            }
            Self::Block { effects, snapshot } => {
                if *snapshot && before.is_none() {
                    let mut stack = [0; STACK_WORDS];
                    let heap;
                    let before: &State = if let Some(kept) = stack.get_mut(..state.words().len()) {
                        kept.copy_from_slice(state.words());
                        State::from_words(kept)
                    } else {
                        heap = state.to_owned();
                        &heap
                    };
                    for effect in effects {
                        effect.apply_from(variables, Some(before), state, record);
                    }
                } else {
                    for effect in effects {
                        effect.apply_from(variables, before, state, record);
                    }
                }
            }
            Self::Seq(effects) => {
                for effect in effects {
                    effect.apply_from(variables, None, state, record);
                }
            }
            Self::When(cond, effect) => {
                if cond.holds(variables, before.unwrap_or(state)) {
                    effect.apply_from(variables, before, state, record);
                }
            }
            Self::Case(cases, otherwise) => {
                let read = before.unwrap_or(state);
                let effect = cases
                    .iter()
                    .find(|(cond, _)| cond.holds(variables, read))
                    .map_or(&**otherwise, |(_, effect)| effect);
                effect.apply_from(variables, before, state, record);
            }
            Self::Switch(variable, effects) => {
                let value = variables[variable.index()].get(before.unwrap_or(state));
                effects[value as usize].apply_from(variables, before, state, record);
            }
            Self::Choose(candidates, otherwise) => {
                let read = before.unwrap_or(state);
                let best = best_candidate(candidates, variables, read);
                let effect = best.map_or(&**otherwise, |best| &best.effect);
                effect.apply_from(variables, before, state, record);
            }
            Self::Enlist(entry) => entry.apply(variables, state),
            Self::Log(entry) => record.log.push(*entry),
            Self::Cost(expr) => {
                record.cost = record
                    .cost
                    .saturating_add(expr.value(variables, before.unwrap_or(state)));
            }
            Self::Total(total, expr) => {
                let amount = expr.value(variables, before.unwrap_or(state));
                record.totals.push((*total, amount));
            }
        }
    }
}

impl<F: Atom> Effect<F> {
    /// Returns true if it does nothing in any state.
    pub fn is_idle(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Block { effects, .. } | Self::Seq(effects) | Self::Switch(_, effects) => {
                effects.iter().all(Self::is_idle)
            }
            Self::When(_, effect) => effect.is_idle(),
            Self::Case(cases, otherwise) => {
                otherwise.is_idle() && cases.iter().all(|(_, effect)| effect.is_idle())
            }
            Self::Choose(candidates, otherwise) => {
                otherwise.is_idle()
                    && candidates
                        .iter()
                        .all(|candidate| candidate.effect.is_idle())
            }
            Self::Set(_)
            | Self::Clear(..)
            | Self::Number(..)
            | Self::Increase(..)
            | Self::Copy(..)
            | Self::Enlist(_)
            | Self::Log(_)
            | Self::Cost(_)
            | Self::Total(..) => false,
        }
    }
}

impl Effect {
    /// Adds the variables that it may write.
    pub fn writes(&self, variables: &mut VariableSet) {
        match self {
            Self::Nothing | Self::Log(_) | Self::Cost(_) | Self::Total(..) => {}
            Self::Set(fact) | Self::Clear(_, fact) => variables.insert(fact.variable),
            Self::Number(variable, _) | Self::Increase(variable, _) | Self::Copy(variable, ..) => {
                variables.insert(*variable);
            }
            Self::Enlist(entry) => variables.extend(entry.places()),
            Self::Block { effects, .. } | Self::Seq(effects) | Self::Switch(_, effects) => {
                for effect in effects {
                    effect.writes(variables);
                }
            }
            Self::When(_, effect) => effect.writes(variables),
            Self::Case(cases, otherwise) => {
                for (_, effect) in cases {
                    effect.writes(variables);
                }
                otherwise.writes(variables);
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.effect.writes(variables);
                }
                otherwise.writes(variables);
            }
        }
    }

    /// Adds the variables that it reads as a part of a block. A `Seq` reads the state as it is by then, so what
    /// it reads does not count.
    fn reads(&self, variables: &mut VariableSet) {
        match self {
            // The place of an entry depends on the list as it is by then, also within a block.
            Self::Nothing
            | Self::Set(_)
            | Self::Clear(..)
            | Self::Seq(_)
            | Self::Enlist(_)
            | Self::Log(_) => {}
            Self::Cost(expr)
            | Self::Total(_, expr)
            | Self::Number(_, expr)
            | Self::Increase(_, expr) => {
                expr.reads(variables);
            }
            Self::Copy(_, from, _) => variables.insert(*from),
            Self::Block { effects, .. } => {
                for effect in effects {
                    effect.reads(variables);
                }
            }
            Self::Switch(variable, effects) => {
                variables.insert(*variable);
                for effect in effects {
                    effect.reads(variables);
                }
            }
            Self::When(cond, effect) => {
                cond.reads(variables);
                effect.reads(variables);
            }
            Self::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    cond.reads(variables);
                    effect.reads(variables);
                }
                otherwise.reads(variables);
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.cond.reads(variables);
                    for key in &candidate.keys {
                        key.reads(variables);
                    }
                    candidate.effect.reads(variables);
                }
                otherwise.reads(variables);
            }
        }
    }
}

/// Returns true if one of the effects may change what a later one reads.
pub fn disturbs(effects: &[Effect]) -> bool {
    let mut written = VariableSet::default();
    effects.iter().any(|effect| {
        let mut read = VariableSet::default();
        effect.reads(&mut read);
        let disturbed = written.meets(&read);
        effect.writes(&mut written);
        disturbed
    })
}

/// The first candidate that counts and whose keys are least.
fn best_candidate<'a, F: Atom>(
    candidates: &'a [Candidate<F>],
    variables: &[Variable],
    state: &State,
) -> Option<&'a Candidate<F>> {
    let mut counting = candidates
        .iter()
        .filter(|candidate| candidate.cond.holds(variables, state));
    let mut best = counting.next()?;
    for candidate in counting {
        let better = candidate
            .keys
            .iter()
            .zip(&best.keys)
            .map(|(new, old)| {
                new.value(variables, state)
                    .cmp(&old.value(variables, state))
            })
            .find(|order| order.is_ne())
            .is_some_and(std::cmp::Ordering::is_lt);
        if better {
            best = candidate;
        }
    }
    Some(best)
}
