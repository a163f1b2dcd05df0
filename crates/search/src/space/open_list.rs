//! The open nodes of an informed search, in buckets of equal priority.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::heuristics::Estimate;

/// The bucket number of a node that is not open.
const CLOSED: u32 = u32::MAX;

/// The worth of a plan through a node, at least; of equal ones the deepest comes first: by ticks,
/// then by half-step. Those come last that may turn out to be worth more.
pub(crate) type Priority = (Estimate, Reverse<u32>, Reverse<usize>, bool);

/// The open nodes.
pub(crate) struct OpenNodes {
    numbers: BTreeMap<Priority, u32>,
    buckets: Vec<Vec<u32>>,
    /// For each half-step and node the bucket where it waits.
    waits_in: Vec<Vec<u32>>,
}

impl OpenNodes {
    /// None, of so many half-steps.
    pub(crate) fn new(halves: usize) -> Self {
        Self {
            numbers: BTreeMap::new(),
            buckets: Vec::new(),
            waits_in: vec![Vec::new(); halves],
        }
    }

    /// Opens a node; where it waited before, it does no longer.
    pub(crate) fn push(&mut self, priority: Priority, id: u32) {
        let next = self.buckets.len() as u32;
        let number = *self.numbers.entry(priority).or_insert(next);
        if number == next {
            self.buckets.push(Vec::new());
        }
        self.buckets[number as usize].push(id);
        let Reverse(half) = priority.2;
        let waits_in = &mut self.waits_in[half];
        if waits_in.len() <= id as usize {
            waits_in.resize(id as usize + 1, CLOSED);
        }
        waits_in[id as usize] = number;
    }

    /// The least priority, unless nothing is open.
    pub(crate) fn least(&mut self) -> Option<Priority> {
        loop {
            let (&priority, &number) = self.numbers.first_key_value()?;
            let Reverse(half) = priority.2;
            let waits_in = &self.waits_in[half];
            let bucket = &mut self.buckets[number as usize];
            while let Some(&id) = bucket.last() {
                if waits_in[id as usize] == number {
                    return Some(priority);
                }
                bucket.pop();
            }
            self.buckets[number as usize] = Vec::new();
            self.numbers.pop_first();
        }
    }

    /// Takes nodes of least priority, so many at most, and closes them. The last one opened comes
    /// first.
    pub(crate) fn take(&mut self, most: usize, taken: &mut Vec<u32>) {
        taken.clear();
        let Some(((_, _, Reverse(half), _), &number)) = self.numbers.first_key_value() else {
            return;
        };
        let bucket = &mut self.buckets[number as usize];
        let waits_in = &mut self.waits_in[*half];
        while taken.len() < most
            && let Some(id) = bucket.pop()
        {
            if waits_in[id as usize] == number {
                waits_in[id as usize] = CLOSED;
                taken.push(id);
            }
        }
    }

    /// The half-steps and nodes that do not wait, but for the last ones if they never did.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (usize, u32)> {
        let halves = self.waits_in.iter().enumerate();
        halves.flat_map(|(half, waits_in)| {
            let closed = (0..).zip(waits_in);
            let closed = closed.filter(|&(_, &number)| number == CLOSED);
            closed.map(move |(id, _)| (half, id))
        })
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.buckets.iter().chain(&self.waits_in);
        lists.map(|list| list.capacity() * size_of::<u32>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priority(makespan: u32, ticks: u32, half: usize) -> Priority {
        let total = Estimate {
            makespan,
            ..Estimate::ZERO
        };
        (total, Reverse(ticks), Reverse(half), false)
    }

    #[test]
    fn the_deepest_of_the_least_come_first_and_of_those_the_last() {
        let mut open = OpenNodes::new(2);
        for (priority, id) in [
            (priority(5, 1, 0), 0),
            (priority(4, 1, 0), 1),
            (priority(4, 2, 0), 2),
            (priority(4, 2, 1), 0),
            (priority(4, 2, 0), 3),
            (priority(4, 2, 0), 4),
        ] {
            open.push(priority, id);
        }
        let mut order = Vec::new();
        let mut taken = Vec::new();
        while let Some(priority) = open.least() {
            open.take(2, &mut taken);
            order.push((priority, taken.clone()));
        }
        let expected = [
            (priority(4, 2, 1), vec![0]),
            (priority(4, 2, 0), vec![4, 3]),
            (priority(4, 2, 0), vec![2]),
            (priority(4, 1, 0), vec![1]),
            (priority(5, 1, 0), vec![0]),
        ];
        assert_eq!(order, expected);
        assert_eq!(open.closed().count(), 6);
    }

    #[test]
    fn a_node_that_is_opened_again_waits_at_its_last_place_only() {
        let mut open = OpenNodes::new(1);
        open.push(priority(4, 0, 0), 7);
        open.push(priority(3, 0, 0), 7);
        let mut taken = Vec::new();
        assert_eq!(open.least(), Some(priority(3, 0, 0)));
        open.take(5, &mut taken);
        assert_eq!(taken, [7]);
        assert_eq!(open.least(), None);
    }
}
