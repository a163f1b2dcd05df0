//! The steps between abstract states, packed: there are many, and what they add is one of few
//! weights.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::heuristics::cartesian::numbering::TooLarge;

/// The weight of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Weight {
    /// To the first key.
    pub(crate) first: i64,
    /// To the last key.
    pub(crate) labels: u32,
    /// The landmarks that the agent brings about: of others, and its own without them.
    pub(crate) achieves: u64,
    /// The landmarks of the agent without which there is no such step.
    pub(crate) needs: u64,
}

/// Steps by the place where they begin; or, turned round, by the place that they lead to.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The first step of each place.
    first: Vec<u32>,
    /// The places at the other ends.
    ends: Vec<u32>,
    /// For each step the number of its weight.
    weights: Vec<u16>,
    distinct: Vec<Weight>,
    numbers: FxHashMap<Weight, u16>,
}

impl Graph {
    /// Goes on to the steps of the next place.
    pub(crate) fn begin(&mut self) {
        self.first.push(self.ends.len() as u32);
    }

    /// Adds a step from the place that was begun last.
    pub(crate) fn push(&mut self, end: u32, weight: Weight) -> Result<(), TooLarge> {
        let number = match self.weights.last() {
            Some(&last) if self.distinct[last as usize] == weight => last,
            _ => self.number(weight)?,
        };
        if self.ends.len() >= u32::MAX as usize / 2 {
            return Err(TooLarge);
        }
        self.ends.push(end);
        self.weights.push(number);
        Ok(())
    }

    /// The number of a weight, the next if it is new.
    fn number(&mut self, weight: Weight) -> Result<u16, TooLarge> {
        let next = u16::try_from(self.distinct.len()).map_err(|_| TooLarge)?;
        let number = *self.numbers.entry(weight).or_insert(next);
        if number == next {
            self.distinct.push(weight);
        }
        Ok(number)
    }

    /// The number of places that have been begun.
    pub(crate) const fn places(&self) -> usize {
        self.first.len()
    }

    /// Bytes in use.
    pub(crate) const fn bytes(&self) -> usize {
        let step = size_of::<u32>() + size_of::<u16>();
        self.ends.capacity() * step + self.first.capacity() * size_of::<u32>()
    }

    /// The different weights of steps.
    pub(crate) fn weights(&self) -> &[Weight] {
        &self.distinct
    }

    /// The other ends of the steps at a place, and what they add.
    pub(crate) fn at(&self, place: usize) -> impl Iterator<Item = (u32, &Weight)> {
        let range = self.range(place);
        let weights = self.weights[range.clone()].iter();
        let weights = weights.map(|&number| &self.distinct[number as usize]);
        self.ends[range].iter().copied().zip(weights)
    }

    /// The other ends of the steps at a place.
    pub(crate) fn ends(&self, place: usize) -> &[u32] {
        &self.ends[self.range(place)]
    }

    fn range(&self, place: usize) -> std::ops::Range<usize> {
        let end = self.first.get(place + 1);
        self.first[place] as usize..end.map_or(self.ends.len(), |&end| end as usize)
    }

    /// The same steps by their other ends.
    pub(crate) fn reversed(&self) -> Self {
        let mut next = vec![0_u32; self.places()];
        for &end in &self.ends {
            next[end as usize] += 1;
        }
        let mut sum = 0;
        for next in &mut next {
            sum += std::mem::replace(next, sum);
        }
        let first = next.clone();
        let mut ends = vec![0; self.ends.len()];
        let mut weights = vec![0; self.ends.len()];
        for place in 0..self.places() {
            for index in self.range(place) {
                let at = &mut next[self.ends[index] as usize];
                ends[*at as usize] = place as u32;
                weights[*at as usize] = self.weights[index];
                *at += 1;
            }
        }
        Self {
            first,
            ends,
            weights,
            distinct: self.distinct.clone(),
            numbers: FxHashMap::default(),
        }
    }

    /// Uniform-cost search along the steps of this graph: `values` gives each place what it has by
    /// itself, and has the least of that and of what it gets by steps afterwards; `through` is what
    /// one gives the other end, no less than it gets, if anything. The greatest of the `values` is
    /// not passed on.
    pub(crate) fn relax<V: Ord + Copy>(
        &self,
        values: &mut [V],
        through: impl Fn(&Weight, V) -> Option<V>,
    ) {
        let Some(&worst) = values.iter().max() else {
            return;
        };
        let mut open: BTreeMap<V, Vec<u32>> = BTreeMap::new();
        for (&value, place) in values.iter().zip(0..) {
            if value < worst {
                open.entry(value).or_default().push(place);
            }
        }
        while let Some((value, places)) = open.pop_first() {
            let through: Vec<Option<V>> = self
                .distinct
                .iter()
                .map(|weight| through(weight, value))
                .collect();
            for place in places {
                if values[place as usize] != value {
                    continue;
                }
                for index in self.range(place as usize) {
                    let end = self.ends[index];
                    if let Some(through) = through[self.weights[index] as usize]
                        && through < values[end as usize]
                    {
                        values[end as usize] = through;
                        open.entry(through).or_default().push(end);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn labels(labels: u32) -> Weight {
        Weight {
            first: 0,
            labels,
            achieves: 0,
            needs: 0,
        }
    }

    #[test]
    fn what_steps_add_is_counted_along_the_least_way() {
        // 0 leads to 1 and 2, 1 to 2 and 3, 2 to 3, and 4 nowhere.
        let mut graph = Graph::default();
        for steps in [
            vec![(1, 1), (2, 5)],
            vec![(2, 0), (3, 9)],
            vec![(3, 2)],
            vec![],
            vec![],
        ] {
            graph.begin();
            for (end, weight) in steps {
                assert_eq!(graph.push(end, labels(weight)), Ok(()));
            }
        }
        let entering = graph.reversed();
        let sources: Vec<&[u32]> = (0..5).map(|place| entering.ends(place)).collect();
        assert_eq!(sources, [&[][..], &[0], &[0, 1], &[1, 2], &[]]);
        let mut values = vec![u32::MAX, u32::MAX, u32::MAX, 0, u32::MAX];
        entering.relax(&mut values, |weight, rest| rest.checked_add(weight.labels));
        assert_eq!(values, [3, 2, 2, 0, u32::MAX]);
        let mut values = vec![0, u32::MAX, u32::MAX, u32::MAX, 7];
        graph.relax(&mut values, |weight, so_far| {
            so_far.checked_add(weight.labels)
        });
        assert_eq!(values, [0, 1, 1, 3, 7]);
    }
}
