//! The open nodes of a best-first search, in buckets of equal priority.

use std::collections::BTreeMap;
use std::ops::Range;

/// Numbers pairs (first key, makespan) in order of appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    values: Vec<(i64, u32)>,
    numbers: BTreeMap<(i64, u32), u32>,
    last: Option<((i64, u32), u32)>,
}

impl Keys {
    /// The number of a pair.
    pub(crate) fn number(&mut self, value: (i64, u32)) -> u32 {
        if let Some((last, number)) = self.last
            && last == value
        {
            return number;
        }
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        self.last = Some((value, number));
        number
    }

    /// The pair with this number.
    pub(crate) fn value(&self, number: u32) -> (i64, u32) {
        self.values[number as usize]
    }
}

/// Numbers of states; runs of consecutive ones take no memory.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    /// Consecutive numbers.
    Run(Range<u32>),
    /// Any numbers.
    List(Vec<u32>),
}

impl Default for Ids {
    fn default() -> Self {
        Self::Run(0..0)
    }
}

impl Ids {
    fn push(&mut self, id: u32) {
        match self {
            Self::Run(run) if run.start == run.end => *run = id..id + 1,
            Self::Run(run) if run.end == id => run.end += 1,
            Self::Run(run) => {
                let mut list: Vec<u32> = run.collect();
                list.push(id);
                *self = Self::List(list);
            }
            Self::List(list) => list.push(id),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Run(run) => run.len(),
            Self::List(list) => list.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> u32 {
        match self {
            Self::Run(run) => run.start + index as u32,
            Self::List(list) => list[index],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Run(_) => 0,
            Self::List(list) => list.capacity() * size_of::<u32>(),
        }
    }
}

/// The nodes of one half-step with the same priority.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    /// The priority.
    pub order: (i64, u32),
    /// The half-step.
    pub half: usize,
    /// The nodes.
    pub ids: Ids,
}

/// Open nodes by `(order, half-step)`, least first. A node pushed must come after the last bucket
/// that was taken.
#[derive(Clone, Debug)]
pub(crate) struct BucketQueue {
    halves: usize,
    orders: Keys,
    buckets: Vec<Ids>,
    /// The first place that may hold nodes.
    cursor: ((i64, u32), usize),
}

impl BucketQueue {
    pub(crate) fn new(halves: usize) -> Self {
        Self {
            halves,
            orders: Keys::default(),
            buckets: Vec::new(),
            cursor: ((i64::MIN, 0), 0),
        }
    }

    pub(crate) fn push(&mut self, order: (i64, u32), half: usize, id: u32) {
        let first = self.orders.number(order) as usize * self.halves;
        if first >= self.buckets.len() {
            self.buckets.resize(first + self.halves, Ids::default());
        }
        self.buckets[first + half].push(id);
    }

    /// Takes the least bucket that has nodes.
    pub(crate) fn pop(&mut self) -> Option<Bucket> {
        let (start, mut first_half) = self.cursor;
        for (&order, &number) in self.orders.numbers.range(start..) {
            if order != start {
                first_half = 0;
            }
            for half in first_half..self.halves {
                let bucket = &mut self.buckets[number as usize * self.halves + half];
                if bucket.len() > 0 {
                    self.cursor = (order, half);
                    let ids = std::mem::take(bucket);
                    return Some(Bucket { order, half, ids });
                }
            }
        }
        None
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.buckets.iter().map(Ids::bytes).sum::<usize>()
            + self.buckets.capacity() * size_of::<Ids>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_come_in_order_of_cost_then_tick_then_half_step() {
        let mut queue = BucketQueue::new(2);
        for (order, half, id) in [
            ((3, 1), 0, 7),
            ((0, 2), 1, 1),
            ((0, 2), 0, 5),
            ((0, 2), 0, 6),
            ((0, 1), 1, 9),
            ((0, 2), 0, 3),
        ] {
            queue.push(order, half, id);
        }
        let mut taken = Vec::new();
        while let Some(bucket) = queue.pop() {
            let ids = (0..bucket.ids.len()).map(|index| bucket.ids.get(index));
            taken.push((bucket.order, bucket.half, ids.collect::<Vec<_>>()));
        }
        assert_eq!(
            taken,
            [
                ((0, 1), 1, vec![9]),
                ((0, 2), 0, vec![5, 6, 3]),
                ((0, 2), 1, vec![1]),
                ((3, 1), 0, vec![7]),
            ]
        );
    }
}
