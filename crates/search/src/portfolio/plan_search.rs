//! The state of the search for good plans, between its turns.

use super::limits::{
    FIRST_IN_TURN, FIRST_NEIGHBOURHOOD, FIRST_TICK_WIDTH, FIRST_WEIGHT, FIRST_WIDTH,
};
use crate::algorithms::anytime::tick_beam::TickBeam;
use crate::heuristics::FastForward;
use crate::options::PlanLead;
use crate::space::search_space::Space;

/// The search for good plans, as far as it has come.
pub(super) struct PlanSearch<'t> {
    /// The effort that proofs have spent, in states.
    pub(super) spent: u64,
    /// The effort of proofs at which plans are looked for next.
    pub(super) due: u64,
    /// The weight of the cost-to-go in the next greedy search.
    pub(super) weight: u32,
    /// The width of the next beam.
    pub(super) width: usize,
    /// The lead of the next search for a plan, as long as none is known.
    pub(super) next: PlanLead,
    /// The next way to look for a better one by patterns, once one is known.
    pub(super) by_patterns: ByPatterns,
    /// The number of states of the next neighbourhood.
    pub(super) states: u64,
    /// True if nothing better was found near the best plan since plans were looked for elsewhere.
    pub(super) is_best_nearby: bool,
    /// True if plans are looked for no more: there is no better one, or no room to find it.
    pub(super) is_over: bool,
    pub(super) by_ticks: TickBeams<'t>,
    /// The next agent who is tried alone.
    pub(super) alone: usize,
    /// Relaxed plans, if they can be had, and whether that was tried.
    pub(super) relaxed: Option<FastForward<'t>>,
    pub(super) has_tried: bool,
    /// Nodes expanded, successors generated and values computed meanwhile.
    pub(super) work: (u64, u64, u64),
}

/// Beams over ticks, as far as they have come.
pub(super) struct TickBeams<'t> {
    /// The beam between two searches, if it can be had, and whether that was tried.
    pub(super) beam: Option<TickBeam<'t>>,
    pub(super) has_tried: bool,
    /// The width of the next one.
    pub(super) width: usize,
    /// The number of beams.
    pub(super) rounds: u64,
    /// The number of searches for a plan anywhere.
    pub(super) turns: u64,
    /// Effort of all searches, in states, from which a first plan of agents in turn is looked for.
    pub(super) due: u64,
}

/// A way to look for plans by patterns.
#[derive(PartialEq, Eq)]
pub(super) enum ByPatterns {
    /// By a bound: where the cost-to-go is least, as a part of what a better one may take.
    Bounded,
    Beam,
}

impl PlanSearch<'_> {
    /// A search that begins once proofs have spent so much, and looks there first.
    pub(super) fn new(due: u64, next: PlanLead) -> Self {
        Self {
            spent: 0,
            due,
            weight: FIRST_WEIGHT,
            width: FIRST_WIDTH,
            next,
            by_patterns: ByPatterns::Bounded,
            states: FIRST_NEIGHBOURHOOD,
            is_best_nearby: false,
            is_over: false,
            alone: 0,
            by_ticks: TickBeams {
                beam: None,
                has_tried: false,
                width: FIRST_TICK_WIDTH,
                rounds: 0,
                turns: 0,
                due: FIRST_IN_TURN,
            },
            relaxed: None,
            has_tried: false,
            work: (0, 0, 0),
        }
    }

    /// Bytes held while nothing is looked for.
    pub(super) fn bytes(&self) -> usize {
        let beams = self.by_ticks.beam.as_ref().map_or(0, TickBeam::bytes);
        beams + self.relaxed.as_ref().map_or(0, FastForward::bytes)
    }

    /// Counts what was done meanwhile with what a search has done.
    pub(super) fn hand_over(&mut self, space: &mut Space) {
        let (expanded, generated, evaluated) = std::mem::take(&mut self.work);
        space.expanded += expanded;
        space.generated += generated;
        space.evaluated += evaluated;
    }
}
