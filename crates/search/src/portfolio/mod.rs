//! The portfolio: the attempts of a search, in turn, cheap ones first, then those that have proven
//! most in about the same time. It depends on the task and on numbers of states only.

mod alone;
mod attempts;
mod beyond_memory;
mod completion;
mod diagrams;
mod incumbent;
mod limits;
mod plan_search;
mod potentials;
mod pruning;
mod team_plans;

use std::sync::Arc;

use crate::algorithms::a_star::Informed;
use crate::algorithms::anytime::EFFORT_PER_STATE;
use crate::attempt::{Attempt, Guide, Method};
use crate::control::{Control, StopReason};
use crate::heuristics::{
    Abstractions, Detail, Estimate, Heuristic, HeuristicContext, LandmarkCut, Max,
    PotentialsAndPatterns,
};
use crate::measure::Measure;
use crate::options::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, PruningChoice, SearchOptions, SymmetryChoice,
};
use crate::plans::plan::Plan;
use crate::space::search_space::Space;
use crate::space::start::Start;
use attempts::Attempts;
pub(super) use attempts::{Exploration, Finished};
use brigade_task::PackedTask;
use diagrams::leads;
use limits::{
    CHEAP_GROWTH, CUTS_GROWTH, STATES_BEFORE_DIAGRAMS, STATES_PER_CUT_STATE, STATES_WITH_CUTS,
    STATES_WITHOUT_ABSTRACTIONS, STATES_WITHOUT_DETAIL, STATES_WITHOUT_HEURISTIC,
    STATES_WITHOUT_VIEWS,
};

/// Explores as far as the answer needs, where maybe a plan is known; also returns the attempts
/// made.
pub(super) fn explore<'a>(
    task: &'a PackedTask,
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
    let may_inform = attempts.is_monotone;
    // Where a step may improve what is minimised, a plan that is known rules nothing out.
    attempts.earlier = known.filter(|_| may_inform);
    if options.anytime == AnytimeChoice::Always && may_inform {
        attempts.look_for_plans_at_once();
    }
    if options.deepening == DeepeningChoice::Always {
        if attempts.may_deepen() {
            let exploration = attempts.deepen();
            return attempts.end(exploration);
        }
        attempts.made.push(Attempt {
            method: Method::Deepening,
            ..Attempt::inapplicable(Guide::BLIND)
        });
    }
    let exploration = attempts.by_choice(may_inform);
    let exploration = attempts.beyond_memory(exploration);
    attempts.end(exploration)
}

fn boxed<'a>(heuristic: Option<impl Heuristic + 'a>) -> Option<Box<dyn Heuristic + 'a>> {
    heuristic.map(|it| Box::new(it) as Box<dyn Heuristic + 'a>)
}

impl HeuristicChoice {
    /// The guide of a search by this heuristic alone.
    pub(super) const fn guide(self) -> Guide {
        match self {
            Self::Blind | Self::Auto => Guide::BLIND,
            Self::Abstractions => Guide::ABSTRACTIONS,
            Self::DecisionDiagrams => Guide::DECISION_DIAGRAMS,
            Self::LandmarkCut => Guide::LANDMARK_CUT,
            Self::Potentials => Guide::POTENTIALS,
            Self::Patterns => Guide::PATTERNS,
            Self::Named(name) => Guide::named(name),
        }
    }
}

impl<'a> Attempts<'a> {
    /// The attempts with the heuristic that was chosen, where one may be used.
    fn by_choice(&mut self, may_inform: bool) -> Exploration<'a> {
        match self.options.heuristic {
            HeuristicChoice::Auto if may_inform => self.portfolio(),
            HeuristicChoice::Abstractions if may_inform => self.by_abstractions(),
            HeuristicChoice::DecisionDiagrams if may_inform => self.by_diagrams_alone(),
            HeuristicChoice::Auto if self.start.agent == 0 => self.blind_beside_plans(0),
            HeuristicChoice::Auto | HeuristicChoice::Blind => self.blind(u64::MAX),
            choice => {
                let heuristic = may_inform.then(|| self.chosen()).flatten();
                self.by(choice.guide(), heuristic)
            }
        }
    }

    /// The heuristic that was chosen, if it is a single one that applies; abstractions are made
    /// where they are used.
    pub(super) fn chosen(&mut self) -> Option<Box<dyn Heuristic + 'a>> {
        let (task, measure, control) = (self.task, self.measure, self.control);
        match self.options.heuristic {
            HeuristicChoice::LandmarkCut => boxed(LandmarkCut::new(task, measure, control)),
            HeuristicChoice::Potentials => boxed(self.potential_in(Detail::LITTLE)),
            HeuristicChoice::Patterns => boxed(self.patterns()),
            HeuristicChoice::Named(name) => self.named(name),
            HeuristicChoice::Blind
            | HeuristicChoice::Auto
            | HeuristicChoice::Abstractions
            | HeuristicChoice::DecisionDiagrams => None,
        }
    }

    /// The heuristic of a name in the registry, if there is one and it applies.
    fn named(&mut self, name: &str) -> Option<Box<dyn Heuristic + 'a>> {
        let factory = self.options.registry.factory(name)?;
        if factory.needs_reachable_states() {
            self.fix_start();
        }
        factory.build(&HeuristicContext::new(
            self.task,
            self.start.state,
            self.options.objective,
            self.options.memory_limit,
            self.control,
        ))
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
        // Projections to each agent are better where several choose at once.
        if self.task.choices_per_step() == 1 {
            self.cuts = LandmarkCut::new(self.task, self.measure, self.control);
            if self.cuts.is_none() {
                self.cannot_use(Guide::LANDMARK_CUT);
                self.find_potential();
                is_full &= self.cheap.is_none();
            }
        }
        let mut most = STATES_WITH_CUTS;
        let mut cheap_states = STATES_WITHOUT_HEURISTIC;
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
            cheap_states = in_same_time.max(cheap_states.saturating_mul(CHEAP_GROWTH));
            self.plan_search.spent += in_same_time;
            self.look_for_plans(0);
            if most == STATES_WITH_CUTS {
                self.find_potential();
            }
            let tried = self.by_cheap(cheap_states);
            if self.is_answer(&tried, cheap_states) {
                return tried;
            }
            if by_cuts <= tried.own_bound {
                self.cuts = None;
            }
            is_full = tried.explored == Err(StopReason::Memory);
            states = self.give_up(tried);
            most = most.saturating_mul(CUTS_GROWTH);
            if states >= STATES_WITHOUT_DETAIL {
                self.find_more();
            }
        }
        let cheap_states = if self.may_find_more() {
            STATES_WITHOUT_DETAIL
        } else if self.task.choices_per_step() > 1 {
            STATES_WITHOUT_VIEWS
        } else {
            STATES_WITHOUT_ABSTRACTIONS
        };
        if states < cheap_states && !is_full {
            let tried = self.by_cheap(cheap_states);
            if self.is_answer(&tried, cheap_states) {
                return tried;
            }
            self.give_up(tried);
        }
        self.find_more();
        // Where several choose at once, abstractions may prove the optimum in less time than a plan takes.
        if self.task.choices_per_step() == 1 {
            self.look_for_plans(0);
        }
        self.by_abstractions()
    }

    /// A* with a heuristic, or blind search where it does not apply.
    fn by(&mut self, guide: Guide, heuristic: Option<impl Heuristic>) -> Exploration<'a> {
        let Some(mut heuristic) = heuristic else {
            self.cannot_use(guide);
            return self.blind(u64::MAX);
        };
        self.informed(guide, &mut heuristic, u64::MAX)
    }

    /// A* with abstractions; with potentials and patterns where their estimate of the start is
    /// greater, or with decision diagrams in turn where those show more.
    fn by_abstractions(&mut self) -> Exploration<'a> {
        // Abstractions know the states that can be reached; exchanges must not lead to others.
        let symmetries = self.expander.symmetries().cloned();
        let fixing = symmetries.and_then(|found| found.fixing(self.start.state));
        let state = self.start.state;
        let (task, measure, control) = (self.task, self.measure, self.control);
        let memory_limit = self.options.memory_limit;
        let is_team =
            self.options.heuristic == HeuristicChoice::Auto && task.choices_per_step() > 1;
        let (mut are_views_poor, mut by_diagrams) = (false, None);
        let mut do_diagrams_lead = false;
        let mut are_poor_wanted = || {
            are_views_poor = true;
            let before = self.bound;
            if is_team {
                by_diagrams = self.compare_diagrams();
            }
            if is_team && by_diagrams.is_none() {
                self.look_while_mute();
                self.look_alone_while_mute();
                self.look_in_wider_beams();
            }
            do_diagrams_lead = by_diagrams.is_some() || leads(self.bound.makespan, before.makespan);
            !do_diagrams_lead
        };
        let mut heuristic = Abstractions::new_unless_poor(
            task,
            state,
            measure,
            memory_limit,
            &mut are_poor_wanted,
            control,
        );
        if let Some(found) = by_diagrams {
            return found;
        }
        let start_estimate = heuristic.estimate(state);
        if start_estimate == Estimate::ZERO && !do_diagrams_lead {
            self.cannot_use(Guide::ABSTRACTIONS);
        }
        let shown = if do_diagrams_lead {
            self.bound
        } else {
            start_estimate
        };
        if let Some(mut cheap) = self.cheap.clone()
            && cheap.estimate(state) >= shown
        {
            return self.informed_cheaply(&mut cheap, u64::MAX);
        }
        if is_team {
            if !are_views_poor && start_estimate != Estimate::ZERO {
                self.use_symmetries(fixing.map(Arc::new));
                let effort = heuristic.effort();
                let tried = self.informed_compared(
                    Guide::ABSTRACTIONS,
                    &mut heuristic,
                    effort,
                    u64::MAX,
                    STATES_BEFORE_DIAGRAMS,
                );
                let most = tried.space.most_states;
                if self.is_answer(&tried, most) || !tried.is_own_limit(most) {
                    return tried;
                }
                self.give_up(tried);
                return self.beside_diagrams(Guide::ABSTRACTIONS, Some(&mut heuristic));
            }
            if !are_views_poor && let Some(found) = self.compare_diagrams() {
                return found;
            }
            if start_estimate.makespan < self.bound.makespan && self.may_use_diagrams() {
                if do_diagrams_lead && !self.is_makespan_met() {
                    return self.diagrams_first();
                }
                if start_estimate == Estimate::ZERO {
                    return self.beside_diagrams(Guide::BLIND, None);
                }
                self.use_symmetries(fixing.map(Arc::new));
                return self.beside_diagrams(Guide::ABSTRACTIONS, Some(&mut heuristic));
            }
        }
        if start_estimate == Estimate::ZERO {
            return self.blind_beside_plans(STATES_WITHOUT_ABSTRACTIONS);
        }
        self.use_symmetries(fixing.map(Arc::new));
        self.informed(Guide::ABSTRACTIONS, &mut heuristic, u64::MAX)
    }

    /// A* with cheap heuristics, potentials and patterns, or blind search.
    fn by_cheap(&mut self, most: u64) -> Exploration<'a> {
        // These themselves guide those who look for plans meanwhile.
        let tried = match self.cheap.clone() {
            Some(mut cheap) => self.informed_cheaply(&mut cheap, most),
            None => self.blind(most),
        };
        if tried.explored != Err(StopReason::Memory) || self.cuts.take().is_none() {
            return tried;
        }
        self.give_up(tried);
        self.by_cheap(most)
    }

    /// A* with landmark cuts, and potentials and patterns if they are at hand, that stores `most`
    /// states at most.
    fn with_cuts(
        &mut self,
        mut cuts: LandmarkCut<'a>,
        most: u64,
    ) -> (Exploration<'a>, LandmarkCut<'a>) {
        // The portfolio itself counts the effort of LM-cut.
        let Some(cheap) = self.cheap.take() else {
            let tried = self.informed_at(Guide::LANDMARK_CUT, &mut cuts, 0, most);
            return (tried, cuts);
        };
        let guide = Guide::LANDMARK_CUT.and(cheap.guide());
        let mut both = Max(cuts, cheap);
        let tried = self.informed_at(guide, &mut both, 0, most);
        self.cheap = Some(both.1);
        (tried, both.0)
    }

    /// A* with potentials and patterns.
    fn informed_cheaply(
        &mut self,
        cheap: &mut PotentialsAndPatterns,
        most: u64,
    ) -> Exploration<'a> {
        let effort = cheap.states_per_estimate();
        self.informed_at(cheap.guide(), cheap, effort, most)
    }

    /// A* that stores `most` states at most.
    fn informed(
        &mut self,
        guide: Guide,
        heuristic: &mut dyn Heuristic,
        most: u64,
    ) -> Exploration<'a> {
        let effort = heuristic.effort();
        self.informed_at(guide, heuristic, effort, most)
    }

    /// The same where an estimate takes as long as to store `effort` states.
    fn informed_at(
        &mut self,
        guide: Guide,
        heuristic: &mut dyn Heuristic,
        effort: u64,
        most: u64,
    ) -> Exploration<'a> {
        self.informed_compared(guide, heuristic, effort, most, u64::MAX)
    }

    /// The same, until it has stored `compared_at` states and small decision diagrams show more than it has proven.
    fn informed_compared(
        &mut self,
        guide: Guide,
        heuristic: &mut dyn Heuristic,
        effort: u64,
        mut most: u64,
        mut compared_at: u64,
    ) -> Exploration<'a> {
        let mut space = self.space(most);
        let estimate = heuristic.estimate(self.start.state);
        if estimate != Estimate::DEAD {
            self.bound = self.bound.max(estimate);
        }
        if self.is_proven() {
            return self.explored(guide, Some(estimate), space, Ok(()));
        }
        let before = space.evaluated;
        let spent = |space: &Space| space.states() + (space.evaluated - before) * effort;
        let mut search = Informed::new(&mut space, heuristic);
        let mut pause = self.pause().min(most);
        let explored = loop {
            search.store_at_most(pause.min(compared_at));
            let explored = search.explore(&mut self.expander);
            if pause.min(compared_at) == most || !search.is_paused(explored) {
                break explored;
            }
            let space = search.space();
            self.bound = self.bound.max(space.bound());
            self.keep_met(space, self.expander.symmetries().cloned());
            if space.states() >= compared_at {
                compared_at = u64::MAX;
                let attempt = self.attempt(guide, Some(estimate), space, explored);
                let place = self.made.len();
                let work = (space.expanded, space.generated, space.evaluated);
                let work = std::mem::replace(&mut self.work, work);
                if let Some(found) = self.compare_diagrams() {
                    self.made.insert(place, attempt);
                    return found;
                }
                self.work = work;
                if space.bound().makespan < self.bound.makespan {
                    most = space.states();
                    break explored;
                }
                continue;
            }
            self.look_for_plans_beside(spent(space), space.bytes());
            self.look_in_turn_while_mute(spent(space), space.bytes());
            if let Some(best) = self.incumbent() {
                search.seek_better_than(best);
            }
            pause = pause.saturating_add(self.pause()).min(most);
        };
        space.most_states = most;
        self.plan_search.spent += spent(&space) - space.states();
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
        self.explored(Guide::BLIND, None, space, explored)
    }
}
