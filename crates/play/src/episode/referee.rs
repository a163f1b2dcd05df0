//! The referee: plays timesteps to the end, and reports every event.

use super::event::{Chosen, End, EndReason, Event, Labelled, Step};
use super::halt::{Break, Halt, stopped};
use super::sink::Sink;
use super::state::Episode;
use crate::agents::{Observation, Policy, idle};
use brigade_search::StopReason;
use brigade_task::effect::Record;
use brigade_task::facts;
use brigade_task::totals;
use brigade_task::{OperatorId, State, TurnMode};
use std::collections::VecDeque;

/// The error of an episode whose costs cannot be summed.
const COST_TOO_LARGE: &str = "the costs pass 2^63-1, the greatest sum that is exact";

impl Episode<'_> {
    /// Plays on to the end: the task's, the rules', or because `stop` says so (asked before every
    /// timestep). `policies` are one per agent, in order. The end is the last event recorded.
    pub fn run<S: Sink>(
        &mut self,
        policies: &mut [Box<dyn Policy + '_>],
        sink: &mut S,
        stop: &dyn Fn() -> Option<StopReason>,
    ) -> Result<End, S::Error> {
        debug_assert_eq!(policies.len(), self.task.agents.len());
        self.introduce(policies);
        let (reason, detail) = loop {
            if let Some(reason) = self.over() {
                break (reason, None);
            }
            if let Some(reason) = stop() {
                break stopped(reason);
            }
            match self.timestep(policies, sink) {
                Ok(()) => {}
                // A policy that was stopped along with the run has not failed.
                Err(Break::Halt((reason, detail))) => {
                    let fails = reason == EndReason::PolicyError;
                    break match stop().filter(|_| fails) {
                        Some(reason) => stopped(reason),
                        None => (reason, detail),
                    };
                }
                Err(Break::Sink(error)) => return Err(error),
            }
        };
        let mut unproven = policies.iter().filter_map(|policy| policy.unproven());
        let end = End {
            reason,
            detail,
            unproven: unproven.next().map(|reason| reason.to_string()),
            ticks: self.tick,
            labels: self.labels,
            cost: self.cost,
            totals: self.totals.clone(),
            refused: self.refused,
        };
        for policy in policies.iter_mut() {
            policy.ended(reason);
        }
        sink.record(&Event::End(end.clone()), &self.state)?;
        Ok(end)
    }

    fn over(&self) -> Option<EndReason> {
        let is_late = self.tick >= self.rules.max_ticks;
        EndReason::of(self.task, &self.state, self.status)
            .or(is_late.then_some(EndReason::TickLimit))
    }

    /// Shows the policies the first state.
    pub(super) fn introduce(&mut self, policies: &mut [Box<dyn Policy + '_>]) {
        if !std::mem::replace(&mut self.observed, true) {
            self.show(policies, &self.state, &[], |_| 0);
        }
    }

    /// Shows the policies the current state and what was done since the state before, as far as each
    /// agent learns of it; `commands` says how many commands each agent gave.
    pub(super) fn show(
        &self,
        policies: &mut [Box<dyn Policy + '_>],
        before: &State,
        joint: &[OperatorId],
        commands: impl Fn(usize) -> usize,
    ) {
        let known = self.known.as_deref().unwrap_or(self.task);
        for (agent, policy) in policies.iter_mut().enumerate() {
            let learnt = joint.iter().copied();
            let learnt: Vec<OperatorId> = learnt
                .filter(|operator| self.task.learns(before, agent, *operator))
                .collect();
            policy.observe(&Observation {
                task: known,
                tick: self.tick,
                state: &self.state,
                joint: &learnt,
                commands: commands(agent),
            });
        }
    }

    fn timestep<S: Sink>(
        &mut self,
        policies: &mut [Box<dyn Policy + '_>],
        sink: &mut S,
    ) -> Result<(), Break<S::Error>> {
        let mut left: VecDeque<usize> = self.task.acting(&self.state).collect();
        // How many in a row have let others act first.
        let mut later = 0;
        // What an agent sees: where agents act in turn, the state that earlier ones have left.
        let mut seen = self.state.clone();
        let before = self.state.clone();
        let mut answers = Vec::with_capacity(left.len());
        while let Some(agent) = left.pop_front() {
            let may_be_later = self.task.any_order && later < left.len();
            let policy = &mut *policies[agent];
            let Some(answer) = self.ask(agent, &seen, policy, may_be_later, sink)? else {
                left.push_back(agent);
                later += 1;
                continue;
            };
            later = 0;
            if self.task.turns == TurnMode::Sequential {
                self.task
                    .act(&mut seen, answer.operator, &mut Record::default());
            }
            answers.push((agent, answer));
        }
        let mut joint: Vec<OperatorId> = answers.iter().map(|(_, it)| it.operator).collect();
        if answers.iter().any(|(_, answer)| answer.drops_joint) {
            let order = answers.iter().map(|(agent, _)| *agent);
            joint = self.idle_joint(order, policies).map_err(Break::Halt)?;
        }
        let step = self.play(&joint).map_err(Break::Halt)?;
        let chosen = answers.iter().zip(&joint);
        let choices = chosen.map(|((agent, answer), &operator)| Chosen {
            agent: self.name(*agent),
            action: self.task.operator(operator).name.clone(),
            command: answer.command.clone(),
            refused: answer.refused,
        });
        let step = Step {
            choices: choices.collect(),
            ..step
        };
        sink.record(&Event::Step(step), &self.state)
            .map_err(Break::Sink)?;
        self.show(policies, &before, &joint, |agent| {
            let mut answers = answers.iter();
            let answer = answers.find(|(acting, _)| *acting == agent);
            answer.map_or(0, |(_, answer)| answer.commands())
        });
        Ok(())
    }

    /// Applies a joint action. The choices of the step it returns are empty.
    pub(super) fn play(&mut self, joint: &[OperatorId]) -> Result<Step, Halt> {
        let before = self.state.clone();
        let mut record = Record::default();
        self.status = self
            .task
            .step(&mut self.state, joint, &mut record)
            .map_err(|error| (EndReason::Stuck, Some(error.to_string())))?;
        let (added, removed) = facts::changes(self.task, &before, &self.state);
        let labels = record.log.iter().map(|entry| Labelled {
            agent: self.name(entry.agent.into()),
            label: self.task.label(entry.label).to_owned(),
        });
        let step = Step {
            tick: self.tick,
            choices: Vec::new(),
            labels: labels.collect(),
            added,
            removed,
            cost: record.cost,
            totals: self.task.added(&record),
            status: self.status.into(),
        };
        totals::add(&mut self.totals, &step.totals);
        self.tick += 1;
        self.labels += record.log.len();
        let cost = self.cost.checked_add(record.cost);
        self.cost = cost.ok_or((EndReason::Stuck, Some(COST_TOO_LARGE.to_owned())))?;
        Ok(step)
    }

    /// Everyone lets the timestep pass, but for nature.
    fn idle_joint(
        &self,
        order: impl Iterator<Item = usize>,
        policies: &mut [Box<dyn Policy + '_>],
    ) -> Result<Vec<OperatorId>, Halt> {
        let mut state = self.state.clone();
        let mut joint = Vec::new();
        for agent in order {
            let operator = if self.is_of_nature(agent) {
                self.drawn(agent, &state, &mut *policies[agent])?
            } else {
                let legal = self.task.applicable(&state, agent);
                idle(self.task, legal).ok_or_else(|| self.must_act(agent))?
            };
            if self.task.turns == TurnMode::Sequential {
                self.task.act(&mut state, operator, &mut Record::default());
            }
            joint.push(operator);
        }
        Ok(joint)
    }
}
