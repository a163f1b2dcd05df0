//! A walk through the states themselves that the diagrams admit, tick by tick.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::diagram::Budget;
use crate::heuristics::cartesian::facts::exact;
use crate::heuristics::cartesian::model::Model;
use crate::space::expand::{Expander, halves};
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::successor::Successor;
use brigade_task::{OperatorId, State, StateBuf};

/// The end of a walk.
pub(super) enum Walked {
    /// The joint choices of a plan within the horizon.
    Plan(Vec<Vec<OperatorId>>),
    /// No plan lies within the horizon.
    Refuted,
    /// Not all was walked: some of the states that were met, each with its tick, the last first.
    Lost(Vec<(u32, StateBuf)>),
    /// A limit was reached.
    Stopped,
}

/// A state that was met.
struct Step {
    state: StateBuf,
    parent: u32,
    operators: Vec<OperatorId>,
    /// A lower bound on the ticks that remain, after the last half-step of a tick.
    remaining: u32,
}

/// The reason why a half-step is not followed to its end.
enum Break {
    Goal,
    Limit,
}

/// States of a tick in which flaws are looked for.
const SHOWN: usize = 16;

/// The work of looking a state up, in parts of nodes. Not tuned.
const WORK: u64 = 4;

/// Walks from one state, and what they have met.
pub(super) struct Walk<'w, 't> {
    pub(super) model: &'w Model<'t>,
    pub(super) expander: &'w mut Expander<'t>,
    /// A lower bound on the ticks that remain from a row after a tick; `None` beyond the horizon.
    pub(super) bound: &'w dyn Fn(&[u64], u32) -> Option<u32>,
    /// The number of states of a tick that are followed.
    pub(super) width: usize,
}

impl Walk<'_, '_> {
    /// Walks from a state for so many ticks.
    pub(super) fn from(&mut self, start: &State, horizon: u32, budget: &mut Budget) -> Walked {
        let halves = halves(self.model.task);
        let mut layers = vec![vec![Step {
            state: start.to_owned(),
            parent: 0,
            operators: Vec::new(),
            remaining: 0,
        }]];
        let mut closed = FxHashSet::default();
        let mut is_whole = true;
        let mut held = 0;
        for index in 0..horizon as usize * halves {
            let half = index % halves;
            // The tick that the half-step ends.
            let tick = (half + 1 == halves).then(|| (index / halves) as u32 + 1);
            let mut next = Vec::new();
            match self.follow(
                &layers[index],
                half,
                tick,
                &closed,
                &mut next,
                (held, &mut *budget),
            ) {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(Break::Limit) => return Walked::Stopped,
                ControlFlow::Break(Break::Goal) => {
                    layers.push(next);
                    return Walked::Plan(plan(&layers, halves));
                }
            }
            if next.len() > self.width {
                is_whole = false;
                next.sort_by_key(|step| step.remaining);
                next.truncate(self.width);
            }
            held += next.len() * self.step_bytes();
            if tick.is_some() {
                closed.extend(next.iter().map(|step| step.state.clone()));
            }
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        if is_whole {
            Walked::Refuted
        } else {
            Walked::Lost(shown(&layers, halves))
        }
    }

    /// Lists the states that a half-step leads to, until one is a goal state.
    fn follow(
        &mut self,
        layer: &[Step],
        half: usize,
        tick: Option<u32>,
        closed: &FxHashSet<StateBuf>,
        next: &mut Vec<Step>,
        (held, budget): (usize, &mut Budget),
    ) -> ControlFlow<Break> {
        let task = self.model.task;
        let most = budget.bytes.saturating_sub(held) / self.step_bytes();
        let mut seen: FxHashSet<StateBuf> = FxHashSet::default();
        for (parent, step) in (0..).zip(layer) {
            if budget.control.stop().is_some() || budget.work == 0 {
                return ControlFlow::Break(Break::Limit);
            }
            let mut visit = |successor: &Successor| {
                let state = successor.state;
                if seen.contains(state) || tick.is_some() && closed.contains(state) {
                    return ControlFlow::Continue(());
                }
                let mut remaining = 0;
                let mut kind = NodeKind::Interior;
                if let Some(tick) = tick {
                    kind = node_kind(task, state);
                    if kind == NodeKind::Interior {
                        budget.work = budget.work.saturating_sub(WORK);
                        match (self.bound)(&exact(self.model, state), tick) {
                            Some(bound) => remaining = bound,
                            None => return ControlFlow::Continue(()),
                        }
                    }
                }
                if kind == NodeKind::DeadEnd {
                    return ControlFlow::Continue(());
                }
                if next.len() >= most || budget.work == 0 {
                    return ControlFlow::Break(Break::Limit);
                }
                seen.insert(state.to_owned());
                next.push(Step {
                    state: state.to_owned(),
                    parent,
                    operators: successor.operators.to_vec(),
                    remaining,
                });
                if kind == NodeKind::Final {
                    return ControlFlow::Break(Break::Goal);
                }
                ControlFlow::Continue(())
            };
            self.expander.expand(half, &step.state, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Bytes of a step, whose state is also in a set.
    fn step_bytes(&self) -> usize {
        let task = self.model.task;
        size_of::<Step>() + size_of::<StateBuf>() + task.words * 16 + task.agents.len() * 4
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
