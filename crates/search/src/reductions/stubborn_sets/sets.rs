//! Sets of operators as bits.

/// A set of operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Box<[u64]>);

impl Set {
    /// None of so many operators.
    pub(super) fn new(operators: usize) -> Self {
        Self(vec![0; operators.div_ceil(64)].into())
    }

    pub(super) fn contains(&self, operator: u32) -> bool {
        self.0[operator as usize / 64] >> (operator % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, operator: u32) {
        self.0[operator as usize / 64] |= 1 << (operator % 64);
    }

    pub(super) fn remove(&mut self, operator: u32) {
        self.0[operator as usize / 64] &= !(1 << (operator % 64));
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds those of another.
    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    /// Adds those of `others` that are not in `except`.
    pub(super) fn add_except(&mut self, others: &Self, except: &Self) {
        for ((own, other), except) in self.0.iter_mut().zip(&others.0).zip(&except.0) {
            *own |= other & !except;
        }
    }

    /// Removes those of `others` that are not in `except`.
    pub(super) fn remove_except(&mut self, others: &Self, except: &Self) {
        for ((own, other), except) in self.0.iter_mut().zip(&others.0).zip(&except.0) {
            *own &= !other | except;
        }
    }

    /// Adds those of another, and calls `new` for each that was not in it.
    pub(super) fn add_noting(&mut self, other: &Self, mut new: impl FnMut(u32)) {
        for (index, (own, other)) in (0_u32..).zip(self.0.iter_mut().zip(&other.0)) {
            let mut added = other & !*own;
            *own |= added;
            while added != 0 {
                new(index * 64 + added.trailing_zeros());
                added &= added - 1;
            }
        }
    }

    /// The number of members of another set that it lacks.
    pub(super) fn lacks(&self, other: &Self) -> u32 {
        let words = self.0.iter().zip(&other.0);
        words.map(|(own, other)| (other & !own).count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[u32]) -> Set {
        let mut set = Set::new(130);
        for &member in members {
            set.insert(member);
        }
        set
    }

    #[test]
    fn sets_are_joined_and_compared_by_members() {
        let mut own = set(&[0, 64, 129]);
        assert!(own.contains(64) && !own.contains(65));
        assert_eq!(own.lacks(&set(&[0, 1, 65, 129])), 2);
        let mut new = Vec::new();
        own.add_noting(&set(&[0, 1, 128]), |member| new.push(member));
        assert_eq!(new, [1, 128]);
        own.remove_except(&set(&[0, 1, 64]), &set(&[1]));
        assert_eq!(own, set(&[1, 128, 129]));
        own.add_except(&set(&[2, 3]), &set(&[3]));
        own.add(&set(&[70]));
        own.remove(129);
        assert_eq!(own, set(&[1, 2, 70, 128]));
    }
}
