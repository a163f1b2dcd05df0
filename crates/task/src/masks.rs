//! Which conjunctions of facts hold: a mask of them for each value of each digit of the state.
//!
//! The state is cut into digits of a few bits. For each value of a digit a mask has the bits of those
//! conjunctions that this value does not contradict; what all masks of a state have in common holds.
//! No step depends on what another has found, so a processor need not guess.

use super::atom::Masked;
use super::state::State;

/// Bits of a digit.
const BITS: u32 = 4;
const VALUES: usize = 1 << BITS;

/// Words of a mask: each has its own loop.
const WIDTHS: [usize; 7] = [1, 2, 4, 6, 8, 12, 16];

/// Words that are joined for one state at most; where there are more, a tree is quicker.
const MOST_WORDS: usize = 320;

/// Some bits of the state that are tested.
#[derive(Clone, Copy, Debug)]
struct Digit {
    word: u16,
    shift: u8,
}

/// Conjunctions of facts, by number.
#[derive(Clone, Debug)]
pub(super) struct Masks {
    digits: Vec<Digit>,
    /// The number of words of a mask.
    width: usize,
    /// The mask of each value of each digit.
    of_values: Vec<u64>,
    /// The mask of all.
    all: Vec<u64>,
}

impl Masks {
    /// Masks of these conjunctions, if they are few.
    pub(super) fn new(words: usize, conjunctions: &[&[Masked]]) -> Option<Self> {
        let needed = conjunctions.len().div_ceil(64);
        let width = WIDTHS.into_iter().find(|&width| width >= needed)?;
        let mut tested = vec![0; words];
        for test in conjunctions.iter().copied().flatten() {
            tested[test.word as usize] |= test.mask;
        }
        let places = (0_u16..).zip(&tested).flat_map(|(word, &mask)| {
            let shifts = (0..u64::BITS as u8).step_by(BITS as usize);
            let is_tested = move |&shift: &u8| mask >> shift & (VALUES as u64 - 1) != 0;
            let digit = move |shift| Digit { word, shift };
            shifts.filter(is_tested).map(digit)
        });
        let digits: Vec<Digit> = places.collect();
        if digits.len() * width > MOST_WORDS {
            return None;
        }
        let mut all = vec![0; width];
        for index in 0..conjunctions.len() {
            all[index / 64] |= 1 << (index % 64);
        }
        let mut masks = vec![u64::MAX; digits.len() * VALUES * width];
        for (digit, masks) in digits.iter().zip(masks.chunks_mut(VALUES * width)) {
            for (index, tests) in conjunctions.iter().enumerate() {
                for test in tests.iter().filter(|test| test.word == digit.word) {
                    let mask = (test.mask >> digit.shift) as usize % VALUES;
                    let value = (test.value >> digit.shift) as usize % VALUES;
                    if mask == 0 {
                        continue;
                    }
                    for other in (0..VALUES).filter(|other| other & mask != value) {
                        masks[other * width + index / 64] &= !(1 << (index % 64));
                    }
                }
            }
        }
        Some(Self {
            digits,
            width,
            of_values: masks,
            all,
        })
    }

    /// Visits those that hold in `state`, ascending.
    pub(super) fn visit(&self, state: &State, visit: impl FnMut(usize)) {
        match self.width {
            1 => self.visit_in::<1>(state, visit),
            2 => self.visit_in::<2>(state, visit),
            4 => self.visit_in::<4>(state, visit),
            6 => self.visit_in::<6>(state, visit),
            8 => self.visit_in::<8>(state, visit),
            12 => self.visit_in::<12>(state, visit),
            _ => self.visit_in::<16>(state, visit),
        }
    }

    fn visit_in<const WIDTH: usize>(&self, state: &State, mut visit: impl FnMut(usize)) {
        let mut left = [0; WIDTH];
        left.copy_from_slice(&self.all);
        let (masks, _) = self.of_values.as_chunks::<WIDTH>();
        for (digit, masks) in self.digits.iter().zip(masks.chunks_exact(VALUES)) {
            let value = (state.words()[digit.word as usize] >> digit.shift) as usize % VALUES;
            for (left, mask) in left.iter_mut().zip(&masks[value]) {
                *left &= mask;
            }
        }
        for (word, mut left) in left.into_iter().enumerate() {
            while left != 0 {
                visit(word * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, the same each time.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state >> 20
        }
    }

    #[test]
    fn those_are_visited_whose_tests_all_hold() {
        let mut number = numbers();
        for count in [0, 1, 63, 64, 65, 300, 1000] {
            let conjunctions: Vec<Vec<Masked>> = (0..count)
                .map(|_| {
                    let tests = (0..number() % 4).map(|_| {
                        let mask = number() & number() & number() & 0xF0F_00F0;
                        Masked {
                            word: (number() % 3) as u16,
                            mask,
                            value: number() & number() & mask,
                        }
                    });
                    tests.collect()
                })
                .collect();
            let slices: Vec<&[Masked]> = conjunctions.iter().map(Vec::as_slice).collect();
            let masks = Masks::new(3, &slices).unwrap();
            for _ in 0..200 {
                let words = [number() & number(), number(), number() & number()];
                let state = State::from_words(&words);
                let mut visited = Vec::new();
                masks.visit(state, |index| visited.push(index));
                let holds = |&index: &usize| slices[index].iter().all(|test| test.matches(state));
                let expected: Vec<usize> = (0..count).filter(holds).collect();
                assert_eq!(visited, expected);
            }
        }
    }

    #[test]
    fn there_are_none_for_more_than_masks_can_hold() {
        let none: &[Masked] = &[];
        assert!(Masks::new(1, &vec![none; 1024]).is_some());
        assert!(Masks::new(1, &vec![none; 1025]).is_none());
    }
}
