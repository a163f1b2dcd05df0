//! Potentials for further attempts: first some that are found in seconds, later some that take longer,
//! where these tell more.

use super::Attempts;
use crate::search::attempt::Guide;
use crate::search::engine::Space;
use crate::search::heuristic::{Detail, Estimate, Heuristic, Potential};

/// A search that stores no more states than this is not worth potentials that take long to find.
pub(super) const STATES_WITHOUT_DETAIL: u64 = 500_000;
/// Heuristics are compared on so many states, at most.
const MOST_SAMPLES: u32 = 1000;

impl Attempts<'_> {
    /// Prepares potentials for further attempts.
    pub(super) fn find_potential(&mut self) {
        self.potential = self.potential_in(Detail::LITTLE);
        if self.potential.is_none() {
            self.cannot_use(Guide::Potentials);
        }
    }

    /// Whether potentials that take longer to find may tell more.
    pub(super) fn may_find_more_potential(&self) -> bool {
        self.potential.as_ref().is_some_and(Potential::is_cut) && !self.has_found_more
    }

    /// Replaces potentials by some that take longer to find, where these tell more of the states that
    /// were met with the others.
    pub(super) fn find_more_potential(&mut self) {
        if !self.may_find_more_potential() {
            return;
        }
        self.has_found_more = true;
        let found = self.potential_in(Detail::MUCH);
        if let Some((mut found, known)) = found.zip(self.potential.as_mut())
            && told(&mut found, &self.met) > told(known, &self.met)
        {
            self.potential = Some(found);
        }
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

/// Some of the states at the start of a timestep that are stored.
pub(super) fn sample(space: &Space) -> Vec<Vec<u64>> {
    let table = &space.tables[0];
    let step = table.len().div_ceil(MOST_SAMPLES).max(1) as usize;
    let states = (0..table.len()).step_by(step);
    states.map(|id| table.state(id).to_vec()).collect()
}

/// What a heuristic tells of some states from which a plan leads to the goal, in all.
fn told(heuristic: &mut impl Heuristic, states: &[Vec<u64>]) -> (i64, u64) {
    let told = states.iter().map(|state| heuristic.estimate(state));
    let told = told.filter(|&told| told != Estimate::DEAD);
    told.fold((0, 0), |(first, makespan), told| {
        (first + told.first, makespan + u64::from(told.makespan))
    })
}
