//! An open-addressing hash table of numbers whose keys are elsewhere.
//!
//! A slot holds 32 bits of the hash beside the number: a look-up reads a key only where these
//! agree, and growing reads none. Slots are in groups of a cache line each, so that most look-ups
//! read one line. Groups are in the order of the hash, with linear probing, so that growing goes
//! through them once from end to end, in place.

use crate::threads::{Pieces, together};

/// Slots of a group.
const GROUP: usize = 8;

/// Bytes of a cache line.
const LINE: usize = GROUP * size_of::<u64>();

/// An empty table takes no memory; the first allocation has so many groups.
const FEWEST_GROUPS: usize = 8;

/// The most look-ups that wait for memory at the same time.
pub(crate) const TOGETHER: usize = 128;

/// Slots that are filled from the first on: the upper half of the hash, and the number plus 1; 0
/// where there is none.
type Group = [u64; GROUP];

/// The group in which a number that is not in the table would be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(usize);

/// Fewer numbers than this are not worth another thread.
const FEWEST_FOR_THREADS: usize = 4096;

/// Numbers below `u32::MAX`, by the hash of their keys.
#[derive(Default)]
pub(crate) struct IdTable {
    /// The groups, and as much more as they need to begin at a cache line.
    slots: Vec<u64>,
    /// The group in which they begin.
    first: usize,
    /// Those that are promised included.
    len: usize,
    /// It grows before it holds more.
    most: usize,
}

/// The group in which probing for a hash starts.
const fn home(hash: u64, groups: usize) -> usize {
    (((hash >> 32) * groups as u64) >> 32) as usize
}

/// The slots that hold the upper half of this hash, as bits.
fn matches(group: &Group, hash: u64) -> u32 {
    let bits = (0..).zip(group).map(|(index, slot)| {
        let is_match = (slot >> 32) as u32 == (hash >> 32) as u32;
        u32::from(is_match) << index
    });
    bits.fold(0, |matches, bit| matches | bit)
}

/// Returns whether probing goes on at the next group.
const fn is_full(group: &Group) -> bool {
    group[GROUP - 1] != 0
}

/// Fills a slot of a group that has a free one.
fn fill(group: &mut Group, slot: u64) {
    let filled = group.iter().filter(|&&slot| slot != 0).count();
    group[filled] = slot;
}

/// Fills a slot of the first group that has a free one; false if none has.
fn place(groups: &mut [Group], slot: u64) -> bool {
    let group = groups.iter_mut().find(|group| !is_full(group));
    group.map(|group| fill(group, slot)).is_some()
}

/// The content of the slot of a number.
const fn slot(hash: u64, id: u32) -> u64 {
    hash >> 32 << 32 | (id as u64 + 1)
}

/// Fills slots of some of `count` groups, from `start` on, for those of consecutive numbers whose
/// home is there. Collects the slots that did not fit.
fn insert_range(
    groups: &mut [Group],
    start: usize,
    count: usize,
    (hashes, first): (&[u64], u32),
    left: &mut Vec<u64>,
) {
    let end = start + groups.len();
    let mut open = [(0, 0); TOGETHER];
    for (hashes, ids) in hashes.chunks(TOGETHER).zip((first..).step_by(TOGETHER)) {
        let mut open_len = 0;
        for (&hash, id) in hashes.iter().zip(ids..) {
            open[open_len] = (home(hash, count).wrapping_sub(start), slot(hash, id));
            open_len += usize::from((start..end).contains(&home(hash, count)));
        }
        let open = &mut open[..open_len];
        // The groups are read before any of them is filled, so that the cache misses overlap.
        for (index, _) in &mut *open {
            *index += usize::from(is_full(&groups[*index]));
        }
        for &mut (index, slot) in open {
            if !place(&mut groups[index..], slot) {
                left.push(slot);
            }
        }
    }
}

impl IdTable {
    fn groups(&self) -> &[Group] {
        self.slots[self.first..].as_chunks().0
    }

    fn groups_mut(&mut self) -> &mut [Group] {
        self.slots[self.first..].as_chunks_mut().0
    }

    /// The number whose key has this hash and `is_same`; else where it would be put.
    pub(crate) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, Place> {
        let groups = self.groups();
        if groups.is_empty() {
            return Err(Place(0));
        }
        let mut index = home(hash, groups.len());
        loop {
            let group = &groups[index];
            let mut matches = matches(group, hash);
            while matches != 0 {
                let slot = group[matches.trailing_zeros() as usize];
                // A slot that is free looks like one of a hash that begins with 0.
                if slot != 0 && is_same(slot as u32 - 1) {
                    return Ok(slot as u32 - 1);
                }
                matches &= matches - 1;
            }
            if !is_full(group) {
                return Err(Place(index));
            }
            index += 1;
            if index == groups.len() {
                index = 0;
            }
        }
    }

    /// For each hash the first number that may be its key's, plus 1; 0 if there is none. Groups are
    /// read before any of them is looked at, so that the cache misses overlap: first those where
    /// probing starts, then those after the full ones of them.
    pub(crate) fn candidates(&self, hashes: &[u64], candidates: &mut [u32]) {
        let candidates = &mut candidates[..hashes.len()];
        candidates.fill(0);
        let groups = self.groups();
        if groups.is_empty() {
            return;
        }
        for (candidate, &hash) in candidates.iter_mut().zip(hashes) {
            *candidate = groups[home(hash, groups.len())][0] as u32;
        }
        let mut open = [0; TOGETHER];
        let mut open_len = 0;
        for (index, (candidate, &hash)) in candidates.iter_mut().zip(hashes).enumerate() {
            let group = &groups[home(hash, groups.len())];
            let matches = matches(group, hash);
            // Whether there is one is not worth a guess of the processor.
            let slot = group[matches.trailing_zeros() as usize % GROUP] as u32;
            *candidate = if matches == 0 { 0 } else { slot };
            open[open_len] = index;
            open_len += usize::from(matches == 0 && is_full(group));
        }
        let open = &open[..open_len];
        for &index in open {
            let next = home(hashes[index], groups.len()) + 1;
            candidates[index] = groups.get(next).map_or(0, |group| group[0] as u32);
        }
        for &index in open {
            let found = self.find(hashes[index], |_| true);
            candidates[index] = found.map_or(0, |id| id + 1);
        }
    }

    /// The place at which a number that is not in the table would be put.
    pub(crate) fn place_for(&self, hash: u64) -> Place {
        self.find(hash, |_| false)
            .map_or_else(|place| place, |_| Place(0))
    }

    /// Adds a number that is not in the table, where [`Self::find`] said last.
    pub(crate) fn insert(&mut self, place: Place, hash: u64, id: u32) {
        let slot = slot(hash, id);
        if self.is_full() {
            self.grow();
            self.place(slot);
        } else {
            fill(&mut self.groups_mut()[place.0], slot);
        }
        self.len += 1;
    }

    /// Makes room for a number that will be added by [`Self::insert_promised`].
    pub(crate) fn promise(&mut self) {
        if self.is_full() {
            self.grow();
        }
        self.len += 1;
    }

    /// Adds consecutive numbers that were promised, by their hashes: each thread those whose home
    /// is in its range of the groups.
    pub(crate) fn insert_promised(&mut self, hashes: &[u64], first: u32, threads: usize) {
        let groups = self.groups_mut();
        let count = groups.len();
        let threads = threads.min(hashes.len() / FEWEST_FOR_THREADS).max(1);
        let size = count.div_ceil(threads).max(1);
        let ranges = Pieces::new(groups.chunks_mut(size).zip((0..).step_by(size)));
        let insert = |left: &mut Vec<u64>| {
            while let Some((groups, start)) = ranges.take() {
                insert_range(groups, start, count, (hashes, first), left);
            }
        };
        let mut left = vec![Vec::new(); threads];
        together(&mut left, insert, insert);
        let mut left = left.concat();
        left.sort_unstable();
        for slot in left {
            self.place(slot);
        }
    }

    fn place(&mut self, slot: u64) {
        let groups = self.groups_mut();
        let home = home(slot, groups.len());
        if !place(&mut groups[home..], slot) {
            place(groups, slot);
        }
    }

    /// Grows in place. Homes move up, so numbers are moved from the last group to the first, each
    /// into a part of the table that is finished; the few that do not fit there are put in at the
    /// end.
    fn grow(&mut self) {
        let (old, new) = (self.groups().len(), self.groups_after_growth());
        let slots = slots_for(new);
        self.slots.reserve_exact(slots - self.slots.len());
        self.slots.resize(slots, 0);
        let before = self.first;
        self.first = self.slots.as_ptr().align_offset(LINE).min(GROUP - 1);
        if self.first != before {
            let end = self.first + old * GROUP;
            self.slots
                .copy_within(before..before + old * GROUP, self.first);
            self.slots[end..].fill(0);
        }
        // Three quarters of the slots.
        self.most = new * GROUP / 4 * 3;
        let groups = self.groups_mut();
        let mut left = Vec::new();
        for index in (0..old).rev() {
            for slot in std::mem::take(&mut groups[index]) {
                if slot == 0 {
                    break;
                }
                let home = home(slot, new);
                if home < index || !place(&mut groups[home..], slot) {
                    left.push(slot);
                }
            }
        }
        for slot in left {
            self.place(slot);
        }
    }

    const fn is_full(&self) -> bool {
        self.len == self.most
    }

    fn groups_after_growth(&self) -> usize {
        (self.groups().len() / 2 * 3).max(FEWEST_GROUPS)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Bytes that the next insertion adds.
    pub(crate) fn growth(&self) -> usize {
        if self.is_full() {
            (slots_for(self.groups_after_growth()) - self.slots.len()) * size_of::<u64>()
        } else {
            0
        }
    }
}

/// Slots of which so many groups can begin at a cache line.
const fn slots_for(groups: usize) -> usize {
    groups * GROUP + GROUP - 1
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
                let place = table.find(hash(id), |other| other == id).unwrap_err();
                table.insert(place, hash(id), id);
                for id in 0..=id {
                    assert_eq!(table.find(hash(id), |other| other == id), Ok(id));
                }
            }
        }
    }

    #[test]
    fn promised_numbers_are_found_once_threads_have_added_them() {
        // Spread over the table, and in its last groups, so that probing goes on at the first.
        let spread: fn(u32) -> u64 = |id| u64::from(id).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let last: fn(u32) -> u64 = |id| u64::MAX - (u64::from(id) << 46);
        for (hash, threads) in [(spread, 1), (spread, 3), (last, 1), (last, 3)] {
            let mut table = IdTable::default();
            for ids in [0..50, 50..13_000, 13_000..13_010, 13_010..26_000] {
                for _ in ids.clone() {
                    let (before, growth) = (table.bytes(), table.growth());
                    table.promise();
                    assert_eq!(table.bytes(), before + growth);
                }
                let hashes: Vec<u64> = ids.clone().map(hash).collect();
                table.insert_promised(&hashes, ids.start, threads);
                for id in 0..ids.end {
                    assert_eq!(table.find(hash(id), |other| other == id), Ok(id));
                }
                assert!(table.find(hash(ids.end), |other| other == ids.end).is_err());
            }
        }
    }

    #[test]
    fn growth_is_announced_before_it_happens() {
        let mut table = IdTable::default();
        for id in 0..5000_u32 {
            let (before, growth) = (table.bytes(), table.growth());
            let hash = u64::from(id) << 50;
            let place = table.find(hash, |other| other == id).unwrap_err();
            table.insert(place, hash, id);
            assert_eq!(table.bytes(), before + growth);
        }
    }
}
