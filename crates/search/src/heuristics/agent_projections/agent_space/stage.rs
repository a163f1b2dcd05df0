//! Parts of a step, and what they lead to.

use rustc_hash::FxHashMap;

use crate::heuristics::abstractions::table::merge_by_key;
use crate::heuristics::cartesian::change::Change;
use crate::heuristics::cartesian::facts::Fact;
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::model::Group;
use crate::heuristics::cartesian::numbering::{Field, Number};

/// The range of no outcomes.
pub(super) const NONE: (u32, u32) = (0, 0);

/// A part of a step.
pub(super) struct Stage {
    /// Applies only where all hold.
    pub(super) guards: Vec<Guard>,
    pub(super) kind: Kind,
    /// The agent's own variables that it reads or writes, and their bits.
    pub(super) fields: Vec<Field>,
    pub(super) mask: Number,
    /// The red variables that it reads or writes.
    pub(super) red: Vec<u32>,
    /// By what is known: the number of what that says of the red variables.
    pub(super) red_ids: Vec<u32>,
    pub(super) red_rows: FxHashMap<Box<[u64]>, u32>,
    /// For each value of the fields and of the red variables the first outcome and the last.
    pub(super) ranges: FxHashMap<(Number, u32), (u32, u32)>,
    pub(super) outcomes: Vec<Outcome>,
}

/// A set of values of a variable.
#[derive(Clone)]
pub(super) struct Guard {
    pub(super) field: Field,
    /// The classes that it meets.
    pub(super) classes: Vec<bool>,
    pub(super) arm: Box<[u64]>,
}

pub(super) enum Kind {
    /// The agent chooses.
    Choice(Group),
    /// An effect of the tick.
    Effect(Change),
    /// Delayed effects advance.
    Timers,
    /// The clock advances.
    Clock,
    /// Applies where a condition may hold.
    Possible(Formula),
}

/// An outcome of a stage.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// The classes of its fields.
    pub(super) number: Number,
    /// The facts that the agent has handed over.
    pub(super) handed: u32,
    /// The landmarks that it brings about: of others, and its own without them.
    pub(super) achieves: u64,
    /// The landmarks of the agent without which there is no such outcome.
    pub(super) needs: u64,
    pub(super) cost: i64,
    pub(super) labels: u32,
}

impl Stage {
    pub(super) fn applies(&self, number: Number) -> bool {
        let mut guards = self.guards.iter();
        guards.all(|guard| guard.classes[guard.field.get(number)])
    }

    /// Returns whether it is a choice that may write one of these facts.
    pub(super) fn brings_about(&self, facts: &[Fact]) -> bool {
        let is_red = |(variable, _): &Fact| self.red.contains(variable);
        matches!(self.kind, Kind::Choice(_)) && facts.iter().any(is_red)
    }
}

/// Keeps one of the outcomes with the same classes, of which the same is handed over and brought
/// about: with the least cost, and the least labels, of all.
pub(super) fn least_outcomes(outcomes: &mut Vec<Outcome>) {
    let key = |outcome: &Outcome| (outcome.number, outcome.handed, outcome.achieves);
    merge_by_key(outcomes, key, |outcome, other| {
        outcome.cost = outcome.cost.min(other.cost);
        outcome.labels = outcome.labels.min(other.labels);
    });
}
