//! A queue of facts by cost, for costs that are small numbers most of the time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs below this have a bucket each.
const NEAR: usize = 256;

/// Facts in order of cost; of equal ones below [`NEAR`] the last comes first.
#[derive(Clone, Debug)]
pub(crate) struct CostQueue {
    near: Vec<Vec<u32>>,
    /// A bit for each bucket that is not empty.
    filled: [u64; NEAR / 64],
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Default for CostQueue {
    fn default() -> Self {
        Self {
            near: vec![Vec::new(); NEAR],
            filled: [0; NEAR / 64],
            far: BinaryHeap::new(),
        }
    }
}

impl CostQueue {
    pub(crate) fn push(&mut self, cost: u32, fact: u32) {
        if let Some(bucket) = self.near.get_mut(cost as usize) {
            bucket.push(fact);
            self.filled[cost as usize / 64] |= 1 << (cost % 64);
        } else {
            self.far.push(Reverse((cost, fact)));
        }
    }

    /// Takes a fact of least cost.
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        for (bits, first) in self.filled.iter_mut().zip((0_u32..).step_by(64)) {
            if *bits == 0 {
                continue;
            }
            let cost = first + bits.trailing_zeros();
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
        while self.pop().is_some() {}
    }
}
