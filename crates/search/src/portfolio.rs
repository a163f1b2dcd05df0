//! What a search tries, in turn: what is cheap first, then what has proven most in about the same
//! time. What is tried depends on the task and on numbers of states only.

mod beyond_memory;
mod both_ends;
mod incumbent;
mod potentials;
mod pruning;
mod remainder;

use std::ops::ControlFlow;
use std::sync::Arc;

use super::anytime::EFFORT_PER_STATE;
use super::attempt::{Attempt, AttemptEnd, Guide, Method};
use super::engine::{Space, Start};
use super::expand::Expander;
use super::heuristic::{
    Abstractions, CutsAndPotentials, Detail, Estimate, HMax, Heuristic, LandmarkCut, Quick,
    applies_to,
};
use super::informed::Informed;
use super::lift::Lift;
use super::measure::Measure;
use super::options::{
    AnytimeChoice, BidirectionalChoice, Control, DeepeningChoice, HeuristicChoice, PruningChoice,
    SearchOptions, StopReason, SymmetryChoice,
};
use super::result::Plan;
use super::stubborn::StubbornSets;
use super::symmetry::{Buffers, Symmetries};
use super::trace;
use both_ends::BothEnds;
use brigade_task::Task;
use incumbent::Hunt;
use potentials::STATES_WITHOUT_DETAIL;

/// A search that stores no more states than this is not worth a heuristic.
const STATES_WITHOUT_HEURISTIC: u64 = 30_000;
/// The states of the first search with LM-cut.
const STATES_WITH_CUTS: u64 = 3_000;
/// Where LM-cut does not fit, blind search may store so many states for one of its.
const STATES_PER_CUT_STATE: u64 = 100;
/// How much longer each further attempt may take.
const GROWTH: u64 = 20;
/// How many times more states are stored without LM-cut each time, at least.
const QUICK_GROWTH: u64 = 3;
/// A search that stores no more states than this is not worth abstractions.
const STATES_WITHOUT_ABSTRACTIONS: u64 = 250_000;

/// How far the answer is known.
pub(super) struct Exploration<'a> {
    pub(super) space: Space<'a>,
    /// Whether all was explored that matters.
    pub(super) explored: Result<(), StopReason>,
    /// What this search alone has proven.
    own_bound: Estimate,
    /// The best plan known before. As long as no better one was found, it was taken for the best.
    pub(super) earlier: Option<Plan>,
    /// By which the stored states stand for others.
    pub(super) symmetries: Option<Arc<Symmetries>>,
}

/// A search at its end.
pub(super) struct Finished<'a> {
    pub(super) exploration: Exploration<'a>,
    pub(super) attempts: Vec<Attempt>,
    /// Of the task's own states.
    pub(super) expander: Expander<'a>,
}

/// A search from one start, with what its earlier attempts have found.
struct Attempts<'a> {
    task: &'a Task,
    start: Start<'a>,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
    /// What is proven.
    bound: Estimate,
    earlier: Option<Plan>,
    /// Nodes expanded, successors generated and heuristic values computed.
    work: (u64, u64, u64),
    made: Vec<Attempt>,
    expander: Expander<'a>,
    /// Which operators are tried.
    stubborn: Option<Arc<StubbornSets<'a>>>,
    /// Landmark cuts, between attempts with them.
    cuts: Option<LandmarkCut<'a>>,
    /// What is told of states in little time, once that is worth it.
    quick: Option<Quick>,
    /// Some states that the last attempt has met.
    met: Vec<Vec<u64>>,
    /// Whether patterns, and potentials that take longer to find, were looked for.
    has_found_more: bool,
    hunt: Hunt<'a>,
    ends: BothEnds,
}

/// Explores as far as the answer needs, where maybe a plan is known; also tells what was tried.
pub(super) fn explore<'a>(
    task: &'a Task,
    start: Start<'a>,
    known: Option<Plan>,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
) -> Finished<'a> {
    let mut attempts = Attempts::new(task, start, options, control, measure);
    if options.pruning == PruningChoice::Always {
        attempts.prune();
    }
    if options.symmetry == SymmetryChoice::Always {
        attempts.look_for_symmetries();
    }
    let may_inform = start.agent == 0 && applies_to(task, measure);
    // Where a step may improve what is minimised, a plan that is known rules nothing out.
    attempts.earlier = known.filter(|_| may_inform);
    if options.anytime == AnytimeChoice::Always && may_inform {
        attempts.look_for_plans_at_once();
    }
    if options.bidirectional == BidirectionalChoice::Always
        && let Some(exploration) = attempts.always_from_both_ends()
    {
        let exploration = attempts.beyond_memory(exploration);
        return attempts.end(exploration);
    }
    if options.deepening == DeepeningChoice::Always {
        if attempts.may_deepen() {
            let exploration = attempts.deepen();
            return attempts.end(exploration);
        }
        attempts.made.push(Attempt {
            method: Method::Deepening,
            ..Attempt::inapplicable(Guide::Blind)
        });
    }
    let exploration = match options.heuristic {
        HeuristicChoice::Auto if may_inform => attempts.portfolio(),
        HeuristicChoice::Abstractions if may_inform => attempts.by_abstractions(),
        HeuristicChoice::Max if may_inform => {
            let heuristic = HMax::new(task, measure, control);
            attempts.by(Guide::Max, heuristic)
        }
        HeuristicChoice::LandmarkCut if may_inform => {
            let heuristic = LandmarkCut::new(task, measure, control);
            attempts.by(Guide::LandmarkCut, heuristic)
        }
        HeuristicChoice::Patterns if may_inform => {
            let heuristic = attempts.patterns();
            attempts.by(Guide::Patterns, heuristic)
        }
        HeuristicChoice::Potentials if may_inform => {
            let heuristic = attempts.potential_in(Detail::LITTLE);
            attempts.by(Guide::Potentials, heuristic)
        }
        choice => {
            match choice {
                HeuristicChoice::Abstractions => attempts.cannot_use(Guide::Abstractions),
                HeuristicChoice::Max => attempts.cannot_use(Guide::Max),
                HeuristicChoice::LandmarkCut => attempts.cannot_use(Guide::LandmarkCut),
                HeuristicChoice::Potentials => attempts.cannot_use(Guide::Potentials),
                HeuristicChoice::Patterns => attempts.cannot_use(Guide::Patterns),
                HeuristicChoice::Auto | HeuristicChoice::Blind => {}
            }
            attempts.blind(u64::MAX)
        }
    };
    let exploration = attempts.beyond_memory(exploration);
    attempts.end(exploration)
}

impl<'a> Attempts<'a> {
    /// None yet.
    fn new(
        task: &'a Task,
        start: Start<'a>,
        options: &'a SearchOptions,
        control: &'a dyn Control,
        measure: Measure,
    ) -> Self {
        Self {
            task,
            start,
            options,
            control,
            measure,
            bound: Estimate::ZERO,
            earlier: None,
            work: (0, 0, 0),
            made: Vec::new(),
            expander: Expander::new(task),
            stubborn: None,
            cuts: None,
            quick: None,
            met: Vec::new(),
            has_found_more: false,
            hunt: Hunt::new(options.plans_from, options.plans_by),
            ends: BothEnds::default(),
        }
    }

    fn end(self, exploration: Exploration<'a>) -> Finished<'a> {
        Finished {
            exploration,
            attempts: self.made,
            expander: self.expander.plain(),
        }
    }

    fn portfolio(&mut self) -> Exploration<'a> {
        let tried = self.blind(STATES_WITHOUT_HEURISTIC);
        if self.is_answer(&tried, STATES_WITHOUT_HEURISTIC) {
            return tried;
        }
        if self.options.pruning == PruningChoice::Auto {
            self.prune_if_that_pays(&tried.space);
        }
        let mut states = tried.space.states();
        let mut is_full = tried.explored == Err(StopReason::Memory);
        self.give_up(tried);
        if self.options.symmetry == SymmetryChoice::Auto {
            self.look_for_symmetries();
        }
        // Fewer states may fit.
        is_full &= self.stubborn.is_none() && self.symmetries().is_none();
        // Views of each agent tell more where several choose at once.
        if self.task.choices_per_step() == 1 {
            self.cuts = LandmarkCut::new(self.task, self.measure, self.control);
            if self.cuts.is_none() {
                self.cannot_use(Guide::LandmarkCut);
                self.find_potential();
                is_full &= self.quick.is_none();
            }
        }
        let mut most = STATES_WITH_CUTS;
        let mut quickly = STATES_WITHOUT_HEURISTIC;
        while let Some(cuts) = self.cuts.take() {
            self.look_for_plans(cuts.bytes());
            let before = cuts.effort();
            let (tried, cuts) = self.with_cuts(cuts, most);
            let effort = cuts.effort() - before;
            // Another may fit where the cuts do not.
            let is_too_large = tried.explored == Err(StopReason::Memory);
            self.cuts = (!is_too_large).then_some(cuts);
            if self.is_answer(&tried, most) {
                return tried;
            }
            let by_cuts = tried.own_bound;
            self.give_up(tried);
            let in_same_time = if is_too_large {
                most.saturating_mul(STATES_PER_CUT_STATE)
            } else {
                effort / EFFORT_PER_STATE
            };
            quickly = in_same_time.max(quickly.saturating_mul(QUICK_GROWTH));
            self.hunt.spent += in_same_time;
            self.look_for_plans(0);
            if most == STATES_WITH_CUTS {
                self.find_potential();
            }
            let tried = self.quickly(quickly);
            if self.is_answer(&tried, quickly) {
                return tried;
            }
            if by_cuts <= tried.own_bound {
                self.cuts = None;
            }
            is_full = tried.explored == Err(StopReason::Memory);
            states = match self.also_from_both_ends(tried, quickly) {
                ControlFlow::Continue(tried) => self.give_up(tried),
                ControlFlow::Break(answer) => return answer,
            };
            most = most.saturating_mul(GROWTH);
            if states >= STATES_WITHOUT_DETAIL {
                self.find_more();
            }
        }
        let quickly = if self.may_find_more() {
            STATES_WITHOUT_DETAIL
        } else {
            STATES_WITHOUT_ABSTRACTIONS
        };
        if states < quickly && !is_full {
            let tried = self.quickly(quickly);
            if self.is_answer(&tried, quickly) {
                return tried;
            }
            match self.also_from_both_ends(tried, quickly) {
                ControlFlow::Continue(tried) => self.give_up(tried),
                ControlFlow::Break(answer) => return answer,
            };
        }
        self.find_more();
        self.look_for_plans(0);
        if let Some(answer) = self.only_from_both_ends() {
            return answer;
        }
        self.by_abstractions()
    }

    /// By which stored states stand for others.
    fn symmetries(&self) -> Option<&Symmetries> {
        self.expander.symmetries().map(|found| &**found)
    }

    /// Looks for interchangeable objects; further attempts store one state for each orbit.
    fn look_for_symmetries(&mut self) {
        let found = Symmetries::find(self.task, self.control);
        self.use_symmetries(found.map(Arc::new));
    }

    /// Further attempts store one state for each orbit of these.
    fn use_symmetries(&mut self, symmetries: Option<Arc<Symmetries>>) {
        let expander = self.expander.plain().with_symmetries(symmetries);
        self.expander = expander.pruned_by(self.stubborn.clone());
    }

    /// A* with a heuristic, or blind search where it tells nothing.
    fn by(&mut self, guide: Guide, heuristic: Option<impl Heuristic>) -> Exploration<'a> {
        let Some(mut heuristic) = heuristic else {
            self.cannot_use(guide);
            return self.blind(u64::MAX);
        };
        self.informed(guide, &mut heuristic, u64::MAX)
    }

    /// A* with abstractions; with potentials and patterns where those tell more of the start.
    fn by_abstractions(&mut self) -> Exploration<'a> {
        // Abstractions know the states that can be reached; exchanges must not lead to others.
        let symmetries = self.expander.symmetries().cloned();
        let fixing = symmetries.and_then(|found| found.fixing(self.start.state));
        let state = self.start.state;
        let memory_limit = self.options.memory_limit;
        let mut heuristic =
            Abstractions::new(self.task, state, self.measure, memory_limit, self.control);
        let told = heuristic.estimate(state);
        if told == Estimate::ZERO {
            self.cannot_use(Guide::Abstractions);
        }
        if let Some(mut quick) = self.quick.clone()
            && quick.estimate(state) >= told
        {
            return self.informed(quick.guide(), &mut quick, u64::MAX);
        }
        if told == Estimate::ZERO {
            return self.blind(u64::MAX);
        }
        self.use_symmetries(fixing.map(Arc::new));
        self.informed(Guide::Abstractions, &mut heuristic, u64::MAX)
    }

    /// What takes little time for a state: potentials and patterns, or blind search.
    fn quickly(&mut self, most: u64) -> Exploration<'a> {
        // These themselves guide those who look for plans meanwhile.
        let tried = match self.quick.clone() {
            Some(mut quick) => self.informed(quick.guide(), &mut quick, most),
            None => self.blind(most),
        };
        if tried.explored != Err(StopReason::Memory) || self.cuts.take().is_none() {
            return tried;
        }
        self.give_up(tried);
        self.quickly(most)
    }

    /// A* with landmark cuts, and potentials and patterns if they are at hand, that stores `most` states
    /// at most.
    fn with_cuts(
        &mut self,
        mut cuts: LandmarkCut<'a>,
        most: u64,
    ) -> (Exploration<'a>, LandmarkCut<'a>) {
        let Some(quick) = self.quick.take() else {
            let tried = self.informed(Guide::LandmarkCut, &mut cuts, most);
            return (tried, cuts);
        };
        let mut both = CutsAndPotentials { cuts, quick };
        let tried = self.informed(both.guide(), &mut both, most);
        self.quick = Some(both.quick);
        (tried, both.cuts)
    }

    /// A* that stores `most` states at most.
    fn informed(
        &mut self,
        guide: Guide,
        heuristic: &mut dyn Heuristic,
        most: u64,
    ) -> Exploration<'a> {
        let mut space = self.space(most);
        let estimate = heuristic.estimate(self.start.state);
        if estimate != Estimate::DEAD {
            self.bound = self.bound.max(estimate);
        }
        if self.is_proven() {
            return self.explored(guide, Some(estimate), space, Ok(()));
        }
        let (before, effort) = (space.evaluated, heuristic.effort());
        let spent = |space: &Space| space.states() + (space.evaluated - before) * effort;
        let mut search = Informed::new(&mut space, heuristic);
        let mut pause = self.pause().min(most);
        let explored = loop {
            search.store_at_most(pause);
            let explored = search.explore(&mut self.expander);
            if pause == most || !search.is_paused(explored) {
                break explored;
            }
            let space = search.space();
            self.bound = self.bound.max(space.bound());
            self.keep_met(space, self.expander.symmetries().cloned());
            self.look_for_plans_beside(spent(space), space.bytes());
            if let Some(best) = self.incumbent() {
                search.seek_better_than(best);
            }
            pause = pause.saturating_add(self.pause()).min(most);
        };
        space.most_states = most;
        self.hunt.spent += spent(&space) - space.states();
        self.explored(guide, Some(estimate), space, explored)
    }

    /// Blind search that stores `most` states at most.
    fn blind(&mut self, most: u64) -> Exploration<'a> {
        let mut space = self.space(most);
        let explored = if self.is_proven() {
            Ok(())
        } else {
            space.explore(&mut self.expander)
        };
        self.explored(Guide::Blind, None, space, explored)
    }

    fn space(&self, most: u64) -> Space<'a> {
        let mut state = self.start.state.to_vec();
        if let Some(symmetries) = self.expander.symmetries() {
            symmetries.canonicalize(&mut state, &mut Buffers::default());
        }
        let start = Start {
            state: &state,
            agent: self.start.agent,
        };
        let mut space = Space::new(self.task, start, self.options, self.control, self.measure);
        space.most_states = most;
        space.others.1 = self.held_bytes();
        (space.expanded, space.generated, space.evaluated) = self.work;
        if let Some(best) = self.incumbent() {
            space.seek_no_worse_than(best);
        }
        space
    }

    /// Bytes held beside a search.
    fn held_bytes(&self) -> usize {
        self.hunt.bytes()
            + self.cuts.as_ref().map_or(0, Heuristic::bytes)
            + self.quick.as_ref().map_or(0, Heuristic::bytes)
            + self.stubborn.as_ref().map_or(0, |sets| sets.bytes())
            + self.ends.bytes()
    }

    fn explored(
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
        self.hunt.spent += space.states();
        self.hunt.hand_over(&mut space);
        Exploration {
            space,
            explored,
            own_bound,
            earlier: self.earlier.clone(),
            symmetries: self.expander.symmetries().cloned(),
        }
    }

    /// How an attempt went.
    fn attempt(
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
    fn cannot_use(&mut self, guide: Guide) {
        // What a limit has ended may tell something.
        let end = match self.control.stop() {
            Some(reason) => AttemptEnd::Stopped(reason),
            None => AttemptEnd::Inapplicable,
        };
        self.made.push(Attempt {
            end,
            ..Attempt::inapplicable(guide)
        });
    }

    /// Whether an attempt that might store `most` states was stopped neither by that nor by memory, in
    /// which less may do with something else.
    fn is_answer(&self, tried: &Exploration, most: u64) -> bool {
        let asked = self.options.max_states;
        match tried.explored {
            Err(StopReason::States) => asked.is_some_and(|asked| asked <= most),
            Err(StopReason::Memory) => false,
            _ => true,
        }
    }

    /// Keeps what an attempt has found; tells how many states it had stored.
    fn give_up(&mut self, tried: Exploration) -> u64 {
        let space = tried.space;
        self.met = potentials::sample(&space);
        self.bound = self.bound.max(space.bound());
        self.work = (space.expanded, space.generated, space.evaluated);
        self.keep_met(&space, tried.symmetries);
        space.states()
    }

    /// Keeps the best plan that a search has met, whose states stand for others by these.
    fn keep_met(&mut self, space: &Space, symmetries: Option<Arc<Symmetries>>) {
        if let Some(&goal) = space.best_goals().first() {
            let lift = Lift::new(symmetries);
            let mut expander = self.expander.plain();
            self.keep(trace::plan(space, &mut expander, lift, self.start, goal));
        }
    }
}
