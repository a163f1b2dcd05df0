//! Finds what others have to bring about for an agent on every way to the goal.

use super::landmark::Landmark;
use super::red_black_task::RedBlackTask;
use super::relaxed_plan::RelaxedPlan;
use super::tracking::written;
use crate::control::Control;
use crate::heuristics::cartesian::closure::Closure;
use crate::heuristics::cartesian::facts::{Fact, remove, singleton};
use crate::heuristics::cartesian::model::Model;
use brigade_task::State;

/// The inputs of the search for an agent's landmarks.
struct Search<'a, 'm> {
    red_black: &'a RedBlackTask,
    model: &'a Model<'m>,
    start: &'a State,
    /// The closure under the operators of all agents.
    everyone: Closure,
    /// The closure under the agent's own operators.
    own: Closure,
    /// The closures under the operators of each other agent.
    others: Vec<(usize, Closure)>,
}

impl RedBlackTask {
    /// The facts that one other agent has to bring about on every way to the goal, as far as
    /// relaxed plans show; some of them once `control` says stop.
    pub(crate) fn landmarks(
        &self,
        model: &Model,
        start: &State,
        plan: &RelaxedPlan,
        control: &dyn Control,
    ) -> Vec<Landmark> {
        let variables = &model.task.variables;
        let by_tick = written_by_tick(model);
        let own = written(model, &[self.agent()]);
        let mut search = Search::new(self, model, start);
        let mut landmarks = Vec::new();
        for first in 0..model.domains.len() {
            let members = self.members(first);
            let is_foreign = |&member: &u32| self.is_foreign[member as usize];
            let foreign: Vec<u32> = members.iter().copied().filter(is_foreign).collect();
            let is_own = |&member: &u32| own[member as usize];
            let shared: Vec<u32> = foreign.iter().copied().filter(is_own).collect();
            // What both write is handed over; failing that, what the agent only sees.
            let mut candidates = vec![shared, foreign];
            let is_timed = |&place: &u32| by_tick[place as usize];
            candidates.retain(|places| !places.iter().any(is_timed));
            for value in 0..variables[first as usize].size {
                let start_has = |&member: &u32| variables[member as usize].get(start) == value;
                if members.iter().any(start_has) {
                    continue;
                }
                if control.stop().is_some() {
                    return landmarks;
                }
                let is_planned = |&place: &u32| plan.uses(place, value);
                let planned = candidates.iter();
                let mut planned = planned.filter(|places| places.iter().any(is_planned));
                let found = planned.find_map(|places| search.landmark(&members, places, value));
                landmarks.extend(found);
            }
        }
        landmarks
    }
}

impl RedBlackTask {
    /// The facts that all agents together, which is `everyone`, can reach if none of these facts
    /// ever holds; `None` if that is too much work.
    fn reached_without(
        &self,
        model: &Model,
        start: &State,
        everyone: &mut Closure,
        facts: &[Fact],
    ) -> Option<Box<[u64]>> {
        let mut row = singleton(model, start);
        for variable in 0..model.domains.len() {
            if self.is_red[variable as usize] {
                let red_set = model.domains.get(self.unaided(), variable);
                model
                    .domains
                    .get_mut(&mut row, variable)
                    .copy_from_slice(red_set);
            }
        }
        remove(model, &mut row, facts);
        everyone.close(model, &mut row, facts)?;
        Some(row)
    }

    /// Returns whether the goal cannot be reached if none of these facts ever holds, even if facts
    /// once true stay true.
    pub(crate) fn needs(
        &self,
        model: &Model,
        start: &State,
        everyone: &mut Closure,
        facts: &[Fact],
    ) -> bool {
        let row = self.reached_without(model, start, everyone, facts);
        row.is_some_and(|row| is_impossible(model, &row))
    }
}

/// Returns whether the goal holds in no state of a row.
fn is_impossible(model: &Model, row: &[u64]) -> bool {
    model.goal.truth(&model.domains, row) == Some(false)
}

/// The variables that events and timers write.
fn written_by_tick(model: &Model) -> Vec<bool> {
    let mut by_tick = vec![false; model.task.variables.len()];
    let effects = model.tick.iter().flatten();
    for change in effects.chain(model.timers.iter().map(|timer| &timer.change)) {
        change.writes(&mut |variable| by_tick[variable as usize] = true);
    }
    by_tick
}

impl<'a, 'm> Search<'a, 'm> {
    fn new(red_black: &'a RedBlackTask, model: &'a Model<'m>, start: &'a State) -> Self {
        let agents: Vec<usize> = (0..model.task.agents.len()).collect();
        let others = agents.iter().filter(|&&other| other != red_black.agent());
        let others = others.map(|&other| (other, Closure::new(model, &[other])));
        Self {
            red_black,
            model,
            start,
            own: Closure::new(model, &[red_black.agent()]),
            others: others.collect(),
            everyone: Closure::new(model, &agents),
        }
    }

    /// That one of these places gets a value, of all members of their kind, if that is a landmark
    /// which one other agent can bring about, and neither the agent itself nor any third.
    fn landmark(&mut self, members: &[u32], places: &[u32], value: u32) -> Option<Landmark> {
        let red_black = self.red_black;
        let facts: Vec<Fact> = places.iter().map(|&place| (place, value)).collect();
        let mut achievers = self
            .others
            .iter()
            .filter(|(_, other)| other.may_give(self.model, red_black.everything(), &facts));
        let (Some(&(achiever, _)), None) = (achievers.next(), achievers.next()) else {
            return None;
        };
        let kept =
            |member: &u32| places.contains(member) || !red_black.is_foreign[*member as usize];
        let hidden = members.iter().copied().filter(kept);
        let landmark = Landmark {
            agent: red_black.agent(),
            achiever,
            facts,
            hidden: hidden.map(|member| (member, value)).collect(),
        };
        let model = self.model;
        // Where nothing is left to do after it, nothing is gained by waiting for it.
        let mut row: Box<[u64]> = red_black.everything().into();
        remove(model, &mut row, &landmark.hidden);
        if is_impossible(model, &row) {
            return None;
        }
        let row =
            red_black.reached_without(model, self.start, &mut self.everyone, &landmark.hidden)?;
        let is_own = self.own.may_give(model, &row, &landmark.hidden);
        (is_impossible(model, &row) && !is_own).then_some(landmark)
    }
}
