//! Plans in which one agent acts while the others wait: a first incumbent for several agents.

use super::attempts::Attempts;
use super::limits::{ALONE_EFFORT, ALONE_WIDTH, AROUND_ALONE_EFFORT};
use crate::algorithms::anytime::EFFORT_PER_STATE;
use crate::algorithms::anytime::tick_beam::{Limits, TickBeam};
use brigade_task::{OperatorKind, PackedTask};

/// The rounds of beams that are tried for one agent, those of both weights of age: first without, then with
/// operators that no relaxed plan starts with. Measured: eleven evenings of CookMAS have a plan within 6 s.
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
            if self.earlier.is_some() {
                self.look_around_in_beams(AROUND_ALONE_EFFORT, 0);
            }
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
        let Some(mut beam) = TickBeam::new(&task, self.measure, self.options.threads, self.control)
        else {
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
            let plan = beam.search(self.start.state, None, limits, None, round, self.control);
            let work = beam.work();
            left = left.saturating_sub(work.effort - before.effort);
            self.note_beam(plan, before, work, held);
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

#[cfg(test)]
mod tests {
    use crate::algorithms::anytime::testing::task;
    use crate::{Control, Progress, SearchOptions, StopReason, solve, validate};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Stops once a plan is known.
    struct UntilPlan(AtomicBool);

    impl Control for UntilPlan {
        fn stop(&self) -> Option<StopReason> {
            self.0.load(Ordering::Relaxed).then_some(StopReason::Time)
        }

        fn progress(&self, progress: &Progress) {
            if progress.upper.is_some() {
                self.0.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Checks that a task has a plan that replays, and a bound, within few states.
    fn has_plan_and_bound(domain: &str, problem: &str) {
        let task = task(domain, problem);
        let options = SearchOptions::default().with_max_states(150_000);
        let result = solve(&task, &options, &UntilPlan(AtomicBool::new(false)));
        let plan = result.outcome.plan();
        let plan = plan.unwrap_or_else(|| panic!("no plan: {:?}", result.attempts));
        assert_eq!(validate(&task, &plan.steps), Ok(plan.value));
        let bounds = result.attempts.iter().filter_map(|attempt| attempt.lower);
        let bound = bounds.map(|lower| lower.makespan).max();
        assert!(bound.is_some_and(|it| (1..=plan.value.makespan).contains(&it)));
    }

    #[test]
    fn three_cooks_at_once_have_a_plan_for_an_order_of_three_dishes() {
        has_plan_and_bound(
            include_str!("../../../../domains/cookmas.pddl"),
            include_str!("../../../../problems/cookmas/level-2-dinner.pddl"),
        );
    }

    #[test]
    fn two_cooks_in_turn_have_a_plan_for_a_soup() {
        has_plan_and_bound(
            include_str!("../../../../domains/robotouille-in-turn.pddl"),
            include_str!(
                "../../../../problems/robotouille-in-turn/multi_agent-7_onion_potato_tomato_soup.pddl"
            ),
        );
    }
}
