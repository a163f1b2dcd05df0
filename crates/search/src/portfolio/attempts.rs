//! The attempts of a search from one start: what they share, and what becomes of each.

use super::limits::COMPARED_STATES;
use std::sync::Arc;

use super::plan_search::PlanSearch;
use crate::attempt::{Attempt, AttemptEnd, Guide, Method};
use crate::control::{Control, Progress, StopReason};
use crate::heuristics::{
    Estimate, Heuristic, Ladder, LandmarkCut, PotentialsAndPatterns, applies_to,
};
use crate::measure::Measure;
use crate::options::SearchOptions;
use crate::plans::plan::Plan;
use crate::plans::representatives::Representatives;
use crate::plans::trace;
use crate::reductions::stubborn_sets::StubbornSets;
use crate::reductions::symmetry::{Buffers, Symmetries};
use crate::space::expand::Expander;
use crate::space::rest::Rest;
use crate::space::search_space::Space;
use crate::space::start::Start;
use brigade_task::{PackedTask, StateBuf};

/// An attempt that was made, and its part of the answer.
pub(crate) struct Exploration<'a> {
    pub(crate) space: Space<'a>,
    /// `Ok` if all was explored that matters.
    pub(crate) explored: Result<(), StopReason>,
    /// The bound that this search alone has proven.
    pub(super) own_bound: Estimate,
    /// The best plan known before. As long as no better one was found, it was taken for the best.
    pub(crate) earlier: Option<Plan>,
    /// By which the stored states stand for others.
    pub(crate) symmetries: Option<Arc<Symmetries>>,
}

/// A search at its end.
pub(crate) struct Finished<'a> {
    pub(crate) exploration: Exploration<'a>,
    pub(crate) attempts: Vec<Attempt>,
    /// Of the task's own states.
    pub(crate) expander: Expander<'a>,
}

/// A search from one start, with what its earlier attempts have found.
pub(super) struct Attempts<'a> {
    pub(super) task: &'a PackedTask,
    pub(super) start: Start<'a>,
    pub(super) options: &'a SearchOptions,
    pub(super) control: &'a dyn Control,
    pub(super) measure: Measure,
    /// True if no step improves what is minimised, so that a plan that is known bounds all others.
    pub(super) is_monotone: bool,
    /// The proven bound.
    pub(super) bound: Estimate,
    /// The bound on the rest from each state, where steps may improve what is minimised.
    pub(super) rest: Option<Rest>,
    pub(super) earlier: Option<Plan>,
    /// Nodes expanded, successors generated and heuristic values computed.
    pub(super) work: (u64, u64, u64),
    pub(super) made: Vec<Attempt>,
    pub(super) expander: Expander<'a>,
    /// The stubborn sets, if operators are pruned.
    pub(super) stubborn: Option<Arc<StubbornSets<'a>>>,
    /// Decision diagrams, between attempts with them.
    pub(super) ladder: Option<Ladder<'a>>,
    /// Landmark cuts, between attempts with them.
    pub(super) cuts: Option<LandmarkCut<'a>>,
    /// Potentials and patterns, which are cheap for a state, once they are worth finding.
    pub(super) cheap: Option<PotentialsAndPatterns>,
    /// Some states that the last attempt has met.
    pub(super) met: Vec<StateBuf>,
    /// True if patterns, and potentials that take longer to find, were looked for.
    pub(super) has_found_more: bool,
    pub(super) plan_search: PlanSearch<'a>,
}

impl Exploration<'_> {
    /// Returns true if it has ended by the number of states that it might store.
    pub(super) fn is_own_limit(&self, most: u64) -> bool {
        self.explored == Err(StopReason::States) && self.space.states() >= most
    }
}

impl<'a> Attempts<'a> {
    /// None yet.
    pub(super) fn new(
        task: &'a PackedTask,
        start: Start<'a>,
        options: &'a SearchOptions,
        control: &'a dyn Control,
        measure: Measure,
    ) -> Self {
        let rest = (!measure.is_monotone(task))
            .then(|| Rest::new(task, start, measure))
            .flatten()
            .map(|rest| rest.with_potentials(task, start, measure, control));
        Self {
            task,
            start,
            options,
            control,
            measure,
            is_monotone: start.agent == 0 && applies_to(task, measure),
            bound: Estimate {
                first: (rest.as_ref())
                    .map_or(0, |rest| rest.after((0, 0), start.agent, start.state)),
                ..Estimate::ZERO
            },
            rest,
            earlier: None,
            work: (0, 0, 0),
            made: Vec::new(),
            expander: Expander::new(task),
            stubborn: None,
            ladder: None,
            cuts: None,
            cheap: None,
            met: Vec::new(),
            has_found_more: false,
            plan_search: PlanSearch::new(options.plans_from, options.plans_by),
        }
    }

    pub(super) fn end(self, exploration: Exploration<'a>) -> Finished<'a> {
        Finished {
            exploration,
            attempts: self.made,
            expander: self.expander.plain(),
        }
    }

    /// By which stored states stand for others.
    pub(super) fn symmetries(&self) -> Option<&Symmetries> {
        self.expander.symmetries().map(|found| &**found)
    }

    /// Looks for interchangeable objects; further attempts store one state for each orbit.
    pub(super) fn look_for_symmetries(&mut self) {
        let found = Symmetries::find(self.task, self.control);
        self.use_symmetries(found.map(Arc::new));
    }

    /// Further attempts store one state for each orbit of these.
    pub(super) fn use_symmetries(&mut self, symmetries: Option<Arc<Symmetries>>) {
        let expander = self.expander.plain().with_symmetries(symmetries);
        self.expander = expander.pruned_by(self.stubborn.clone());
    }

    pub(super) fn space(&self, most: u64) -> Space<'a> {
        let mut state = self.start.state.to_owned();
        if let Some(symmetries) = self.expander.symmetries() {
            symmetries.canonicalize(&mut state, &mut Buffers::default());
        }
        let start = Start {
            state: &state,
            agent: self.start.agent,
        };
        let mut space = Space::new(self.task, start, self.options, self.control, self.measure);
        // States that stand for others need not be reached from the start.
        if let Some(rest) = self.rest.as_ref().filter(|_| self.symmetries().is_none()) {
            space.bound_by(rest.clone(), start);
        }
        space.most_states = most;
        space.others.1 = self.held_bytes();
        (space.expanded, space.generated, space.evaluated) = self.work;
        if let Some(best) = self.incumbent() {
            space.seek_no_worse_than(best);
        }
        space
    }

    /// Bytes held beside a search.
    pub(super) fn held_bytes(&self) -> usize {
        self.plan_search.bytes()
            + self.cuts.as_ref().map_or(0, Heuristic::bytes)
            + self.cheap.as_ref().map_or(0, Heuristic::bytes)
            + self.stubborn.as_ref().map_or(0, |sets| sets.bytes())
    }

    pub(super) fn explored(
        &mut self,
        guide: Guide,
        estimate: Option<Estimate>,
        mut space: Space<'a>,
        explored: Result<(), StopReason>,
    ) -> Exploration<'a> {
        let own_bound = space.bound();
        let attempt = self.attempt(guide, estimate, &space, explored);
        self.made.push(attempt);
        space.prove(self.bound);
        self.plan_search.spent += space.states();
        self.plan_search.hand_over(&mut space);
        Exploration {
            space,
            explored,
            own_bound,
            earlier: self.earlier.clone(),
            symmetries: self.expander.symmetries().cloned(),
        }
    }

    /// The record of an attempt.
    pub(super) fn attempt(
        &mut self,
        guide: Guide,
        estimate: Option<Estimate>,
        space: &Space,
        explored: Result<(), StopReason>,
    ) -> Attempt {
        let worth =
            |worth: Estimate| (self.measure).value((worth.first, worth.makespan), worth.labels);
        let asked = self.options.max_states;
        let states = space.states() + space.elsewhere;
        let is_own_limit =
            states >= space.most_states && asked.is_none_or(|asked| asked > space.most_states);
        let pruned = std::mem::take(&mut self.expander.pruned);
        let symmetries = self.expander.symmetries();
        Attempt {
            guide,
            method: Method::BestFirst,
            most_states: (space.most_states < u64::MAX).then_some(space.most_states),
            interchangeable: symmetries.map_or(0, |found| found.members()),
            states,
            expanded: space.expanded - self.work.0,
            generated: space.generated - self.work.1,
            pruned: explored.is_ok().then_some(pruned),
            evaluated: space.evaluated - self.work.2,
            peak_bytes: space.peak_bytes,
            estimate: estimate.filter(|&it| it != Estimate::DEAD).map(worth),
            lower: match explored {
                Ok(()) => space.optimum(),
                Err(_) => space.lower(),
            },
            upper: None,
            end: match explored {
                Ok(()) => AttemptEnd::Answered,
                Err(StopReason::States) if is_own_limit => AttemptEnd::GivenUp,
                Err(reason) => AttemptEnd::Stopped(reason),
            },
        }
    }

    /// Notes a heuristic that is of no use.
    pub(super) fn cannot_use(&mut self, guide: Guide) {
        // A heuristic that a limit has ended may apply.
        let end = match self.control.stop() {
            Some(reason) => AttemptEnd::Stopped(reason),
            None => AttemptEnd::Inapplicable,
        };
        self.made.push(Attempt {
            end,
            ..Attempt::inapplicable(guide)
        });
    }

    /// Returns whether an attempt that might store `most` states was stopped neither by that nor by
    /// memory, in which less may do with something else.
    pub(super) fn is_answer(&self, tried: &Exploration, most: u64) -> bool {
        let asked = self.options.max_states;
        match tried.explored {
            Err(StopReason::States) => asked.is_some_and(|asked| asked <= most),
            Err(StopReason::Memory) => false,
            _ => true,
        }
    }

    /// Keeps what an attempt has found; returns the number of states that it had stored.
    pub(super) fn give_up(&mut self, tried: Exploration) -> u64 {
        let space = tried.space;
        self.met = sample(&space);
        self.bound = self.bound.max(space.bound());
        self.control.progress(&Progress {
            states: space.states(),
            lower: space.lower(),
            upper: None,
        });
        self.work = (space.expanded, space.generated, space.evaluated);
        self.keep_met(&space, tried.symmetries);
        space.states()
    }

    /// Keeps the best plan that a search has met, whose states stand for others by these.
    pub(super) fn keep_met(&mut self, space: &Space, symmetries: Option<Arc<Symmetries>>) {
        if let Some(&goal) = space.best_goals().first() {
            let representatives = Representatives::new(symmetries);
            let mut expander = self.expander.plain();
            self.keep(trace::plan(
                space,
                &mut expander,
                representatives,
                self.start,
                goal,
            ));
        }
    }
}

/// Some of the states at the start of a timestep that are stored.
fn sample(space: &Space) -> Vec<StateBuf> {
    let table = &space.tables[0];
    let step = table.len().div_ceil(COMPARED_STATES).max(1) as usize;
    let states = (0..table.len()).step_by(step);
    states.map(|id| table.state(id).to_owned()).collect()
}
