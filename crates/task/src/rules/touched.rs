//! The variables that an effect reads and writes, whatever is nested in it.

use std::collections::BTreeSet;

use crate::VarId;
use crate::effect::Effect;

/// The variables that an effect reads, and those that it may write.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    pub(super) reads: BTreeSet<VarId>,
    pub(super) writes: BTreeSet<VarId>,
    /// Those of the written ones that it adds to, whatever they are by then.
    pub(super) increases: BTreeSet<VarId>,
    /// True if some of its parts come one after another.
    pub(super) has_sequence: bool,
}

impl Touched {
    pub(super) fn of(effect: &Effect) -> Self {
        let mut touched = Self::default();
        touched.add(effect);
        touched
    }

    pub(super) fn add(&mut self, effect: &Effect) {
        match effect {
            Effect::Nothing | Effect::Log(_) => {}
            Effect::Set(fact) => {
                self.writes.insert(fact.variable);
            }
            Effect::Clear(fact, other) => {
                self.reads.insert(fact.variable);
                self.writes.insert(other.variable);
            }
            Effect::Number(variable, expr) => {
                expr.each_read(&mut |read| self.note(read.variable()));
                self.writes.insert(*variable);
            }
            Effect::Increase(variable, expr) => {
                expr.each_read(&mut |read| self.note(read.variable()));
                self.note(*variable);
                self.writes.insert(*variable);
                self.increases.insert(*variable);
            }
            Effect::Copy(to, from, _) => {
                self.note(*from);
                self.writes.insert(*to);
            }
            Effect::Block { effects, .. } => effects.iter().for_each(|effect| self.add(effect)),
            Effect::Seq(effects) => {
                self.has_sequence = true;
                effects.iter().for_each(|effect| self.add(effect));
            }
            Effect::Switch(variable, effects) => {
                self.note(*variable);
                effects.iter().for_each(|effect| self.add(effect));
            }
            Effect::When(cond, effect) => {
                cond.each_read(&mut |read| self.note(read.variable()));
                self.add(effect);
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    cond.each_read(&mut |read| self.note(read.variable()));
                    self.add(effect);
                }
                self.add(otherwise);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    let mut note = |read: crate::cond::Read| self.note(read.variable());
                    candidate.cond.each_read(&mut note);
                    (candidate.keys.iter()).for_each(|key| key.each_read(&mut note));
                    self.add(&candidate.effect);
                }
                self.add(otherwise);
            }
            Effect::Enlist(entry) => {
                let places = entry.first.0..entry.first.0 + entry.places;
                for place in places.map(VarId) {
                    self.note(place);
                    self.writes.insert(place);
                }
            }
            Effect::Cost(expr) | Effect::Total(_, expr) => {
                expr.each_read(&mut |read| self.note(read.variable()));
            }
        }
    }

    fn note(&mut self, variable: VarId) {
        self.reads.insert(variable);
    }
}
