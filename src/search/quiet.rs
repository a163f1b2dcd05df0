//! Among equal plans the one without idle motion: what an agent starts and nothing comes of, it
//! waits instead.
//!
//! Where nothing depends on what an agent does, an optimal plan may let it start anything; all such
//! plans are optimal and count. The one that is shown and played should not send it about for
//! nothing.

use super::engine::Start;
use super::result::{Plan, PlanStep};
use crate::task::effect::Record;
use crate::task::step::Status;
use crate::task::{LogEntry, OperatorId, OperatorKind, Task, TurnMode};

/// What a plan comes to: the labels and the cost of each tick, and how things stand at its end.
#[derive(PartialEq, Eq)]
struct Course {
    ticks: Vec<(Vec<LogEntry>, i64)>,
    end: Status,
}

/// Lets agents wait wherever that leaves the labels and the cost of each tick and the end as they
/// are.
pub(super) fn quieten(task: &Task, start: Start, mut plan: Plan) -> Plan {
    if task.agents.iter().all(|agent| agent.wait.is_none()) {
        return plan;
    }
    let Some(course) = play(task, start, &plan.steps) else {
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
        if play(task, start, &plan.steps).as_ref() != Some(&course) {
            for (&at, &operator) in run.iter().zip(&started) {
                plan.steps[at].operator = operator;
            }
        }
    }
    plan
}

/// The choices by which an agent starts something and goes on with it.
fn run(task: &Task, steps: &[PlanStep], start: usize) -> Vec<usize> {
    let agent = steps[start].agent;
    let own = (start + 1..steps.len()).filter(|&at| steps[at].agent == agent);
    let goes_on = |at: &usize| task.operator(steps[*at].operator).kind == OperatorKind::Continue;
    std::iter::once(start)
        .chain(own.take_while(goes_on))
        .collect()
}

/// Plays the choices of a plan. `None` if one is not possible, or the plan goes on beyond its end.
fn play(task: &Task, start: Start, steps: &[PlanStep]) -> Option<Course> {
    let mut state = start.state.to_vec();
    let mut ticks = Vec::new();
    let mut end = Status::Running;
    let mut record = Record::default();
    let mut steps = steps;
    while let Some(first) = steps.first() {
        let size = steps.iter().take_while(|step| step.tick == first.tick);
        let (now, later) = steps.split_at(size.count());
        steps = later;
        if end != Status::Running {
            return None;
        }
        if task.turns != TurnMode::Sequential && !now.iter().all(|one| applies(task, &state, one)) {
            return None;
        }
        for step in now {
            if task.turns == TurnMode::Sequential && !applies(task, &state, step) {
                return None;
            }
            task.act(&mut state, step.operator, &mut record);
        }
        task.tick(&mut state, &mut record);
        end = task.status(&state);
        ticks.push((std::mem::take(&mut record.log), record.cost));
        record.clear();
    }
    Some(Course { ticks, end })
}

fn applies(task: &Task, state: &[u64], step: &PlanStep) -> bool {
    task.is_applicable(state, step.operator)
}
