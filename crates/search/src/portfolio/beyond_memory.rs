//! The search beyond memory: iterative deepening with the best bound at hand.

use super::limits::{DEEPENING_BYTES, DEEPENING_PATIENCE, FIRST_DEEPENING, WORTH_CUTS};
use std::sync::Arc;

use super::attempts::{Attempts, Exploration};
use crate::algorithms::deepening::{Deepening, Parts, PathNode, every_step_counts};
use crate::attempt::{Attempt, AttemptEnd, Guide, Method};
use crate::control::StopReason;
use crate::heuristics::{Abstractions, Estimate, Heuristic, LandmarkCut, Max, applies_to};
use crate::options::{DeepeningChoice, HeuristicChoice};
use crate::space::search_space::Space;
use crate::space::state_table::Reached;
use crate::space::words::hash;
use brigade_task::State;

/// Nothing is known.
struct Nothing;

impl Heuristic for Nothing {
    fn estimate(&mut self, _: &State) -> Estimate {
        Estimate::ZERO
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl<'a> Attempts<'a> {
    /// Returns whether iterative deepening can find what is asked for.
    pub(super) fn may_deepen(&self) -> bool {
        !self.options.all
            && self.start.agent == 0
            && self.options.deepening != DeepeningChoice::Never
            && self.options.heuristic != HeuristicChoice::Blind
            && applies_to(self.task, self.measure)
            && every_step_counts(self.task, self.measure)
    }

    /// Goes on where an attempt was ended by memory.
    pub(super) fn beyond_memory(&mut self, tried: Exploration<'a>) -> Exploration<'a> {
        if tried.explored != Err(StopReason::Memory) || !self.may_deepen() {
            return tried;
        }
        self.give_up(tried);
        self.deepen()
    }

    /// Iterative deepening from the start.
    pub(super) fn deepen(&mut self) -> Exploration<'a> {
        // What it does not need leaves memory to it.
        self.cuts = None;
        let (guide, mut heuristic) = self.small_heuristic();
        let mut space = self.space(u64::MAX);
        let start = space.tables[0].state(0).to_owned();
        let estimate = heuristic.estimate(&start);
        let memory_limit = self.options.memory_limit;
        let held = heuristic.bytes() + self.held_bytes();
        let left = memory_limit.map(|most| most.saturating_sub(held) / 2);
        let patience = if self.made.is_empty() {
            FIRST_DEEPENING
        } else {
            self.work.1.saturating_mul(DEEPENING_PATIENCE)
        };
        let mut deepening = Deepening::new(Parts {
            task: self.task,
            measure: self.measure,
            control: self.control,
            heuristic: &mut *heuristic,
            most_bytes: left.unwrap_or(DEEPENING_BYTES),
            most_generated: self.options.deepening_limit.unwrap_or(patience),
            best: self.incumbent(),
            proven: self.bound,
        });
        let explored = deepening.explore(&start, &mut self.expander);
        space.expanded += deepening.expanded;
        space.generated += deepening.generated;
        space.evaluated += deepening.evaluated;
        space.elsewhere = deepening.table.held() as u64;
        space.peak_bytes = deepening.bytes() + self.held_bytes();
        space.prove(deepening.proven);
        let (best, proven) = (deepening.best, deepening.proven);
        let path = std::mem::take(&mut deepening.path);
        Self::store(&mut space, &path);
        self.plan_search.hand_over(&mut space);
        let worth =
            |worth: Estimate| (self.measure).value((worth.first, worth.makespan), worth.labels);
        let symmetries = self.expander.symmetries().cloned();
        self.made.push(Attempt {
            guide,
            method: Method::Deepening,
            most_states: None,
            interchangeable: symmetries.as_ref().map_or(0, |found| found.members()),
            states: space.elsewhere,
            expanded: deepening.expanded,
            generated: deepening.generated,
            pruned: Some(std::mem::take(&mut self.expander.pruned)),
            evaluated: deepening.evaluated,
            peak_bytes: space.peak_bytes,
            estimate: Some(estimate).filter(|&it| it != Estimate::DEAD).map(worth),
            lower: match explored {
                Ok(()) => best.map(worth),
                Err(_) => Some(worth(proven)),
            },
            upper: None,
            end: match explored {
                Ok(()) => AttemptEnd::Answered,
                Err(reason) => AttemptEnd::Stopped(reason),
            },
        });
        Exploration {
            space,
            explored,
            own_bound: proven,
            earlier: self.earlier.clone(),
            symmetries,
        }
    }

    /// Stores the nodes of a path; the first, the start, is stored.
    fn store(space: &mut Space, path: &[PathNode]) {
        let mut parent = 0;
        for node in path.iter().skip(1) {
            let reached = Reached {
                key: space.keys.number((node.so_far.first, node.so_far.makespan)),
                labels: node.so_far.labels,
            };
            let hash = hash(node.state.words());
            parent = space.tables[node.half].insert(hash, node.state.words(), reached, parent);
        }
        if !path.is_empty() {
            space.goals.push(parent);
        }
    }

    /// The best bound that leaves memory to the search: the heuristic that was chosen; else
    /// potentials or abstractions, by their estimates of the start, or LM-cut where its estimate is
    /// much greater.
    fn small_heuristic(&mut self) -> (Guide, Box<dyn Heuristic + 'a>) {
        match self.options.heuristic {
            HeuristicChoice::Auto => self.best_heuristic(),
            HeuristicChoice::Abstractions => {
                self.fix_start();
                (Guide::ABSTRACTIONS, self.abstractions())
            }
            choice => match self.chosen() {
                Some(heuristic) => (choice.guide(), heuristic),
                None => (Guide::BLIND, Box::new(Nothing)),
            },
        }
    }

    fn abstractions(&self) -> Box<dyn Heuristic + 'a> {
        Box::new(Abstractions::new(
            self.task,
            self.start.state,
            self.measure,
            self.options.memory_limit,
            self.control,
        ))
    }

    /// Abstractions know the states that can be reached; exchanges must not lead to others.
    pub(super) fn fix_start(&mut self) {
        let symmetries = self.expander.symmetries().cloned();
        let fixing = symmetries.and_then(|found| found.fixing(self.start.state));
        self.use_symmetries(fixing.map(Arc::new));
    }

    fn best_heuristic(&mut self) -> (Guide, Box<dyn Heuristic + 'a>) {
        let (task, measure, control) = (self.task, self.measure, self.control);
        let state = self.start.state;
        if self.cheap.is_none() {
            self.find_potential();
        }
        let estimate_of_start =
            |heuristic: &mut dyn Heuristic| heuristic.estimate(state).leading(measure);
        let mut cheap = self.cheap.take();
        let mut estimate = cheap.as_mut().map_or(0, |it| estimate_of_start(it));
        let mut abstractions = self.abstractions();
        let by_abstractions = estimate_of_start(&mut *abstractions);
        let are_abstractions_best = by_abstractions > estimate;
        if are_abstractions_best {
            (cheap, estimate) = (None, by_abstractions);
            self.fix_start();
        }
        let cuts = (task.choices_per_step() == 1)
            .then(|| LandmarkCut::new(task, measure, control))
            .flatten();
        let cuts = cuts.filter(|cuts| self.fits(cuts));
        let worthy =
            |cuts: &mut LandmarkCut| estimate_of_start(cuts) - estimate > estimate / WORTH_CUTS;
        let cuts = cuts.and_then(|mut cuts| worthy(&mut cuts).then_some(cuts));
        match (cuts, cheap) {
            (Some(cuts), Some(cheap)) => {
                let guide = Guide::LANDMARK_CUT.and(cheap.guide());
                (guide, Box::new(Max(cuts, cheap)))
            }
            (Some(cuts), None) => (Guide::LANDMARK_CUT, Box::new(cuts)),
            (None, _) if are_abstractions_best => (Guide::ABSTRACTIONS, abstractions),
            (None, Some(cheap)) => (cheap.guide(), Box::new(cheap)),
            (None, None) => (Guide::BLIND, Box::new(Nothing)),
        }
    }

    /// Returns whether it leaves half of the memory.
    fn fits(&self, heuristic: &impl Heuristic) -> bool {
        let memory_limit = self.options.memory_limit;
        memory_limit.is_none_or(|most| heuristic.bytes() <= most / 2)
    }
}
