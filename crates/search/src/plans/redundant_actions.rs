//! Redundant actions of a plan, replaced by waiting: those that an agent starts and nothing comes
//! of.
//!
//! Where nothing depends on what an agent does, an optimal plan may let it start anything; all such
//! plans are optimal and count. The one that is shown and played should not send it about for
//! nothing.

use std::ops::{Range, RangeInclusive};

use super::plan::{Plan, PlanStep};
use crate::space::start::Start;
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{LogEntry, OperatorId, OperatorKind, PackedTask, State, StateBuf, TurnMode};

/// The course of a plan: the states it passes, and what each tick records.
struct Course {
    /// The steps of each tick.
    steps: Vec<Range<usize>>,
    /// The state before each tick, and the last one.
    states: Vec<StateBuf>,
    /// The labels and the cost of each tick.
    ticks: Vec<(Vec<LogEntry>, i64)>,
    end: Status,
}

/// Replaces what agents start by waiting, wherever that leaves the labels and the cost of each tick
/// and the end as they are.
pub(crate) fn replace_redundant_actions(task: &PackedTask, start: Start, mut plan: Plan) -> Plan {
    if task.agents.iter().all(|agent| agent.wait.is_none()) {
        return plan;
    }
    let Some(mut course) = Course::of(task, start, &plan.steps) else {
        return plan;
    };
    for index in 0..plan.steps.len() {
        let step = &plan.steps[index];
        let Some(wait) = task.agents[usize::from(step.agent)].wait else {
            continue;
        };
        if task.operator(step.operator).kind != OperatorKind::Start {
            continue;
        }
        let run = run(task, &plan.steps, index);
        if run.iter().any(|&at| !plan.steps[at].labels.is_empty()) {
            continue;
        }
        let started: Vec<OperatorId> = run.iter().map(|&at| plan.steps[at].operator).collect();
        for &at in &run {
            plan.steps[at].operator = wait;
        }
        if !course.stays_with(task, &plan.steps, index..=run[run.len() - 1]) {
            for (&at, &operator) in run.iter().zip(&started) {
                plan.steps[at].operator = operator;
            }
        }
    }
    plan
}

/// The choices by which an agent starts something and goes on with it.
fn run(task: &PackedTask, steps: &[PlanStep], start: usize) -> Vec<usize> {
    let agent = steps[start].agent;
    let own = (start + 1..steps.len()).filter(|&at| steps[at].agent == agent);
    let goes_on = |at: &usize| task.operator(steps[*at].operator).kind == OperatorKind::Continue;
    std::iter::once(start)
        .chain(own.take_while(goes_on))
        .collect()
}

impl Course {
    /// `None` if a choice is not possible, or the plan goes on beyond its end.
    fn of(task: &PackedTask, start: Start, steps: &[PlanStep]) -> Option<Self> {
        let mut course = Self {
            steps: Vec::new(),
            states: vec![start.state.to_owned()],
            ticks: Vec::new(),
            end: Status::Running,
        };
        let mut first = 0;
        while first < steps.len() {
            if course.end != Status::Running {
                return None;
            }
            let now = steps[first..].iter();
            let now = now.take_while(|step| step.tick == steps[first].tick);
            let now = first..first + now.count();
            first = now.end;
            let mut state = course.states[course.states.len() - 1].clone();
            course
                .ticks
                .push(play(task, &mut state, &steps[now.clone()])?);
            course.end = task.status(&state);
            course.steps.push(now);
            course.states.push(state);
        }
        Some(course)
    }

    /// Returns whether all that counts stays as it is if the steps are these instead; they differ
    /// within `changed` only. If so, this is their course from now on.
    fn stays_with(
        &mut self,
        task: &PackedTask,
        steps: &[PlanStep],
        changed: RangeInclusive<usize>,
    ) -> bool {
        let first = self
            .steps
            .partition_point(|tick| tick.end <= *changed.start());
        let mut state = self.states[first].clone();
        let mut states = Vec::new();
        for tick in first..self.steps.len() {
            let now = self.steps[tick].clone();
            let is_over = now.start > *changed.end();
            if is_over && state == self.states[tick] {
                break;
            }
            if play(task, &mut state, &steps[now]).as_ref() != Some(&self.ticks[tick]) {
                return false;
            }
            let is_last = tick + 1 == self.steps.len();
            let expected = if is_last { self.end } else { Status::Running };
            if task.status(&state) != expected {
                return false;
            }
            states.push(state.clone());
        }
        let after = self.states[first + 1..].iter_mut();
        after.zip(states).for_each(|(known, state)| *known = state);
        true
    }
}

/// Plays the choices of one tick: the labels and the cost. `None` if one is not possible.
fn play(task: &PackedTask, state: &mut State, steps: &[PlanStep]) -> Option<(Vec<LogEntry>, i64)> {
    let is_in_turn = task.turns == TurnMode::Sequential;
    let applies = |state: &State, step: &PlanStep| task.is_applicable(state, step.operator);
    if !is_in_turn && !steps.iter().all(|step| applies(state, step)) {
        return None;
    }
    let mut record = Record::default();
    for step in steps {
        if is_in_turn && !applies(state, step) {
            return None;
        }
        task.act(state, step.operator, &mut record);
    }
    task.tick(state, &mut record);
    Some((record.log, record.cost))
}
