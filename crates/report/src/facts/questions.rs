//! The questions about a problem that take a search: its optimal plans, what is possible while an agent
//! waits, and what can be reached.
//!
//! They are asked in rounds, each with more states than the one before, so that what a few states decide is known
//! before a hard question takes all the time there is. A decided question is not asked again, and is the same in
//! whatever round that happens: a search does not depend on a limit that it does not meet.

use serde::Serialize;

use super::alone::Alone;
use super::effort::{Effort, is_solvable};
use brigade_search::{
    Control, Distances, Invalid, Objective, Outcome, SearchResult, StopReason, solve, verify,
};
use brigade_task::PackedTask;
use brigade_task::step::Status;

/// The states of a round, as a multiple of those of the round before.
const GROWTH: u64 = 8;

/// The number of rounds, the last with all states.
const ROUNDS: u32 = 3;

/// A question that no search decided, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// As it is called in the text: `optimal plans`, `reachable`, `without chef`.
    pub question: String,
    /// The limit that ended the search.
    pub reason: String,
}

/// The states that can be reached from the initial one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// States at the start of a timestep, up to and with those in which the goal holds; losing states,
    /// and those after the horizon, do not count.
    pub states: u64,
    /// Those of them from which no plan is left.
    pub dead_ends: u64,
}

/// The answers found so far.
pub(super) struct Questions<'t> {
    task: &'t PackedTask,
    /// The search for all optimal plans, and what ended it.
    pub(super) plans: Option<(SearchResult, Option<StopReason>)>,
    pub(super) solvable: Option<bool>,
    /// Of each agent, if there are several.
    pub(super) without: Vec<Alone>,
    pub(super) reach: Result<Option<Reach>, StopReason>,
}

impl<'t> Questions<'t> {
    /// Asks all of a task. An error is a bug: a plan that was found does not stand its test.
    pub(super) fn ask(
        task: &'t PackedTask,
        effort: &Effort,
        control: &dyn Control,
    ) -> Result<Self, Invalid> {
        let mut questions = Self {
            task,
            plans: None,
            solvable: None,
            without: Vec::new(),
            reach: Err(StopReason::States),
        };
        for round in (0..ROUNDS).rev() {
            let states = effort.states / GROWTH.pow(round);
            if states > 0 {
                questions.ask_within(&Effort { states, ..*effort }, control)?;
                if control.stop().is_some() {
                    break;
                }
            }
        }
        Ok(questions)
    }

    fn ask_within(&mut self, effort: &Effort, control: &dyn Control) -> Result<(), Invalid> {
        self.ask_plans(effort, control)?;
        if self.solvable != Some(false) && self.task.agents.len() > 1 {
            self.ask_without(effort, control);
        }
        if self.reach.is_err() {
            self.reach = reach(self.task, effort, control);
        }
        Ok(())
    }

    fn ask_plans(&mut self, effort: &Effort, control: &dyn Control) -> Result<(), Invalid> {
        if matches!(self.plans, Some((_, None))) {
            return Ok(());
        }
        let result = solve(self.task, &effort.search(), control);
        if let Some(plan) = result.outcome.plan() {
            verify(self.task, plan)?;
        }
        let stopped = match &result.outcome {
            Outcome::Bounded { reason, .. } => Some(*reason),
            Outcome::Solved(_) | Outcome::Unsolvable => result.dag_stopped,
        };
        self.solvable = is_solvable(&result.outcome).or(self.solvable);
        // A search that is cut off by time may know less than one of fewer states.
        let is_proven = |result: &SearchResult| matches!(result.outcome, Outcome::Solved(_));
        let knows_more = |(before, _): &(SearchResult, _)| is_proven(before) && !is_proven(&result);
        if !self.plans.as_ref().is_some_and(knows_more) {
            self.plans = Some((result, stopped));
        }
        Ok(())
    }

    fn ask_without(&mut self, effort: &Effort, control: &dyn Control) {
        for agent in 0..self.task.agents.len() {
            match self.without.get_mut(agent) {
                Some(known) if known.stopped.is_none() => continue,
                Some(known) => known.learn(Alone::new(self.task, agent, effort, control)),
                None => self
                    .without
                    .push(Alone::new(self.task, agent, effort, control)),
            }
            if self.without[agent].solvable == Some(true) {
                // The agent may wait in a plan of all.
                self.solvable = Some(true);
            }
        }
    }

    /// The open questions, in the order of the text.
    pub(super) fn undecided(&self) -> Vec<Undecided> {
        let plans = self.plans.as_ref().and_then(|(_, stopped)| *stopped);
        let plans = plans.map(|reason| ("optimal plans".to_owned(), reason));
        let reach = self.reach.as_ref().err();
        let reach = reach.map(|reason| ("reachable".to_owned(), *reason));
        let without = self.without.iter().filter_map(|alone| {
            let question = format!("without {}", alone.agent);
            Some((question, alone.stopped?))
        });
        let all = plans.into_iter().chain(reach);
        let all = all.chain(without.filter(|_| self.solvable != Some(false)));
        all.map(|(question, reason)| Undecided {
            question,
            reason: reason.to_string(),
        })
        .collect()
    }
}

/// Explores all that can be reached. The metric has no influence on which states reach the goal. `None` where there is
/// no goal: no state is a dead end then.
fn reach(
    task: &PackedTask,
    effort: &Effort,
    control: &dyn Control,
) -> Result<Option<Reach>, StopReason> {
    if task.goal.is_none() {
        return Ok(None);
    }
    let dead_ends = 0;
    match task.status(&task.initial) {
        Status::Running => {}
        Status::Goal => {
            return Ok(Some(Reach {
                states: 1,
                dead_ends,
            }));
        }
        Status::Ended | Status::Failed => {
            return Ok(Some(Reach {
                states: 0,
                dead_ends,
            }));
        }
    }
    let options = effort.search().with_objective(Objective::Makespan);
    let mut distances = Distances::new(task, options);
    distances.tabulate(effort.states, control)?;
    let reached = distances.reached();
    Ok(reached.map(|(states, dead_ends)| Reach { states, dead_ends }))
}
