//! One timestep of a task: applicability, the agents' effects, the tick.

use std::ops::Range;

use super::effect::{Record, STACK_WORDS};
use super::layout::Variable;
use super::packed::{PackedPhase, PackedTask, PackedTimer};
use super::state::State;
use super::{LiveList, OperatorId, Task, TurnMode};

/// The status of an episode after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Running,
    /// A losing state.
    Failed,
    /// The goal holds.
    Goal,
    /// The end is reached without a goal: `:end` holds, or the horizon is reached.
    Ended,
}

/// An operator of a joint action that may not be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operator {operator:?} of agent {agent} is not applicable")]
pub struct Inapplicable {
    /// Whose choice it was.
    pub agent: usize,
    /// The chosen operator.
    pub operator: OperatorId,
}

impl Task {
    /// Whose move it is, in `alternate` mode; else the first agent.
    pub fn mover(&self, state: &State) -> usize {
        self.turn
            .map_or(0, |turn| self.variables[turn.index()].get(state) as usize)
    }

    /// Who chooses in the next timestep, in declared order.
    pub fn acting(&self, state: &State) -> Range<usize> {
        match self.turns {
            TurnMode::Alternate => {
                let mover = self.mover(state);
                mover..mover + 1
            }
            TurnMode::Sequential | TurnMode::Simultaneous => 0..self.agents.len(),
        }
    }

    /// The state in which an agent's operators are applicable or not, where the tick began `before` and
    /// the agents before it have acted up to `now`: with simultaneous turns no one sees what they did.
    pub fn choice_state<'s>(&self, before: &'s State, now: &'s State) -> &'s State {
        match self.turns {
            TurnMode::Simultaneous => before,
            TurnMode::Sequential | TurnMode::Alternate => now,
        }
    }

    /// The number of agents that choose in one timestep.
    pub fn choices_per_step(&self) -> usize {
        match self.turns {
            TurnMode::Alternate => 1,
            TurnMode::Sequential | TurnMode::Simultaneous => self.agents.len(),
        }
    }
}

impl PackedTask {
    /// Returns true if an operator is applicable in `state`.
    pub fn is_applicable(&self, state: &State, operator: OperatorId) -> bool {
        let operator = self.packed_operator(operator);
        operator.tests.iter().all(|test| test.matches(state))
            && operator.guard.holds(&self.variables, state)
    }

    /// The operators that an agent may choose in `state`, ascending. In `alternate` mode an agent
    /// that is not to move has none.
    pub fn applicable(&self, state: &State, agent: usize) -> impl Iterator<Item = OperatorId> {
        self.agents[agent]
            .operators
            .iter()
            .copied()
            .filter(|&operator| self.is_applicable(state, operator))
    }

    /// Applies the effect of one chosen operator; its precondition is not tested.
    pub fn act(&self, state: &mut State, operator: OperatorId, record: &mut Record) {
        self.packed_operator(operator)
            .effect
            .apply(&self.variables, state, record);
        self.derive(state);
    }

    /// Runs the tick that ends a timestep.
    pub fn tick(&self, state: &mut State, record: &mut Record) {
        for phase in &self.packed().tick {
            match phase {
                PackedPhase::Timers => self.advance_timers(state, record),
                PackedPhase::Effect(effect) => effect.apply(&self.variables, state, record),
            }
            self.derive(state);
        }
        if let Some(clock) = self.clock {
            let clock = &self.variables[clock.index()];
            clock.set(state, (clock.get(state) + 1).min(clock.size - 1));
        }
    }

    /// The status of an episode in `state`.
    pub fn status(&self, state: &State) -> Status {
        if self.packed().fail.holds(&self.variables, state) {
            Status::Failed
        } else if self.is_goal(state) {
            Status::Goal
        } else if self.is_end(state) || self.horizon_reached(state) {
            Status::Ended
        } else {
            Status::Running
        }
    }

    /// Returns true if the goal holds. A task without a goal has none to reach.
    pub fn is_goal(&self, state: &State) -> bool {
        let goal = self.packed().goal.as_ref();
        goal.is_some_and(|goal| goal.holds(&self.variables, state))
    }

    /// Returns true if `:end` holds. A state in which the goal holds too, or a losing one, does not end by it.
    pub fn is_end(&self, state: &State) -> bool {
        self.packed().end.holds(&self.variables, state)
    }

    /// Returns true if a state in which the goal does not hold is a losing one, or the last.
    pub fn is_over_without_goal(&self, state: &State) -> bool {
        self.packed().fail.holds(&self.variables, state)
            || self.is_end(state)
            || self.horizon_reached(state)
    }

    fn horizon_reached(&self, state: &State) -> bool {
        self.horizon
            .zip(self.clock)
            .is_some_and(|(horizon, clock)| self.variables[clock.index()].get(state) >= horizon)
    }

    /// One timestep: the choices of all agents (of the one to move, in `alternate` mode), in the order in
    /// which they act, then the tick. On an error `state` is as it was.
    pub fn step(
        &self,
        state: &mut State,
        joint: &[OperatorId],
        record: &mut Record,
    ) -> Result<Status, Inapplicable> {
        debug_assert_eq!(joint.len(), self.choices_per_step());
        let refuse = |operator: OperatorId| Inapplicable {
            agent: usize::from(self.operator(operator).agent),
            operator,
        };
        if self.turns == TurnMode::Sequential {
            let before = state.to_owned();
            for &operator in joint {
                if !self.is_applicable(state, operator) {
                    state.copy_from(&before);
                    return Err(refuse(operator));
                }
                self.act(state, operator, record);
            }
        } else {
            for &operator in joint {
                if !self.is_applicable(state, operator) {
                    return Err(refuse(operator));
                }
            }
            return Ok(self.step_applicable(state, joint, record));
        }
        self.tick(state, record);
        Ok(self.status(state))
    }

    /// Like [`PackedTask::step`], where all choices are known to be applicable when their turn comes.
    pub fn step_applicable(
        &self,
        state: &mut State,
        joint: &[OperatorId],
        record: &mut Record,
    ) -> Status {
        for &operator in joint {
            self.act(state, operator, record);
        }
        self.tick(state, record);
        self.status(state)
    }

    /// Computes the derived variables.
    pub fn derive(&self, state: &mut State) {
        for (layer, rules) in self.axioms.layers.iter().zip(&self.packed().rules) {
            for &variable in &layer.variables {
                self.variables[variable.index()].set(state, 0);
            }
            let mut changed = true;
            while changed {
                changed = false;
                for (body, head) in rules {
                    let head = &self.variables[head.index()];
                    if head.get(state) == 0 && body.holds(&self.variables, state) {
                        head.set(state, 1);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Advances the delayed effects that were live when the phase began, in order.
    fn advance_timers(&self, state: &mut State, record: &mut Record) {
        let live = |timer: &PackedTimer, variables: &[Variable], state: &State| {
            variables[timer.variable.index()].get(state) > 0
        };
        if let Some(list) = &self.live {
            self.advance_list(list, state, record);
            return;
        }
        let variables = &self.variables;
        let timers = &self.packed().timers;
        if !timers.iter().any(|timer| live(timer, variables, state)) {
            return;
        }
        let mut stack = [0; STACK_WORDS];
        let heap;
        let before: &State = if let Some(kept) = stack.get_mut(..state.words().len()) {
            kept.copy_from_slice(state.words());
            State::from_words(kept)
        } else {
            heap = state.to_owned();
            &heap
        };
        for timer in timers {
            if live(timer, variables, before) && live(timer, variables, state) {
                self.advance(timer, state, record);
                self.derive(state);
            }
        }
    }

    /// Advances the members that are in the list now, in order.
    fn advance_list(&self, list: &LiveList, state: &mut State, record: &mut Record) {
        let variables = &self.variables;
        let member = |state: &State, place: usize| {
            let place = list.places.get(place)?;
            (variables[place.index()].get(state) as usize).checked_sub(1)
        };
        let mut end = (0..list.places.len())
            .take_while(|&place| member(state, place).is_some())
            .count();
        let mut place = 0;
        while place < end {
            let Some(timers) = member(state, place).and_then(|index| list.members.get(index))
            else {
                return;
            };
            let is_live = |timer: &PackedTimer, state: &State| {
                variables[timer.variable.index()].get(state) > 0
            };
            for &timer in timers {
                let timer = &self.packed().timers[timer as usize];
                if is_live(timer, state) {
                    self.advance(timer, state, record);
                    self.derive(state);
                }
            }
            if is_live(&self.packed().timers[timers[0] as usize], state) {
                place += 1;
            } else {
                self.leave(list, place, state);
                end -= 1;
                place += usize::from(list.skips);
            }
        }
    }

    /// Takes a member out of the list; those after it move up.
    fn leave(&self, list: &LiveList, place: usize, state: &mut State) {
        for pair in list.places[place..].windows(2) {
            let next = self.variables[pair[1].index()].get(state);
            self.variables[pair[0].index()].set(state, next);
        }
        if let Some(last) = list.places.last() {
            self.variables[last.index()].set(state, 0);
        }
    }

    fn advance(&self, timer: &PackedTimer, state: &mut State, record: &mut Record) {
        let variables = &self.variables;
        let variable = &variables[timer.variable.index()];
        if timer.dropped_when.holds(variables, state) {
            variable.set(state, 0);
        } else if timer.every_tick {
            timer.effect.apply(variables, state, record);
        } else if timer.runs_while.holds(variables, state) {
            let left = variable.get(state) - 1;
            variable.set(state, left);
            if left == 0 {
                timer.effect.apply(variables, state, record);
            }
        }
    }
}
