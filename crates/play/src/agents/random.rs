//! Chooses uniformly among the legal operators.

use super::{Choice, Policy, PolicyError, View};
use brigade_task::split_mix::{below, split_mix};

/// Uniform random choice, reproducible from a seed.
///
/// The generator is `SplitMix64`, keyed by seed, agent, tick and attempt rather than run along, so that
/// a resumed episode draws what it would have drawn.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// A policy that draws from `seed`. Agents with the same seed draw differently.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Policy for Random {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let key = [view.agent as u64, view.tick.into(), view.attempt.into()];
        let draw = key
            .into_iter()
            .fold(self.seed, |state, part| split_mix(state ^ split_mix(part)));
        Ok(view.legal[below(draw, view.legal.len())].into())
    }
}
