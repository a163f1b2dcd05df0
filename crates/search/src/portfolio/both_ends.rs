//! When to search from both ends, and for how long.

use std::ops::ControlFlow;

use super::super::attempt::{Attempt, Guide, Method};
use super::super::bidirectional::{Backwards, search};
use super::super::control::StopReason;
use super::super::engine::Space;
use super::super::options::BidirectionalChoice;
use super::attempts::{Attempts, Exploration};
use super::ends::BothEnds;

/// A search that stores no more states than this is not worth turning the task round.
const STATES_FROM_ONE_END: u64 = 100_000;

impl<'a> Attempts<'a> {
    /// After a search from one end that was given up, one from both with as many states. The better of
    /// them is still to be given up; what answers is broken with.
    pub(super) fn also_from_both_ends(
        &mut self,
        tried: Exploration<'a>,
        most: u64,
    ) -> ControlFlow<Exploration<'a>, Exploration<'a>> {
        if most < STATES_FROM_ONE_END || self.options.bidirectional != BidirectionalChoice::Auto {
            return ControlFlow::Continue(tried);
        }
        if matches!(self.ends, BothEnds::Untried) {
            self.turn_round();
        }
        if !matches!(self.ends, BothEnds::Best(_)) {
            return ControlFlow::Continue(tried);
        }
        let from_one_end = tried.own_bound;
        self.give_up(tried);
        let tried = self.search_from_both_ends(most);
        let is_too_large = tried.explored == Err(StopReason::Memory);
        if self.is_answer(&tried, most) {
            return ControlFlow::Break(tried);
        }
        if is_too_large || tried.own_bound <= from_one_end {
            self.ends = BothEnds::Worse;
        }
        ControlFlow::Continue(tried)
    }

    /// A search from both ends to the end, where it has proven most.
    pub(super) fn only_from_both_ends(&mut self) -> Option<Exploration<'a>> {
        matches!(self.ends, BothEnds::Best(_)).then(|| self.search_from_both_ends(u64::MAX))
    }

    /// A search from both ends and no other, if it can be.
    pub(super) fn always_from_both_ends(&mut self) -> Option<Exploration<'a>> {
        self.turn_round();
        if !matches!(self.ends, BothEnds::Best(_)) {
            self.made.push(Attempt {
                method: Method::Bidirectional,
                ..Attempt::inapplicable(Guide::Blind)
            });
            return None;
        }
        Some(self.search_from_both_ends(u64::MAX))
    }

    fn turn_round(&mut self) {
        self.ends = BothEnds::Worse;
        if self.options.all || self.start.agent > 0 {
            return;
        }
        if let Some(backwards) = Backwards::new(self.task, self.start, self.measure, self.control) {
            self.ends = BothEnds::Best(Box::new(backwards));
        }
    }

    fn search_from_both_ends(&mut self, most: u64) -> Exploration<'a> {
        let (task, start, measure) = (self.task, self.start, self.measure);
        let mut forward = Space::new(task, start, self.options, self.control, measure);
        forward.most_states = most;
        (forward.expanded, forward.generated, forward.evaluated) = self.work;
        let ends = std::mem::take(&mut self.ends);
        let mut explored = Ok(());
        if let BothEnds::Best(backwards) = &ends
            && let Some(mut backward) = backwards.space(self.options, self.control, measure)
        {
            backward.most_states = most;
            let held = backwards.bytes() + self.held_bytes();
            let ended = search(start, &mut forward, &mut backward, held);
            explored = ended.explored;
            forward.elsewhere = backward.states();
            forward.expanded += backward.expanded;
            forward.generated += backward.generated;
            // Each side counts what the other holds.
            forward.peak_bytes = forward.peak_bytes.max(backward.peak_bytes);
            if let Some(plan) = ended.plan {
                self.keep(plan);
            }
        }
        self.ends = ends;
        let own_bound = forward.bound();
        if let (Ok(()), Some(best)) = (explored, self.incumbent()) {
            forward.seek_no_worse_than(best);
        }
        let attempt = self.attempt(Guide::Blind, None, &forward, explored);
        self.made.push(Attempt {
            method: Method::Bidirectional,
            interchangeable: 0,
            pruned: explored.is_ok().then_some(0),
            ..attempt
        });
        forward.prove(self.bound);
        self.hunt.spent += forward.states() + forward.elsewhere;
        self.hunt.hand_over(&mut forward);
        Exploration {
            space: forward,
            explored,
            own_bound,
            earlier: self.earlier.clone(),
            symmetries: None,
        }
    }
}
