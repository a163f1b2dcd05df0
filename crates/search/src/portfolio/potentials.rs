//! Potentials and patterns for further attempts: first potentials that are found in seconds, later
//! patterns, or potentials that take longer, where their estimates are greater.

use super::attempts::Attempts;
use crate::attempt::Guide;
use crate::heuristics::{Detail, Estimate, Heuristic, Max, Patterns, Potential};
use brigade_task::StateBuf;

impl Attempts<'_> {
    /// Prepares potentials for further attempts.
    pub(super) fn find_potential(&mut self) {
        let found = self.potential_in(Detail::LITTLE);
        self.cheap = found.map(|potentials| Max(Some(potentials), None));
        if self.cheap.is_none() {
            self.cannot_use(Guide::POTENTIALS);
        }
    }

    /// Returns whether patterns, or potentials that take longer to find, may give greater
    /// estimates.
    pub(super) fn may_find_more(&self) -> bool {
        let potentials = self.cheap.as_ref().and_then(|cheap| cheap.potentials());
        potentials.is_some_and(Potential::is_cut) && !self.has_found_more
    }

    /// Adds patterns where their estimates of the states that were met are greater than those of
    /// potentials, which go where they are greater for none; else replaces these by some that take
    /// longer to find where those are greater.
    pub(super) fn find_more(&mut self) {
        if !self.may_find_more() {
            return;
        }
        self.has_found_more = true;
        let Some(mut known) = self.cheap.take() else {
            return;
        };
        if let Some(mut patterns) = self.patterns()
            && is_greater(&mut patterns, &mut known, &self.met)
        {
            if !is_greater_somewhere(&mut known, &mut patterns, &self.met) {
                known.0 = None;
            }
            known.1 = Some(patterns);
        } else if let Some(mut potentials) = self.potential_in(Detail::MUCH)
            && is_greater(&mut potentials, &mut known, &self.met)
        {
            known.0 = Some(potentials);
        }
        let has_patterns = known.has_patterns();
        self.cheap = Some(known);
        if has_patterns {
            self.look_by_patterns();
        }
    }

    pub(super) fn patterns(&self) -> Option<Patterns> {
        Patterns::new(
            self.task,
            self.start.state,
            self.measure,
            self.symmetries(),
            self.options.memory_limit,
            self.options.threads,
            self.control,
        )
    }

    pub(super) fn potential_in(&self, detail: Detail) -> Option<Potential> {
        Potential::new(
            self.task,
            self.start.state,
            self.measure,
            self.symmetries(),
            detail,
            self.options.memory_limit,
            self.control,
        )
    }
}

/// Returns whether the estimate of a heuristic exceeds that of another in some state.
fn is_greater_somewhere(
    heuristic: &mut dyn Heuristic,
    other: &mut dyn Heuristic,
    states: &[StateBuf],
) -> bool {
    let mut states = states.iter();
    states.any(|state| heuristic.estimate(state) > other.estimate(state))
}

/// Returns whether the estimates of a heuristic exceed those of another, summed up over the states
/// from which a plan may lead to the goal by both.
fn is_greater(
    heuristic: &mut dyn Heuristic,
    other: &mut dyn Heuristic,
    states: &[StateBuf],
) -> bool {
    let (mut own, mut by_other) = ((0, 0), (0, 0));
    for state in states {
        let estimates = [heuristic.estimate(state), other.estimate(state)];
        if estimates.contains(&Estimate::DEAD) {
            continue;
        }
        for (sum, estimate) in [&mut own, &mut by_other].into_iter().zip(estimates) {
            *sum = (sum.0 + estimate.first, sum.1 + u64::from(estimate.makespan));
        }
    }
    own > by_other
}
