//! `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014),
//! written here because its output must never change with a library's version.

/// The increment of the state.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// One output of `SplitMix64` from the given state.
pub const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Maps 64 random bits to `0..bound`; the bias is below `bound` / 2⁶⁴.
pub fn below(bits: u64, bound: usize) -> usize {
    ((u128::from(bits) * bound as u128) >> 64) as usize
}

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of a seed and a number: those of different numbers have nothing in common.
    pub const fn new(seed: u64, number: u64) -> Self {
        Self(split_mix(seed ^ split_mix(number)))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bits = split_mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        below(bits, bound)
    }

    /// Puts a list in any order, each as likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let other = self.below(end + 1);
            list.swap(end, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_sequence() {
        let drawn: Vec<u64> = (0..3)
            .map(|index| split_mix(1_234_567_u64.wrapping_add(GAMMA.wrapping_mul(index))))
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

    #[test]
    fn every_order_of_a_list_is_drawn_about_equally_often() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..6000 {
            let mut list = [1, 2, 3];
            SplitMix::new(seed, 0).shuffle(&mut list);
            *counts.entry(list).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }
}
