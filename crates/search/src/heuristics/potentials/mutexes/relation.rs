//! A symmetric relation on facts, as a matrix of bits.

/// The relation of facts that may hold together, in some set of states.
#[derive(Clone)]
pub(crate) struct Relation {
    words: usize,
    /// For each fact the set of those that may hold with it.
    possible: Vec<u64>,
    /// The facts that may hold.
    reached: Vec<u64>,
}

impl Relation {
    /// In which none of so many facts may hold.
    pub(crate) fn new(facts: usize) -> Self {
        let words = facts.div_ceil(64);
        Self {
            words,
            possible: vec![0; words * facts],
            reached: vec![0; words],
        }
    }

    /// Words of a set of facts.
    pub(crate) const fn words(&self) -> usize {
        self.words
    }

    /// The facts that may hold with this one.
    pub(crate) fn row(&self, fact: u32) -> &[u64] {
        let first = fact as usize * self.words;
        &self.possible[first..first + self.words]
    }

    /// Returns whether two facts may hold together.
    pub(crate) fn contains(&self, left: u32, right: u32) -> bool {
        contains(self.row(left), right)
    }

    /// Notes that two facts may hold together. Returns whether that is new.
    pub(crate) fn join(&mut self, left: u32, right: u32) -> bool {
        let is_new = !self.contains(left, right);
        if left == right {
            insert(&mut self.reached, left);
        }
        for (one, other) in [(left, right), (right, left)] {
            let first = one as usize * self.words;
            insert(&mut self.possible[first..first + self.words], other);
        }
        is_new
    }

    /// The facts that may hold where one of each of these sets does, by pairs.
    pub(crate) fn compatible(&self, needs: &[Vec<u32>], work: &mut u64) -> Vec<u64> {
        let mut allowed = self.reached.clone();
        let mut row = vec![0; self.words];
        loop {
            let before: u32 = allowed.iter().map(|word| word.count_ones()).sum();
            for facts in needs {
                row.fill(0);
                for &fact in facts {
                    if contains(&allowed, fact) {
                        *work += self.words as u64;
                        add(&mut row, self.row(fact));
                    }
                }
                for (word, &other) in allowed.iter_mut().zip(&row) {
                    *word &= other;
                }
            }
            let after: u32 = allowed.iter().map(|word| word.count_ones()).sum();
            if after == before {
                return allowed;
            }
        }
    }
}

/// Returns whether a fact is in a set.
pub(crate) fn contains(set: &[u64], fact: u32) -> bool {
    set[fact as usize / 64] >> (fact % 64) & 1 == 1
}

/// Adds a fact to a set.
pub(crate) fn insert(set: &mut [u64], fact: u32) {
    set[fact as usize / 64] |= 1 << (fact % 64);
}

/// Takes a fact out of a set.
pub(crate) fn remove(set: &mut [u64], fact: u32) {
    set[fact as usize / 64] &= !(1 << (fact % 64));
}

/// Adds the facts of one set to another.
pub(crate) fn add(set: &mut [u64], others: &[u64]) {
    for (word, &other) in set.iter_mut().zip(others) {
        *word |= other;
    }
}

/// The facts of a set, ascending.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = u32> {
    set.iter().zip(0..).flat_map(|(&word, index)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros();
                left &= left - 1;
                index * 64 + bit
            })
        })
    })
}
