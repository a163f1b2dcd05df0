//! A walk through the states themselves that the diagrams admit, tick by tick.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::diagram::Budget;
use super::expansion::row_of;
use crate::heuristics::cartesian::model::Model;
use crate::space::expand::{Expander, halves};
use crate::space::node_kind::{NodeKind, node_kind};
use brigade_task::{OperatorId, State, StateBuf};

/// The end of a walk.
pub(super) enum Walked {
    /// The joint choices of a plan within the horizon.
    Plan(Vec<Vec<OperatorId>>),
    /// No plan lies within the horizon.
    Refuted,
    /// Not all was walked: some of the states that were met, each with its tick, the last first.
    Lost(Vec<(u32, StateBuf)>),
    /// It was stopped.
    Stopped,
}

/// A state that was met.
struct Step {
    state: StateBuf,
    parent: u32,
    operators: Vec<OperatorId>,
}

/// States that are kept for the search for a flaw.
const SHOWN: usize = 16;

/// The work of looking a state up, in parts of nodes. Not tuned.
const WORK: u64 = 4;

/// Walks from a state through at most `width` states of a tick.
pub(super) fn walk(
    model: &Model,
    expander: &mut Expander,
    start: &State,
    bound: &dyn Fn(&[u64], u32) -> Option<u32>,
    horizon: u32,
    width: usize,
    budget: &mut Budget,
) -> Walked {
    let task = model.task;
    let halves = halves(task);
    let mut layers = vec![vec![Step {
        state: start.to_owned(),
        parent: 0,
        operators: Vec::new(),
    }]];
    let mut is_whole = true;
    let mut bytes = 0;
    // The state is also in the set of those closed.
    let step_bytes =
        size_of::<Step>() + size_of::<StateBuf>() + task.words * 16 + task.agents.len() * 4;
    let mut closed: FxHashSet<StateBuf> = FxHashSet::default();
    for tick in 1..=horizon {
        for half in 0..halves {
            let is_last = half + 1 == halves;
            let mut seen: FxHashSet<StateBuf> = FxHashSet::default();
            let mut next: Vec<(u32, Step)> = Vec::new();
            for (parent, step) in (0..).zip(&layers[layers.len() - 1]) {
                if budget.control.stop().is_some() || budget.work == 0 {
                    return Walked::Stopped;
                }
                let reached = expander.expand(half, &step.state, |successor| {
                    let is_closed = is_last && closed.contains(successor.state);
                    if is_closed || seen.contains(successor.state) {
                        return ControlFlow::Continue(());
                    }
                    let mut left = 0;
                    let kind = if is_last {
                        node_kind(task, successor.state)
                    } else {
                        NodeKind::Interior
                    };
                    if kind == NodeKind::DeadEnd {
                        return ControlFlow::Continue(());
                    }
                    if is_last && kind == NodeKind::Interior {
                        budget.work = budget.work.saturating_sub(WORK);
                        match bound(&row_of(model, successor.state), tick) {
                            Some(bound) => left = bound,
                            None => return ControlFlow::Continue(()),
                        }
                    }
                    seen.insert(successor.state.to_owned());
                    next.push((
                        left,
                        Step {
                            state: successor.state.to_owned(),
                            parent,
                            operators: successor.operators.to_vec(),
                        },
                    ));
                    if kind == NodeKind::Final {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if reached.is_break() {
                    break;
                }
            }
            let is_found = |(_, step): &(u32, Step)| {
                is_last && node_kind(task, &step.state) == NodeKind::Final
            };
            if next.last().is_some_and(is_found) {
                layers.push(next.into_iter().map(|(_, step)| step).collect());
                return Walked::Plan(plan(&layers, halves));
            }
            if next.is_empty() {
                return if is_whole {
                    Walked::Refuted
                } else {
                    Walked::Lost(shown(&layers, halves))
                };
            }
            if next.len() > width {
                is_whole = false;
                next.sort_by_key(|&(left, _)| left);
                next.truncate(width);
            }
            bytes += next.len() * step_bytes;
            if bytes > budget.bytes {
                return Walked::Stopped;
            }
            if is_last {
                closed.extend(next.iter().map(|(_, step)| step.state.clone()));
            }
            layers.push(next.into_iter().map(|(_, step)| step).collect());
        }
    }
    if is_whole {
        Walked::Refuted
    } else {
        Walked::Lost(shown(&layers, halves))
    }
}

/// Some states of each tick, the last first.
fn shown(layers: &[Vec<Step>], halves: usize) -> Vec<(u32, StateBuf)> {
    let ticks = layers.iter().step_by(halves).enumerate().rev();
    let states = ticks.flat_map(|(tick, layer)| {
        let shown = layer.iter().take(SHOWN);
        shown.map(move |step| (tick as u32, step.state.clone()))
    });
    states.collect()
}

/// The joint choices that lead to the last state of the last layer.
fn plan(layers: &[Vec<Step>], halves: usize) -> Vec<Vec<OperatorId>> {
    let mut chosen = Vec::new();
    let mut at = layers[layers.len() - 1].len() - 1;
    for layer in layers[1..].iter().rev() {
        chosen.push(layer[at].operators.clone());
        at = layer[at].parent as usize;
    }
    chosen.reverse();
    chosen.chunks(halves).map(<[_]>::concat).collect()
}
