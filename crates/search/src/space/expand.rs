//! The search space: half-steps, in which one agent chooses, and the tick after the last.
//!
//! With sequential turns a node is a state and the agent who chooses next; the tick is part of the
//! last agent's half-step. With simultaneous turns all preconditions are tested in the state at the
//! start of the step, so a node is such a state only, and its successors are those of the joint
//! choices, whose effects are applied by nesting: a common beginning is applied once. With
//! alternating turns a node is a state, and its one agent the mover.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::constant_effects::Effects;
use super::successor::Successor;
use super::words::copy;
use crate::reductions::stubborn_sets::{Pruner, StubbornSets};
use crate::reductions::symmetry::{Buffers, Symmetries};
use brigade_task::effect::Record;
use brigade_task::successors::SuccessorGenerator;
use brigade_task::{OperatorId, PackedTask, State, TurnMode};

/// Generates successors without allocating.
#[derive(Clone)]
pub(crate) struct Expander<'t> {
    task: &'t PackedTask,
    generators: Vec<SuccessorGenerator>,
    effects: Effects<'t>,
    /// For each level of nesting the applicable operators.
    applicable: Vec<Vec<OperatorId>>,
    /// For each level of nesting the words of the state before the choice, and of one after the last.
    states: Vec<u64>,
    chosen: Vec<OperatorId>,
    record: Record,
    /// The symmetries, if any: successors are then those that stand for their orbits.
    symmetries: Option<Arc<Symmetries>>,
    buffers: Buffers,
    /// The stubborn sets, if any: only their operators are tried then.
    pruning: Option<(Arc<StubbornSets<'t>>, Pruner)>,
    /// The number of applicable operators that were not tried.
    pub(crate) pruned: u64,
}

/// The number of nodes that a step passes through, one per half-step.
pub(crate) fn halves(task: &PackedTask) -> usize {
    match task.turns {
        TurnMode::Sequential => task.agents.len().max(1),
        TurnMode::Simultaneous | TurnMode::Alternate => 1,
    }
}

impl<'t> Expander<'t> {
    pub(crate) fn new(task: &'t PackedTask) -> Self {
        let agents = task.agents.len();
        let depth = match task.turns {
            TurnMode::Simultaneous => agents,
            TurnMode::Sequential | TurnMode::Alternate => 1,
        };
        Self {
            task,
            generators: SuccessorGenerator::of_agents(task),
            effects: Effects::new(task),
            applicable: vec![Vec::new(); depth],
            states: vec![0; (depth + 1) * task.words],
            chosen: Vec::with_capacity(depth),
            record: Record::default(),
            symmetries: None,
            buffers: Buffers::default(),
            pruning: None,
            pruned: 0,
        }
    }

    /// The same for the task's own states and all operators. It takes much less than to make
    /// another.
    pub(crate) fn plain(&self) -> Self {
        Self {
            symmetries: None,
            pruning: None,
            ..self.another()
        }
    }

    /// Generates the states that stand for the orbits of successors.
    pub(crate) fn with_symmetries(self, symmetries: Option<Arc<Symmetries>>) -> Self {
        Self { symmetries, ..self }
    }

    /// Tries operators of stubborn sets only.
    pub(crate) fn pruned_by(self, sets: Option<Arc<StubbornSets<'t>>>) -> Self {
        Self {
            pruning: sets.map(|sets| {
                let pruner = Pruner::new(&sets);
                (sets, pruner)
            }),
            ..self
        }
    }

    /// The same for another thread.
    pub(crate) fn another(&self) -> Self {
        Self {
            pruned: 0,
            ..self.clone()
        }
    }

    /// The symmetries by which successors are canonical.
    pub(crate) fn symmetries(&self) -> Option<&Arc<Symmetries>> {
        self.symmetries.as_ref()
    }

    /// Visits all successors of a node, in an order that depends on the task and the state alone,
    /// until `visit` breaks.
    pub(crate) fn expand<B>(
        &mut self,
        half: usize,
        state: &State,
        mut visit: impl FnMut(&Successor) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.task.agents.is_empty() {
            return ControlFlow::Continue(());
        }
        match self.task.turns {
            TurnMode::Simultaneous if self.task.agents.len() > 1 => {
                self.expand_jointly(state, &mut visit)
            }
            TurnMode::Sequential | TurnMode::Simultaneous => {
                let last = half + 1 == self.task.agents.len();
                let next = if last { 0 } else { half + 1 };
                self.expand_agent(half, next, last, state, &mut visit)
            }
            TurnMode::Alternate => {
                let mover = self.task.mover(state);
                self.expand_agent(mover, 0, true, state, &mut visit)
            }
        }
    }

    fn expand_agent<B>(
        &mut self,
        agent: usize,
        next: usize,
        ticked: bool,
        state: &State,
        visit: &mut impl FnMut(&Successor) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let task = self.task;
        let applicable = &mut self.applicable[0];
        applicable.clear();
        self.generators[agent].applicable(task, state, applicable);
        if let Some((sets, pruner)) = &mut self.pruning {
            let all = applicable.len();
            pruner.prune(sets, state, applicable);
            self.pruned += (all - applicable.len()) as u64;
        }
        let after = State::from_words_mut(&mut self.states[..task.words]);
        for &operator in &*applicable {
            copy(state.words(), after.words_mut());
            let recorded = self.effects.step(operator, ticked, after, &mut self.record);
            if let Some(symmetries) = &self.symmetries {
                symmetries.canonicalize(after, &mut self.buffers);
            }
            visit(&Successor {
                half: next,
                ticked,
                state: after,
                cost: recorded.cost,
                log: recorded.log,
                operators: &[operator],
            })?;
        }
        ControlFlow::Continue(())
    }

    fn expand_jointly<B>(
        &mut self,
        state: &State,
        visit: &mut impl FnMut(&Successor) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (generator, applicable) in self.generators.iter_mut().zip(&mut self.applicable) {
            applicable.clear();
            generator.applicable(self.task, state, applicable);
            if applicable.is_empty() {
                return ControlFlow::Continue(());
            }
        }
        self.states[..self.task.words].copy_from_slice(state.words());
        self.chosen.clear();
        self.record.clear();
        self.choose(0, visit)
    }

    /// Chooses for one agent and those after it. The depth of recursion is the number of agents.
    fn choose<B>(
        &mut self,
        agent: usize,
        visit: &mut impl FnMut(&Successor) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let words = self.task.words;
        let (labels, cost) = (self.record.log.len(), self.record.cost);
        for index in 0..self.applicable[agent].len() {
            let operator = self.applicable[agent][index];
            let start = agent * words;
            self.states.copy_within(start..start + words, start + words);
            let after = State::from_words_mut(&mut self.states[start + words..start + 2 * words]);
            self.task.act(after, operator, &mut self.record);
            self.chosen.push(operator);
            if agent + 1 < self.applicable.len() {
                self.choose(agent + 1, visit)?;
            } else {
                self.task.tick(after, &mut self.record);
                if let Some(symmetries) = &self.symmetries {
                    symmetries.canonicalize(after, &mut self.buffers);
                }
                visit(&Successor {
                    half: 0,
                    ticked: true,
                    state: after,
                    cost: self.record.cost,
                    log: &self.record.log,
                    operators: &self.chosen,
                })?;
            }
            self.chosen.pop();
            self.record.log.truncate(labels);
            self.record.cost = cost;
        }
        ControlFlow::Continue(())
    }
}
