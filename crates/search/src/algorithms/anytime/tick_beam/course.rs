//! The course of a beam: for whole plans, or for agents who act meanwhile.

use super::layer::Way;
use super::pursuit::Pursuit;
use brigade_task::{OperatorId, OperatorKind, PackedTask, State};

/// The number of actions that one gain, a tick sooner, is worth.
const ACTIONS_PER_GAIN: i64 = 1000;

/// The course of a beam.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// The ticks that are left to the end of the task.
    pub(super) left: u32,
    pub(super) round: u64,
    /// True if it is for agents who act meanwhile: nature does what is likeliest, and of equal ways those are better
    /// that gain sooner and do less.
    pub(super) is_online: bool,
}

/// The end of a plan that a beam has met.
pub(super) struct End {
    /// The first key, the ticks, and the tie-break.
    pub(super) keys: (i64, i64, i64),
    pub(super) joints: Vec<Vec<OperatorId>>,
}

impl Course {
    pub(super) const fn new(left: u32, round: u64) -> Self {
        Self {
            left,
            round,
            is_online: false,
        }
    }

    /// The states preferred. Toward a goal of several conjuncts the first four of each eight rounds go from one to the
    /// next, the others to the whole goal. Measured: in a lunch of CookMAS the third round finds a plan of 12 ticks and the
    /// fifth one of 11; with the whole goal in every second pair of rounds it is 15.
    ///
    /// For whole plans of a total the rounds take turns where there are potentials. Measured: in 25 s and 400 steps of
    /// `counter_circuit`, `cramped_room` and `asymmetric_advantages` beams by promise alone gain 0, 220 and 400, both in
    /// turn 140, 240 and 400.
    pub(super) fn pursuit(
        self,
        task: &PackedTask,
        has_potentials: bool,
        has_conjuncts: bool,
    ) -> Pursuit {
        match task.goal {
            Some(_) if has_conjuncts && (self.round / 4).is_multiple_of(2) => Pursuit::Conjuncts,
            Some(_) => Pursuit::Goal,
            None if self.is_online => Pursuit::Gains,
            None if has_potentials && self.round.is_multiple_of(2) => Pursuit::Promise,
            None => Pursuit::NextGain,
        }
    }

    /// The way after a tick with these choices, which adds so much to the first key.
    pub(super) fn after(
        self,
        task: &PackedTask,
        before: Way,
        value: i64,
        joint: &[OperatorId],
    ) -> Way {
        let value = before.value + value;
        if !self.is_online {
            return Way { value, tie: 0 };
        }
        let is_action =
            |operator: &&OperatorId| task.operator(**operator).kind == OperatorKind::Start;
        let actions = joint.iter().filter(is_action).count() as i64;
        let tie = before.tie + value.saturating_mul(ACTIONS_PER_GAIN) + actions;
        Way { value, tie }
    }
}

/// The operator that nature draws most often in a state, the first of several.
pub(super) fn likeliest(task: &PackedTask, state: &State, agent: usize) -> Option<OperatorId> {
    let weighted = task.weighted(state, agent).ok()?.into_iter().rev();
    let most = weighted.max_by_key(|&(_, weight)| weight);
    most.map(|(operator, _)| operator)
}

/// Waiting, or the first applicable operator where an agent may not wait.
pub(crate) fn idle_operator(task: &PackedTask, state: &State, agent: usize) -> Option<OperatorId> {
    let wait = task.agents[agent].wait;
    wait.filter(|&wait| task.is_applicable(state, wait))
        .or_else(|| task.applicable(state, agent).next())
}
