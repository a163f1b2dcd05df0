//! Proofs by relaxed decision diagrams, horizon after horizon, where several agents choose at once.

use std::sync::Arc;

use super::attempts::{Attempts, Exploration};
use super::limits::{
    BLIND_GROWTH, DIAGRAM_GROWTH, FIRST_BLIND_STATES, FIRST_DIAGRAM_WORK, LEAST_DIAGRAM_WORK, MUTE,
    STATES_BESIDE_DIAGRAMS, WORK_PER_STATE,
};
use crate::algorithms::anytime::tick_beam::plan_of;
use crate::attempt::{Attempt, AttemptEnd, Guide};
use crate::control::Progress;
use crate::heuristics::{Estimate, Heuristic, Ladder, LadderLimits, Verdict};

/// Returns whether the bound of diagrams, in ticks, is more than an eighth above that of blind searches. Views and
/// abstractions that may show little are not built then. Measured: in `forced_coordination` they take eight seconds and show
/// nothing. In `lunch` of Order Rush, where the bound is an eighth above, they prove the optimum in a tenth of a second.
pub(super) const fn leads(bound: u32, other: u32) -> bool {
    bound as u64 * 8 > other as u64 * 9
}

impl<'a> Attempts<'a> {
    /// Returns whether diagrams bound what is minimised first.
    pub(super) fn may_use_diagrams(&self) -> bool {
        self.is_monotone && self.measure.is_by_makespan() && self.task.live.is_none()
    }

    /// Diagrams and blind searches in turn.
    pub(super) fn by_diagrams_alone(&mut self) -> Exploration<'a> {
        if self.may_use_diagrams() {
            return self.in_turn_with_diagrams(Guide::BLIND, None, 0, LEAST_DIAGRAM_WORK);
        }
        self.cannot_use(Guide::DECISION_DIAGRAMS);
        self.blind(u64::MAX)
    }

    /// Raises the bound by small diagrams, to be compared with another one.
    pub(super) fn compare_diagrams(&mut self) -> Option<Exploration<'a>> {
        if !self.may_use_diagrams() {
            return None;
        }
        let symmetries = self.expander.symmetries().cloned();
        let found = self.by_diagrams(LEAST_DIAGRAM_WORK);
        if found.is_none() {
            self.use_symmetries(symmetries);
        }
        found
    }

    /// A* by a heuristic, or blind search where there is none, and diagrams in turn, each longer than before.
    pub(super) fn beside_diagrams(
        &mut self,
        guide: Guide,
        heuristic: Option<&mut dyn Heuristic>,
    ) -> Exploration<'a> {
        let (states, work) = (STATES_BESIDE_DIAGRAMS, FIRST_DIAGRAM_WORK);
        self.in_turn_with_diagrams(guide, heuristic, states, work)
    }

    /// Diagrams and blind searches in turn, where diagrams have shown more by far than blind searches did.
    pub(super) fn diagrams_first(&mut self) -> Exploration<'a> {
        self.in_turn_with_diagrams(Guide::BLIND, None, 0, FIRST_DIAGRAM_WORK)
    }

    /// The same with so many states and so much work at first.
    fn in_turn_with_diagrams(
        &mut self,
        guide: Guide,
        mut heuristic: Option<&mut dyn Heuristic>,
        mut states: u64,
        mut work: u64,
    ) -> Exploration<'a> {
        let symmetries = self.expander.symmetries().cloned();
        // Where labels alone are open, a longer search is tried once before diagrams of that horizon.
        let mut are_deferred = true;
        let mut has_looked = false;
        loop {
            let tried = if let Some(heuristic) = &mut heuristic {
                self.informed(guide, &mut **heuristic, states)
            } else {
                if self.looks_for_plans() && self.earlier.is_none() {
                    self.search_for_plans(self.plan_search.spent.saturating_mul(MUTE), 0);
                }
                self.blind(states)
            };
            if self.is_answer(&tried, states) || !tried.is_own_limit(states) {
                return tried;
            }
            self.give_up(tried);
            if !has_looked {
                has_looked = true;
                self.look_in_wider_beams();
            }
            if are_deferred && self.is_makespan_met() {
                are_deferred = false;
            } else {
                if let Some(found) = self.by_diagrams(work) {
                    return found;
                }
                self.use_symmetries(symmetries.clone());
                self.look_for_plans(0);
            }
            states = states.saturating_mul(BLIND_GROWTH).max(FIRST_BLIND_STATES);
            work = work.saturating_mul(DIAGRAM_GROWTH);
        }
    }

    /// Raises the bound tick by tick, for so much work at most; a limit on states bounds it too. Where a plan meets
    /// the bound, A* by the diagrams of that horizon proves the rest. `None` if that is not reached.
    fn by_diagrams(&mut self, work: u64) -> Option<Exploration<'a>> {
        let mut ladder = match self.ladder.take() {
            Some(ladder) => ladder,
            None => Ladder::new(self.task, self.start.state)?,
        };
        let asked = self.options.max_states;
        let mut left = asked.map_or(work, |most| work.min(most.saturating_mul(WORK_PER_STATE)));
        let before = self.bound;
        let mut found = None;
        while found.is_none() && !self.is_proven() {
            let horizon = self.bound.makespan.max(1);
            let (done, held) = (ladder.work, self.held_bytes());
            let limits = LadderLimits {
                control: self.control,
                threads: self.options.threads.get(),
                bytes: (self.options.memory_limit)
                    .map_or(usize::MAX, |most| most.saturating_sub(held)),
                work: left,
            };
            let verdict = ladder.decide(horizon, &limits);
            left = left.saturating_sub(ladder.work - done);
            self.plan_search.spent += (ladder.work - done) / WORK_PER_STATE;
            match verdict {
                Verdict::Refuted => self.prove_longer(horizon + 1),
                Verdict::Open => break,
                Verdict::Plan(joints, diagrams) => {
                    self.keep_replayed(plan_of(self.task, self.start.state, &joints));
                    // A state is covered by the diagrams if it is reached from the start itself.
                    let symmetries = self.expander.symmetries().cloned();
                    let fixing = symmetries.and_then(|found| found.fixing(self.start.state));
                    self.use_symmetries(fixing.map(Arc::new));
                    let mut heuristic = ladder.heuristic(diagrams);
                    found = Some(self.informed(Guide::DECISION_DIAGRAMS, &mut heuristic, u64::MAX));
                }
            }
        }
        self.ladder = Some(ladder);
        if found.is_none() && self.is_proven() {
            found = Some(self.blind(u64::MAX));
        }
        if found.is_none() {
            let worth = self
                .measure
                .value((self.bound.first, self.bound.makespan), self.bound.labels);
            self.made.push(Attempt {
                lower: (self.bound > before).then_some(worth),
                end: match self.control.stop() {
                    Some(reason) => AttemptEnd::Stopped(reason),
                    None => AttemptEnd::GivenUp,
                },
                ..Attempt::inapplicable(Guide::DECISION_DIAGRAMS)
            });
        }
        found
    }

    /// Returns whether the best plan is as short as is proven, so that labels alone are open.
    pub(super) fn is_makespan_met(&self) -> bool {
        self.incumbent()
            .is_some_and(|best| self.bound.makespan >= best.makespan)
    }

    /// Notes that every plan takes so many ticks at least.
    fn prove_longer(&mut self, makespan: u32) {
        self.bound = self.bound.max(Estimate {
            makespan,
            ..Estimate::ZERO
        });
        let bound = self.bound;
        self.control.progress(&Progress {
            states: 0,
            lower: Some((self.measure).value((bound.first, bound.makespan), bound.labels)),
            upper: None,
        });
    }
}
