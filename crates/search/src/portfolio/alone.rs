//! Plans in which one agent acts while the others wait: a first incumbent for several agents.

use super::attempts::Attempts;
use super::limits::{ALONE_EFFORT, ALONE_WIDTH};
use crate::algorithms::anytime::EFFORT_PER_STATE;
use crate::algorithms::anytime::tick_beam::{Limits, TickBeam};
use crate::attempt::{Attempt, Guide, Method};
use brigade_task::{OperatorKind, PackedTask};

/// The rounds of beams that are tried for one agent, those of both weights of age: first without, then with
/// operators that no relaxed plan starts with. Measured: the first finds a plan in 11 of 14 orders of CookMAS.
const ROUNDS: [u64; 4] = [3, 2, 1, 0];

impl Attempts<'_> {
    /// Looks for a first plan of each agent alone, where several choose at once and none is known.
    pub(super) fn look_alone_while_mute(&mut self) {
        while self.task.choices_per_step() > 1
            && self.looks_for_plans()
            && self.control.stop().is_none()
            && let Some(agent) = self.next_alone()
        {
            self.look_alone(agent, ALONE_EFFORT, 0);
        }
    }

    /// The next agent who may reach the goal alone, as long as there is no incumbent. An agent is tried once.
    pub(super) fn next_alone(&mut self) -> Option<usize> {
        let plans = &mut self.plan_search;
        let is_due = self.earlier.is_none()
            && self.is_monotone
            && self.task.agents.len() > 1
            && plans.alone < self.task.agents.len();
        is_due.then(|| {
            plans.alone += 1;
            plans.alone - 1
        })
    }

    /// Looks for a plan in which the other agents wait; returns the effort spent, in states.
    pub(super) fn look_alone(&mut self, agent: usize, most: u64, held: usize) -> u64 {
        let Some(task) = task_of_one(self.task, agent) else {
            return 0;
        };
        let Some(mut beam) = TickBeam::new(&task, self.measure, self.control) else {
            return 0;
        };
        let held = held + self.held_bytes() + beam.bytes();
        let most = most.saturating_mul(EFFORT_PER_STATE);
        let mut left = most;
        for round in ROUNDS {
            if left == 0 || self.earlier.is_some() || self.control.stop().is_some() {
                break;
            }
            let limits = Limits {
                width: ALONE_WIDTH,
                ticks: task.horizon.unwrap_or(u32::MAX),
                effort: left,
                bytes: (self.options.memory_limit)
                    .map_or(usize::MAX, |most| most.saturating_sub(held)),
            };
            let before = beam.work();
            let plan = beam.search(self.start.state, limits, None, round, self.control);
            let work = beam.work();
            left = left.saturating_sub(work.effort - before.effort);
            let is_better = plan.is_some_and(|plan| self.keep_replayed(plan));
            let attempt = Attempt {
                method: Method::Beam,
                states: work.ranked - before.ranked,
                expanded: work.expanded - before.expanded,
                generated: work.generated - before.generated,
                peak_bytes: held + work.layer_bytes,
                evaluated: work.ranked - before.ranked,
                ..Attempt::inapplicable(Guide::RELAXED_PLANS)
            };
            self.note_attempt(attempt, is_better);
        }
        (most - left) / EFFORT_PER_STATE
    }
}

/// The task in which all agents but one wait wherever they may. `None` if none of them ever may.
fn task_of_one(task: &PackedTask, agent: usize) -> Option<PackedTask> {
    let waits: Vec<bool> = (task.operators.iter())
        .map(|operator| matches!(operator.kind, OperatorKind::Wait | OperatorKind::Continue))
        .collect();
    let may_wait = |other: usize| {
        let operators = &task.agents[other].operators;
        other != agent && operators.iter().any(|it| waits[it.index()])
    };
    let waiting: Vec<usize> = (0..task.agents.len()).filter(|&it| may_wait(it)).collect();
    if waiting.is_empty() {
        return None;
    }
    Some(task.changed(|task| {
        for &other in &waiting {
            let operators = &mut task.agents[other].operators;
            operators.retain(|it| waits[it.index()]);
        }
    }))
}
