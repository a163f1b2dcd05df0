//! Relevance: in a task of one implicit agent, the slots and operators that no goal can need.
//!
//! A slot is relevant if the goal, `:fail`, `:end`, or a relevant derived predicate reads it, or if
//! an operator that writes a relevant slot reads it. An operator that writes no relevant slot can
//! be left out of any plan: what remains is still a plan, of fewer steps and of no greater cost,
//! since costs are not negative. So no optimal plan has it, and the optimal plans are the same
//! without it, in number too. (With several agents a step is not saved by leaving out one agent's
//! choice, and an idle choice is another plan. Nor can a step be left out where something happens
//! at every tick: it may be there to let time pass. Nothing is left out in these.)
//!
//! The work is linear in the size of the ground operators and rules.

use std::ops::Range;

use super::formula::{Cond, Effect, Expr};
use super::reachable::Operator;
use super::slots::SlotId;
use super::values::SlotValues;

/// The input of the analysis of relevance.
pub(super) struct Parts<'a> {
    pub(super) slots: usize,
    pub(super) operators: &'a [Operator],
    /// Conditions that must keep their meaning.
    pub(super) conds: Vec<&'a Cond>,
    /// Axioms: what the head depends on.
    pub(super) rules: Vec<(SlotId, &'a Cond)>,
}

/// For each slot whether it is relevant.
pub(super) fn relevant(parts: &Parts<'_>) -> Vec<bool> {
    let mut open = Vec::new();
    for cond in &parts.conds {
        cond.slots(&mut open);
    }
    // For each operator and rule what it reads, until that is relevant, one after another; for each
    // slot who writes it.
    let mut reads: Vec<SlotId> = Vec::new();
    let mut read_by: Vec<Range<usize>> = Vec::new();
    let mut writers: Vec<Vec<u32>> = vec![Vec::new(); parts.slots];
    let mut add = |written: &[SlotId], read: Range<usize>| {
        for slot in written {
            writers[slot.index()].push(read_by.len() as u32);
        }
        read_by.push(read);
    };
    let mut written = Vec::new();
    for operator in parts.operators {
        let start = reads.len();
        written.clear();
        operator.effect.each_written(&mut |slot| written.push(slot));
        operator.effect.read_slots(&mut reads);
        operator.cond.slots(&mut reads);
        add(&written, start..reads.len());
    }
    for (head, body) in &parts.rules {
        let start = reads.len();
        body.slots(&mut reads);
        add(&[*head], start..reads.len());
    }
    let mut relevant = vec![false; parts.slots];
    while let Some(slot) = open.pop() {
        if std::mem::replace(&mut relevant[slot.index()], true) {
            continue;
        }
        for &writer in &writers[slot.index()] {
            let read = std::mem::take(&mut read_by[writer as usize]);
            open.extend_from_slice(&reads[read]);
        }
    }
    relevant
}

/// Returns true if an operator writes a slot that varies.
pub(super) fn is_needed(operator: &Operator, values: &SlotValues) -> bool {
    use super::formula::Values;
    let mut is_needed = false;
    operator
        .effect
        .each_written(&mut |slot| is_needed |= values.only(slot).is_none());
    is_needed
}

impl Cond {
    /// Adds the slots that it reads.
    pub(super) fn slots(&self, slots: &mut Vec<SlotId>) {
        match self {
            Self::True | Self::False => {}
            Self::Holds(slot, _) => slots.push(*slot),
            Self::Same(left, right) => slots.extend([*left, *right]),
            Self::Compare(_, pair) => {
                pair[0].slots(slots);
                pair[1].slots(slots);
            }
            Self::Not(cond) => cond.slots(slots),
            Self::And(conds) | Self::Or(conds) => {
                for cond in conds {
                    cond.slots(slots);
                }
            }
        }
    }
}

impl Expr {
    /// Adds the slots that it reads.
    pub(super) fn slots(&self, slots: &mut Vec<SlotId>) {
        match self {
            Self::Constant(_) => {}
            Self::Slot(slot) => slots.push(*slot),
            Self::Truth(cond) => cond.slots(slots),
            Self::Add(exprs) | Self::Multiply(exprs) | Self::Min(exprs) | Self::Max(exprs) => {
                for expr in exprs {
                    expr.slots(slots);
                }
            }
            Self::Subtract(pair) => {
                pair[0].slots(slots);
                pair[1].slots(slots);
            }
            Self::Abs(expr) => expr.slots(slots),
            Self::Case(cases) => {
                for (cond, expr) in cases {
                    cond.slots(slots);
                    expr.slots(slots);
                }
            }
        }
    }
}

impl Effect {
    /// Visits the slots that it may write.
    fn each_written(&self, visit: &mut dyn FnMut(SlotId)) {
        self.visit(&mut |effect| {
            if let Self::Set(slot, _)
            | Self::Number(slot, _)
            | Self::Increase(slot, _)
            | Self::Copy(slot, _) = effect
            {
                visit(*slot);
            }
        });
    }

    /// Adds the slots that it may read.
    fn read_slots(&self, slots: &mut Vec<SlotId>) {
        self.visit(&mut |effect| match effect {
            Self::Number(_, expr) | Self::Cost(expr) | Self::Total(_, expr) => expr.slots(slots),
            Self::Increase(slot, expr) => {
                slots.push(*slot);
                expr.slots(slots);
            }
            Self::Copy(_, slot) | Self::Switch(slot, _) => slots.push(*slot),
            Self::When(cond, _) => cond.slots(slots),
            Self::Case(cases, _) => {
                for (cond, _) in cases {
                    cond.slots(slots);
                }
            }
            Self::Choose(candidates, _) => {
                for candidate in candidates {
                    candidate.cond.slots(slots);
                    for key in &candidate.keys {
                        key.slots(slots);
                    }
                }
            }
            Self::Nothing
            | Self::Set(..)
            | Self::Block(_)
            | Self::Seq(_)
            | Self::Enlist(_)
            | Self::Log(_) => {}
        });
    }
}
