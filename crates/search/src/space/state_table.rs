//! The states that a search has met: packed in an arena, found by hash, numbered from 0.
//!
//! A row of the arena holds a key, the words of the state, and one word of what the search knows of it, so
//! that a duplicate costs one cache miss in the arena. Rows are in blocks that never move. Where nodes of
//! one state differ, a key has more words than its state.

use super::id_table::{IdTable, Place, TOGETHER};
use super::words::{copy, is_same};
use brigade_task::State;

/// Rows per block: 2 to this power.
const BLOCK_BITS: u32 = 12;
const BLOCK_ROWS: usize = 1 << BLOCK_BITS;

/// The way to a state, as far as a search knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Number of the pair (first key, makespan) with which it was reached.
    pub key: u32,
    /// The last key.
    pub labels: u32,
}

impl Reached {
    const fn packed(self) -> u64 {
        (self.key as u64) << 32 | self.labels as u64
    }

    const fn unpacked(word: u64) -> Self {
        Self {
            key: (word >> 32) as u32,
            labels: word as u32,
        }
    }
}

/// A state of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub id: u32,
    /// The way to it.
    pub reached: Reached,
}

/// States of one half-step.
pub(crate) struct StateTable {
    words: usize,
    rows: Vec<Box<[u64]>>,
    parents: Vec<Box<[u32]>>,
    ids: IdTable,
    len: u32,
}

const fn position(id: u32) -> (usize, usize) {
    ((id >> BLOCK_BITS) as usize, id as usize & (BLOCK_ROWS - 1))
}

/// The key of a state, and what is known of it.
fn row(rows: &[Box<[u64]>], words: usize, id: u32) -> (&[u64], u64) {
    let (block, index) = position(id);
    let start = index * (words + 1);
    let row = &rows[block][start..=start + words];
    (&row[..words], row[words])
}

impl StateTable {
    pub(crate) fn new(words: usize) -> Self {
        Self {
            words,
            rows: Vec::new(),
            parents: Vec::new(),
            ids: IdTable::default(),
            len: 0,
        }
    }

    /// The number of states.
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    /// The state with this number, where the keys are the words of states.
    pub(crate) fn state(&self, id: u32) -> &State {
        State::from_words(self.key(id))
    }

    /// The key with this number.
    pub(crate) fn key(&self, id: u32) -> &[u64] {
        row(&self.rows, self.words, id).0
    }

    /// The way to it.
    pub(crate) fn reached(&self, id: u32) -> Reached {
        Reached::unpacked(row(&self.rows, self.words, id).1)
    }

    /// The state from which it was reached.
    pub(crate) fn parent(&self, id: u32) -> u32 {
        let (block, index) = position(id);
        self.parents[block][index]
    }

    /// Notes how a state was reached.
    pub(crate) fn set(&mut self, id: u32, reached: Reached, parent: u32) {
        let (block, index) = position(id);
        self.rows[block][index * (self.words + 1) + self.words] = reached.packed();
        self.parents[block][index] = parent;
    }

    /// The number of a key whose hash is given.
    pub(crate) fn find(&self, hash: u64, key: &[u64]) -> Option<u32> {
        self.find_or_place(hash, key).ok()
    }

    /// The number of a key whose hash is given; else where it would be put.
    pub(crate) fn find_or_place(&self, hash: u64, key: &[u64]) -> Result<u32, Place> {
        let is_same = |id| is_same(self.key(id), key);
        self.ids.find(hash, is_same)
    }

    /// Looks many keys up: `keys` holds the words of all. Their waits for memory overlap, first
    /// those for slots, then those for rows.
    pub(crate) fn find_all(&self, hashes: &[u64], keys: &[u64], found: &mut Vec<Option<Found>>) {
        found.clear();
        if self.len == 0 {
            found.resize(hashes.len(), None);
            return;
        }
        let mut candidates = [0; TOGETHER];
        let groups = hashes.chunks(TOGETHER);
        for (hashes, keys) in groups.zip(keys.chunks(TOGETHER * self.words)) {
            self.ids.candidates(hashes, &mut candidates);
            let keys = keys.chunks_exact(self.words);
            for ((&candidate, &hash), key) in candidates.iter().zip(hashes).zip(keys) {
                // Without a candidate the first row stands in for one.
                let id = candidate.saturating_sub(1);
                let (row, word) = row(&self.rows, self.words, id);
                let is_same = is_same(row, key);
                let reached = Reached::unpacked(word);
                let mut known = (candidate != 0).then_some(Found { id, reached });
                if !is_same && candidate != 0 {
                    // Another key whose hash agrees as far as slots hold it.
                    known = self.find(hash, key).map(|id| Found {
                        id,
                        reached: self.reached(id),
                    });
                }
                found.push(known);
            }
        }
    }

    /// Stores a key that is not in the table.
    pub(crate) fn insert(&mut self, hash: u64, key: &[u64], reached: Reached, parent: u32) -> u32 {
        let place = self.ids.place_for(hash);
        self.insert_at(place, hash, key, reached, parent)
    }

    /// Stores a key that is not in the table, where [`Self::find_or_place`] said last.
    pub(crate) fn insert_at(
        &mut self,
        place: Place,
        hash: u64,
        key: &[u64],
        reached: Reached,
        parent: u32,
    ) -> u32 {
        let id = self.push(key, reached, parent);
        self.ids.insert(place, hash, id);
        id
    }

    /// Stores a key that is not in the table, but does not list it yet: it is found after
    /// [`Self::list`] only.
    pub(crate) fn append(&mut self, key: &[u64], reached: Reached, parent: u32) -> u32 {
        self.ids.promise();
        self.push(key, reached, parent)
    }

    /// Lists the keys that were appended, by their hashes in order, on so many threads at most.
    pub(crate) fn list(&mut self, hashes: &[u64], threads: usize) {
        let first = self.len - hashes.len() as u32;
        self.ids.insert_promised(hashes, first, threads);
    }

    fn push(&mut self, key: &[u64], reached: Reached, parent: u32) -> u32 {
        let id = self.len;
        let (block, index) = position(id);
        if block == self.rows.len() {
            let zeros = vec![0; BLOCK_ROWS * (self.words + 1)];
            self.rows.push(zeros.into_boxed_slice());
            self.parents.push(vec![0; BLOCK_ROWS].into_boxed_slice());
        }
        let start = index * (self.words + 1);
        copy(key, &mut self.rows[block][start..start + self.words]);
        self.set(id, reached, parent);
        self.len += 1;
        id
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * self.block_bytes() + self.ids.bytes()
    }

    /// Bytes that the next insertion would add; 0 for most.
    pub(crate) fn growth(&self) -> usize {
        let block = if self.len as usize == self.rows.len() * BLOCK_ROWS {
            self.block_bytes()
        } else {
            0
        };
        block + self.ids.growth()
    }

    const fn block_bytes(&self) -> usize {
        BLOCK_ROWS * ((self.words + 1) * size_of::<u64>() + size_of::<u32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::words::hash;

    #[test]
    fn states_keep_their_numbers_and_what_is_known_of_them() {
        let mut table = StateTable::new(2);
        let states: Vec<[u64; 2]> = (0..10_000_u64).map(|n| [n * 977 % 10_007, n]).collect();
        for (index, state) in states.iter().enumerate() {
            assert_eq!(table.find(hash(state), state), None);
            let reached = Reached {
                key: index as u32 / 7,
                labels: u32::MAX - index as u32,
            };
            assert_eq!(table.insert(hash(state), state, reached, 3), index as u32);
        }
        for (index, state) in states.iter().enumerate() {
            let id = index as u32;
            assert_eq!(table.find(hash(state), state), Some(id));
            assert_eq!(table.key(id), state);
            assert_eq!(table.state(id).words(), state);
            assert_eq!(table.parent(id), 3);
            assert_eq!(
                table.reached(id),
                Reached {
                    key: id / 7,
                    labels: u32::MAX - id
                }
            );
        }
    }

    #[test]
    fn many_states_are_found_as_one_by_one_whether_hashes_agree_or_not() {
        let poor = |state: &[u64]| (state[0] % 3) << 40;
        for hash in [hash, poor] {
            let mut table = StateTable::new(2);
            for stored in [0, 1, 9, 1_000] {
                while table.len() < stored {
                    let state = [u64::from(table.len()) * 2, 5];
                    let reached = Reached {
                        key: table.len(),
                        labels: 7,
                    };
                    table.insert(hash(&state), &state, reached, 0);
                }
                let asked: Vec<[u64; 2]> = (0..500).map(|n| [n * 3, 5]).collect();
                let hashes: Vec<u64> = asked.iter().map(|state| hash(state)).collect();
                let mut found = Vec::new();
                table.find_all(&hashes, &asked.concat(), &mut found);
                let one_by_one = asked.iter().map(|state| {
                    let id = table.find(hash(state), state)?;
                    let reached = table.reached(id);
                    Some(Found { id, reached })
                });
                assert_eq!(found, one_by_one.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn growth_is_announced_before_it_happens() {
        let mut table = StateTable::new(1);
        for state in 0..20_000_u64 {
            let (before, growth) = (table.bytes(), table.growth());
            let reached = Reached { key: 0, labels: 0 };
            table.insert(hash(&[state]), &[state], reached, 0);
            assert_eq!(table.bytes(), before + growth);
        }
    }
}
