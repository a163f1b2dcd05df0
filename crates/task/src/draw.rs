//! The draw: a choice that chance makes for an agent of nature.
//!
//! An action of nature has a weight, which may depend on the state. Of those that apply, one is drawn,
//! each as likely as its weight has a share in the sum of all. The draw is a function of seed, agent
//! and tick: `docs/reference/semantics.md` defines it, so that another can draw the same.

use super::split_mix::split_mix;
use super::state::State;
use super::{OperatorId, OperatorKind, PackedTask};

/// The weights are below this: so many of them as there can be operators have a sum that is exact.
pub const TOO_HEAVY: i64 = 1 << 31;

/// Why nothing could be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoDraw {
    /// Nothing applies, and the agent must act.
    #[error("none of its actions applies, and it cannot wait")]
    NothingApplies,
    /// All that applies has the weight 0.
    #[error("all of its actions that apply have the weight 0")]
    NoWeight,
    /// A weight that is none.
    #[error("`({operator})` has the weight {weight}, which is not from 0 to 2147483647")]
    BadWeight {
        /// The name of the operator.
        operator: String,
        /// The number.
        weight: i64,
    },
}

impl PackedTask {
    /// The operators that may be drawn for an agent of nature in `state`, with their weights; none has the weight 0.
    /// Where it can only wait or go on, that is all, with the weight 1.
    ///
    /// # Errors
    ///
    /// There is nothing, or a number that is no weight.
    pub fn weighted(&self, state: &State, agent: usize) -> Result<Vec<(OperatorId, i64)>, NoDraw> {
        let mut all = Vec::new();
        for id in self.applicable(state, agent) {
            let operator = self.operator(id);
            let weight = match (&self.packed_operator(id).weight, operator.kind) {
                (Some(weight), OperatorKind::Start) => weight.value(&self.variables, state),
                _ => 1,
            };
            if !(0..TOO_HEAVY).contains(&weight) {
                return Err(NoDraw::BadWeight {
                    operator: operator.name.clone(),
                    weight,
                });
            }
            all.push((id, weight));
        }
        if !all.is_empty() {
            return Ok(all);
        }
        let nature = self.agents[agent].nature.as_ref();
        let can_act = nature.is_some_and(|nature| nature.can_act.holds(&self.variables, state));
        Err(if can_act {
            NoDraw::NoWeight
        } else {
            NoDraw::NothingApplies
        })
    }

    /// Draws the operator of an agent of nature in `state`, `tick` ticks after the start, by a seed.
    ///
    /// # Errors
    ///
    /// As of [`PackedTask::weighted`].
    pub fn draw(
        &self,
        state: &State,
        agent: usize,
        (seed, tick): (u64, u32),
    ) -> Result<OperatorId, NoDraw> {
        let weighted = self.weighted(state, agent)?;
        let sum: u128 = weighted.iter().map(|(_, weight)| *weight as u128).sum();
        let mut left = (u128::from(bits(seed, agent, tick)) * sum) >> 64;
        for (operator, weight) in &weighted {
            match left.checked_sub(*weight as u128) {
                Some(rest) => left = rest,
                None => return Ok(*operator),
            }
        }
        Err(NoDraw::NoWeight)
    }
}

/// The random bits of an agent at a tick: `SplitMix64` of each part, folded together.
const fn bits(seed: u64, agent: usize, tick: u32) -> u64 {
    let of_agent = split_mix(seed ^ split_mix(agent as u64));
    split_mix(of_agent ^ split_mix(tick as u64))
}
