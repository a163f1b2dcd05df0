//! Regret: what each joint step of an episode costs beyond the optimum.
//!
//! With the exact optimal cost-to-go h* before and after a step of cost c, the step's regret is `c + h*(after) −
//! h*(before)`. It is zero exactly if the step belongs to some optimal plan from where the agents stood, and the
//! regrets of an episode add up to what it lost. A change between steps, which is no one's choice, parts an episode
//! into segments, each with a regret of its own ([`Regret::then`]).

use serde::Serialize;

use super::error::ScoreError;
use brigade_diagnostics::words::counted;

/// The regret of an episode.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Regret {
    /// Per step: what it cost beyond the optimum; `None` for a step into or within a dead end,
    /// where no plan reaches the goal any more.
    pub steps: Vec<Option<u64>>,
    /// The sum over all steps; `None` if the episode ran into a dead end.
    pub total: Option<u64>,
    /// The sum over the steps outside of any dead end.
    pub total_before_dead_end: u64,
    /// The first step that is part of no optimal plan.
    pub first_deviation: Option<usize>,
    /// The first step from which the goal is out of reach; 0 too if it was so from the start.
    pub dead_end: Option<usize>,
    /// The cost of the steps taken, and of what happened between them.
    pub cost: i128,
    /// The optimal cost from the start, `None` if there is no plan.
    pub optimum: Option<i64>,
    /// The optimal cost that remains at the end; 0 at a goal.
    pub remaining: Option<i64>,
}

impl Regret {
    /// The regret of an episode that goes on, after something of cost `cost` that no step brought about, with a segment
    /// of regret `next`. If it puts the goal out of reach, or in reach again, that is no step's loss. `None` if the
    /// regrets add up to more than 64 bits hold.
    pub fn then(mut self, cost: i64, next: Self) -> Option<Self> {
        let passed = self.steps.len();
        let later = |step: usize| passed + step;
        let is_hopeless = next.optimum.is_none();
        let lost = if is_hopeless { Some(0) } else { next.total };
        let total = match (self.total, lost) {
            (Some(before), Some(lost)) => Some(before.checked_add(lost)?),
            _ => None,
        };
        let dead_end = next.dead_end.filter(|_| !is_hopeless).map(later);
        self.steps.extend(next.steps);
        Some(Self {
            total,
            total_before_dead_end: self
                .total_before_dead_end
                .checked_add(next.total_before_dead_end)?,
            first_deviation: self.first_deviation.or(next.first_deviation.map(later)),
            dead_end: self.dead_end.or(dead_end),
            cost: self.cost + i128::from(cost) + next.cost,
            remaining: next.remaining,
            ..self
        })
    }
}

/// Regret of an episode whose every step costs 1, as under makespan.
///
/// `cost_to_go` holds h* of each visited state, the first and the last included, `None` where the
/// goal is unreachable: one entry more than there are steps.
pub fn regret(cost_to_go: &[Option<i64>]) -> Result<Regret, ScoreError> {
    let steps = cost_to_go.len().saturating_sub(1);
    regret_with_costs(cost_to_go, &vec![1; steps])
}

/// Regret of an episode with a cost per step, such as 0 for each half-step but the last of a tick,
/// which attributes regret to the agent who chose.
///
/// # Errors
///
/// Lengths that do not fit, or a contradiction: h* falls by more than a step's cost, or a dead end
/// is left. Exact values of a deterministic task have none.
pub fn regret_with_costs(
    cost_to_go: &[Option<i64>],
    step_costs: &[i64],
) -> Result<Regret, ScoreError> {
    let fail = |step: usize, message: String| Err(ScoreError::CostToGo { step, message });
    if cost_to_go.len() != step_costs.len() + 1 {
        let (states, steps) = (cost_to_go.len(), step_costs.len());
        let message = format!(
            "{} and {}; expected one state more",
            counted(states, "state"),
            counted(steps, "step")
        );
        return fail(0, message);
    }
    let mut steps = Vec::with_capacity(step_costs.len());
    let mut dead_end = cost_to_go[0].is_none().then_some(0);
    for (step, (pair, cost)) in cost_to_go.windows(2).zip(step_costs).enumerate() {
        steps.push(match (pair[0], pair[1]) {
            (Some(before), Some(after)) => {
                let lost = i128::from(after) + i128::from(*cost) - i128::from(before);
                let Ok(lost) = u64::try_from(lost) else {
                    let message = format!(
                        "the optimal cost falls from {before} to {after} by a step of cost {cost}"
                    );
                    return fail(step, message);
                };
                Some(lost)
            }
            (None, Some(after)) => {
                let message = format!("a dead end is followed by a state {after} from the goal");
                return fail(step, message);
            }
            (before, None) => {
                if before.is_some() {
                    dead_end = Some(step);
                }
                None
            }
        });
    }
    let mut lost = steps.iter().flatten();
    let total_before_dead_end = lost.try_fold(0_u64, |sum, &lost| sum.checked_add(lost));
    let Some(total_before_dead_end) = total_before_dead_end else {
        return fail(0, "the regrets add up to more than 2^64-1".to_owned());
    };
    Ok(Regret {
        total: dead_end.is_none().then_some(total_before_dead_end),
        total_before_dead_end,
        first_deviation: match cost_to_go[0] {
            Some(_) => steps.iter().position(|lost| *lost != Some(0)),
            None => None,
        },
        dead_end,
        cost: step_costs.iter().copied().map(i128::from).sum(),
        optimum: cost_to_go[0],
        remaining: cost_to_go.last().copied().flatten(),
        steps,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optimal_episode_has_no_regret() {
        let result = regret(&[Some(3), Some(2), Some(1), Some(0)]).unwrap();
        assert_eq!(
            (result.total, result.first_deviation, result.dead_end),
            (Some(0), None, None)
        );
        assert_eq!(
            (result.cost, result.optimum, result.remaining),
            (3, Some(3), Some(0))
        );
    }

    #[test]
    fn idling_costs_one_and_undoing_costs_two() {
        let result = regret(&[Some(3), Some(2), Some(2), Some(3)]).unwrap();
        assert_eq!(result.steps, [Some(0), Some(1), Some(2)]);
        assert_eq!((result.total, result.first_deviation), (Some(3), Some(1)));
    }

    #[test]
    fn the_regrets_of_a_finished_episode_add_up_to_its_loss() {
        let result = regret(&[Some(2), Some(2), Some(3), Some(2), Some(1), Some(0)]).unwrap();
        let lost = result.cost - i128::from(result.optimum.unwrap());
        assert_eq!(result.total, Some(lost as u64));
    }

    #[test]
    fn a_dead_end_is_flagged_at_the_step_that_enters_it() {
        let result = regret(&[Some(3), Some(3), None, None]).unwrap();
        assert_eq!(result.steps, [Some(1), None, None]);
        assert_eq!((result.total, result.total_before_dead_end), (None, 1));
        assert_eq!(
            (result.dead_end, result.first_deviation),
            (Some(1), Some(0))
        );
        let hopeless = regret(&[None, None]).unwrap();
        assert_eq!(
            (hopeless.dead_end, hopeless.first_deviation),
            (Some(0), None)
        );
    }

    #[test]
    fn half_steps_attribute_the_loss_to_the_agent_who_chose() {
        let result = regret_with_costs(&[Some(2), Some(2), Some(2), Some(2)], &[0, 0, 1]).unwrap();
        assert_eq!(result.steps, [Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn segments_add_up_and_what_parts_them_is_lost_by_no_step() {
        // Two steps, one of them in vain; then five more are needed at once, and one is lost again.
        let early = regret(&[Some(3), Some(3), Some(2)]).unwrap();
        let late = regret(&[Some(7), Some(6), Some(6)]).unwrap();
        let both = early.then(4, late).unwrap();
        assert_eq!(both.steps, [Some(1), Some(0), Some(0), Some(1)]);
        assert_eq!((both.total, both.total_before_dead_end), (Some(2), 2));
        assert_eq!((both.first_deviation, both.dead_end), (Some(0), None));
        assert_eq!(
            (both.cost, both.optimum, both.remaining),
            (8, Some(3), Some(6))
        );
    }

    #[test]
    fn a_dead_end_that_no_step_leads_into_leaves_the_sum_known() {
        let begun = || regret(&[Some(3), Some(3)]).unwrap();
        let hopeless = || regret(&[None, None]).unwrap();
        let shut = begun().then(0, hopeless()).unwrap();
        assert_eq!(shut.steps, [Some(1), None]);
        assert_eq!((shut.total, shut.dead_end), (Some(1), None));
        // Opened again, it is left by no step either, and what is lost then counts.
        let opened = shut.then(0, begun()).unwrap();
        assert_eq!(opened.steps, [Some(1), None, Some(1)]);
        assert_eq!((opened.total, opened.dead_end), (Some(2), None));
        // A step into a dead end is one though it is opened later; so is the start.
        let entered = regret(&[Some(1), None]).unwrap();
        let entered = entered.then(0, begun()).unwrap();
        assert_eq!(
            (
                entered.total,
                entered.total_before_dead_end,
                entered.dead_end
            ),
            (None, 1, Some(0))
        );
        let started = hopeless().then(0, begun()).unwrap();
        assert_eq!(
            (started.total, started.dead_end, started.first_deviation),
            (None, Some(0), Some(1))
        );
    }

    #[test]
    fn impossible_costs_are_refused() {
        let message = |costs: &[Option<i64>]| regret(costs).unwrap_err().to_string();
        assert_eq!(
            message(&[Some(3), Some(1)]),
            "cost-to-go, step 0: the optimal cost falls from 3 to 1 by a step of cost 1"
        );
        assert!(message(&[None, Some(1)]).contains("a dead end is followed by"));
        assert!(message(&[]).contains("0 states and 0 steps"));
    }
}
