//! Plays its part of an optimal joint plan, and plans again when others leave it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Choice, Given, Policy, PolicyError, View};
use brigade_search::{Control, Outcome, SearchOptions, Start, StopReason, solve_from};
use brigade_task::effect::Record;
use brigade_task::{OperatorId, PackedTask, State, StateBuf, TurnMode};

/// The optimal decisions: a table, filled by search as states are met.
///
/// A state of a plan is entered with the decisions of all who act there, from one and the same
/// plan, so that agents who share a table agree; a search from a state that others have led to is
/// made once for all of them. The rest of an optimal plan is optimal, so no entry is ever wrong.
pub struct Plans<'c> {
    options: SearchOptions,
    control: &'c dyn Control,
    decisions: BTreeMap<(StateBuf, usize), Decision>,
    searches: u32,
    unproven: Option<StopReason>,
}

/// The decision of an agent in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// The choice on an optimal plan, or on the best that was found.
    Operator(OperatorId),
    /// No plan leads to the goal from here, or none was found.
    Idle,
}

impl std::fmt::Debug for Plans<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plans")
            .field("options", &self.options)
            .field("decisions", &self.decisions.len())
            .field("searches", &self.searches)
            .finish_non_exhaustive()
    }
}

impl<'c> Plans<'c> {
    /// An empty table. `options` and `control` bound every search; where one is stopped, the best
    /// plan it has found is followed, and searched again from the next state that is not on it.
    pub fn new(options: SearchOptions, control: &'c dyn Control) -> Self {
        Self {
            options,
            control,
            decisions: BTreeMap::new(),
            searches: 0,
            unproven: None,
        }
    }

    /// Returns the number of searches made so far.
    pub const fn searches(&self) -> u32 {
        self.searches
    }

    /// The first limit that left a search with a plan and no proof of it, if one did.
    pub const fn unproven(&self) -> Option<StopReason> {
        self.unproven
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Decision, PolicyError> {
        let key = (view.state.to_owned(), view.agent);
        if let Some(&decision) = self.decisions.get(&key) {
            return Ok(decision);
        }
        let task = view.task;
        let start = Start {
            state: view.state,
            agent: match task.turns {
                TurnMode::Sequential => view.agent,
                TurnMode::Simultaneous | TurnMode::Alternate => 0,
            },
        };
        self.searches += 1;
        let result = solve_from(task, start, &self.options, self.control);
        if let Outcome::Bounded { upper, reason, .. } = &result.outcome {
            if upper.is_none() {
                return Err(PolicyError::Limit(*reason));
            }
            self.unproven.get_or_insert(*reason);
        }
        if let Some(plan) = result.outcome.plan() {
            let choices = plan.steps.iter().map(|step| (step.agent, step.operator));
            self.enter(task, view.state, choices);
        }
        // Where the plan says nothing, there is none.
        Ok(*self.decisions.entry(key).or_insert(Decision::Idle))
    }

    /// Enters the decisions along a plan that starts in `state`.
    fn enter(
        &mut self,
        task: &PackedTask,
        state: &State,
        choices: impl Iterator<Item = (u16, OperatorId)>,
    ) {
        let mut state = state.to_owned();
        let mut record = Record::default();
        let mut joint: Vec<(usize, OperatorId)> = Vec::new();
        for (agent, operator) in choices {
            let agent = usize::from(agent);
            joint.push((agent, operator));
            let last = task.turns == TurnMode::Alternate || agent + 1 == task.agents.len();
            if task.turns != TurnMode::Simultaneous {
                let key = (state.clone(), agent);
                let decision = Decision::Operator(operator);
                self.decisions.entry(key).or_insert(decision);
                task.act(&mut state, operator, &mut record);
            } else if last {
                self.enter_joint(&state, &joint);
                for &(_, operator) in &joint {
                    task.act(&mut state, operator, &mut record);
                }
            }
            if last {
                task.tick(&mut state, &mut record);
                joint.clear();
            }
        }
    }

    /// All decisions of a state, or none: two plans may not be mixed within a joint action.
    fn enter_joint(&mut self, state: &State, joint: &[(usize, OperatorId)]) {
        let known = joint
            .iter()
            .any(|&(agent, _)| self.decisions.contains_key(&(state.to_owned(), agent)));
        if !known {
            for &(agent, operator) in joint {
                let decision = Decision::Operator(operator);
                self.decisions.insert((state.to_owned(), agent), decision);
            }
        }
    }
}

/// Optimal closed-loop play, on the assumption that the others play optimally too.
///
/// It follows an optimal joint plan as long as every state is on one that it knows, and plans again
/// from any other state, so it answers whatever the others do. Where no plan leads to the goal, it
/// lets time pass; where none is found within the limits of its search, it gives up.
#[derive(Clone, Debug)]
pub struct Planner<'c> {
    plans: Rc<RefCell<Plans<'c>>>,
}

impl<'c> Planner<'c> {
    /// A planner. Planners that are given the same table share their searches.
    pub const fn new(plans: Rc<RefCell<Plans<'c>>>) -> Self {
        Self { plans }
    }
}

impl Policy for Planner<'_> {
    /// Enters the plan that it found here. Of equal plans the next search might find another.
    fn recall(&mut self, view: &View<'_>, _: &Given<'_>) {
        // What stops the search stops it again when it is asked.
        let _ = self.plans.borrow_mut().decide(view);
    }

    fn unproven(&self) -> Option<StopReason> {
        self.plans.borrow().unproven()
    }

    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let decision = self.plans.borrow_mut().decide(view)?;
        Ok(match decision {
            Decision::Operator(operator) if view.legal.contains(&operator) => operator.into(),
            Decision::Operator(_) | Decision::Idle => {
                view.idle("no plan leads to the goal from here")?.into()
            }
        })
    }
}
