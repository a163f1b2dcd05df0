//! The completion of a plan from where a beam has come near the goal, and no nearer.
//!
//! All nodes that a beam keeps may share something that its estimate underrates. From one of them
//! the goal is a few steps further away than it seems, and that is a small task of its own, for
//! other searches: greedily from several of them, then with all that proves optima from one.

use super::attempts::Attempts;
use super::limits::{
    COMPLETION_EFFORT, COMPLETION_STATES, COMPLETION_TRIES, FIRST_WEIGHT, RELAXED_PLANS_OVERCOUNTED,
};
use crate::algorithms::anytime::{Greedy, Guide as Way};
use crate::control::{Control, StopReason};
use crate::heuristics::FastForward;
use crate::options::{DeepeningChoice, SearchOptions};
use crate::plans::plan::Plan;
use crate::plans::representatives::Representatives;
use crate::plans::trace;
use crate::plans::validate::validate_from;
use crate::result::SearchResult;
use crate::space::search_space::Space;
use crate::space::start::Start;
use brigade_task::{PackedTask, StateBuf};

/// A search of its own for what remains: [`solve_from`](crate::solve_from). It is passed in, so
/// that the tests of this file need not be compiled with all that proves optima.
pub(super) type Solve = fn(&PackedTask, Start, &SearchOptions, &dyn Control) -> SearchResult;

/// Stops with another, and reports nothing: a bound on the completion is no bound on the plan.
pub(super) struct Silent<'c>(pub(super) &'c dyn Control);

impl Control for Silent<'_> {
    fn stop(&self) -> Option<StopReason> {
        self.0.stop()
    }
}

impl Attempts<'_> {
    /// A plan by way of one of these stored nodes of one choice a step, the nearest to the goal
    /// last, if what remains is found while `held` bytes are taken; and what was spent on that, in
    /// states. The space counts it as its own work.
    pub(super) fn by_way_of(
        &mut self,
        space: &mut Space,
        nearest: &[u32],
        held: usize,
        solve: Solve,
    ) -> (Option<Plan>, u64) {
        let mut spent = 0;
        let Some(&last) = nearest.last() else {
            return (None, 0);
        };
        if let Some(mut relaxed) = self.relaxed_plans() {
            // The nearest may be a dead end.
            let nodes = nearest.iter().rev().take(COMPLETION_TRIES);
            let found = nodes.copied().find_map(|node| {
                let (plan, state) = self.until(space, node);
                let start = Start {
                    state: &state,
                    agent: 0,
                };
                let (rest, states) = self.greedily_from(start, &mut relaxed, space, held);
                spent += states;
                self.joined(plan, &rest?)
            });
            self.plan_search.relaxed = Some(relaxed);
            if found.is_some() {
                return (found, spent);
            }
        }
        let (plan, state) = self.until(space, last);
        let start = Start {
            state: &state,
            agent: 0,
        };
        let (rest, states) = self.solved_from(start, space, held, solve);
        let whole = rest.and_then(|rest| self.joined(plan, &rest));
        (whole, spent + states)
    }

    /// The plan to a stored node, and the state there.
    fn until(&self, space: &Space, node: u32) -> (Plan, StateBuf) {
        let representatives = Representatives::new(self.expander.symmetries().cloned());
        let plan = trace::plan(
            space,
            &mut self.expander.plain(),
            representatives,
            self.start,
            node,
        );
        let path = self.path(&plan);
        let state = path.last().map_or(self.start.state, |last| &last.state);
        let state = state.to_owned();
        (plan, state)
    }

    /// A plan from a state where little seems to be left to do, and what was spent, in states.
    fn greedily_from(
        &self,
        start: Start,
        relaxed: &mut FastForward,
        space: &mut Space,
        held: usize,
    ) -> (Option<Plan>, u64) {
        let options = self.options_of_completion(space, held);
        let silent = Silent(self.control);
        let mut attempts = Attempts::new(self.task, start, &options, &silent, self.measure);
        // Far fewer states than without: a few steps of many places to go to are many plans.
        attempts.use_symmetries(self.expander.symmetries().cloned());
        let mut rest = attempts.space(u64::MAX);
        let way = Way::new(Some(relaxed), None);
        let greedy = Greedy::new(&mut rest, way, FIRST_WEIGHT, None);
        let ended = greedy.search(
            COMPLETION_EFFORT * RELAXED_PLANS_OVERCOUNTED,
            &mut attempts.expander,
        );
        space.expanded += rest.expanded;
        space.generated += rest.generated;
        space.evaluated += rest.evaluated;
        (
            attempts.plan_to(&rest, &ended),
            ended.spent / RELAXED_PLANS_OVERCOUNTED,
        )
    }

    /// The plan that a search of its own finds from a state, and what was spent, in states.
    fn solved_from(
        &self,
        start: Start,
        space: &mut Space,
        held: usize,
        solve: Solve,
    ) -> (Option<Plan>, u64) {
        let asked = self.options.max_states.unwrap_or(u64::MAX);
        let options = self
            .options_of_completion(space, held)
            .with_max_states(COMPLETION_STATES.min(asked));
        let found = solve(self.task, start, &options, &Silent(self.control));
        space.expanded += found.statistics.expanded;
        space.generated += found.statistics.generated;
        space.evaluated += found.statistics.evaluated;
        let stored = found.attempts.iter().map(|attempt| attempt.states);
        (found.outcome.plan().cloned(), stored.sum())
    }

    /// The options of a search for a completion beside what is stored and held.
    fn options_of_completion(&self, space: &Space, held: usize) -> SearchOptions {
        let left = |limit: usize| limit.saturating_sub(space.bytes() + held);
        self.options
            .clone()
            .with_all_plans(false)
            .with_deepening(DeepeningChoice::Never)
            .with_memory_limit(self.options.memory_limit.map(left))
    }

    /// A plan and what comes after it; nothing where a horizon passes meanwhile.
    fn joined(&self, mut plan: Plan, rest: &Plan) -> Option<Plan> {
        let until_then = plan.value.makespan;
        plan.steps
            .extend(rest.steps.iter().cloned().map(|mut step| {
                step.tick += until_then;
                step
            }));
        let value = validate_from(self.task, self.start.state, &plan.steps).ok()?;
        Some(Plan { value, ..plan })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::anytime::testing::{LENGTH, Misled, marsh};
    use crate::algorithms::anytime::{Beam, Ended};
    use crate::control::Progress;
    use crate::measure::Measure;
    use crate::result::Outcome;

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

    /// Finds an optimal plan without estimates.
    fn blindly(
        task: &PackedTask,
        start: Start,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> SearchResult {
        let measure = Measure::new(task, options.objective);
        let mut attempts = Attempts::new(task, start, options, control, measure);
        let exploration = attempts.blind(options.max_states.expect("a limit"));
        assert_eq!(exploration.explored, Ok(()));
        let space = &exploration.space;
        let representatives = Representatives::new(None);
        let expander = &mut attempts.expander;
        let plan = trace::plan(
            space,
            expander,
            representatives,
            start,
            space.best_goals()[0],
        );
        SearchResult {
            outcome: Outcome::Solved(plan),
            statistics: space.statistics(),
            attempts: attempts.made,
            dag: None,
            dag_stopped: None,
            uncollected: None,
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
            let before = space.expanded;
            let (plan, spent) = attempts.by_way_of(space, &ended.nearest, 0, blindly);
            let plan = plan.expect("a way out of the marsh");
            // Into the marsh, out of it, and along the way.
            assert_eq!(plan.value.makespan, LENGTH + 2);
            assert!(spent > 0 && space.expanded > before);
        });
    }

    #[test]
    fn what_remains_is_found_greedily_and_by_a_search_of_its_own() {
        let task = marsh();
        let options = SearchOptions::default();
        let measure = Measure::new(&task, options.objective);
        let start = Start {
            state: &task.initial,
            agent: 0,
        };
        let attempts = Attempts::new(&task, start, &options, &Unreported, measure);
        let mut space = attempts.space(u64::MAX);
        let mut relaxed = FastForward::new(&task, measure, &Unreported).expect("relaxed plans");
        let (greedily, greedy_states) = attempts.greedily_from(start, &mut relaxed, &mut space, 0);
        let expanded_greedily = space.expanded;
        let (solved, states) = attempts.solved_from(start, &mut space, 0, blindly);
        assert!(greedily.expect("a plan").value.makespan >= LENGTH);
        assert_eq!(solved.expect("a plan").value.makespan, LENGTH);
        assert!(greedy_states > 0 && states > 0);
        assert!(expanded_greedily > 0 && space.expanded > expanded_greedily);
    }

    #[test]
    fn nothing_leads_on_from_a_beam_that_took_too_long() {
        beside_a_beam(10, |_, _, ended| {
            assert_eq!((ended.goal, ended.nearest), (None, Vec::new()));
        });
    }
}
