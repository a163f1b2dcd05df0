//! Chooses uniformly among the legal operators.

use super::{Choice, Policy, PolicyError, View};

/// Uniform random choice, reproducible from a seed.
///
/// The generator is `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014), written here because its
/// output must never change with a library's version. It is keyed by seed, agent, tick and attempt
/// rather than run along, so that a resumed episode draws what it would have drawn.
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

/// One output of `SplitMix64` from the given state.
const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Maps 64 random bits to `0..bound`; the bias is below `bound` / 2⁶⁴.
fn below(bits: u64, bound: usize) -> usize {
    ((u128::from(bits) * bound as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_sequence() {
        let gamma: u64 = 0x9e37_79b9_7f4a_7c15;
        let drawn: Vec<u64> = (0..3)
            .map(|index| split_mix(1_234_567_u64.wrapping_add(gamma.wrapping_mul(index))))
            .collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn draws_stay_below_their_bound() {
        assert_eq!(below(u64::MAX, 7), 6);
        assert_eq!(below(0, 7), 0);
    }
}
