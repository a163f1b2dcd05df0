//! What remains of a plan where a beam has come near the goal, and no nearer.
//!
//! All nodes that a beam keeps may have something in common of which its estimate tells too little.
//! From one of them the goal is a few steps more away than it seems, and that is a small task of its
//! own, for other searches.

use super::Attempts;
use crate::search::engine::{Space, Start};
use crate::search::lift::Lift;
use crate::search::options::{
    BidirectionalChoice, Control, DeepeningChoice, SearchOptions, StopReason,
};
use crate::search::result::Plan;
use crate::search::validate::validate_from;
use crate::search::{solve_from, trace};

/// A search for what remains stores so many states, at most.
const MOST_STATES: u64 = 100_000;

/// Stops with another, and reports nothing: what is proven of the remainder is no bound on the plan.
struct Silent<'c>(&'c dyn Control);

impl Control for Silent<'_> {
    fn stop(&self) -> Option<StopReason> {
        self.0.stop()
    }
}

impl Attempts<'_> {
    /// A plan by way of a stored node of one choice a step, if what remains is found while `held` bytes
    /// are taken; and what was spent on that, in states. The space counts it as its own work.
    pub(super) fn by_way_of(
        &self,
        space: &mut Space,
        node: u32,
        held: usize,
    ) -> (Option<Plan>, u64) {
        let lift = Lift::new(self.expander.symmetries().cloned());
        let mut plan = trace::plan(space, &mut self.expander.plain(), lift, self.start, node);
        let path = self.path(&plan);
        let Some(last) = path.last() else {
            return (None, 0);
        };
        let left = |limit: usize| limit.saturating_sub(space.bytes() + held);
        let asked = self.options.max_states.unwrap_or(u64::MAX);
        let options = SearchOptions {
            all: false,
            deepening: DeepeningChoice::Never,
            bidirectional: BidirectionalChoice::Never,
            memory_limit: self.options.memory_limit.map(left),
            max_states: Some(MOST_STATES.min(asked)),
            ..*self.options
        };
        let start = Start {
            state: &last.state,
            agent: 0,
        };
        let found = solve_from(self.task, start, &options, &Silent(self.control));
        space.expanded += found.statistics.expanded;
        space.generated += found.statistics.generated;
        space.evaluated += found.statistics.evaluated;
        let stored = found.attempts.iter().map(|attempt| attempt.states);
        let spent = stored.sum();
        let Some(rest) = found.outcome.plan() else {
            return (None, spent);
        };
        let until_then = plan.value.makespan;
        plan.steps
            .extend(rest.steps.iter().cloned().map(|mut step| {
                step.tick += until_then;
                step
            }));
        // A horizon may have passed meanwhile.
        let whole = validate_from(self.task, self.start.state, &plan.steps).map(|value| Plan {
            steps: plan.steps,
            value,
        });
        (whole.ok(), spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::anytime::testing::{LENGTH, Misled, marsh};
    use crate::search::anytime::{Beam, Ended};
    use crate::search::measure::Measure;
    use crate::search::result::Progress;

    /// Lets nothing be reported.
    struct Unreported;

    impl Control for Unreported {
        fn stop(&self) -> Option<StopReason> {
            None
        }

        fn progress(&self, progress: &Progress) {
            panic!("{progress:?} was reported");
        }
    }

    /// Hands on a search of the marsh, and how a beam has ended in it that may spend so much.
    fn beside_a_beam(most: u64, check: impl FnOnce(&mut Attempts, &mut Space, Ended)) {
        let task = marsh();
        let start = Start {
            state: &task.initial,
            agent: 0,
        };
        let options = SearchOptions::default();
        let measure = Measure::new(&task, options.objective);
        let mut attempts = Attempts::new(&task, start, &options, &Unreported, measure);
        let mut space = attempts.space(u64::MAX);
        let mut heuristic = Misled(&task);
        let beam = Beam::new(&mut space, &mut heuristic, 1, None);
        let ended = beam.search(most, &mut attempts.expander);
        check(&mut attempts, &mut space, ended);
    }

    #[test]
    fn a_plan_leads_on_from_where_a_beam_comes_no_nearer_to_the_goal() {
        beside_a_beam(u64::MAX, |attempts, space, ended| {
            assert_eq!(ended.goal, None);
            let nearest = ended.nearest.expect("a place of the marsh");
            let before = space.expanded;
            let (plan, spent) = attempts.by_way_of(space, nearest, 0);
            let plan = plan.expect("a way out of the marsh");
            // Into the marsh, out of it, and along the way.
            assert_eq!(plan.value.makespan, LENGTH + 2);
            assert!(spent > 0 && space.expanded > before);
        });
    }

    #[test]
    fn nothing_leads_on_from_a_beam_that_took_too_long() {
        beside_a_beam(10, |_, _, ended| {
            assert_eq!((ended.goal, ended.nearest), (None, None));
        });
    }
}
