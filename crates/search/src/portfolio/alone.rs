//! A plan in which one agent acts while the others wait: a first incumbent for several agents.

use super::attempts::Attempts;
use super::completion::Silent;
use super::limits::FIRST_WEIGHT;
use crate::algorithms::anytime::{Greedy, Guide as Way};
use crate::attempt::{Attempt, Guide, Method};
use crate::heuristics::FastForward;
use brigade_task::{OperatorKind, PackedTask};

impl Attempts<'_> {
    /// The next agent who may reach the goal alone, as long as there is no incumbent: one after each
    /// search among the choices of all. An agent is tried once.
    pub(super) fn next_alone(&mut self) -> Option<usize> {
        let plans = &mut self.plan_search;
        let is_due = self.earlier.is_none()
            && self.is_monotone
            && plans.alone < self.task.agents.len()
            && self.task.agents.len() > 1
            && plans.by_ticks.turns > plans.alone as u64;
        is_due.then(|| {
            plans.alone += 1;
            plans.alone - 1
        })
    }

    /// Looks for a plan in which the other agents wait; returns the effort spent, in states.
    pub(super) fn look_alone(&mut self, agent: usize, most: u64, held: usize) -> u64 {
        let task = task_of_one(self.task, agent);
        let silent = Silent(self.control);
        let Some(mut relaxed) = FastForward::new(&task, self.measure, &silent) else {
            return 0;
        };
        let mut attempts = Attempts::new(&task, self.start, self.options, &silent, self.measure);
        let mut space = attempts.space(u64::MAX);
        space.others.1 += held + self.held_bytes() + relaxed.bytes();
        let way = Way::new(Some(&mut relaxed), None);
        let greedy = Greedy::new(&mut space, way, FIRST_WEIGHT, None);
        let ended = greedy.search(most, &mut attempts.expander);
        let plan = attempts.plan_to(&space, &ended);
        let attempt = Attempt {
            method: Method::Greedy,
            states: space.states(),
            expanded: space.expanded,
            generated: space.generated,
            peak_bytes: space.peak_bytes,
            evaluated: space.evaluated,
            ..Attempt::inapplicable(Guide::RELAXED_PLANS)
        };
        let is_better = plan.is_some_and(|plan| self.keep_replayed(plan));
        self.note_attempt(attempt, is_better);
        ended.spent
    }
}

/// The task in which all agents but one wait wherever they may.
fn task_of_one(task: &PackedTask, agent: usize) -> PackedTask {
    let waits: Vec<bool> = (task.operators.iter())
        .map(|operator| matches!(operator.kind, OperatorKind::Wait | OperatorKind::Continue))
        .collect();
    task.changed(|task| {
        for (index, other) in task.agents.iter_mut().enumerate() {
            let may_wait = other.operators.iter().any(|it| waits[it.index()]);
            if index != agent && may_wait {
                other.operators.retain(|it| waits[it.index()]);
            }
        }
    })
}
