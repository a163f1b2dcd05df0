//! Tuples of values: what some variables of a row may have together.
//!
//! Sets of values of single variables let an agent stand where one operator leaves it, look where another does and hold
//! what a third gives it. A set of tuples knows which of these go together, as the critical paths of P. Haslum and
//! H. Geffner, "Admissible Heuristics for Optimal Planning", AIPS 2000, do for pairs of facts.

use super::sets::{contains, insert, is_empty, single, values};
use smallvec::SmallVec;

/// Variables tied together have no more tuples than this: 2 KiB a row. Not tuned.
const MOST_TUPLES: u32 = 1 << 14;

/// A variable that is tied has no more values than this, as each has a set of tuples of its own. Not tuned.
const MOST_VALUES: u32 = 1 << 9;

/// A set of tuples that is being made; as many words as most sets have are on the stack.
type Scratch = SmallVec<[u64; 96]>;

/// Variables whose tuples a row holds, as a set of numbers in mixed radix.
#[derive(Clone, Debug)]
pub(super) struct Tie {
    digits: Vec<Digit>,
    /// Number of tuples.
    size: u32,
    /// First word in a row.
    first: usize,
}

/// A variable of a tie.
#[derive(Clone, Debug)]
struct Digit {
    place: Place,
    /// The amount that its second value adds to the number of a tuple.
    stride: u32,
    /// For each of its values, the set of tuples that have it.
    having: Box<[u64]>,
}

/// A variable in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) variable: u32,
    /// Number of its values.
    pub(super) size: u32,
    /// First word of its set.
    pub(super) first: usize,
}

impl Place {
    fn set<'r>(&self, row: &'r [u64]) -> &'r [u64] {
        &row[self.first..self.first + self.size.div_ceil(64) as usize]
    }

    fn set_mut<'r>(&self, row: &'r mut [u64]) -> &'r mut [u64] {
        &mut row[self.first..self.first + self.size.div_ceil(64) as usize]
    }
}

impl Digit {
    const fn of(&self, tuple: u32) -> u32 {
        tuple / self.stride % self.place.size
    }
}

impl Tie {
    /// Ties variables, in the order given, as far as their tuples are few enough; at word `first` of a row. `None` if fewer
    /// than two are left.
    pub(super) fn new(places: impl Iterator<Item = Place>, first: usize) -> Option<Self> {
        let mut digits = Vec::new();
        let mut stride = 1;
        for place in places {
            if place.size > 1 && place.size <= MOST_VALUES.min(MOST_TUPLES / stride) {
                digits.push(Digit {
                    place,
                    stride,
                    having: Box::default(),
                });
                stride *= place.size;
            }
        }
        let words = stride.div_ceil(64) as usize;
        for digit in &mut digits {
            let mut having = vec![0; digit.place.size as usize * words];
            for tuple in 0..stride {
                let value = digit.of(tuple) as usize;
                insert(&mut having[value * words..][..words], tuple);
            }
            digit.having = having.into();
        }
        (digits.len() > 1).then_some(Self {
            digits,
            size: stride,
            first,
        })
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        self.digits.iter().map(|digit| digit.place.variable)
    }

    pub(super) const fn words(&self) -> usize {
        self.size.div_ceil(64) as usize
    }

    fn set<'r>(&self, row: &'r [u64]) -> &'r [u64] {
        &row[self.first..self.first + self.words()]
    }

    fn set_mut<'r>(&self, row: &'r mut [u64]) -> &'r mut [u64] {
        &mut row[self.first..self.first + self.words()]
    }

    fn digit(&self, variable: u32) -> Option<&Digit> {
        let mut digits = self.digits.iter();
        digits.find(|digit| digit.place.variable == variable)
    }

    /// Takes the tuples out whose value of a variable is not in `kept`, and leaves the values of the others. Returns whether
    /// any is left.
    pub(super) fn narrow(&self, row: &mut [u64], variable: u32, kept: &[u64]) -> bool {
        let Some(narrowed) = self.digit(variable) else {
            return !is_empty(self.set(row));
        };
        let removed: SmallVec<[u32; 64]> = values(narrowed.place.set(row))
            .filter(|&value| !contains(kept, value))
            .collect();
        for digit in &self.digits {
            digit.place.set_mut(row).fill(0);
        }
        let mut is_any_left = false;
        for index in 0..self.words() {
            let mut word = row[self.first + index];
            if word == 0 {
                continue;
            }
            for &value in &removed {
                word &= !narrowed.having[value as usize * self.words() + index];
            }
            row[self.first + index] = word;
            is_any_left |= word != 0;
            for bit in values(&[word]) {
                let mut left = index as u32 * 64 + bit;
                for digit in &self.digits {
                    insert(digit.place.set_mut(row), left % digit.place.size);
                    left /= digit.place.size;
                }
            }
        }
        is_any_left
    }

    /// Gives a variable, in all tuples, any value of its set.
    pub(super) fn write(&self, row: &mut [u64], variable: u32) {
        let Some(digit) = self.digit(variable) else {
            return;
        };
        let mut without = Scratch::from_elem(0, self.words());
        for tuple in values(self.set(row)) {
            insert(&mut without, tuple - digit.of(tuple) * digit.stride);
        }
        let given: SmallVec<[u32; 64]> = values(digit.place.set(row)).collect();
        let set = self.set_mut(row);
        set.fill(0);
        for tuple in values(&without) {
            for value in &given {
                insert(set, tuple + value * digit.stride);
            }
        }
    }

    /// Gives a variable, in each tuple, the value that a table has for that of another; without one it stays. Returns false
    /// if one of the two is not tied.
    pub(super) fn copy(
        &self,
        row: &mut [u64],
        [to, from]: [u32; 2],
        table: &[Option<u32>],
    ) -> bool {
        let (Some(to), Some(from)) = (self.digit(to), self.digit(from)) else {
            return false;
        };
        let mut copied = Scratch::from_elem(0, self.words());
        to.place.set_mut(row).fill(0);
        for index in 0..self.words() {
            for bit in values(&[row[self.first + index]]) {
                let tuple = index as u32 * 64 + bit;
                let old = to.of(tuple);
                let new = table[from.of(tuple) as usize].unwrap_or(old);
                insert(&mut copied, tuple - old * to.stride + new * to.stride);
                insert(to.place.set_mut(row), new);
            }
        }
        self.set_mut(row).copy_from_slice(&copied);
        true
    }

    /// Holds the tuple of a row in which each variable has one value.
    pub(super) fn fill(&self, row: &mut [u64]) {
        let values = self.digits.iter();
        let values = values.map(|digit| Some(single(digit.place.set(row))? * digit.stride));
        let tuple: Option<u32> = values.sum();
        let set = self.set_mut(row);
        set.fill(0);
        if let Some(tuple) = tuple {
            insert(set, tuple);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use brigade_task::split_mix::SplitMix;

    const SIZES: [u32; 3] = [3, 7, 4];

    fn places(sizes: &[u32]) -> impl Iterator<Item = Place> {
        let mut first = 0;
        (0..).zip(sizes).map(move |(variable, &size)| {
            let place = Place {
                variable,
                size,
                first,
            };
            first += size.div_ceil(64) as usize;
            place
        })
    }

    fn row_of(tie: &Tie, tuple: [u32; 3]) -> Vec<u64> {
        let mut row: Vec<u64> = tuple.iter().map(|value| 1 << value).collect();
        row.resize(SIZES.len() + tie.words(), 0);
        tie.fill(&mut row);
        row
    }

    #[test]
    fn a_set_of_tuples_is_that_which_the_same_operations_make_of_an_explicit_one() {
        let mut random = SplitMix::new(7, 0);
        let tie = Tie::new(places(&SIZES), SIZES.len()).expect("three variables");
        let (mut emptied, mut most) = (0, 0);
        for _ in 0..200 {
            let mut row = row_of(&tie, [1, 2, 3]);
            let mut expected = BTreeSet::from([[1, 2, 3]]);
            for _ in 0..12 {
                let place = random.below(SIZES.len());
                let set = 1 + random.below((1 << SIZES[place]) - 1) as u64;
                match random.below(4) {
                    0 => {
                        let is_any_left = tie.narrow(&mut row, place as u32, &[set]);
                        expected.retain(|tuple| contains(&[set], tuple[place]));
                        assert_eq!(is_any_left, !expected.is_empty());
                        emptied += usize::from(!is_any_left);
                    }
                    1 => {
                        if !expected.is_empty() {
                            row[place] = set;
                        }
                        tie.write(&mut row, place as u32);
                        let given = |mut tuple: [u32; 3]| {
                            values(&[set])
                                .map(|value| {
                                    tuple[place] = value;
                                    tuple
                                })
                                .collect::<Vec<_>>()
                        };
                        expected = expected.into_iter().flat_map(given).collect();
                    }
                    2 => {
                        let from = random.below(SIZES.len());
                        let mut value = || {
                            let value = random.below(SIZES[place] as usize + 1) as u32;
                            (value < SIZES[place]).then_some(value)
                        };
                        let table: Vec<Option<u32>> = (0..SIZES[from]).map(|_| value()).collect();
                        assert!(tie.copy(&mut row, [place as u32, from as u32], &table));
                        let copied = |mut tuple: [u32; 3]| {
                            tuple[place] = table[tuple[from] as usize].unwrap_or(tuple[place]);
                            tuple
                        };
                        expected = expected.into_iter().map(copied).collect();
                    }
                    _ => {
                        let other = SIZES.map(|size| random.below(size as usize) as u32);
                        for (word, more) in row.iter_mut().zip(row_of(&tie, other)) {
                            *word |= more;
                        }
                        expected.insert(other);
                    }
                }
                let held = values(tie.set(&row));
                let held = held.map(|tuple| [0, 1, 2].map(|place| tie.digits[place].of(tuple)));
                assert_eq!(held.collect::<BTreeSet<_>>(), expected);
                for place in 0..SIZES.len() {
                    let values: BTreeSet<u32> = values(&row[place..=place]).collect();
                    assert_eq!(values, expected.iter().map(|tuple| tuple[place]).collect());
                }
                most = most.max(expected.len());
            }
        }
        assert!(emptied > 100 && most > 30, "{emptied} {most}");
    }

    #[test]
    fn what_has_too_many_tuples_or_one_value_is_left_out() {
        let tied = |sizes: &[u32]| -> Option<Vec<u32>> {
            let tie = Tie::new(places(sizes), 0)?;
            Some(tie.variables().collect())
        };
        assert_eq!(
            tied(&[1, 5, MOST_VALUES, MOST_VALUES + 1, 4]),
            Some(vec![1, 2, 4])
        );
        assert_eq!(tied(&[MOST_TUPLES / 2, 20, 3]), Some(vec![1, 2]));
        assert_eq!(tied(&[200, 200, 60]), Some(vec![0, 2]));
        assert_eq!(tied(&[20, 1]), None);
        assert_eq!(tied(&[20, u32::MAX]), None);
    }
}
