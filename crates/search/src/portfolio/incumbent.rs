//! The incumbent, and the schedule of the searches for better ones.
//!
//! A plan that is known bounds all further attempts from above: an A* search need not expand what
//! is no better (equal ones are kept where all plans are asked for), a blind search nothing of a
//! greater key; where what is proven comes to as much, the plan is optimal and nothing is left to
//! do.

use super::attempts::Attempts;
use super::limits::{
    LARGER, LEAST_SPENT, LIGHTER, NARROWER, PAUSE, PLANS_AT_ONCE, PLANS_GROWTH, PLANS_SHARE, WIDER,
};
use super::plan_search::ByPatterns;
use crate::algorithms::anytime::{
    Beam, Bounded, Ended, GENERATED_PER_STATE, Greedy, Guide as Way, Novelty, Waypoint, shorten,
};
use crate::attempt::{Attempt, AttemptEnd, Guide, Method};
use crate::control::{Progress, StopReason};
use crate::heuristics::{Estimate, FastForward, Patterns};
use crate::options::{AnytimeChoice, HeuristicChoice, PlanLead};
use crate::plans::plan::Plan;
use crate::plans::representatives::Representatives;
use crate::plans::trace;
use crate::plans::validate::validate_from;
use crate::solve_from;
use crate::space::expand::halves;
use crate::space::search_space::Space;
use brigade_task::State;
use brigade_task::effect::Record;

impl<'a> Attempts<'a> {
    /// The worth of the best plan known.
    pub(super) fn incumbent(&self) -> Option<Estimate> {
        self.earlier.as_ref().map(|plan| {
            let [first, _, labels] = self.measure.keys(plan.value);
            Estimate {
                first,
                makespan: plan.value.makespan,
                labels: labels as u32,
            }
        })
    }

    /// Returns whether the best plan known is optimal, and that is all that is asked for.
    pub(super) fn is_proven(&self) -> bool {
        self.is_monotone
            && !self.options.all
            && self.incumbent().is_some_and(|best| self.bound >= best)
    }

    /// Keeps a plan that is better than the best one known; returns whether it is.
    pub(super) fn keep(&mut self, plan: Plan) -> bool {
        let worth = |plan: &Plan| self.measure.keys(plan.value);
        if (self.earlier.as_ref()).is_some_and(|known| worth(known) <= worth(&plan)) {
            return false;
        }
        let bound = self.bound;
        let lower = (self.measure).value((bound.first, bound.makespan), bound.labels);
        self.control.progress(&Progress {
            states: 0,
            lower: (bound != Estimate::ZERO).then_some(lower),
            upper: Some(self.measure.restrict(plan.value)),
        });
        self.earlier = Some(plan);
        true
    }

    /// After how many more states a search pauses to look for plans.
    pub(super) fn pause(&self) -> u64 {
        if self.looks_for_plans() {
            PAUSE.min(self.options.plans_from).max(1)
        } else {
            u64::MAX
        }
    }

    pub(super) fn looks_for_plans(&self) -> bool {
        let is_wanted = match self.options.anytime {
            AnytimeChoice::Auto => self.options.heuristic == HeuristicChoice::Auto,
            AnytimeChoice::Always => true,
            AnytimeChoice::Never => false,
        };
        is_wanted && !self.plan_search.is_over
    }

    /// Looks for plans before anything else.
    pub(super) fn look_for_plans_at_once(&mut self) {
        self.plan_search.states = LEAST_SPENT;
        self.search_for_plans(PLANS_AT_ONCE.min(self.options.plans_from), 0);
    }

    /// Looks for plans if that is due, while `held` bytes are taken.
    pub(super) fn look_for_plans(&mut self, held: usize) {
        if self.looks_for_plans() && self.plan_search.spent >= self.plan_search.due {
            self.plan_search.due = self.plan_search.spent.saturating_mul(PLANS_GROWTH);
            self.search_for_plans(self.plan_search.spent / PLANS_SHARE, held);
        }
    }

    /// The same in a pause of a search that has spent so much by now.
    pub(super) fn look_for_plans_beside(&mut self, spent: u64, held: usize) {
        let before = self.plan_search.spent;
        self.plan_search.spent += spent;
        self.look_for_plans(held);
        self.plan_search.spent = before;
    }

    /// Looks for plans by patterns that were found just now: if none is known, for as long as the
    /// proof has taken. After that what proofs without them have spent counts no more: those with
    /// them come further.
    pub(super) fn look_by_patterns(&mut self) {
        if !self.looks_for_plans() {
            return;
        }
        let share = if self.earlier.is_some() {
            PLANS_SHARE
        } else {
            1
        };
        self.search_for_plans(self.plan_search.spent / share, 0);
        self.plan_search.spent = 0;
        self.plan_search.due = self.options.plans_from;
    }

    /// Looks for plans: some, then better ones nearby and elsewhere in turn.
    pub(super) fn search_for_plans(&mut self, most: u64, held: usize) {
        // What a search has left out before it paused stays its own.
        let pruned = std::mem::take(&mut self.expander.pruned);
        let mut left = most;
        while left > 0
            && !self.plan_search.is_over
            && !self.is_proven()
            && self.control.stop().is_none()
        {
            let spent = match &self.earlier {
                Some(plan) if self.is_monotone && !self.plan_search.is_best_nearby => {
                    let path = self.path(plan);
                    self.look_nearby(&path, left, held)
                }
                _ => self.look_elsewhere(left, held),
            };
            left = left.saturating_sub(spent.max(LEAST_SPENT));
        }
        self.expander.pruned = pruned;
    }

    /// Looks for a plan anywhere; returns the effort spent. As long as none is known, greedily and
    /// where states are new in turn.
    fn look_elsewhere(&mut self, most: u64, held: usize) -> u64 {
        if let Some(mut cheap) = self.cheap.take() {
            let patterns = cheap.1.as_mut();
            let ended = patterns.map(|patterns| self.look_by(patterns, most, held));
            self.cheap = Some(cheap);
            if let Some(ended) = ended {
                return self.elsewhere(&ended);
            }
        }
        let is_after_a_beam = self.plan_search.by_ticks.turns > self.plan_search.alone as u64;
        if is_after_a_beam && let Some(agent) = self.next_alone() {
            return self.look_alone(agent, most / 2, held);
        }
        if self.is_by_ticks() {
            return self.look_over_ticks(most, held);
        }
        if !self.is_monotone {
            self.plan_search.is_over = true;
            return most;
        }
        let mut relaxed = self.relaxed_plans();
        let other = match self.plan_search.next {
            PlanLead::Nearness => PlanLead::Novelty,
            PlanLead::Novelty => PlanLead::Nearness,
        };
        let lead = std::mem::replace(&mut self.plan_search.next, other);
        let ended = match (&mut relaxed, lead) {
            (Some(relaxed), PlanLead::Novelty) if self.earlier.is_none() => {
                self.look_where_new(relaxed, most, held)
            }
            (relaxed, _) => self.look_greedily(relaxed.as_mut(), most, held),
        };
        self.plan_search.relaxed = relaxed;
        self.elsewhere(&ended)
    }

    /// Relaxed plans, for as long as they are taken, if they can be had.
    pub(super) fn relaxed_plans(&mut self) -> Option<FastForward<'a>> {
        if !std::mem::replace(&mut self.plan_search.has_tried, true) {
            self.plan_search.relaxed = FastForward::new(self.task, self.measure, self.control);
        }
        self.plan_search.relaxed.take()
    }

    /// Keeps what a search for a plan anywhere has shown; returns the effort that it has spent.
    fn elsewhere(&mut self, ended: &Ended) -> u64 {
        self.plan_search.is_over = ended.is_complete && ended.goal.is_none();
        self.plan_search.is_best_nearby = false;
        ended.spent
    }

    /// Looks for a plan by patterns; for a better one than is known within what it takes and in a
    /// beam in turn.
    fn look_by(&mut self, patterns: &mut Patterns, most: u64, held: usize) -> Ended {
        match self.incumbent() {
            Some(best) if self.plan_search.by_patterns == ByPatterns::Bounded => {
                self.plan_search.by_patterns = ByPatterns::Beam;
                self.look_within(best, patterns, most, held)
            }
            _ => {
                self.plan_search.by_patterns = ByPatterns::Bounded;
                self.look_in_a_beam(patterns, most, held)
            }
        }
    }

    /// Looks for a better plan where least is to come of what it may take.
    fn look_within(
        &mut self,
        best: Estimate,
        patterns: &mut Patterns,
        most: u64,
        held: usize,
    ) -> Ended {
        let mut space = self.space(u64::MAX);
        space.others.1 += held;
        let search = Bounded::new(&mut space, best);
        let ended = search.search(patterns, most, &mut self.expander);
        self.note_end(Guide::PATTERNS, Method::BoundedCost, &space, &ended);
        ended
    }

    /// Looks for a plan among the most promising nodes of each depth.
    fn look_in_a_beam(&mut self, patterns: &mut Patterns, most: u64, held: usize) -> Ended {
        let mut space = self.space(u64::MAX);
        space.others.1 += held;
        let beam = Beam::new(
            &mut space,
            patterns,
            self.plan_search.width,
            self.incumbent(),
        );
        let mut ended = beam.search(most, &mut self.expander);
        if ended.goal.is_none() {
            self.plan_search.width = if ended.spent < most {
                self.plan_search.width.saturating_mul(WIDER)
            } else {
                (self.plan_search.width / NARROWER).max(1)
            };
        }
        let mut plan = self.plan_to(&space, &ended);
        if plan.is_none() && self.earlier.is_none() {
            let (found, spent) = self.by_way_of(&mut space, &ended.nearest, held, solve_from);
            plan = found;
            ended.spent += spent;
        }
        self.note(Guide::PATTERNS, Method::Beam, &space, plan);
        ended
    }

    /// Looks for a plan where states are new.
    fn look_where_new(&mut self, relaxed: &mut FastForward, most: u64, held: usize) -> Ended {
        let mut space = self.space(u64::MAX);
        space.others.1 += held;
        let ended = Novelty::new(&mut space, relaxed).search(most, &mut self.expander);
        self.note_end(Guide::RELAXED_PLANS, Method::Novelty, &space, &ended);
        ended
    }

    /// Looks for a plan where little seems to be left to do.
    fn look_greedily(
        &mut self,
        relaxed: Option<&mut FastForward>,
        most: u64,
        held: usize,
    ) -> Ended {
        let mut cheap = self.cheap.take();
        let way = Way::new(relaxed, cheap.as_mut());
        let guide = match (&way.relaxed, &way.cheap) {
            (Some(_), Some(_)) => Guide::RELAXED_PLANS.and(Guide::POTENTIALS),
            (Some(_), None) => Guide::RELAXED_PLANS,
            (None, Some(cheap)) => cheap.guide(),
            (None, None) => {
                return Ended {
                    goal: None,
                    nearest: Vec::new(),
                    spent: most,
                    is_complete: true,
                };
            }
        };
        let mut space = self.space(u64::MAX);
        space.others.1 += held;
        let greedy = Greedy::new(&mut space, way, self.plan_search.weight, self.incumbent());
        let ended = greedy.search(most, &mut self.expander);
        self.plan_search.weight = (self.plan_search.weight / LIGHTER).max(1);
        self.cheap = cheap;
        self.note_end(guide, Method::Greedy, &space, &ended);
        ended
    }

    /// Notes how a search for a plan from the start went.
    fn note_end(&mut self, guide: Guide, method: Method, space: &Space, ended: &Ended) {
        let plan = self.plan_to(space, ended);
        self.note(guide, method, space, plan);
    }

    /// The plan that a search from the start has ended with.
    pub(super) fn plan_to(&self, space: &Space, ended: &Ended) -> Option<Plan> {
        ended.goal.map(|goal| {
            let representatives = Representatives::new(self.expander.symmetries().cloned());
            trace::plan(
                space,
                &mut self.expander.plain(),
                representatives,
                self.start,
                goal,
            )
        })
    }

    /// Looks for a better plan around the states of the best one; returns the effort spent.
    fn look_nearby(&mut self, path: &[Waypoint], most: u64, held: usize) -> u64 {
        let mut space = Space::new(
            self.task,
            self.start,
            self.options,
            self.control,
            self.measure,
        );
        (space.expanded, space.generated, space.evaluated) = self.work;
        space.others.1 = held + self.held_bytes();
        let mut expander = self.expander.plain();
        let states = self.plan_search.states.min(most);
        let goal = shorten(&mut space, &mut expander, path, states);
        let plan = goal.map(|goal| {
            trace::plan(
                &space,
                &mut expander,
                Representatives::new(None),
                self.start,
                goal,
            )
        });
        self.plan_search.is_best_nearby =
            !self.note(Guide::BLIND, Method::Neighbourhood, &space, plan);
        if self.plan_search.is_best_nearby {
            self.plan_search.states = self.plan_search.states.saturating_mul(LARGER);
        }
        space.states().max(space.generated / GENERATED_PER_STATE)
    }

    /// Records a search for a plan; returns whether it has found a better one.
    fn note(&mut self, guide: Guide, method: Method, space: &Space, plan: Option<Plan>) -> bool {
        let is_better = plan.is_some_and(|plan| self.keep_replayed(plan));
        let attempt = self.attempt(guide, None, space, Err(StopReason::States));
        let interchangeable = match method {
            Method::Neighbourhood => 0,
            _ => attempt.interchangeable,
        };
        self.note_attempt(
            Attempt {
                method,
                interchangeable,
                ..attempt
            },
            is_better,
        );
        is_better
    }

    /// Keeps a plan that is better than the best one known, and that replays; returns whether it is.
    pub(super) fn keep_replayed(&mut self, plan: Plan) -> bool {
        let replayed = validate_from(self.task, self.start.state, &plan.steps);
        debug_assert_eq!(replayed, Ok(plan.value));
        replayed == Ok(plan.value) && self.keep(plan)
    }

    /// Records a search for a plan, and whether it has found a better one.
    pub(super) fn note_attempt(&mut self, attempt: Attempt, is_better: bool) {
        self.plan_search.work.0 += attempt.expanded;
        self.plan_search.work.1 += attempt.generated;
        self.plan_search.work.2 += attempt.evaluated;
        let best = self.earlier.as_ref();
        self.made.push(Attempt {
            lower: None,
            upper: best.map(|plan| self.measure.restrict(plan.value)),
            end: if is_better {
                AttemptEnd::Improved
            } else {
                AttemptEnd::NotImproved
            },
            ..attempt
        });
    }

    /// The nodes that a plan from the start passes through.
    pub(super) fn path(&self, plan: &Plan) -> Vec<Waypoint> {
        let task = self.task;
        let halves = halves(task);
        let mut state = self.start.state.to_owned();
        let mut record = Record::default();
        let node = |half, state: &State| Waypoint {
            half,
            state: state.to_owned(),
            chosen: Vec::new(),
        };
        let mut path = vec![node(0, &state)];
        for (step, made) in plan.steps.iter().zip(1..) {
            task.act(&mut state, step.operator, &mut record);
            if let Some(last) = path.last_mut() {
                last.chosen.push(step.operator);
            }
            let half = made % task.choices_per_step();
            if half == 0 {
                task.tick(&mut state, &mut record);
                record.clear();
            }
            if half == 0 || halves > 1 {
                path.push(node(half, &state));
            }
        }
        path
    }
}
