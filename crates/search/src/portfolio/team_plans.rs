//! Plans of several agents, and of totals, by beams over ticks.

use super::Exploration;
use super::attempts::Attempts;
use super::limits::{
    AROUND_IN_TURN_EFFORT, BEAMS_EFFORT, BEAMS_PER_BLIND, BLIND_GROWTH, FIRST_BEAMS_EFFORT,
    FIRST_BLIND_STATES, FIRST_TICK_WIDTH, LEAST_SPENT, MOST_TICK_WIDTH, MUTE, PLANS_GROWTH,
    TICKS_WIDER,
};
use crate::algorithms::anytime::tick_beam::{Aim, Limits, TickBeam, Work};
use crate::algorithms::anytime::{EFFORT_PER_STATE, idle_plan};
use crate::attempt::{Attempt, AttemptEnd, Guide, Method};
use crate::heuristics::Estimate;
use crate::plans::plan::Plan;

impl<'a> Attempts<'a> {
    /// Blind searches, each longer than all before, and plans looked for in between: where no heuristic
    /// applies, or none of them knows anything. Of a total plans come first: beams run to their end, two of each
    /// width, and blind searches for a better total follow once they may store as many states as is in keeping.
    ///
    /// Searches that stored `before` states have not been enough.
    pub(super) fn blind_beside_plans(&mut self, before: u64) -> Exploration<'a> {
        self.wait_for_the_end();
        self.look_in_wider_beams();
        let mut states = before.saturating_mul(BLIND_GROWTH).max(FIRST_BLIND_STATES);
        let mut in_beams = 0_u64;
        while self.looks_for_plans() {
            let spent = self.plan_search.spent;
            if self.is_monotone {
                let share = if self.earlier.is_none() { MUTE } else { 1 };
                self.search_for_plans(spent.saturating_mul(share), 0);
            } else if spent > 0 && !self.is_first_key_proven() {
                let pair = if self.is_by_ticks() {
                    let beams = (0..TickBeam::ROUNDS).map(|_| self.look_over_ticks(u64::MAX, 0));
                    beams.sum()
                } else {
                    self.plan_search.is_over = true;
                    0
                };
                in_beams += pair;
                // Beams that cost less show that few states are left.
                let may_go_on = pair >= states && in_beams / BEAMS_PER_BLIND < states;
                if may_go_on && self.looks_for_plans() && self.control.stop().is_none() {
                    continue;
                }
            }
            let tried = match self.blind_for_a_better_first_key(states) {
                Some(tried) => tried,
                None => self.blind(states),
            };
            if self.is_answer(&tried, states) || !tried.is_own_limit(states) {
                return tried;
            }
            self.give_up(tried);
            // The next beams take twice as long, unless the bound leaves them nothing to look for.
            let growth = if self.is_monotone {
                BLIND_GROWTH
            } else {
                TICKS_WIDER as u64
            };
            states = states.saturating_mul(growth);
        }
        let tried = self.blind_for_a_better_first_key(u64::MAX);
        tried.unwrap_or_else(|| self.blind(u64::MAX))
    }

    /// Returns true if no plan has a better first key than the incumbent.
    fn is_first_key_proven(&self) -> bool {
        let is_proven = |best: Estimate| self.bound.first >= best.first;
        self.incumbent().is_some_and(is_proven)
    }

    /// Blind search that leaves out all plans that are at most as good as the incumbent by the first key. `None` if that
    /// makes no difference, or there are none: then the first key is proven.
    fn blind_for_a_better_first_key(&mut self, most: u64) -> Option<Exploration<'a>> {
        let best = self.incumbent()?;
        if self.is_monotone || self.rest.is_none() || self.is_first_key_proven() {
            return None;
        }
        let mut space = self.space(most);
        space.seek_better_first_key();
        let explored = space.explore(&mut self.expander);
        let is_best = explored.is_ok() && space.goals.is_empty();
        if is_best {
            self.bound.first = self.bound.first.max(best.first);
        }
        let tried = self.explored(Guide::BLIND, None, space, explored);
        if !is_best {
            return Some(tried);
        }
        if let Some(attempt) = self.made.last_mut() {
            attempt.lower = Some(self.measure.value((best.first, 0), 0));
            attempt.end = AttemptEnd::NotImproved;
        }
        self.give_up(tried);
        None
    }

    /// Looks for a first plan of agents who choose at once in beams over ticks, before views of them are built.
    pub(super) fn look_while_mute(&mut self) {
        let mut left = FIRST_BEAMS_EFFORT;
        while left > 0
            && self.earlier.is_none()
            && self.looks_for_plans()
            && self.is_monotone
            && self.task.choices_per_step() > 1
            && self.control.stop().is_none()
            && self.has_beam()
        {
            left = left.saturating_sub(self.look_over_ticks(left, 0).max(LEAST_SPENT));
        }
    }

    /// Looks for a first plan of agents who choose in turn in beams over ticks, for as long as a search has `spent` by
    /// now, while `held` bytes are taken.
    pub(super) fn look_in_turn_while_mute(&mut self, spent: u64, held: usize) {
        let spent = self.plan_search.spent + spent;
        if spent < self.plan_search.by_ticks.due {
            return;
        }
        self.plan_search.by_ticks.due = spent.saturating_mul(PLANS_GROWTH);
        let mut left = spent;
        while left > 0
            && self.earlier.is_none()
            && self.looks_for_plans()
            && self.is_monotone
            && self.task.choices_per_step() == 1
            && self.task.agents.len() > 1
            && self.control.stop().is_none()
            && self.has_beam()
        {
            left = left.saturating_sub(self.look_over_ticks(left, held).max(LEAST_SPENT));
            if self.earlier.is_some() {
                self.look_around_in_beams(spent.min(AROUND_IN_TURN_EFFORT), held);
            }
        }
    }

    /// Looks for plans of a goal in beams over ticks, each wider than the one before, up to a width.
    pub(super) fn look_in_wider_beams(&mut self) {
        let mut left = BEAMS_EFFORT;
        while left > 0
            && self.looks_for_plans()
            && self.is_monotone
            && self.task.agents.len() > 1
            && self.plan_search.by_ticks.width <= MOST_TICK_WIDTH
            && !self.is_proven()
            && self.control.stop().is_none()
            && self.has_beam()
        {
            left = left.saturating_sub(self.look_over_ticks(left, 0).max(LEAST_SPENT));
        }
    }

    /// Looks for better plans around a poor one in beams over ticks, each wider than the one before until it finds one,
    /// up to a width or for so much effort, in states.
    pub(super) fn look_around_in_beams(&mut self, most: u64, held: usize) {
        let mut left = most;
        while left > 0
            && self.looks_for_plans()
            && self.plan_search.by_ticks.width <= MOST_TICK_WIDTH
            && !self.is_proven()
            && self.control.stop().is_none()
            && self.has_beam()
        {
            let before = self.incumbent();
            left = left.saturating_sub(self.look_over_ticks(left, held).max(LEAST_SPENT));
            if self.incumbent() != before {
                self.plan_search.by_ticks.width = FIRST_TICK_WIDTH;
            }
        }
    }

    /// Keeps the plan of waiting, where it is one, as the first incumbent.
    fn wait_for_the_end(&mut self) {
        if self.looks_for_plans()
            && self.earlier.is_none()
            && let Some(plan) = idle_plan(self.task, self.start.state, self.control)
        {
            self.keep_replayed(plan);
        }
    }

    /// Returns true if a beam over ticks is next: always where no other search for plans applies, and for agents
    /// who choose at once until there is an incumbent; else in every second turn of several agents.
    pub(super) fn is_by_ticks(&mut self) -> bool {
        let is_needed =
            !self.is_monotone || self.earlier.is_none() && self.task.choices_per_step() > 1;
        if self.is_monotone && self.task.agents.len() < 2 {
            return false;
        }
        let has_beam = self.has_beam();
        let turns = &mut self.plan_search.by_ticks.turns;
        *turns += 1;
        has_beam && (is_needed || *turns % 2 == 1)
    }

    /// Returns true if there are beams over ticks, and room for them.
    fn has_beam(&mut self) -> bool {
        if !std::mem::replace(&mut self.plan_search.by_ticks.has_tried, true) {
            let held = self.held_bytes();
            let most =
                (self.options.memory_limit).map_or(usize::MAX, |most| most.saturating_sub(held));
            let beam = TickBeam::new(self.task, self.measure, self.options.threads, self.control);
            self.plan_search.by_ticks.beam = beam.filter(|beam| beam.bytes() < most);
        }
        self.plan_search.by_ticks.beam.is_some()
    }

    /// Looks for a plan among the most promising states of each tick; returns the effort spent.
    pub(super) fn look_over_ticks(&mut self, most: u64, held: usize) -> u64 {
        let held = held + self.held_bytes();
        let Some(mut beam) = self.plan_search.by_ticks.beam.take() else {
            return most;
        };
        let ticks = match &self.earlier {
            Some(plan) if self.measure.is_by_makespan() => plan.value.makespan - 1,
            _ => self.task.horizon.unwrap_or(u32::MAX),
        };
        let limits = Limits {
            width: self.plan_search.by_ticks.width,
            ticks,
            effort: most.saturating_mul(EFFORT_PER_STATE),
            bytes: (self.options.memory_limit).map_or(usize::MAX, |most| most.saturating_sub(held)),
        };
        let before = beam.work();
        let round = self.plan_search.by_ticks.rounds;
        let first = self.incumbent().map_or(i64::MAX, |best| best.first);
        let aim = self.rest.as_ref().map(|rest| Aim { first, rest });
        let known = self.earlier.as_ref().filter(|_| self.is_monotone);
        let plan = beam.search(self.start.state, known, limits, aim, round, self.control);
        let work = beam.work();
        let effort = work.effort - before.effort;
        self.plan_search.by_ticks.rounds += 1;
        let is_last_of_width = self.is_monotone || (round + 1).is_multiple_of(TickBeam::ROUNDS);
        self.plan_search.by_ticks.width =
            if effort >= limits.effort || work.layer_bytes >= limits.bytes {
                (limits.width / TICKS_WIDER).max(1)
            } else if is_last_of_width {
                limits.width.saturating_mul(TICKS_WIDER)
            } else {
                limits.width
            };
        // A total is sought in beams that run to their end: no wider one fits.
        self.plan_search.is_over |= !self.is_monotone && work.layer_bytes >= limits.bytes;
        self.plan_search.by_ticks.beam = Some(beam);
        self.note_beam(plan, before, work, held);
        effort / EFFORT_PER_STATE
    }

    /// Keeps the plan of a beam, and notes what it did between two readings of its work, while `held` bytes were taken.
    pub(super) fn note_beam(&mut self, plan: Option<Plan>, before: Work, after: Work, held: usize) {
        let is_better = plan.is_some_and(|plan| self.keep_replayed(plan));
        let attempt = Attempt {
            method: Method::Beam,
            states: after.ranked - before.ranked,
            expanded: after.expanded - before.expanded,
            generated: after.generated - before.generated,
            peak_bytes: held + after.layer_bytes,
            evaluated: after.ranked - before.ranked,
            ..Attempt::inapplicable(Guide::RELAXED_PLANS)
        };
        self.note_attempt(attempt, is_better);
    }
}
