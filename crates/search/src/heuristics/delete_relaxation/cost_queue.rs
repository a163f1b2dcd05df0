//! A queue of facts by cost, for costs that are small numbers most of the time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs below this have a bucket each.
const NEAR: usize = 1024;

/// Facts in order of cost; of equal ones below [`NEAR`] the last comes first.
#[derive(Clone, Debug)]
pub(crate) struct CostQueue {
    near: Vec<Vec<u32>>,
    /// A bit for each bucket that is not empty.
    filled: [u64; NEAR / 64],
    /// All words of `filled` before this are zero.
    first: usize,
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Default for CostQueue {
    fn default() -> Self {
        Self {
            near: vec![Vec::new(); NEAR],
            filled: [0; NEAR / 64],
            first: 0,
            far: BinaryHeap::new(),
        }
    }
}

impl CostQueue {
    pub(crate) fn push(&mut self, cost: u32, fact: u32) {
        if let Some(bucket) = self.near.get_mut(cost as usize) {
            bucket.push(fact);
            let word = cost as usize / 64;
            self.filled[word] |= 1 << (cost % 64);
            self.first = self.first.min(word);
        } else {
            self.far.push(Reverse((cost, fact)));
        }
    }

    /// Takes a fact of least cost.
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(bits) = self.filled.get_mut(self.first) {
            if *bits == 0 {
                self.first += 1;
                continue;
            }
            let cost = self.first as u32 * 64 + bits.trailing_zeros();
            let bucket = &mut self.near[cost as usize];
            let fact = bucket.pop();
            if bucket.is_empty() {
                *bits &= *bits - 1;
            }
            return fact.map(|fact| (cost, fact));
        }
        self.far.pop().map(|Reverse(entry)| entry)
    }

    pub(crate) fn clear(&mut self) {
        while let Some(bits) = self.filled.get_mut(self.first) {
            while *bits != 0 {
                let cost = self.first * 64 + bits.trailing_zeros() as usize;
                self.near[cost].clear();
                *bits &= *bits - 1;
            }
            self.first += 1;
        }
        self.far.clear();
    }
}
