//! A transposition table of bounded size: lower bounds on the cost-to-go of states. It forgets what
//! took least effort to find out.
//!
//! States are kept whole, so that a bound is never taken for that of another state.

use crate::heuristics::Estimate;
use crate::space::words::{copy, is_same};

/// Entries that may stand at one place.
const WAYS: usize = 4;
/// Places of a new table: 2 to this power.
const FIRST_BITS: u32 = 4;
/// Words of an entry beside those of the state.
const EXTRA: usize = 3;

/// Lower bounds on what remains from nodes.
pub(crate) struct Transpositions {
    words: usize,
    /// Each entry: the state, the first key, makespan and labels, effort and half-step.
    rows: Vec<u64>,
    /// Places: 2 to this power.
    bits: u32,
    most_bytes: usize,
    held: usize,
}

impl Transpositions {
    /// An empty table for states of so many words that will never hold more than so many bytes, nor
    /// less than its smallest size takes.
    pub(crate) fn new(words: usize, most_bytes: usize) -> Self {
        Self {
            words,
            rows: vec![0; (WAYS << FIRST_BITS) * (words + EXTRA)],
            bits: FIRST_BITS,
            most_bytes,
            held: 0,
        }
    }

    /// Nodes of which something is known.
    pub(crate) const fn held(&self) -> usize {
        self.held
    }

    /// Bytes held.
    pub(crate) const fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<u64>()
    }

    const fn width(&self) -> usize {
        self.words + EXTRA
    }

    /// The place at which the entries of a hash begin.
    const fn place(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.bits)) as usize * WAYS * self.width()
    }

    /// The bound known for a node whose state has this hash.
    pub(crate) fn find(&self, hash: u64, half: usize, state: &[u64]) -> Option<Estimate> {
        let width = self.width();
        let place = self.place(hash);
        let entries = self.rows[place..place + WAYS * width].chunks_exact(width);
        for entry in entries {
            let (known, extra) = entry.split_at(self.words);
            if extra[2] as u32 == half as u32 + 1 && is_same(known, state) {
                return Some(Estimate {
                    first: extra[0] as i64,
                    makespan: (extra[1] >> 32) as u32,
                    labels: extra[1] as u32,
                });
            }
        }
        None
    }

    /// Notes what is known of a node, and how many nodes were expanded for it.
    pub(crate) fn note(
        &mut self,
        hash: impl Fn(&[u64]) -> u64 + Copy,
        half: usize,
        state: &[u64],
        rest: Estimate,
        effort: u64,
    ) {
        let place = self.place(hash(state));
        let (mut at, is_known) = self.slot(place, half, state);
        let is_full = !is_known && self.rows[at + self.words + 2] != 0;
        let capacity = WAYS << self.bits;
        if is_full && self.held * 2 > capacity && self.bytes() * 2 <= self.most_bytes {
            self.grow(hash);
            let place = self.place(hash(state));
            (at, _) = self.slot(place, half, state);
        }
        let width = self.width();
        let (known, extra) = self.rows[at..at + width].split_at_mut(self.words);
        self.held += usize::from(extra[2] == 0);
        copy(state, known);
        extra[0] = rest.first as u64;
        extra[1] = u64::from(rest.makespan) << 32 | u64::from(rest.labels);
        extra[2] = effort.min(u64::from(u32::MAX)) << 32 | (half as u64 + 1);
    }

    /// The entry of a node, or the one that it replaces; and whether it is its own.
    fn slot(&self, place: usize, half: usize, state: &[u64]) -> (usize, bool) {
        let width = self.width();
        let mut least = (u64::MAX, place);
        for way in 0..WAYS {
            let at = place + way * width;
            let (known, extra) = self.rows[at..at + width].split_at(self.words);
            if extra[2] as u32 == half as u32 + 1 && is_same(known, state) {
                return (at, true);
            }
            // A place that is free took no effort.
            let effort = if extra[2] == 0 {
                0
            } else {
                (extra[2] >> 32) + 1
            };
            least = least.min((effort, at));
        }
        (least.1, false)
    }

    /// Doubles the places.
    fn grow(&mut self, hash: impl Fn(&[u64]) -> u64) {
        let width = self.width();
        self.bits += 1;
        self.held = 0;
        let size = (WAYS << self.bits) * width;
        let old = std::mem::replace(&mut self.rows, vec![0; size]);
        for entry in old.chunks_exact(width) {
            let (state, extra) = entry.split_at(self.words);
            if extra[2] == 0 {
                continue;
            }
            let place = self.place(hash(state));
            // Entries of one old place go to two new ones: there is a free one.
            let (at, _) = self.slot(place, (extra[2] as u32 - 1) as usize, state);
            self.rows[at..at + width].copy_from_slice(entry);
            self.held += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::words::hash;

    fn estimate(number: u64) -> Estimate {
        Estimate {
            first: number as i64 * 3,
            makespan: number as u32,
            labels: 7,
        }
    }

    #[test]
    fn most_of_what_was_noted_is_found_while_there_is_room() {
        let mut table = Transpositions::new(2, 1 << 22);
        for number in 0..10_000 {
            let half = number as usize % 3;
            table.note(hash, half, &[number, 5], estimate(number), 1);
        }
        // Some places are full while most of the table is free.
        assert!(table.held() > 9_000, "{}", table.held());
        let mut found = 0;
        for number in 0..10_000 {
            let half = number as usize % 3;
            let known = table.find(hash(&[number, 5]), half, &[number, 5]);
            assert!(known.is_none_or(|known| known == estimate(number)));
            found += usize::from(known.is_some());
            assert_eq!(table.find(hash(&[number, 5]), half + 1, &[number, 5]), None);
        }
        assert_eq!(found, table.held());
    }

    #[test]
    fn it_stays_within_its_bytes_and_keeps_what_took_most_effort() {
        let most_bytes = 1 << 16;
        let mut table = Transpositions::new(1, most_bytes);
        let dear = |number: u64| number.is_multiple_of(100);
        for number in 0..50_000_u64 {
            let effort = if dear(number) { 1_000 } else { number % 50 };
            table.note(hash, 0, &[number], estimate(number), effort);
        }
        assert!(table.bytes() <= most_bytes, "{}", table.bytes());
        let kept = |number: &u64| table.find(hash(&[*number]), 0, &[*number]).is_some();
        let dear: Vec<u64> = (0..50_000).filter(|&number| dear(number)).collect();
        let kept = dear.iter().filter(|number| kept(number)).count();
        assert!(kept * 10 > dear.len() * 9, "{kept} of {}", dear.len());
    }

    #[test]
    fn what_is_learned_anew_replaces_what_was_known() {
        let mut table = Transpositions::new(1, 0);
        table.note(hash, 0, &[1], estimate(1), 5);
        table.note(hash, 0, &[1], Estimate::DEAD, 1);
        assert_eq!(table.held(), 1);
        assert_eq!(table.find(hash(&[1]), 0, &[1]), Some(Estimate::DEAD));
    }
}
