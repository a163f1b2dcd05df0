//! An open-addressing hash table of numbers whose keys are elsewhere.
//!
//! A slot holds 32 bits of the hash beside the number: a look-up reads a key only where these agree,
//! and growing reads none. Slots are in the order of the hash, with linear probing, so that growing
//! goes through them once from end to end, in place.

/// An empty table takes no memory; the first allocation has so many slots.
const FEWEST_SLOTS: usize = 64;

/// The most look-ups that wait for memory at the same time.
pub(super) const TOGETHER: usize = 128;

/// Numbers below `u32::MAX`, by the hash of their keys.
#[derive(Default)]
pub(super) struct IdTable {
    /// The upper half of the hash, and the number plus 1; 0 where there is none.
    slots: Vec<u64>,
    len: usize,
}

/// Where probing for a hash starts.
const fn home(hash: u64, slots: usize) -> usize {
    (((hash >> 32) * slots as u64) >> 32) as usize
}

impl IdTable {
    /// The number whose key has this hash and `is_same`.
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut index = home(hash, self.slots.len());
        loop {
            let slot = self.slots[index];
            if slot == 0 {
                return None;
            }
            let id = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && is_same(id) {
                return Some(id);
            }
            index += 1;
            if index == self.slots.len() {
                index = 0;
            }
        }
    }

    /// For each hash the first number that may be its key's. The slots of all are read before any of
    /// them is looked at, so that their cache misses overlap.
    pub(super) fn candidates(&self, hashes: &[u64], candidates: &mut [Option<u32>]) {
        let candidates = &mut candidates[..hashes.len()];
        if self.slots.is_empty() {
            candidates.fill(None);
            return;
        }
        let mut homes = [0; TOGETHER];
        for (slot, &hash) in homes.iter_mut().zip(hashes) {
            *slot = self.slots[home(hash, self.slots.len())];
        }
        for ((candidate, &hash), &slot) in candidates.iter_mut().zip(hashes).zip(&homes) {
            *candidate = if slot == 0 {
                None
            } else if slot >> 32 == hash >> 32 {
                Some(slot as u32 - 1)
            } else {
                self.find(hash, |_| true)
            };
        }
    }

    /// Adds a number that is not in the table.
    pub(super) fn insert(&mut self, hash: u64, id: u32) {
        if self.is_full() {
            self.grow();
        }
        self.place(hash >> 32 << 32 | u64::from(id + 1));
        self.len += 1;
    }

    /// Puts a number into the first free slot from its home.
    fn place(&mut self, slot: u64) {
        let mut index = home(slot, self.slots.len());
        while self.slots[index] != 0 {
            index += 1;
            if index == self.slots.len() {
                index = 0;
            }
        }
        self.slots[index] = slot;
    }

    /// Grows in place. Homes move up, so numbers are moved from the last slot to the first, each into
    /// a part of the table that is finished; the few that do not fit there are put in at the end.
    fn grow(&mut self) {
        let (old, new) = (self.slots.len(), self.slots_after_growth());
        self.slots.reserve_exact(new - old);
        self.slots.resize(new, 0);
        let mut left = Vec::new();
        for index in (0..old).rev() {
            let slot = std::mem::take(&mut self.slots[index]);
            if slot == 0 {
                continue;
            }
            let home = home(slot, new);
            let finished = self.slots.get(home..).filter(|_| home >= index);
            let free = finished.and_then(|slots| slots.iter().position(|&slot| slot == 0));
            match free {
                Some(offset) => self.slots[home + offset] = slot,
                None => left.push(slot),
            }
        }
        for slot in left {
            self.place(slot);
        }
    }

    /// Three quarters of the slots at most are taken.
    fn is_full(&self) -> bool {
        self.len >= self.slots.len() / 4 * 3
    }

    fn slots_after_growth(&self) -> usize {
        (self.slots.len() / 2 * 3).max(FEWEST_SLOTS)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Bytes that the next insertion adds.
    pub(super) fn growth(&self) -> usize {
        if self.is_full() {
            (self.slots_after_growth() - self.slots.len()) * size_of::<u64>()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_key_whether_hashes_agree_or_not() {
        for spread in [0, 1, 1 << 32, 1 << 56, 0x9E37_79B9_7F4A_7C15_u64] {
            let mut table = IdTable::default();
            // With some of them in the last slots, so that probing goes on at the first.
            let hash = |id: u32| u64::MAX.wrapping_sub(u64::from(id / 3).wrapping_mul(spread));
            for id in 0..500 {
                assert_eq!(table.find(hash(id), |other| other == id), None);
                table.insert(hash(id), id);
                for id in 0..=id {
                    assert_eq!(table.find(hash(id), |other| other == id), Some(id));
                }
            }
        }
    }

    #[test]
    fn growth_is_announced_before_it_happens() {
        let mut table = IdTable::default();
        for id in 0..5000_u32 {
            let (before, growth) = (table.bytes(), table.growth());
            table.insert(u64::from(id) << 50, id);
            assert_eq!(table.bytes(), before + growth);
        }
    }
}
